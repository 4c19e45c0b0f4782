import Foundation
import TestSupport
import Testing

@testable import AudioIO
@testable import ScaleAudio

/// Conversions whose inputs must lie in certain folders, as those of a server must.
@Suite("Inputs beneath folders")
struct InputFolderTests {
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
    let path = folder.file("elsewhere/a.wav")
    #expect(throws: AudioFileError.cannotOpen(path, .permissionDenied)) {
      try bytes("elsewhere/a.wav", beneath: ["music"])
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
    let conversion = Conversion(
      input: .file(folder.file("music/a.wav")), output: .file(folder.file("out.wav")),
      settings: ConversionSettings(time: .factor(try #require(TimeFactor(2)))), files: files)
    let report = try conversion.run()
    #expect(report.warnings.isEmpty != isLinked)
    #expect(try folder.names().contains("out.lrc") != isLinked)
  }
}
