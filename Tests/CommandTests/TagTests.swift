import Foundation
import TestSupport
import Testing

@Suite("Tags in other containers")
struct TagTests {
  private static let names = [
    "TITLE", "ARTIST", "ALBUM", "DATE", "TRACKNUMBER", "GENRE", "COMMENT", "COPYRIGHT", "ISRC",
  ]

  /// Tags that ffprobe reads back too, and tags that must be reported as lost.
  @Test(arguments: [
    // FFmpeg reads no ID3v2 in WAV where there is INFO, which has no ISRC.
    ("wav", ["title", "artist", "album", "date", "genre", "comment", "copyright"], [String]()),
    ("aiff", ["title", "artist", "album", "date", "genre", "comment", "copyright", "isrc"], []),
    ("caf", ["title", "artist", "album", "date", "genre", "copyright", "isrc"], []),
    ("w64", [], ["TITLE", "ARTIST", "ALBUM", "ISRC"]),
    ("au", [], ["TITLE", "ARTIST", "ALBUM", "ISRC"]),
  ])
  func tagsAreHeldOrReported(format: String, held: [String], lost: [String]) throws {
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

  /// Of two ID3 tags the first counts; what only the second has is added, contradictions are reported.
  @Test(arguments: ["mp3", "wav", "aiff"])
  func secondTagsAreReported(format: String) throws {
    let folder = try TemporaryFolder()
    let made = try Program.shell(
      """
      sox -R -n -r 44100 -c 1 -b 16 plain.\(format == "mp3" ? "wav" : format) synth 1 sine 440
      lame --quiet plain.wav plain.mp3
      python3 -c '
      import io, struct, sys
      from mutagen.id3 import ID3, TIT2, TPE1, TALB
      def tag(*frames):
          tags, file = ID3(), io.BytesIO()
          for frame in frames: tags.add(frame)
          tags.save(file)
          return file.getvalue()
      first = tag(TIT2(encoding=3, text="one"), TPE1(encoding=3, text="same"))
      second = tag(TIT2(encoding=3, text="two"), TPE1(encoding=3, text="same"), TALB(encoding=3, text="more"))
      data = open("plain." + sys.argv[1], "rb").read()
      if sys.argv[1] == "mp3":
          data = first + second + data
      else:
          name, order = (b"id3 ", "<I") if sys.argv[1] == "wav" else (b"ID3 ", ">I")
          for tag in first, second:
              data += name + struct.pack(order, len(tag)) + tag + bytes(len(tag) % 2)
          data = data[:4] + struct.pack(order, len(data) - 8) + data[8:]
      open("in." + sys.argv[1], "wb").write(data)
      ' \(format)
      """, in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
    let run = try Program.run("-f", "2", "in.\(format)", "-o", "out.\(format)", in: folder.path)
    #expect(run.status == 0)
    #expect(run.errorText.contains("TITLE of another ID3 tag"), "\(run.errorText)")
    #expect(!run.errorText.contains("ARTIST of") && !run.errorText.contains("ALBUM of"))
    let info = try Program.run("info", "out.\(format)", in: folder.path).outputText
    for text in ["one", "same", "more"] { #expect(info.contains("  \(text)\n"), "\(info)") }
    #expect(!info.contains("two"))
  }

  @Test func lostPicturesAreReported() throws {
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
