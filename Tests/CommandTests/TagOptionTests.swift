import Foundation
import TestSupport
import Testing

/// The options about what is attached, on the real program.
@Suite("Options about tags")
struct TagOptionTests {
  /// A FLAC file with a title, ReplayGain, an old encoder and a picture.
  private func makeSource() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("in.wav", Sound.wav)
    let picture = try Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "color=s=8x8:d=1", "-frames:v", "1", "c.png",
      ], in: folder.path)
    #expect(picture.status == 0)
    let made = try Tool.run(
      "flac",
      [
        "-s", "--tag=TITLE=song", "--tag=REPLAYGAIN_TRACK_GAIN=-3 dB", "--tag=ENCODER=old",
        "--picture=c.png", "in.wav",
      ], in: folder.path)
    #expect(made.status == 0)
    return folder
  }

  private func tags(_ name: String, _ folder: TemporaryFolder) throws -> String {
    try Tool.run(
      "metaflac", ["--export-tags-to=-", name], in: folder.path
    ).outputText
  }

  private func pictureCount(_ name: String, _ folder: TemporaryFolder) throws -> Int {
    try Tool.run(
      "metaflac", ["--list", "--block-type=PICTURE", name], in: folder.path
    ).outputText.split(separator: "\n").count { $0.hasPrefix("METADATA block") }
  }

  private static let provenance = "ENCODER=scaleaudio 0.1.0 factor=1.5 method=smoothstep\n"

  @Test func onlyTheEncoderTagRecordsTheConversion() throws {
    let folder = try makeSource()
    let run = try Program.run("-f", "1.5", "in.flac", "-o", "out.flac", "--json", in: folder.path)
    #expect(run.status == 0)
    #expect(try tags("out.flac", folder) == "TITLE=song\n" + Self.provenance)
    #expect(try pictureCount("out.flac", folder) == 1)
    // It is reported to programs, without a warning.
    #expect(run.outputText.contains(#""staleTags":["REPLAYGAIN_TRACK_GAIN"]"#))
    #expect(run.outputText.contains(#""notCarried":[]"#))
    #expect(run.outputText.contains(#""warnings":[]"#))
    for (kind, tag) in [("mp3", "encoder"), ("wav", "encoder"), ("aiff", "encoder")] {
      let run = try Program.run(
        "-f", "1.5", "in.flac", "-o", "out.\(kind)", "--method", "linear", in: folder.path)
      #expect(run.status == 0)
      let probe = try Tool.run(
        "ffprobe",
        ["-v", "error", "-show_entries", "format_tags", "-of", "default=nw=1", "out.\(kind)"],
        in: folder.path
      ).outputText
      let lines = probe.split(separator: "\n").filter { $0.contains("scaleaudio") }
      #expect(lines == ["TAG:\(tag)=scaleaudio 0.1.0 factor=1.5 method=linear"], "\(probe)")
    }
  }

  @Test func staleTagsAreKeptOnRequest() throws {
    let folder = try makeSource()
    let run = try Program.run(
      "-f", "1.5", "in.flac", "-o", "out.flac", "--keep-stale-tags", in: folder.path)
    #expect(run.status == 0)
    #expect(
      try tags("out.flac", folder)
        == "TITLE=song\nREPLAYGAIN_TRACK_GAIN=-3 dB\n" + Self.provenance)
  }

  @Test func metadataIsSelected() throws {
    let folder = try makeSource()
    #expect(
      try Program.run(
        "-f", "1.5", "in.flac", "-o", "text.flac", "--metadata", "text", in: folder.path
      ).status == 0)
    #expect(try tags("text.flac", folder) == "TITLE=song\n" + Self.provenance)
    #expect(try pictureCount("text.flac", folder) == 0)
    let none = try Program.run(
      "-f", "1.5", "in.flac", "-o", "none.flac", "--metadata", "none", in: folder.path)
    #expect(none.status == 0)
    #expect(try tags("none.flac", folder) == "")
    #expect(try pictureCount("none.flac", folder) == 0)
    // Metadata that is not requested is not reported as lost.
    let wave = try Program.run(
      "-f", "1.5", "in.flac", "-o", "none.au", "--metadata", "none", in: folder.path)
    #expect(!wave.errorText.contains("not carried"))
    let wrong = try Program.run("-f", "1.5", "in.flac", "--metadata", "some", in: folder.path)
    #expect(wrong.status == 64)
  }

  @Test func lengthTagsAreThoseOfTheOutput() throws {
    let folder = try makeSource()
    #expect(
      try Tool.run("ffmpeg", ["-v", "error", "-i", "in.wav", "in.mp3"], in: folder.path).status == 0
    )
    let script =
      "import mutagen; from mutagen.id3 import TLEN; f = mutagen.File('in.mp3'); "
      + "f.tags.add(TLEN(text='500')); f.save()"
    #expect(try Tool.run("python3", ["-c", script], in: folder.path).status == 0)
    #expect(
      try Program.run("-f", "1.5", "in.mp3", "-o", "out.mp3", in: folder.path).status == 0)
    let read = try Tool.run(
      "python3", ["-c", "import mutagen; print(mutagen.File('out.mp3').tags['TLEN'])"],
      in: folder.path)
    #expect(read.outputText == "750\n")
  }

  @Test func fileTimesAreKept() throws {
    let folder = try makeSource()
    for arguments in [["-o", "out.flac"], ["-o", "out.flac", "--overwrite"]] {
      #expect(
        try Tool.run(
          "touch", ["-d", "2001-02-03T04:05:06.789Z", "in.flac"], in: folder.path
        ).status == 0)
      let run = try Tool.run(
        Program.path, ["-f", "1.5", "in.flac", "--keep-mtime"] + arguments, in: folder.path)
      #expect(run.status == 0, "\(run.errorText)")
      let times = try Tool.run("stat", ["-c", "%.3Y", "out.flac"], in: folder.path)
      #expect(times.outputText == "981173106.789\n")
      // Finding out that a file is audio reads it, which may count as access.
      let access = try Tool.run("stat", ["-c", "%X", "out.flac", "in.flac"], in: folder.path)
      let seconds = access.outputText.split(separator: "\n").compactMap { Int($0) }
      #expect(seconds.count == 2 && seconds[0] <= seconds[1])
    }
    #expect(
      try Program.run("-f", "1.5", "in.flac", "-o", "new.flac", in: folder.path).status == 0)
    let times = try Tool.run("stat", ["-c", "%Y", "new.flac"], in: folder.path)
    #expect(times.outputText != "981173106\n")
  }

  @Test func missingTagsAreListed() throws {
    let folder = try makeSource()
    let run = try Program.run("-f", "1.5", "in.flac", "-o", "out.au", "--json", in: folder.path)
    #expect(run.outputText.contains(#""notCarried":["pictures","tag TITLE"]"#))
    #expect(
      run.outputText.contains(
        #""warnings":["not carried to the output: pictures, tag TITLE"]"#))
  }

  /// A journal knows that the output would be another.
  @Test func resumingComparesTheOptions() throws {
    let folder = try makeSource()
    let first = try Program.run(
      "-f", "1.5", "in.flac", "-o", "out/", "--resume", in: folder.path)
    #expect(first.status == 0)
    let same = try Program.run(
      "-f", "1.5", "in.flac", "-o", "out/", "--resume", "--json", in: folder.path)
    #expect(same.outputText.contains(#""reason":"already-done""#))
    let other = try Program.run(
      "-f", "1.5", "in.flac", "-o", "out/", "--resume", "--metadata", "none", "--json",
      in: folder.path)
    #expect(!other.outputText.contains("already-done"))
  }
}
