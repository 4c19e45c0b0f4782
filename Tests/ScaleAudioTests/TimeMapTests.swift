import TestSupport
import Testing

@testable import ScaleAudio

@Suite("Time maps as text")
struct TimeMapTextTests {
  private func map(_ text: String) throws -> TimeMapRequest {
    try TimeMapRequest(text: Array(text.utf8), path: "m.txt")
  }

  private func points(_ text: String) throws -> [[Double]] {
    try map(text).map.points.map { [$0.source, $0.output] }
  }

  @Test(arguments: [
    "0 0\n10 15\n12.5 20\n", "10 15\n12.5 20", "\u{FEFF}0,0\r\n10,15\r\n12.5 , 20\r\n",
    "# a map\n\n  10\t15 # the first\n\t0:12.5   0:20\n\n#end",
    "0:00 0:00:00\n0:10 15.0\n00:12.5 20.",
    "0f 0\n10 15\n12.5 20",
  ])
  func equivalentTextsMakeEqualMaps(text: String) throws {
    let map = try map(text)
    #expect(map.unit == .seconds)
    #expect(try points(text) == [[0, 0], [10, 15], [12.5, 20]])
  }

  @Test func clockTimes() throws {
    #expect(try points("1:02:03.25 1:02:04") == [[0, 0], [3723.25, 3724]])
    #expect(try points("90:00 90:01") == [[0, 0], [5400, 5401]])
  }

  @Test func frames() throws {
    let map = try map("0 0\n44100f 66150f\n88200f 110250f\n")
    #expect(map.unit == .frames)
    #expect(map.map.points.map(\.output) == [0, 66150, 110_250])
  }

  @Test(
    arguments: [
      ("", nil, .empty), ("0 0\n", nil, .empty), ("# nothing", nil, .empty),
      ("0 0\n1 2 3\n", 2, .notTwoTimes), ("0 0\n\n1\n", 3, .notTwoTimes),
      ("1,2,3", 1, .notTwoTimes), ("1 2,3", 1, .notTwoTimes), (",1", 1, .notTwoTimes),
      ("source,output\n0,0", 1, .notATime("source")), ("-1 2", 1, .notATime("-1")),
      ("1 1e3", 1, .notATime("1e3")), ("1 nan", 1, .notATime("nan")),
      ("1 inf", 1, .notATime("inf")),
      ("1.5f 2f", 1, .notATime("1.5f")), ("1f f", 1, .notATime("f")),
      ("1:60 2:00", 1, .notATime("1:60")),
      ("1:2:3:4 5", 1, .notATime("1:2:3:4")), ("99999999 99999999", 1, .notATime("99999999")),
      ("99999999999999999999f 1f", 1, .notATime("99999999999999999999f")),
      ("9007199254740993f 1f", 1, .notATime("9007199254740993f")),
      ("1 1\n88200f 88200f", 2, .mixedUnits), ("1f 1", 1, .mixedUnits),
      ("0 2\n1 3", 1, .doesNotBeginAtZero), ("1 0", 1, .doesNotBeginAtZero),
      ("1 1\n0 0", 2, .sourceNotIncreasing), ("1 1\n1 2", 2, .sourceNotIncreasing),
      ("0 0\n1 1\n2 1", 3, .outputNotIncreasing), ("1 2\n2 1.5", 2, .outputNotIncreasing),
      ("0 0\n0 0", 2, .sourceNotIncreasing),
      ("1 1\n2 102", 2, .factorOutOfRange(101)), ("100 4", 1, .factorOutOfRange(0.04)),
    ] as [(String, Int?, TimeMapError.Cause)])
  func faults(text: String, line: Int?, cause: TimeMapError.Cause) throws {
    let error = #expect(throws: TimeMapError.self) { try map(text) }
    #expect(error?.line == line)
    #expect(error?.cause == cause)
    #expect(error?.message.hasPrefix(line.map { "m.txt:\($0): " } ?? "m.txt: ") == true)
    #expect(error?.message.contains("\n") == false)
  }

