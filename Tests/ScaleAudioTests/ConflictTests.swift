import Foundation
import ScaleAudio
import TestSupport
import Testing

@Suite("Outputs that collide")
struct ConflictTests {
  let bench: Workbench

  /// A change of a request.
  typealias Change = (inout BatchRequest) throws -> Void

  init() throws {
    bench = try Workbench(["a.wav": Sound.wav, "other/a.wav": Sound.wav, "a.flac": Sound.flac])
  }

  /// The names of the inputs and of the outputs in the conflicts for which a request is refused.
  private func conflicts(
    _ inputs: [String], to output: String? = nil, _ change: Change = { _ in }
  ) throws -> [[String]] {
    do {
      let batch = try bench.batch(inputs, to: output, .by(2), .smoothstep, change)
      Issue.record("\(inputs) become \(bench.outputs(of: batch))")
    } catch PlanningError.conflicts(let conflicts, _) {
      return conflicts.map {
        switch $0 {
        case .sameOutput(let first, let second, _): [first, second].map(bench.name)
        case .outputIsInput(let input, _, let other): [input, other].map(bench.name)
        }
      }
    }
    return []
  }

  @Test func twoInputsOneOutput() throws {
    let before = try bench.folder.tree()
    let formats = try conflicts(["a.wav", "a.flac"]) { $0.settings.format = .of("flac") }
    #expect(formats == [["a.wav", "a.flac"]])
    #expect(try conflicts(["a.wav", "other/a.wav"], to: "out") == [["a.wav", "other/a.wav"]])
    let mixed = try conflicts(["other", "a.wav"], to: "out/") { $0.suffix = "" }
    #expect(mixed == [["other/a.wav", "a.wav"]])
    #expect(try bench.folder.tree() == before)
  }

  @Test func namingAFileTwiceIsNotAConflict() throws {
    let batch = try bench.batch(["a.wav", "./a.wav", "a.wav"], .by(2))
    #expect(bench.outputs(of: batch) == ["a-x2.wav"])
  }

  /// Every way of naming the input itself as output.
  @Test(
    arguments: [
      ("a.wav", "a.wav", nil), ("a.wav", "./other/../a.wav", nil), ("a.wav", nil, ""),
      ("a.wav", "hard.wav", nil), ("a.wav", "soft.wav", nil), ("soft.wav", "a.wav", nil),
      ("a.wav", "linked/a.wav", nil), ("other", nil, ""), ("other", "other", nil),
    ] as [(String, String?, String?)])
  func inPlaceIsRefused(input: String, output: String?, suffix: String?) throws {
    try bench.shell("ln a.wav hard.wav; ln -s a.wav soft.wav; ln -s . linked")
    let before = try bench.folder.tree()
    for existing in [ExistingOutput.replace, .skip] {
      let found = try conflicts([input], to: output) {
        $0.files.existing = existing
        $0.suffix = suffix
      }
      let source = input == "other" ? "other/a.wav" : input
      #expect(found == [[source, source]])
    }
    #expect(try bench.folder.tree() == before)
    #expect(try bench.bytes("a.wav") == Sound.wav)
    #expect(try bench.bytes("other/a.wav") == Sound.wav)
  }

