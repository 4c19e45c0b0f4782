import Foundation
import ScaleAudio
import TestSupport
import Testing

@testable import AudioIO

@Suite("Walking folders")
struct FileWalkerTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try Tool.run(
      "bash",
      [
        "-c",
        """
        mkdir -p b/c a .h && touch b.wav a/1.wav a/2.WAV a/10.flac b/c/x.wav .h/y.wav a/note.txt \
          && printf 'fLaC' > a/unnamed && mkfifo a/pipe.wav && ln -s ../b a/link \
          && ln -s ../../b b/c/up && ln -s none.wav a/dead.wav
        """,
      ], in: folder.path
    ).succeeded()
  }

  private func names(_ walker: FileWalker) -> [String] {
    walker.walk(folder.path).files.map(\.relativePath.string)
  }

  @Test func inTheOrderOfBytes() {
    let expected = ["a/1.wav", "a/10.flac", "a/2.WAV", "a/unnamed", "b/c/x.wav", "b.wav"]
    #expect(names(FileWalker()) == expected)
    #expect(names(FileWalker()) == expected)
    #expect(FileWalker().walk(folder.path).problems.isEmpty)
  }

  @Test func linksAndLoops() {
    let findings = FileWalker(followsSymbolicLinks: true).walk(folder.path)
    #expect(
      findings.files.map(\.relativePath.string) == [
        "a/1.wav", "a/10.flac", "a/2.WAV", "a/link/c/x.wav", "a/unnamed", "b/c/x.wav", "b.wav",
      ])
    #expect(findings.problems == [.cannotOpen(folder.file("a/dead.wav"), .noSuchFileOrDirectory)])
  }

  @Test func flat() {
    #expect(names(FileWalker(isRecursive: false)) == ["b.wav"])
  }

  @Test(arguments: [
    ("*.wav", ["a/1.wav", "b/c/x.wav", "b.wav"]),
    ("a/*", ["a/1.wav", "a/10.flac", "a/2.WAV", "a/unnamed"]),
    ("./b.wav", ["b.wav"]), ("/b.wav", ["b.wav"]), ("*/x.wav", []), ("*/*/x.wav", ["b/c/x.wav"]),
    ("[0-9].*", ["a/1.wav", "a/2.WAV"]), ("a/", []),
  ])
  func including(pattern: String, expected: [String]) {
    #expect(names(FileWalker(includes: [GlobPattern(pattern)])) == expected)
  }

  @Test(arguments: [
    ("a", ["b/c/x.wav", "b.wav"]),
    ("c", ["a/1.wav", "a/10.flac", "a/2.WAV", "a/unnamed", "b.wav"]),
    ("*.wav/", ["a/1.wav", "a/10.flac", "a/2.WAV", "a/unnamed", "b/c/x.wav", "b.wav"]),
    ("b/c", ["a/1.wav", "a/10.flac", "a/2.WAV", "a/unnamed", "b.wav"]), ("*", []),
  ])
  func excluding(pattern: String, expected: [String]) {
    #expect(names(FileWalker(excludes: [GlobPattern(pattern)])) == expected)
  }

  @Test func missingFolders() {
    let findings = FileWalker().walk(folder.file("none"))
    #expect(findings.files.isEmpty)
    #expect(findings.problems == [.cannotOpen(folder.file("none"), .noSuchFileOrDirectory)])
  }
}
