import ScaleAudio
import TestSupport
import Testing

@Suite("Names in batches")
struct BatchNameTests {
  let bench: Workbench

  /// A change of a request.
  typealias Change = (inout BatchRequest) throws -> Void

  init() throws { bench = try Workbench(["in.wav": Sound.wav]) }

  private func names(
    of inputs: [String] = ["in.wav"], to output: String? = nil, _ time: TimeRequest,
    _ change: Change = { _ in }
  ) throws -> [String] {
    bench.outputs(of: try bench.batch(inputs, to: output, time, .smoothstep, change))
  }

  @Test(arguments: [
    ("{stem}-{factor}.{ext}", "in-0.8.wav"),
    ("{stem}_{speed}_{method}_{pitch}", "in_1.25_smoothstep_0.wav"),
    ("{index}. {stem}", "1. in.wav"), ("{method}/{stem}.{ext}", "smoothstep/in.wav"),
    ("{{{stem}}}", "{in}.wav"), ("{stem}-slow.WAV", "in-slow.WAV"), ("x.{ext}", "x.wav"),
  ])
  func templates(template: String, name: String) throws {
    #expect(
      try names(.at(speed: 1.25)) { $0.template = try NameTemplate(template) } == [name])
  }

  @Test func theSameFormatIsNamed() throws {
    #expect(try names(.unchanged) { $0.settings.format = .of("wav") } == ["in-wav.wav"])
  }

  @Test func templatesInFolders() throws {
    for number in 1...10 { try bench.folder.write("Music/deep/\(number).wav", Sound.wav) }
    let made = try names(of: ["Music", "in.wav"], to: "o/", .duration(seconds: 3)) {
      $0.template = try NameTemplate("{parent}-{index}-{duration}s.{ext}")
    }
    #expect(made.first == "o/deep/deep-01-3s.wav")
    #expect(made.last == "o/\(bench.folder.path.lastComponent?.string ?? "")-11-3s.wav")
    let beside = try names(of: ["Music"], .by(2)) { $0.template = try NameTemplate("{stem}.{ext}") }
    #expect(beside.first == "Music-x2/deep/1.wav")
  }

  /// The journal goes by the names that a template gives.
  @Test func resuming() async throws {
    func result() async throws -> [String: String] {
      let batch = try bench.batch(["in.wav"], to: "out/", .by(2)) {
        $0.resumes = true
        $0.template = try NameTemplate("{stem}/{factor}.{ext}")
      }
      return await bench.results(of: batch)
    }
    #expect(try await result() == ["in.wav": "done"])
    #expect(bench.folder.exists("out/in/2.wav"))
    #expect(try await result() == ["in.wav": "already-done"])
  }

  @Test func placeholdersWithoutAValueAreRefused() throws {
    #expect(throws: PlanningError.placeholderWithoutValue(.duration)) {
      try names(.by(2)) { $0.template = try NameTemplate("{duration}") }
    }
  }

  // MARK: - Several outputs

  private static func several(_ times: [TimeRequest]) -> Change {
    {
      for time in times.dropFirst() {
        var other = $0.settings
        other.time = time
        $0.otherSettings.append(other)
      }
    }
  }

  @Test func severalFactorsOfAFile() throws {
    func names(_ factors: [Double]) throws -> [String] {
      let times = factors.map { TimeRequest.by($0) }
      return try self.names(times[0], Self.several(times))
    }
    #expect(try names([0.9, 1, 1.1]) == ["in-x0.9.wav", "in-x1.wav", "in-x1.1.wav"])
    #expect(try names([1.1, 1.1]) == ["in-x1.1.wav"])
    let batch = try bench.batch(
      ["in.wav"], .by(0.5), .smoothstep, Self.several([.by(0.5), .by(2)]))
    for job in batch.jobs { _ = try job.work.run() }
    for (name, factor) in [("in-x0.5.wav", 0.5), ("in-x2.wav", 2)] {
      let expected = ReferenceArithmetic.scale(
        interleaved: try bench.int16("in.wav"), channels: 2, factor: factor)
      #expect(try bench.int16(name) == expected)
    }
  }

  @Test func oneTreeForEachValue() throws {
    try bench.folder.write("Music/a/x.wav", Sound.wav)
    let speeds = [TimeRequest.at(speed: 0.9), .at(speed: 1.25)]
    func names(to output: String?, template: String? = nil) throws -> [String] {
      try self.names(of: ["Music"], to: output, speeds[0]) {
        try Self.several(speeds)(&$0)
        $0.template = try template.map { try NameTemplate($0) }
      }
    }
    #expect(
      try names(to: nil) == ["Music-speed0.9/a/x.wav", "Music-speed1.25/a/x.wav"])
    #expect(
      try names(to: "out") == ["out/speed0.9/a/x.wav", "out/speed1.25/a/x.wav"])
    #expect(
      try names(to: "out", template: "{stem}-{speed}")
        == ["out/a/x-0.9.wav", "out/a/x-1.25.wav"])
  }

  @Test func severalOutputsNeedAFolder() throws {
    let two = Self.several([.by(0.9), .by(1.1)])
    let file = bench.folder.file("a.wav")
    #expect(throws: PlanningError.notAFolder(file)) {
      try names(to: "a.wav", .by(0.9), two)
    }
    #expect(throws: PlanningError.notAFolder(file)) {
      try names(of: ["in.wav", "other.wav"], to: "a.wav", .by(0.9))
    }
    #expect(throws: PlanningError.severalToStandardOutput) {
      try names(.by(0.9)) {
        try two(&$0)
        $0.destination = .standardOutput
      }
    }
    #expect(throws: PlanningError.readOnce("-")) {
      try names(to: "out/", .by(0.9)) {
        try two(&$0)
        $0.inputs = [.standardInput]
      }
    }
  }

  @Test(arguments: [
    ("flac", "u.mp3"), ("m4a", "u.aac"), ("w64", "u.wav"), ("wav", "u.FLAC"),
  ])
  func anExtensionOfAnotherFormatIsRefused(format: String, name: String) throws {
    let message = try bench.failure(of: "in.wav", to: name, .by(2)) { $0.format = .of(format) }
    #expect(message.contains("\(name): the extension means"), "\(message)")
    #expect(!bench.folder.exists(name))
  }
}
