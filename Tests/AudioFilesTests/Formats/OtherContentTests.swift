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
    (#"printf '{\n  "error" : 403 }'"#, "a text in JSON"),
    (#"printf '[ {"error":403}]'"#, "a text in JSON"),
    (#"printf '["a", "b"]'"#, "a text in JSON"),
    ("ffmpeg -v error -f lavfi -i testsrc=d=1:r=1 -f webp -c:v libwebp -", "a picture (WebP)"),
    (#"printf '\357\273\277#EXTM3U\nx.wav\n'"#, "a playlist"),
    (#"printf '#EXTM3U\nx.wav\n' | iconv -t UTF-16"#, "a playlist"),
    (
      #"printf 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n'"#,
      "a pointer, which git lfs pull replaces by the file"
    ),
    (#"printf '#EXTM3U\nx.wav\n'"#, "a playlist"),
    (#"printf 'REM x\r\nFILE "x.wav" WAVE\r\n  TRACK 01 AUDIO\r\n'"#, "a cue sheet"),
    (
      "python3 -c 'import sqlite3; sqlite3.connect(\"p\").execute(\"create table t(a)\")'; cat p",
      "a database, such as a project of Audacity"
    ),
    (
      #"printf '\000\005\026\007\000\002\000\000Mac OS X        \000\002'"#,
      "what a Mac keeps beside a file (AppleDouble)"
    ),
    ("printf '<REAPER_PROJECT 0.1 7.0 1700000000'", "a project of REAPER"),
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

  /// Samples without a header may begin with silence, or be silent.
  @Test(arguments: ["raw", "pcm"])
  func samplesThatBeginWithSilence(ending: String) throws {
    let fixture = try AudioFixture()
    let name = "y.\(ending)"
    let silence = [UInt8](repeating: 0, count: 4096)
    try fixture.put(name, silence + (0..<4096).map { UInt8(truncatingIfNeeded: $0 * 37 + 1) })
    let error = #expect(throws: AudioFileError.self) { try fixture.read(name) }
    #expect(error?.cause == "not a recognized audio file" && error?.remedy == .declareRaw)
    try fixture.put(name, silence)
    let silent = #expect(throws: AudioFileError.self) { try fixture.read(name) }
    #expect(silent?.cause.contains("zeros") ?? false)
    #expect(silent?.remedy == .declareRaw)
  }

  @Test(arguments: ["Some words.\n", "[12] words\n", "{words}\n"])
  func otherTextIsNot(text: String) throws {
    let fixture = try AudioFixture()
    try fixture.put("y.wav", Array(text.utf8))
    let error = #expect(throws: AudioFileError.self) { try fixture.read("y.wav") }
    #expect(error?.cause == "not a recognized audio file" && error?.remedy == .seeFormats)
  }
}
