import Foundation
import ScaleAudio
import TestSupport
import Testing

@testable import AudioFiles
@testable import AudioIO
@testable import scaleaudio_cli

@Suite("scaleaudio formats", .tags(.packageTraits))
struct FormatsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func records() throws -> [[String: Any]] {
    let run = try Program.run("formats", "--json", in: folder.path).succeeded()
    let object = try JSONSerialization.jsonObject(with: Data(run.output))
    return try #require(object as? [[String: Any]])
  }

  @Test func jsonHasEveryRow() throws {
    let records = try records()
    #expect(records.compactMap { $0["id"] as? String } == AudioFormat.all.map(\.id))
    let keys: Set = [
      "id", "name", "extensions", "read", "written", "lossless", "sampleFormats", "channels",
      "highestSampleRate", "layouts", "anyLayout", "holds",
    ]
    let optional: Set = ["sampleRates", "writtenAs", "longAs"]
    for record in records {
      #expect(Set(record.keys).isSuperset(of: keys))
      #expect(Set(record.keys).isSubset(of: keys.union(optional)))
    }
    func record(_ id: String) throws -> [String: Any] {
      try #require(records.first { $0["id"] as? String == id })
    }
    #expect(try record("wav")["longAs"] as? String == "rf64")
    #expect(try record("mp2")["writtenAs"] as? String == "mp3")
    #expect(try record("opus")["sampleRates"] as? [Int] == [8000, 12000, 16000, 24000, 48000])
    #expect(
      try record("flac")["sampleFormats"] as? [String] == ["int8", "int16", "int24", "int32"])
    #expect(
      try record("ogg")["layouts"] as? [String]
        == ["mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"])
  }

  /// The depths, layouts and counts that a row names are what its writer takes.
  @Test func theListIsTrue() throws {
    try folder.write("in.wav", Sound.wav)
    for record in try records() {
      let id = try #require(record["id"] as? String)
      let depths = record["sampleFormats"] as? [String] ?? []
      for (bits, depth) in [("16", "int16"), ("24", "int24"), ("f32", "float32")] {
        guard record["written"] as? Bool == true, record["lossless"] as? Bool == true else {
          continue
        }
        guard (record["channels"] as? [String: Int])?["most"] ?? 0 >= 2 else { continue }
        let output = folder.file("x.\(id)").string
        let result = Result {
          try Program.convert(
            ["-f", "1", "--overwrite", "--format", id, "--bits", bits, "-o", output]
              + [folder.file("in.wav").string])
        }
        #expect(((try? result.get()) != nil) == depths.contains(depth), "\(id) \(bits): \(result)")
      }
    }
  }

  @Test func theTableFitsAHundredColumns() throws {
    let run = try Program.run("formats", in: folder.path).succeeded()
    let lines = run.outputText.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 100 })
    #expect(lines.allSatisfy { $0.last != " " })
    // Columns begin at the same place in every row.
    let depth = try #require(lines[0].range(of: "depth")).lowerBound.utf16Offset(in: lines[0])
    for format in AudioFormat.all {
      let line = try #require(lines.first { $0.hasPrefix("\(format.id) ") })
      #expect(Array(line)[depth - 1] == " ")
    }
  }

  /// The depths of a row are those in JSON: a range has no gaps.
  @Test func theTableNamesEveryDepth() throws {
    let text = try Program.run("formats", in: folder.path).outputText
    let lines = text.split(separator: "\n").map(String.init)
    let start = try #require(lines[0].range(of: "depth")).lowerBound.utf16Offset(in: lines[0])
    for record in try records() where record["lossless"] as? Bool == true {
      let id = try #require(record["id"] as? String)
      let line = try #require(lines.first { $0.hasPrefix("\(id) ") })
      // Two spaces separate columns.
      let cell = String(line.dropFirst(start)).components(separatedBy: "  ")[0]
      let depths = cell.split(separator: " ").flatMap { part -> [String] in
        if part.hasPrefix("f") { return ["float\(part.dropFirst())"] }
        let ends = part.split(separator: "-").compactMap { Int($0) }
        return stride(from: ends[0], through: ends[ends.count - 1], by: 8).map { "int\($0)" }
      }
      #expect(depths == record["sampleFormats"] as? [String], "\(id): \(cell)")
    }
  }

  /// Its A-law has no bit depth, as that of other containers.
  @Test func WVEIsLossy() throws {
    let text = try Program.run("formats", in: folder.path).outputText
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("wve ") })
    #expect(line.contains("r>wav") && line.contains(" lossy "))
  }

  @Test(arguments: [24, 40, 72, 99])
  func narrowTerminalsGetParagraphs(columns: Int) {
    let text = FormatListing(AudioFormat.all.map { FormatRecord($0) }).text(columns: columns)
    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= columns }, "\(lines.max { $0.count < $1.count } ?? "")")
    for format in AudioFormat.all { #expect(text.contains("\(format.id): ")) }
  }

  @Test func aFileOfThatNameIsStillConverted() throws {
    try folder.write("formats", Sound.wav)
    try Program.run("-f", "1.5", "formats", in: folder.path).succeeded()
    #expect(try Program.run("formats", "--what", in: folder.path).status == 64)
  }
}
