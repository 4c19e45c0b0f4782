import Foundation
import ScaleAudio
import TestSupport
import Testing

@Suite("Resuming", .tags(.threaded))
struct ResumeTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench(["in/a.wav": Sound.wav, "in/sub/b.flac": Sound.flac])
  }

  /// The state of each input when files become twice as long.
  private func run(
    _ inputs: [String] = ["in"], to output: String? = nil, factor: Double = 2, resumes: Bool = true,
    existing: ExistingOutput = .refuse, _ change: (inout BatchRequest) throws -> Void = { _ in }
  ) async throws -> [String: String] {
    let batch = try bench.batch(inputs, to: output, .by(factor)) {
      $0.resumes = resumes
      $0.files.existing = existing
      try change(&$0)
    }
    return await bench.results(of: batch)
  }

  private func stamps() throws -> String {
    try bench.shell("find in-x2 -type f -printf '%p %i %T@\\n' | sort").outputText
  }

  private let done = ["in/a.wav": "done", "in/sub/b.flac": "done"]
  private let alreadyDone = ["in/a.wav": "already-done", "in/sub/b.flac": "already-done"]
  private let alike = ["in/a.wav": "alike", "in/sub/b.flac": "alike"]

  @Test func aSecondRunDoesNothing() async throws {
    #expect(try await run() == done)
    let before = try stamps()
    #expect(try await run() == alreadyDone)
    #expect(try stamps() == before)
    #expect(try await run(existing: .replace) == alreadyDone)
    #expect(try stamps() == before)
  }

  @Test func missingAndChangedOutputsAreMadeAgain() async throws {
    _ = try await run()
    try bench.folder.write("in/new.wav", Sound.wav)
    try bench.folder.remove("in-x2/sub/b.flac")
    try bench.shell("touch -d '2001-02-03' in/a.wav")
    #expect(try await run() == done.merging(["in/new.wav": "done"]) { $1 })
    #expect(try await run() == alreadyDone.merging(["in/new.wav": "already-done"]) { $1 })
  }

  @Test func anOutputThatWasEditedIsNotReplaced() async throws {
    _ = try await run()
    try bench.shell("touch in/a.wav; echo mine > in-x2/a.wav")
    #expect(try await run()["in/a.wav"] == "output-exists")
    #expect(try bench.text("in-x2/a.wav") == "mine\n")
    #expect(try await run(existing: .replace)["in/a.wav"] == "done")
  }

  @Test(
    arguments: [
      { $0.settings.method = .linear }, { $0.settings.channels = .mono(.mean) },
      { $0.files.salvages = true }, { $0.settings.format = .of("wav") },
    ] as [@Sendable (inout BatchRequest) -> Void])
  func otherParametersAreNotTheSame(
    change: @escaping @Sendable (inout BatchRequest) -> Void
  ) async throws {
    try bench.folder.write("one/a.wav", Sound.wav)
    #expect(try await run(["one"], to: "out") == ["one/a.wav": "done"])
    #expect(try await run(["one"], to: "out", change) == ["one/a.wav": "output-exists"])
    #expect(
      try await run(["one"], to: "out", existing: .replace, change) == ["one/a.wav": "done"])
    #expect(try await run(["one"], to: "out", change) == ["one/a.wav": "already-done"])
  }

  @Test func tornAndForeignLinesAreSkipped() async throws {
    _ = try await run()
    let journal = "in-x2/.scaleaudio.jsonl"
    let lines = try bench.bytes(journal).split(separator: UInt8(ascii: "\n")).map(Array.init)
    #expect(lines.count == 2)
    let torn =
      Array("{\"foreign\":1}\n\u{0}\u{1}\n[]\n".utf8) + lines[0] + [10] + lines[1].dropLast(5)
    try bench.folder.write(journal, torn)
    #expect(try await Set(run().values) == ["already-done", "alike"])
    #expect(try await Set(run(existing: .replace).values).isSubset(of: ["done", "already-done"]))
    // The line after the torn one is separate.
    #expect(try await run() == alreadyDone)
  }

  /// Two lists may have files of the same name; the second must not replace outputs of the first.
  @Test func anotherListDoesNotTakeAnOutput() async throws {
    try bench.folder.write("one/u.wav", Sound.wav)
    try bench.folder.write("two/u.wav", Sound.wav)
    func run(_ name: String) async throws -> String? {
      try await self.run(["\(name)/u.wav"], to: "lists/", factor: 1.5, existing: .replace)[
        "\(name)/u.wav"]
    }
    #expect(try await run("one") == "done")
    #expect(try await run("two") == "same-output")
    #expect(try await run("one") == "already-done")
    // A source that is gone does not keep its output.
    try bench.folder.remove("one/u.wav")
    #expect(try await run("two") == "done")
  }

  @Test func journalsAreWrittenOnlyOnRequest() async throws {
    try bench.folder.write("x.wav", Sound.wav)
    #expect(try await run(["x.wav"], resumes: false) == ["x.wav": "done"])
    #expect(try await run(resumes: false) == done)
    #expect(
      try await run(["x.wav", "in"], to: "out/", resumes: false)
        == done.merging(["x.wav": "done"]) { $1 })
    #expect(try bench.folder.tree().allSatisfy { !$0.contains("scaleaudio") })
    #expect(try await run(["x.wav"], factor: 3) == ["x.wav": "done"])
    #expect(bench.folder.exists(".scaleaudio.jsonl"))
    #expect(try await run(["x.wav"], factor: 3) == ["x.wav": "already-done"])
    #expect(try await run(["x.wav"]) == ["x.wav": "alike"])
  }

  /// Outputs of a run without a journal are recognized by their properties.
  @Test func outputsWithoutAJournalAreCompared() async throws {
    _ = try await run(resumes: false)
    let before = try stamps()
    #expect(try await run() == alike)
    #expect(try stamps() == before)
    // Nothing is guessed if replacing is allowed.
    #expect(try await run(existing: .replace) == done)
  }

  @Test(arguments: [
    "touch -d 'next year' in/a.wav", "head -c 9000 in/a.wav > in-x2/a.wav",
    "cp in/a.wav in-x2/a.wav", "sox in-x2/a.wav -b 24 t.wav && mv t.wav in-x2/a.wav",
    "sox in-x2/a.wav t.wav remix 1 && mv t.wav in-x2/a.wav",
    "sox -r 48000 in-x2/a.wav t.wav && mv t.wav in-x2/a.wav",
    "cp in-x2/sub/b.flac in-x2/a.wav", "mv in-x2/a.wav . && ln -s ../a.wav in-x2/a.wav",
  ])
  func otherFilesAreNotTakenForOutputs(change: String) async throws {
    #expect(try await run(resumes: false) == done)
    try bench.shell(change)
    #expect(try await run() == ["in/a.wav": "output-exists", "in/sub/b.flac": "alike"])
  }

  /// Formats that store no exact length, or another sample rate, are known again, too.
  @Test(arguments: ["mp3", "ogg", "opus", "m4a", "aac", "aiff", "caf", "alac"])
  func resumingRecognizesEveryFormat(format: String) async throws {
    func run(resumes: Bool) async throws -> [String: String] {
      try await self.run(["in/a.wav"], factor: 1.3, resumes: resumes) {
        $0.settings.format = .of(format)
      }
    }
    #expect(try await run(resumes: false) == ["in/a.wav": "done"])
    #expect(try await run(resumes: true) == ["in/a.wav": "alike"])
  }

  @Test func verdictsKnowWhatWouldBeSkipped() async throws {
    _ = try await run(["in/a.wav"], to: "out/")
    let batch = try bench.batch(["in/a.wav", "in/sub/b.flac"], to: "out/", .by(2)) {
      $0.resumes = true
    }
    #expect(batch.verdicts() == [.skip(.alreadyDone), .run(replacing: false)])
  }
}
