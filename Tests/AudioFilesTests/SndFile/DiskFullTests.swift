import AudioFiles
import AudioModel
import Foundation
import TestSupport
import Testing

@testable import AudioIO

/// Writing onto a small file system of its own; skipped where mounting one is not allowed.
@Suite("A full disk under libsndfile")
struct DiskFullTests {
  @Test(arguments: ["wav", "aiff", "caf", "au", "w64", "rf64", "opus", "mp3"])
  func aFullDiskIsAnErrorAtEveryPoint(id: String) throws {
    let fixture = try AudioFixture()
    let mount = fixture.path("small").string
    try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: false)
    let mounted = try Tool.run("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", mount])
    guard mounted.status == 0 else { try Test.cancel("Only root may mount file systems") }
    defer { _ = try? Tool.run("umount", ["-l", mount]) }
    // From far too much down to a header that just does not fit.
    let samples = Signal.noise(frames: 600_000, channels: 1)
    #expect {
      try fixture.write(
        "small/x", samples, as: id, layout: .mono,
        options: id == "opus"
          ? EncodingOptions(bitRate: 256_000)
          : EncodingOptions(bitRate: id == "mp3" ? 320_000 : nil))
    } throws: {
      if case .cannotWrite(_, .noSpace) = $0 as? AudioFileError { return true }
      return false
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: mount) == [])
    for frames in [131_000, 131_020, 131_040, 131_060, 131_072] where id == "wav" || id == "au" {
      let name = "small/\(frames)"
      do {
        try fixture.write(name, Array(samples[..<frames]), as: id, layout: .mono)
        #expect(try fixture.read(name).samples == Array(samples[..<frames]))
        try FileManager.default.removeItem(atPath: fixture.path(name).string)
      } catch {
        #expect(errorName(error) == "cannotWrite")
      }
    }
  }
}
