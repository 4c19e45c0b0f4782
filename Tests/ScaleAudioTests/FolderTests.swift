import Foundation
import ScaleAudio
import TestSupport
import Testing

@Suite("Folders", .tags(.threaded))
struct FolderTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench()
    try bench.folder.write("Music/b.flac", Sound.flac)
    try bench.folder.write("Music/a.wav", Sound.wav)
    try bench.folder.write("Music/deep/er/c.WAV", Sound.wav)
    try bench.folder.write("Music/deep/noext", Sound.flac)
    try bench.folder.write("Music/readme.txt", Array("no audio here".utf8))
    try bench.folder.write("Music/.hidden.wav", Sound.wav)
    try bench.folder.write("Music/.git/d.wav", Sound.wav)
  }

  private func run(
    _ inputs: [String], to output: String? = nil, factor: Double = 1,
    _ change: (inout BatchRequest) throws -> Void = { _ in }
  ) async throws -> Set<String> {
    await Set(
      bench.results(of: try bench.batch(inputs, to: output, .by(factor), .smoothstep, change))
        .values)
  }

  /// The names of files, in the order of the jobs.
  private func planned(
    _ inputs: [String], to output: String? = nil, _ change: (inout BatchRequest) -> Void = { _ in }
  ) throws -> [String] {
    try bench.batch(inputs, to: output, .by(1), .smoothstep, change).jobs.map {
      bench.name($0.work.input.path)
    }
  }

  @Test(arguments: ["Music", "Music/", "./Music//"])
  func areMirroredBesideTheInput(name: String) async throws {
    #expect(try await run([name], factor: 0.5) == ["done"])
    let made = try bench.folder.tree().filter { $0.hasPrefix("Music-x0.5") }
    #expect(
      made == [
        "Music-x0.5/", "Music-x0.5/a.wav", "Music-x0.5/b.flac",
        "Music-x0.5/deep/", "Music-x0.5/deep/er/", "Music-x0.5/deep/er/c.WAV",
        "Music-x0.5/deep/noext.flac",
      ])
  }

  @Test func anOutputFolderInsideIsNotWalked() async throws {
    #expect(try await run(["Music"], to: "Music/out") == ["done"])
    #expect(try await run(["Music"], to: "Music/out") { $0.files.existing = .replace } == ["done"])
    #expect(try bench.folder.tree().filter { $0.contains("out/out") } == [])
    #expect(try planned(["Music"], to: "Music/out").allSatisfy { !$0.contains("out") })
  }

  @Test func filesAndFoldersTogetherGoIntoOneFolder() async throws {
    try bench.folder.write("single.wav", Sound.wav)
    #expect(try await run(["single.wav", "Music"], to: "out") == ["done"])
    #expect(bench.folder.exists("out/single-x1.wav"))
    #expect(bench.folder.exists("out/deep/er/c.WAV"))
  }

  @Test func foldersBelowABaseAreKept() async throws {
    try bench.folder.write("one/u.wav", Sound.wav)
    try bench.folder.write("two/deep/u.wav", Sound.wav)
    func run(_ inputs: [String], to output: String, base: String = "") async throws -> Set<String> {
      try await self.run(inputs, to: output, factor: 1.5) { $0.base = bench.folder.file(base) }
    }
    #expect(try await run(["one/u.wav", "two/deep/u.wav"], to: "out") == ["done"])
    #expect(
      bench.folder.exists("out/one/u.wav") && bench.folder.exists("out/two/deep/u.wav"))
    #expect(try await run(["two", "one/u.wav"], to: "again") == ["done"])
    #expect(
      bench.folder.exists("again/one/u.wav") && bench.folder.exists("again/two/deep/u.wav"))
    await #expect(
      throws: PlanningError.notBelow(
        bench.folder.file("one/u.wav"), base: bench.folder.file("two"))
    ) { try await run(["one/u.wav"], to: "out", base: "two") }
  }

  @Test func nothingFound() throws {
    try bench.folder.write("empty/readme.txt", [])
    for (inputs, isNothing) in [
      (["empty"], true), (["missing.wav", "gone"], true), (["missing.wav", "Music/a.wav"], false),
    ] {
      #expect(try bench.batch(inputs, .by(1)).foundNothing == isNothing, "\(inputs)")
    }
    #expect(!bench.folder.exists("empty-x1"))
  }
}
