import Foundation
import ScaleAudio
import TestSupport
import Testing

@testable import AudioFiles
@testable import AudioIO

/// Every format through pipes: the same bytes as from file to file, though many writers go back.
@Suite("Every format through pipes")
struct StreamFormatTests {
  private static let writable = AudioFormat.all.filter(\.isWritable).map(\.id)

  @Test(arguments: writable)
  func pipedOutputEqualsTheFile(id: String) throws {
    let folder = try TemporaryFolder()
    let format = try #require(AudioFormat.named(id))
    // Suitable for every format: 8 kHz, and one channel where the format holds no more.
    try Tool.run(
      "sox", ["-R", "-n", "-r", "8000", "-b", "16", "in.wav", "synth", "0.3", "pinknoise"],
      in: folder.path
    ).succeeded()
    let file = "out.\(format.extensions[0])"
    let arguments = ["-f", "1.5", "--format", id, folder.file("in.wav").string]
    let request = try Program.request(of: arguments + ["-o", folder.file(file).string])
    _ = try #require(try Batch(request).jobs.first).work.run()
    let piped = try Program.shell(
      "cat in.wav | $scaleaudio -f 1.5 --format \(id) - -o - | cat", in: folder.path)
    // Opus alone has a serial number that is drawn by lot.
    if id == "opus" {
      #expect(abs(piped.output.count - (try folder.bytes(file).count)) < 16)
    } else {
      #expect(piped.output == (try folder.bytes(file)))
    }
    // Raw samples do not describe themselves.
    if id == "raw" { return }
    // And it is read from a pipe, by its content.
    try Program.shell(
      "cat \(file) | $scaleaudio -f 1 --format wav - -o - | cat > back.wav; exit ${PIPESTATUS[1]}",
      in: folder.path
    ).succeeded()
    #expect(try Sound.samples(folder.file("back.wav")).count >= 3600)
  }

  @Test func aChainOfPipes() throws {
    let folder = try TemporaryFolder(["in.flac": Sound.flac])
    let run = try Program.shell(
      """
      cat in.flac | $scaleaudio -f 1.5 - -o - --format mp3 | $scaleaudio -f 2 - -o - --format ogg \
      | $scaleaudio -f 0.5 - -o - --format w64 | $scaleaudio --speed 1.5 - -o - --format flac \
      | flac -t - && echo good
      """, in: folder.path)
    #expect(run.outputText.hasSuffix("good\n"), "\(run.errorText)")
  }

  @Test func aFormatThatIsNotWrittenIsNamed() throws {
    let folder = try TemporaryFolder(["in.wav": Sound.wav])
    let run = try Program.shell(
      "cat in.wav | $scaleaudio -f 1.5 --format xi - -o - | wc -c", in: folder.path)
    #expect(run.outputText.hasSuffix("0\n"))
    #expect(run.errorText.contains("is read but not written"))
  }
}
