import AudioFiles
import Foundation
import ScaleAudio
import SystemPackage
import TestSupport
import Testing

@testable import AudioIO

@Suite("Outputs that appear whole")
struct OutputFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(
    _ text: String, to path: FilePath, replacing: Bool, isHidden: Bool = false
  ) throws {
    let file = try OutputFile(path: path, isHidden: isHidden)
    _ = try file.descriptor.writeAll(text.utf8)
    try file.commit(replacing: replacing)
  }

  private func content(_ name: String) throws -> String {
    try String(contentsOfFile: folder.file(name).string, encoding: .utf8)
  }

  @Test func outputsAppearOnlyOnCommit() throws {
    let file = try OutputFile(path: folder.file("a"))
    _ = try file.descriptor.writeAll("text".utf8)
    #expect(!FileManager.default.fileExists(atPath: folder.file("a").string))
    try file.commit(replacing: false)
    #expect(try content("a") == "text")
    #expect(try folder.names() == ["a"])
  }

  @Test func uncommittedFilesLeaveNothing() throws {
    do {
      let file = try OutputFile(path: folder.file("a"))
      _ = try file.descriptor.writeAll("text".utf8)
    }
    #expect(try folder.names() == [])
  }

  @Test(arguments: [false, true])
  func replacingIsAllOrNothing(isHidden: Bool) throws {
    try write("old", to: folder.file("a"), replacing: false, isHidden: isHidden)
    #expect(throws: AudioFileError.outputExists(folder.file("a"))) {
      try write("new", to: folder.file("a"), replacing: false, isHidden: isHidden)
    }
    #expect(try content("a") == "old")
    try write("new", to: folder.file("a"), replacing: true, isHidden: isHidden)
    #expect(try content("a") == "new")
    #expect(try folder.names() == ["a"])
  }

  /// The names that are free are counted up, and what was replaced stays as it was.
  @Test(arguments: [false, true])
  func whatIsReplacedCanStay(isHidden: Bool) throws {
    let long = String(repeating: "ü", count: 125) + ".flac"
    for name in ["a.tar.wav", "b", ".c", long] {
      try write("1", to: folder.file(name), replacing: false, isHidden: isHidden)
      for text in ["2", "3"] {
        let file = try OutputFile(path: folder.file(name), isHidden: isHidden)
        _ = try file.descriptor.writeAll(text.utf8)
        try file.commit(replacing: true, keepingReplaced: true)
      }
    }
    let short = String(repeating: "ü", count: 123)
    let expected = [
      "a.tar.wav": "3", "a.tar (1).wav": "1", "a.tar (2).wav": "2", "b": "3", "b (1)": "1",
      "b (2)": "2", ".c": "3", ".c (1)": "1", ".c (2)": "2", long: "3",
      "\(short) (1).flac": "1", "\(short) (2).flac": "2",
    ]
    #expect(try Set(folder.names()) == Set(expected.keys))
    for (name, text) in expected { #expect(try content(name) == text, "\(name)") }
  }

  /// Nothing is there to stay.
  @Test func aNewFileLeavesNoOther() throws {
    let file = try OutputFile(path: folder.file("a"))
    try file.commit(replacing: true, keepingReplaced: true)
    #expect(try folder.names() == ["a"])
  }

  @Test func hiddenFilesAreRemovedWithTheirOutputsAndAtExit() throws {
    do {
      let file = try OutputFile(path: folder.file("a"), isHidden: true)
      _ = try file.descriptor.writeAll("text".utf8)
      #expect(
        try folder.names().allSatisfy {
          $0.hasPrefix(".scaleaudio-\(getpid())-") && $0.contains(HiddenFiles.origin)
        })
      // Its process lives, so it is not swept.
      HiddenFiles.sweep(folder.path)
      #expect(try folder.names().count == 1)
    }
    #expect(try folder.names() == [])
  }

  @Test func lockedFilesAreNotSwept() throws {
    // As if a process of another container wrote, whose number means nothing here.
    let name = folder.file(".scaleaudio-99999999-1-\(HiddenFiles.origin).tmp")
    let file = try FileDescriptor.open(
      name, .writeOnly, options: [.create], permissions: .ownerReadWrite)
    #expect(flock(file.rawValue, LOCK_EX) == 0)
    HiddenFiles.sweep(folder.path)
    #expect(try folder.names().count == 1)
    try file.close()
    HiddenFiles.sweep(folder.path)
    #expect(try folder.names() == [])
  }

  /// On another node, and in another container, the process may run.
  @Test func filesOfOtherProcessesAreNotSwept() throws {
    let folder = try TemporaryFolder()
    let parts = HiddenFiles.origin.split(separator: "-", maxSplits: 2).map(String.init)
    try #require(parts.count == 3)
    let others = [
      "0123456789abcdef-\(parts[1])-\(parts[2])", "\(parts[0])-1-\(parts[2])",
      "\(parts[0])-\(parts[1])-elsewhere",
    ]
    let names = others.map { ".scaleaudio-99999999-1-\($0).tmp" } + [".scaleaudio-99999999-1.tmp"]
    for name in names + [".scaleaudio-99999999-1-\(HiddenFiles.origin).tmp"] {
      let file = try FileDescriptor.open(
        folder.file(name), .writeOnly, options: [.create], permissions: .ownerReadWrite)
      try file.close()
    }
    HiddenFiles.sweep(folder.path)
    #expect(try Set(folder.names()) == Set(names))
  }

  @Test func aLinkInTheWayIsFollowed() throws {
    try write("target", to: folder.file("target"), replacing: false)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("a").string, withDestinationPath: "target")
    try write("new", to: folder.file("a"), replacing: true)
    #expect(try content("target") == "new")
    #expect(FileStatus(path: folder.file("a"), followingLinks: false)?.kind == .link)
    let lost = folder.file("lost")
    try FileManager.default.createSymbolicLink(
      atPath: lost.string, withDestinationPath: "nowhere")
    #expect(
      throws: AudioFileError.notAnOutput(lost, reason: "a broken symbolic link")
    ) {
      _ = try OutputFile(path: lost)
    }
  }

  /// A file that becomes a pipe while it is written is not replaced.
  @Test func aPipeThatAppearsIsNotReplaced() throws {
    let path = folder.file("a")
    try write("old", to: path, replacing: false)
    let file = try OutputFile(path: path)
    try FileManager.default.removeItem(atPath: path.string)
    #expect(mkfifo(path.string, 0o600) == 0)
    do {
      try file.commit(replacing: true)
      Issue.record("a pipe was replaced")
    } catch {
      #expect(error == .outputExists(path))
    }
    #expect(FileStatus(path: path)?.kind == .pipe)
  }

  @Test func badPathsFailAtOnce() throws {
    #expect(throws: AudioFileError.cannotWrite(folder.path, .isDirectory)) {
      _ = try OutputFile(path: folder.path)
    }
    let long = folder.file(String(repeating: "n", count: 256))
    #expect(throws: AudioFileError.cannotWrite(long, .fileNameTooLong)) {
      _ = try OutputFile(path: long)
    }
    #expect(AudioFileError.cannotWrite(long, .fileNameTooLong).remedy == .shortenName)
    let missing = folder.file("none/a")
    #expect(throws: AudioFileError.cannotWrite(missing, .noSuchFileOrDirectory)) {
      _ = try OutputFile(path: missing)
    }
  }

  @Test func aSourceThatChangesIsNoticed() throws {
    try write("some text", to: folder.file("a"), replacing: false)
    let input = try InputFile(path: folder.file("a"))
    try input.checkUnchanged()
    let handle = try #require(FileHandle(forWritingAtPath: folder.file("a").string))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("more".utf8))
    try handle.close()
    #expect(throws: AudioFileError.changed(folder.file("a"))) { try input.checkUnchanged() }
  }
}
