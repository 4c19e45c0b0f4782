import AudioFiles
import AudioModel
import TestSupport
import Testing

@testable import AudioIO

/// Files with the name of audio that hold something else, as other programs make it.
@Suite("Content that is no audio")
struct OtherContentTests {
  @Test(arguments: [
    ("gzip -c x.wav", "compressed by gzip"), ("bzip2 -c x.wav", "compressed by bzip2"),
    ("xz -c x.wav", "compressed by xz"), ("tar -cf - x.wav", "a tar archive"),
    ("ffmpeg -v error -f lavfi -i testsrc=d=1:r=1 -f image2pipe -c:v png -", "a picture (PNG)"),
    ("ffmpeg -v error -f lavfi -i testsrc=d=1:r=1 -f image2pipe -c:v mjpeg -", "a picture (JPEG)"),
    ("ffmpeg -v error -f lavfi -i testsrc=d=1 -f gif -", "a picture (GIF)"),
    ("head -c 4096 /dev/zero", "zeros, as an interrupted copy leaves them"),
    (#"printf '\n<!DOCTYPE html>\n<html><title>404</title>'"#, "a web page"),
    (#"printf '\357\273\277<HTML><body>'"#, "a web page"),
    (#"printf '<?xml version="1.0"?><Error><Code>AccessDenied</Code>'"#, "a text in XML"),
    (#"printf '{"error":403}'"#, "a text in JSON"),
    (
      #"printf 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n'"#,
      "a pointer, which git lfs pull replaces by the file"
    ),
    (#"printf '#EXTM3U\nx.wav\n'"#, "a playlist"),
  ])
  func isNamed(command: String, content: String) throws {
    let fixture = try AudioFixture()
    try fixture.run("sox", "-n", "-r", "8000", "-c", "1", "x.wav", "synth", "0.1", "sine", "440")
    for name in ["y.wav", "y.mp3"] {
      try fixture.run("sh", "-c", "\(command) > \(name)")
      let error = #expect(throws: AudioFileError.self) { try fixture.read(name) }
      #expect(error?.errorClass == "not-audio")
      #expect(error?.cause == "not a recognized audio file: it is \(content)")
      #expect(error?.remedy != .seeFormats)
    }
  }

  @Test func otherTextIsNot() throws {
    let fixture = try AudioFixture()
    try fixture.put("y.wav", Array("Some words.\n".utf8))
    let error = #expect(throws: AudioFileError.self) { try fixture.read("y.wav") }
    #expect(error?.cause == "not a recognized audio file" && error?.remedy == .seeFormats)
  }
}
