import Foundation
import TestSupport
import Testing

/// What libraries would print, and what is dropped, in a whole run.
@Suite("Messages about files")
struct LibraryMessageTests {
  let bench: Workbench

  init() throws { bench = try Workbench() }

  private static let tones = (0..<88200).map { sin(Double($0) * 0.05) * 0.5 }

  /// libmpg123 prints a line about each damaged frame.
  @Test func damagedMP3PrintsOnlyTheProgramsLines() throws {
    try bench.make("in.mp3", Self.tones, codec: "libmp3lame")
    var bytes = Array(
      try Data(contentsOf: URL(fileURLWithPath: bench.folder.file("in.mp3").string)))
    var state: UInt32 = 1
    for index in 2000..<bytes.count - 500 {
      state = state &* 1_664_525 &+ 1_013_904_223
      // Sync words and headers stay.
      if state >> 24 < 5, !bytes[index - 4...index].contains(0xFF) {
        bytes[index] = UInt8(truncatingIfNeeded: state >> 8) & 0x7F
      }
    }
    try bench.folder.write("bad.mp3", bytes)
    let other = try Tool.run("mpg123", ["-t", "bad.mp3"], in: bench.folder.path)
    #expect(other.errorText.contains("libmpg123"), "the file is not damaged enough")
    let run = try bench.convert(["--salvage", "-f", "1.5", "bad.mp3", "-o", "out.wav"])
    #expect(
      run.reported.split(separator: "\n").allSatisfy {
        $0.hasPrefix("warning:") || $0.hasPrefix("done")
      }, "\(run.reported)")
  }

  @Test func droppedEncodingTagsAreNamed() throws {
    try bench.make("in.flac", Self.tones, codec: "flac")
    let tagged = try Tool.run(
      "metaflac", ["--set-tag=ENCODING=by hand", "in.flac"], in: bench.folder.path)
    try #require(tagged.status == 0)
    let run = try bench.convert(["-f", "1.5", "in.flac", "-o", "out.flac"])
    #expect(run.reported.contains("not carried to the output: tag ENCODING"), "\(run.reported)")
  }

  /// FFmpeg takes an empty `data` chunk for one that goes on to the end of the file.
  @Test func anEmptyFileGivesAnEmptyFile() throws {
    try bench.make("in.wav", [], codec: "pcm_s16le")
    _ = try bench.convert(["-f", "1.5", "in.wav", "-o", "out.wav"])
    #expect(try bench.samples("out.wav") == [])
    let sox = try Tool.run("soxi", ["-s", "out.wav"], in: bench.folder.path)
    #expect(sox.outputText.trimmingCharacters(in: .whitespacesAndNewlines) == "0")
  }
}
