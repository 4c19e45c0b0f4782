import AudioModel
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AudioIO
@testable import ScaleAudio

/// Conversions whose files must lie in certain folders, as those of a server must.
@Suite("Files beneath folders")
struct BeneathFolderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["music", "elsewhere"] { mkdir(folder.file(name).string, 0o755) }
    let wave = folder.file("elsewhere/a.wav").string
    _ = try Tool.run(
      "sox", ["-R", "-n", "-r", "8000", "-b", "16", wave, "synth", "0.1", "pinknoise"])
    try put("elsewhere/a.lrc", "[00:00.01]one\n")
    symlink(folder.file("elsewhere").string, folder.file("music/link").string)
  }

  private func put(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file(name).string))
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder.file(name).string, encoding: .utf8)
  }

  private func names(_ name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.file(name).string).sorted()
  }

  // MARK: - Inputs

  private func bytes(_ name: String, beneath folders: [String]) throws(AudioFileError) -> Int {
    try InputFile(path: folder.file(name), beneath: folders.map { folder.file($0) }).size
  }

  @Test func linksLeadNowhere() throws {
    let linked = folder.file("music/link/a.wav")
    #expect(throws: AudioFileError.cannotOpen(linked, .notDirectory)) {
      try bytes("music/link/a.wav", beneath: ["music"])
    }
    #expect(try bytes("elsewhere/a.wav", beneath: ["music", "elsewhere"]) > 1600)
    // A link that is itself one of the folders may be followed: the deepest folder counts.
    #expect(try bytes("music/link/a.wav", beneath: ["music", "music/link"]) > 1600)
    #expect(try bytes("music/link/a.wav", beneath: ["music/link", "music"]) > 1600)
  }

  @Test func otherPlacesAreRefused() {
    for name in ["elsewhere/a.wav", "music/../elsewhere/a.wav"] {
      #expect(throws: AudioFileError.cannotOpen(folder.file(name), .permissionDenied)) {
        try bytes(name, beneath: ["music"])
      }
    }
    #expect(throws: AudioFileError.notAFile(folder.file("music"))) {
      try bytes("music", beneath: ["music"])
    }
  }

  @Test(arguments: [true, false])
  func sidecarsToo(isLinked: Bool) throws {
    try FileManager.default.copyItem(
      atPath: folder.file("elsewhere/a.wav").string, toPath: folder.file("music/a.wav").string)
    if isLinked {
      symlink(folder.file("elsewhere/a.lrc").string, folder.file("music/a.lrc").string)
    } else {
      try put("music/a.lrc", "[00:00.01]one\n")
    }
    var files = FilePolicy(scalesSidecars: true)
    files.inputRoots = [folder.file("music")]
    let report = try conversion("music/a.wav", "out.wav", files).run()
    #expect(report.warnings.isEmpty != isLinked)
    #expect(try folder.names().contains("out.lrc") != isLinked)
  }

  private func conversion(_ input: String, _ output: String, _ files: FilePolicy) throws
    -> Conversion
  {
    Conversion(
      input: .file(folder.file(input)), output: .file(folder.file(output)),
      settings: ConversionSettings(time: .factor(try #require(TimeFactor(2)))), files: files)
  }

  /// Short reads, which read ahead, and long ones yield what the file holds, also across and after its end.
  @Test func anyRangeMatchesTheFile() throws {
    var numbers = SeededNumbers(seed: 3)
    let content = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    let path = folder.file("music/bytes")
    try Data(content).write(to: URL(fileURLWithPath: path.string))
    let whole = try InputFile(path: path)
    let part = try InputFile(whole, bytes: 5000..<11_000)
    for _ in 0..<2000 {
      let offset = Int.random(in: 0...20_100, using: &numbers)
      let count = Int.random(in: 0...(Bool.random(using: &numbers) ? 20 : 600), using: &numbers)
      let all = content.dropFirst(offset).prefix(count)
      #expect(try whole.bytes(at: offset, count: count).elementsEqual(all))
      let some = content[5000..<11_000].dropFirst(offset).prefix(count)
      #expect(try part.bytes(at: offset, count: count).elementsEqual(some))
    }
  }

  // MARK: - Outputs

  private func output(
    _ name: String, isHidden: Bool = false
  ) throws(AudioFileError) -> OutputFile {
    try OutputFile(path: folder.file(name), beneath: [folder.file("music")], isHidden: isHidden)
  }

  /// The folder that was found is written to, also if a link takes its place.
  @Test(arguments: [true, false], [true, false])
  func outputsStayInTheirFolder(isHidden: Bool, replaces: Bool) throws {
    mkdir(folder.file("music/inner").string, 0o755)
    if replaces { try put("music/inner/a", "old") }
    let file = try output("music/inner/a", isHidden: isHidden)
    _ = try file.descriptor.writeAll("new".utf8)
    rename(folder.file("music/inner").string, folder.file("music/moved").string)
    symlink(folder.file("elsewhere").string, folder.file("music/inner").string)
    try file.commit(replacing: replaces)
    #expect(try text("music/moved/a") == "new")
    #expect(try names("music/moved") == ["a"])
    #expect(try names("elsewhere") == ["a.lrc", "a.wav"])
  }

  @Test(arguments: [true, false])
  func abandonedOutputsLeaveNothing(isHidden: Bool) throws {
    try put("music/a", "old")
    do {
      let file = try output("music/a", isHidden: isHidden)
      _ = try file.descriptor.writeAll("new".utf8)
    }
    #expect(throws: AudioFileError.outputExists(folder.file("music/a"))) {
      try output("music/a", isHidden: isHidden).commit(replacing: false)
    }
    #expect(try text("music/a") == "old")
    #expect(try names("music") == ["a", "link"])
  }

  @Test func outputsElsewhereAreRefused() throws {
    symlink(folder.file("elsewhere/a.wav").string, folder.file("music/a.wav").string)
    #expect(mkfifo(folder.file("music/pipe").string, 0o600) == 0)
    let reasons: [(name: String, error: (FilePath) -> AudioFileError)] = [
      ("music/link/b", { .cannotWrite($0, .notDirectory) }),
      ("music/none/b", { .cannotWrite($0, .noSuchFileOrDirectory) }),
      ("music/../b", { .cannotWrite($0, .permissionDenied) }),
      ("elsewhere/b", { .cannotWrite($0, .permissionDenied) }),
      ("music/a.wav", { .notAnOutput($0, reason: "a symbolic link") }),
      ("music/link", { .notAnOutput($0, reason: "a symbolic link") }),
      ("music/pipe", { .notAnOutput($0, reason: "a pipe, socket, or device") }),
    ]
    for (name, error) in reasons {
      #expect(throws: error(folder.file(name))) { _ = try output(name) }
    }
    #expect(try names("elsewhere") == ["a.lrc", "a.wav"])
  }

  @Test func foldersAreMadeAndRemoved() throws {
    let roots = [folder.file("music")]
    let made = CreatedFolders()
    try made.make(folder.file("music/one/two/three"), beneath: roots)
    try made.make(folder.file("music/one/four"), beneath: roots)
    #expect(try names("music/one") == ["four", "two"])
    #expect(throws: AudioFileError.cannotWrite(folder.file("music/link/one"), .notDirectory)) {
      try made.make(folder.file("music/link/one"), beneath: roots)
    }
    // A link in the place of a folder leads to no other that is removed.
    rename(folder.file("music/one/two").string, folder.file("music/two").string)
    mkdir(folder.file("elsewhere/three").string, 0o755)
    symlink(folder.file("elsewhere").string, folder.file("music/one/two").string)
    made.removeEmpty()
    #expect(try names("music/one") == ["two"])
    #expect(try names("elsewhere") == ["a.lrc", "a.wav", "three"])
  }

  /// Everything that a conversion writes, with its journal, is in the folder, and nothing where it has become a link.
  @Test(arguments: [true, false])
  func conversionsWriteBelowTheirFolders(isLinked: Bool) async throws {
    if !isLinked {
      unlink(folder.file("music/link").string)
      mkdir(folder.file("music/link").string, 0o755)
    }
    var files = FilePolicy(scalesSidecars: true, drawsPicture: true)
    files.outputRoots = [folder.file("music")]
    let job = ConversionJob(
      id: 0, work: try conversion("elsewhere/a.wav", "music/link/b.wav", files), inputBytes: 1,
      journalFolder: folder.file("music/link"))
    var failures: [ConversionError] = []
    for await event in Batch([job], resumes: true).events() {
      if case .failed(_, let error) = event { failures.append(error) }
      if case .finished(_, let report) = event { #expect(report.warnings.isEmpty) }
    }
    #expect(
      failures
        == (isLinked
          ? [.file(.cannotWrite(folder.file("music/link/b.wav"), .notDirectory))] : []))
    #expect(try names("elsewhere") == ["a.lrc", "a.wav"])
    if !isLinked {
      #expect(
        try names("music/link") == [".scaleaudio.jsonl", "b.lrc", "b.png", "b.wav"])
      let again = Batch([job], resumes: true).verdicts()
      #expect(again == [.skip(.alreadyDone)])
    }
  }

  /// A journal in a folder that has become a link is neither read nor written.
  @Test func journalsToo() throws {
    let path = folder.file("elsewhere/a.wav")
    let stamp = try #require(FileStatus(path: path)?.stamp)
    let roots = [folder.file("music")]
    let open = Journal(folder: folder.file("music/link"))
    let entry = try #require(
      open.makeEntry(source: path, stamp: stamp, parameters: "", output: path))
    #expect(throws: Errno.notDirectory) {
      try Journal(folder: folder.file("music/link"), beneath: roots).record(entry)
    }
    #expect(try names("elsewhere") == ["a.lrc", "a.wav"])
    try open.record(entry)
    #expect(Journal(folder: folder.file("music/link")).entry(for: path) != nil)
    #expect(Journal(folder: folder.file("music/link"), beneath: roots).entry(for: path) == nil)
  }
}