  @Test func bytesThatAreNotText() throws {
    for bytes in [[0xFF, 0xFE, 0x31, 0], Array("1 1\0".utf8), [0x31, 0x20, 0xC3]] as [[UInt8]] {
      let error = #expect(throws: TimeMapError.self) {
        try TimeMapRequest(text: bytes, path: "m.txt")
      }
      #expect(error?.cause == .notText)
    }
  }

  @Test func theLimitsOfTheFactorAreIncluded() throws {
    // Differences of decimal fractions are not exact: (1.1 - 1) * 20 is above 2.
    #expect(try points("1 1\n1.1 3\n1.2 3.005").count == 4)
  }

  @Test func manyLines() throws {
    let text = (1...5000).map { "\($0) \($0)\n" }.joined()
    #expect(try points(text).count == 5001)
  }

  @Test func tooManyLinesAndBytes() throws {
    let most = TimeMapRequest.maximumLines
    let text = [UInt8](repeating: UInt8(ascii: "\n"), count: most + 1)
    let error = #expect(throws: TimeMapError.self) { try TimeMapRequest(text: text, path: "m") }
    #expect(error?.cause == .tooManyLines(most: most))
  }

  @Test func mapsGivenAsValues() throws {
    let map = try #require(
      TimeMap(points: [.init(source: 0, output: 0), .init(source: 1, output: 100)]))
    #expect(TimeMapRequest(map, in: .seconds)?.map == map)
    let steep = try #require(
      TimeMap(points: [.init(source: 0, output: 0), .init(source: 1, output: 100.5)]))
    #expect(TimeMapRequest(steep, in: .seconds) == nil)
  }

  @Test func files() throws {
    let folder = try TemporaryFolder()
    #expect(throws: TimeMapRequest.ReadingError.self) {
      try TimeMapRequest(contentsOf: folder.file("none"))
    }
    #expect(throws: TimeMapRequest.ReadingError.self) {
      try TimeMapRequest(contentsOf: folder.path)
    }
    // Endless input is not read forever.
    #expect(throws: TimeMapRequest.ReadingError.self) {
      try TimeMapRequest(contentsOf: "/dev/zero")
    }
  }

  @Test func digestsDistinguishMaps() throws {
    let texts = ["1 2", "1 2\n2 3", "1f 2f", "2 1", "1 2.0000001"]
    #expect(Set(try texts.map { try map($0).digest }).count == texts.count)
    #expect(try map("1 2").digest == map("0:01,0:02 # the same").digest)
  }
}

@Suite("Time maps of a source")
struct SourceTimeMapTests {
  private func settle(_ text: String, frames: Int, rate: Int = 1000) throws -> SourceTimeMap {
    try SourceTimeMap(
      TimeMapRequest(text: Array(text.utf8), path: "m"), frames: frames, sampleRate: rate,
      input: "in.wav")
  }

  @Test func endsWithTheSource() throws {
    let map = try settle("1 2\n3 3", frames: 3000)
    #expect(map.map?.points.map(\.source) == [0, 1000, 3000])
    #expect(map.map?.points.map(\.output) == [0, 2000, 3000])
    #expect(map.outputFrames == 3000)
    #expect(map.factor == 1)
    let cut = try settle("1 2\n3 3\n9 9", frames: 2000)
    #expect(cut.map?.points.map(\.source) == [0, 1000, 2000])
    #expect(cut.outputFrames == 2500)
    #expect(cut.factor == 1.25)
    #expect(cut.warning == nil)
  }

  @Test func lengthsAreRoundedToTheNearestFrame() throws {
    #expect(try settle("10 12.3456", frames: 1001).outputFrames == 1236)
    #expect(try settle("3f 1f", frames: 3).outputFrames == 1)
    // Half a frame goes to the even one.
    #expect(try settle("2 3", frames: 1001).outputFrames == 1502)
    #expect(try settle("2 3", frames: 1003).outputFrames == 1504)
  }

  @Test func mapsThatEndBeforeTheSource() throws {
    let error = #expect(throws: ConversionError.self) { try settle("12 18", frames: 14200) }
    #expect(
      error?.message
        == "in.wav: the time map ends at 12.000 s (12000f), but the audio is 14.200 s (14200f) long"
    )
    #expect(error?.remedy == .act("add a line for its end"))
    #expect(error?.errorClass == "map-too-short")
    // People know times to the millisecond.
    #expect(try settle("14.199 28.398", frames: 14200).outputFrames == 28400)
    #expect(throws: ConversionError.self) { try settle("14.198 28.398", frames: 14200) }
    #expect(throws: ConversionError.self) { try settle("14199f 14199f", frames: 14200) }
  }

  @Test func pointsAreAFrameApart() throws {
    let map = try settle("1 1\n1.0004 1.0004\n1.0012 1.0013\n2 2\n2.9995 2.9995\n3 3", frames: 3000)
    #expect(map.map?.points.map(\.source) == [0, 1000, 1001.2, 2000, 3000])
    #expect(map.outputFrames == 3000)
  }

  @Test func sourcesOfNoAndFewFrames() throws {
    #expect(try settle("1 2", frames: 0).outputFrames == 0)
    #expect(try settle("1 2", frames: 1).outputFrames == 2)
    #expect(try settle("0.0001 0.002\n1 1", frames: 1).outputFrames == 3)
  }

  @Test func framesTakenForSecondsAreAWarning() throws {
    #expect(try settle("0 0\n2000 4000", frames: 2000).warning?.contains("end in f") == true)
    #expect(try settle("0 0\n2000f 4000f", frames: 2000).warning == nil)
  }
}
