import Foundation
import TestSupport
import Testing

@Suite("Tags in other containers")
struct TagTests {
  private static let names = [
    "TITLE", "ARTIST", "ALBUM", "DATE", "TRACKNUMBER", "GENRE", "COMMENT", "COPYRIGHT", "ISRC",
  ]

  /// What ffprobe, too, reads back, and what must be reported as missing.
  @Test(arguments: [
    // FFmpeg reads no ID3v2 in WAV where there is INFO, which has no ISRC.
    ("wav", ["title", "artist", "album", "date", "genre", "comment", "copyright"], [String]()),
    ("aiff", ["title", "artist", "album", "date", "genre", "comment", "copyright", "isrc"], []),
    ("caf", ["title", "artist", "album", "date", "genre", "copyright", "isrc"], []),
    ("w64", [], ["TITLE", "ARTIST", "ALBUM", "ISRC"]),
    ("au", [], ["TITLE", "ARTIST", "ALBUM", "ISRC"]),
  ])
  func whatIsHeldAndWhatIsTold(format: String, held: [String], lost: [String]) throws {
    let folder = try TemporaryFolder()
    try folder.write("in.wav", Sound.wav)
    let tags = Self.names.map { "--tag=\($0)=value of \($0)" }
    #expect(try Tool.run("flac", ["-s"] + tags + ["in.wav"], in: folder.path).status == 0)
    let run = try Program.run("-f", "2", "in.flac", "-o", "out.\(format)", in: folder.path)
    #expect(run.status == 0, "\(run.errorText)")
    let probe = try Tool.run(
      "ffprobe", ["-v", "error", "-show_entries", "format_tags", "out.\(format)"], in: folder.path)
    let found = probe.outputText.lowercased()
    for name in held { #expect(found.contains("=value of \(name)"), "\(found)") }
    for name in lost {
      #expect(run.errorText.contains("tag \(name)"))
      #expect(!found.contains("value of \(name.lowercased())"))
    }
  }

  @Test func lostPicturesAreTold() throws {
    let folder = try TemporaryFolder()
    let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Samples/music.flac").standardizedFileURL.path
    let run = try Program.run("-f", "0.1", sample, "-o", "out.caf", in: folder.path)
    #expect(run.status == 0)
    #expect(run.errorText.contains("not carried to the output: pictures"))
    let kept = try Program.run("-f", "0.1", sample, "-o", "out.wav", in: folder.path)
    #expect(!kept.errorText.contains("not carried"))
  }
}
