import TestSupport
import Testing

/// Options for parts of files, `--from`, `--to` and `--only`, and what is printed about parts.
@Suite("Options about parts")
struct RangeOptionTests {
  private let bench: Workbench

  init() throws { bench = try Workbench(["in.wav": Sound.wav]) }

  @Test func recordsHaveTheFrames() throws {
    let part = try bench.convert(
      ["--from", "100ms", "--to", "0.25", "in.wav", "--manifest", "m.csv"]
    ).record
    #expect(part["fromFrame"] as? Int == 4410 && part["toFrame"] as? Int == 11025)
    #expect(part["inputFrames"] as? Int == 22050)
    let rows = try bench.text("m.csv").split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",")
    }
    #expect(rows[0].suffix(2) == ["fromFrame", "toFrame"])
    #expect(rows[1].suffix(2) == ["4410", "11025"])
    let only = try bench.convert(
      [
        "--only", "15000f-17000f", "--only", "-4000f", "--duration", "25050f", "in.wav", "-o",
        "out.wav",
      ]
    ).record
    #expect(only["onlyFrames"] as? [[Int]] == [[0, 4000], [15000, 17000]])
    #expect(only["onlyFactor"] as? Double == 1.5)
    #expect(try bench.int16("out.wav").count == 2 * 25050)
  }

  @Test func partsOfStreams() throws {
    let piped = try Program.run(
      "--from", "0.1", "--to", "0.3", "-", "-o", "-", in: bench.folder.path, input: Sound.wav)
    try bench.folder.write("piped.wav", piped.output)
    #expect(try bench.int16("piped.wav") == Array(bench.int16("in.wav")[8820..<26460]))
  }

  @Test(arguments: [
    (
      ["--from", "7"],
      "the part begins at 7.000 s, but the audio is 0.500 s long; choose another --from"
    ),
    (
      ["--from", "80%", "--to", "0.2"],
      "the part would end at 0.200 s, which is not after its start at 0.400 s; choose another --to"
    ),
    (
      ["--only", "0.1-0.3", "--only", "0.2-0.4", "-f", "2"],
      "the part that begins at 0.200 s overlaps the one that ends at 0.300 s; choose another --only"
    ),
  ])
  func missingParts(options: [String], message: String) throws {
    let run = try Tool.run(Program.path, options + ["in.wav"], in: bench.folder.path)
    #expect(run.status == 1)
    #expect(run.errorText.contains("in.wav: " + message), "\(run.errorText)")
  }
}
