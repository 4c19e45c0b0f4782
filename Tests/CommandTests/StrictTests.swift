import Foundation
import TestSupport
import Testing

/// `--strict` and `--dry-run`: what would be lost, before anything is written.
@Suite("Losses and dry runs")
struct StrictTests {
  private let bench: Workbench

  init() throws {
    bench = try Workbench(["in.wav": Sound.wav])
    // A chunk that AIFF has no place for; a marker between two milliseconds; six channels; float samples; a cover.
    try bench.folder.write(
      "chunk.wav", Self.with(try Sound.wav, "bext", [UInt8](repeating: 0, count: 602)))
    var cue: [UInt8] = [1, 0, 0, 0, 1, 0, 0, 0, 101, 0, 0, 0] + Array("data".utf8)
    cue += [0, 0, 0, 0, 0, 0, 0, 0, 101, 0, 0, 0]
    try bench.folder.write("mark.wav", Self.with(try Sound.wav, "cue ", cue))
    try bench.shell(
      """
      ffmpeg -v error -i in.wav -c:a pcm_f32le float.wav
      ffmpeg -v error -f lavfi -i color=s=8x8:d=1 -frames:v 1 c.png
      flac -s --tag=TITLE=song --picture=c.png in.wav -o cover.flac
      ffmpeg -v error -f lavfi -i 'anullsrc=cl=7.1(wide):r=48000' -t 0.2 wide.wav
      """)
  }

  /// A file of WAV with one more chunk.
  private static func with(_ file: [UInt8], _ name: String, _ content: [UInt8]) -> [UInt8] {
    var all =
      file + Array(name.utf8) + (0..<4).map { UInt8(content.count >> (8 * $0) & 0xFF) } + content
    let size = all.count - 8
    for place in 0..<4 { all[4 + place] = UInt8(size >> (8 * place) & 0xFF) }
    return all
  }

  private func run(_ line: String) throws -> Tool {
    try Program.shell("$scaleaudio " + line, in: bench.folder.path)
  }

  @Test(arguments: [
    ("chunk.wav", "aiff", "a broadcast extension"), ("mark.wav", "flac", "the precision of marks"),
    ("mark.wav", "mp3", "the precision of marks"),
    ("float.wav", "flac", "32-bit float samples (24-bit in FLAC)"),
    ("cover.flac", "au", "pictures"), ("cover.flac", "caf", "pictures"),
    ("cover.flac", "au", "tag TITLE"),
  ])
  func lossesAreErrors(input: String, format: String, loss: String) throws {
    let before = try bench.folder.tree()
    let strict = try run("--strict -f 1.5 --format \(format) -o out/ \(input)")
    #expect(strict.status == 1)
    #expect(strict.errorText.contains("would lack"), "\(strict.errorText)")
    #expect(strict.errorText.contains(loss), "\(strict.errorText)")
    #expect(try bench.folder.tree() == before)
    // The remedy works, and a dry run says the same.
    let dry = try run("-n -f 1.5 --format \(format) -o out/ \(input)").succeeded()
    #expect(
      dry.outputText.contains("would lose  ") && dry.outputText.contains(loss), "\(dry.outputText)")
    #expect(dry.errorText.contains("1 would lose something"), "\(dry.errorText)")
    #expect(try run("-n --strict -f 1.5 --format \(format) -o out/ \(input)").status == 1)
    #expect(try bench.folder.tree() == before)
    try run("-f 1.5 --format \(format) -o out/ \(input)").succeeded()
  }

  @Test(arguments: ["chunk.wav", "mark.wav", "float.wav", "cover.flac"])
  func sameContainersLoseNothing(input: String) throws {
    try run("--strict -f 1.5 -o out/ \(input)").succeeded()
    #expect(bench.folder.exists("out/\(input.replacing(".", with: "-x1.5."))"))
  }

  /// What is asked for is no loss.
  @Test func requestsAreNoLosses() throws {
    try run("--strict -f 1.5 --format mp3 in.wav").succeeded()
    try run("--strict -f 1.5 --format flac --bits 24 float.wav").succeeded()
    try run("--strict -f 1.5 --format au --metadata none cover.flac").succeeded()
  }

  @Test func speakersAreNotLost() throws {
    let allowed = "-f 1.5 --format opus --allow-layout-loss wide.wav"
    let strict = try run("--strict \(allowed)")
    #expect(strict.status == 1 && strict.errorText.contains("would lack"), "\(strict.errorText)")
    try run(allowed).succeeded()
  }

  @Test func unreadableLinesOfSidecarsAreErrors() throws {
    try bench.folder.write(
      "in.srt", Array("1\n00:00:00,010 --> 00:00:00,020\na\n\n2\n00:00:0x --> 1\nb\n".utf8))
    let strict = try run("--strict --sidecars -f 1.5 in.wav")
    #expect(strict.status == 1 && strict.errorText.contains("line"), "\(strict.errorText)")
    #expect(!bench.folder.exists("in-x1.5.wav") && !bench.folder.exists("in-x1.5.srt"))
    try run("--sidecars -f 1.5 in.wav").succeeded()
  }

  /// The sizes of uncompressed outputs are exact.
  @Test(arguments: ["wav", "aiff", "w64", "rf64", "caf", "au", "raw"])
  func sizesAreThoseOfTheOutputs(format: String) throws {
    let options = "-f 1.5 --format \(format) in.wav cover.flac"
    let planned = try run("-n --json \(options)").succeeded().outputText
      .split(separator: "\n").map {
        try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
    try run(options).succeeded()
    var sum = 0
    for record in planned.dropLast() {
      let path = try #require(record["output"] as? String)
      let size = try bench.folder.bytes(path).count
      #expect(record["outputBytes"] as? Int == size, "\(path)")
      #expect(record["outputBytesAreEstimated"] as? Bool == false)
      sum += size
    }
    let total = try #require(planned.last)
    #expect(planned.count == 3 && total["status"] as? String == "total")
    #expect(total["outputBytes"] as? Int == sum && total["files"] as? Int == 2)
  }

  @Test func compressedSizesAreMarkedAsEstimates() throws {
    let run = try run("-n -f 1.5 --format flac in.wav").succeeded()
    #expect(run.outputText.contains(", about "), "\(run.outputText)")
    #expect(run.outputText.contains("FLAC (16-bit) 44100 Hz stereo"), "\(run.outputText)")
    #expect(run.outputText.contains("smoothstep"), "\(run.outputText)")
  }
}