  @Test func anotherInputIsNotReplaced() async throws {
    try bench.folder.write("a-x2.wav", Sound.wav)
    func results(_ existing: ExistingOutput) async throws -> [String: String] {
      let batch = try bench.batch(["a.wav", "a-x2.wav"], .by(2)) { $0.files.existing = existing }
      return await bench.results(of: batch)
    }
    #expect(try await results(.replace) == ["a.wav": "in-place", "a-x2.wav": "done"])
    #expect(try bench.bytes("a-x2.wav") == Sound.wav)
    #expect(bench.folder.exists("a-x2-x2.wav"))
    // Skipping it does no harm.
    #expect(
      try await results(.skip) == ["a.wav": "output-exists", "a-x2.wav": "output-exists"])
    #expect(try bench.bytes("a-x2.wav") == Sound.wav)
  }

  @Test func onlyThoseThatCollideAreRefused() async throws {
    for name in ["noise.wav", "noise.flac", "other.wav"] {
      try bench.folder.write("Music/\(name)", name.hasSuffix("flac") ? Sound.flac : Sound.wav)
    }
    func batch(keepsExtensions: Bool) throws -> Batch {
      try bench.batch(["Music"], .by(2)) {
        $0.settings.format = .of("flac")
        $0.keepsExtensions = keepsExtensions
      }
    }
    let refused = try batch(keepsExtensions: false)
    let expected = [
      "Music/noise.flac": "same-output", "Music/noise.wav": "same-output",
      "Music/other.wav": "done",
    ]
    #expect(await bench.results(of: refused) == expected)
    #expect(refused.jobs.compactMap(\.refusal?.remedy) == [.keepExtensions, .keepExtensions])
    #expect(try bench.folder.tree().filter { $0.hasPrefix("Music-x2/") }.count == 2)
    #expect(bench.folder.exists("Music-x2/other.flac"))
    // The remedy is one that works.
    try bench.folder.remove("Music-x2")
    let apart = try batch(keepsExtensions: true)
    #expect(await Set(bench.results(of: apart).values) == ["done"])
    #expect(bench.folder.exists("Music-x2/noise.wav.flac"))
    #expect(bench.folder.exists("Music-x2/noise.flac"))
  }

  /// The suggested remedy resolves every collision.
  @Test func theRemedyWorks() throws {
    try bench.folder.write("far/other/a.wav", Sound.wav)
    func twoOutputs(_ other: TimeRequest) -> Change {
      {
        var settings = $0.settings
        settings.time = other
        $0.otherSettings = [settings]
      }
    }
    try expectRemedy(["a.wav", "other/a.wav", "a.flac"], .by(2))
    try expectRemedy(["other/a.wav", "far/other/a.wav"], .by(2))
    try expectRemedy(["a.wav"], .by(0.9)) {
      try twoOutputs(.by(1.1))(&$0)
      $0.suffix = ""
    }
    try expectRemedy(["a.wav"], .at(speed: 0.9)) {
      try twoOutputs(.at(speed: 1.1))(&$0)
      $0.template = try NameTemplate("{stem}")
    }
    try expectRemedy(["a.wav", "a.flac", "other"], .unchanged) {
      $0.settings.format = .of("flac")
    }
  }

  /// Expects outputs that collide, and none that do with the remedy.
  private func expectRemedy(
    _ inputs: [String], _ time: TimeRequest, _ change: Change = { _ in }
  ) throws {
    func remedy(_ more: Change) throws -> Remedy? {
      do {
        let batch = try bench.batch(inputs, to: "out", time) {
          try change(&$0)
          try more(&$0)
        }
        return batch.jobs.lazy.compactMap(\.refusal?.remedy).first
      } catch PlanningError.conflicts(_, let remedy) {
        return remedy
      }
    }
    switch try remedy({ _ in }) {
    case .keepExtensions: #expect(try remedy { $0.keepsExtensions = true } == nil)
    case .keepFolders(let folder):
      #expect(try remedy { $0.base = FilePath(folder) } == nil, "\(folder)")
    case .nameOutputs(let template):
      let again = try remedy {
        $0.template = try NameTemplate(template)
        $0.suffix = nil
      }
      #expect(again == nil, "\(template)")
    case let other: Issue.record("\(inputs): \(String(describing: other))")
    }
  }

  @Test func aNameTooLong() async throws {
    let name = String(repeating: "n", count: 250)
    try bench.folder.write("\(name).wav", Sound.wav)
    let batch = try bench.batch(["\(name).wav", "a.wav"], .by(2))
    let error = #expect(throws: ConversionError.self) { try batch.jobs[0].work.run() }
    #expect(error?.message.lowercased().contains("file name too long") == true)
    #expect(await bench.results(of: batch)["a.wav"] == "done")
    #expect(bench.folder.exists("a-x2.wav"))
  }

  @Test func aFolderInPlaceOfAnOutput() throws {
    try bench.folder.write("a-x2.wav/x", [])
    let error = #expect(throws: ConversionError.self) { try bench.convert("a.wav", .by(2)) }
    #expect(error?.message.contains("a-x2.wav") == true)
    #expect(bench.folder.exists("a-x2.wav/x"))
  }
}
