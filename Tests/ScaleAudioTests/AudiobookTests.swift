#if FFmpeg
  import Foundation
  import ScaleAudio
  import TestSupport
  import Testing

  @Suite("Audiobooks")
  struct AudiobookTests {
    /// The starts of the source's chapters, in milliseconds: uneven, the first one at 0.
    private static let starts = (0..<40).map { $0 * 731 + $0 * $0 % 7 * 13 }

    /// A book of half a minute in 40 chapters with a cover, as ffmpeg and mutagen make one.
    private func makeBook(on bench: Workbench) throws {
      var notes = ";FFMETADATA1\ntitle=The Bööк\nartist=A. Reader\n"
      for (number, start) in Self.starts.enumerated() {
        let end = number + 1 < Self.starts.count ? Self.starts[number + 1] : 30_000
        notes +=
          "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(start)\nEND=\(end)\ntitle=Part \(number + 1) ☙\n"
      }
      try bench.folder.write("notes.txt", Array(notes.utf8))
      let lines = """
        set -e
        sox -R -n -r 44100 -c 1 -b 16 book.wav synth 30 pinknoise
        ffmpeg -v error -f lavfi -i color=blue:s=32x32 -frames:v 1 cover.jpg
        ffmpeg -v error -i book.wav -i notes.txt -map 0:a -map_metadata 1 -map_chapters 1 \
          -c:a aac -b:a 64k -f ipod book.m4b
        python3 -c 'import mutagen.mp4 as m; f = m.MP4("book.m4b")
        f["covr"] = [m.MP4Cover(open("cover.jpg", "rb").read(), m.MP4Cover.FORMAT_JPEG)]
        f["----:com.apple.iTunes:NARRATOR"] = [b"Ann"]; f.save()'
        """
      try bench.shell(lines)
    }

    @Test func fortyChaptersKeepTheirTimes() throws {
      let bench = try Workbench()
      try makeBook(on: bench)
      let report = try bench.convert("book.m4b", .by(0.8))
      #expect(report.warnings.isEmpty, "\(report.warningText)")
      let made = "book-x0.8.m4b"
      let chapters = try bench.entries("chapter=start_time:chapter_tags=title", of: made)
        .split(separator: "\n").map { $0.split(separator: ",") }
      try #require(chapters.count == 40)
      for (number, chapter) in chapters.enumerated() {
        let wanted = Double(Self.starts[number]) / 1000 * 0.8
        let found = try #require(Double(chapter[0]))
        #expect(
          abs(found - wanted) <= 1.0 / 44100, "chapter \(number + 1): \(found), not \(wanted)")
        #expect(chapter[1] == "Part \(number + 1) ☙")
      }
      let (audio, file) = try bench.probe(made)
      #expect(audio["codec_name"] as? String == "aac")
      // Int(1,323,000 * 0.8)
      #expect(audio["duration_ts"] as? Int == 1_058_400)
      #expect(try bench.entries("stream=codec_name", of: made).contains("mjpeg"))
      let tags = file["tags"] as? [String: String]
      #expect(tags?["title"] == "The Bööк" && tags?["major_brand"] == "M4B ")
    }

    /// Files from phones and cameras are converted by name alone.
    @Test(arguments: [
      ("memo.m4a", "-c:a aac -ac 1", "memo-x2.m4a"), ("film.mov", "VIDEO -c:a aac", "film-x2.m4a"),
      ("film.mp4", "VIDEO -c:a aac", "film-x2.m4a"), ("call.3gp", "-c:a aac -ac 1", "call-x2.m4a"),
      ("note.aac", "-c:a aac", "note-x2.m4a"), ("film.webm", "-c:a libopus", "film-x2.m4a"),
    ])
    func phoneFormats(name: String, options: String, output: String) throws {
      let bench = try Workbench(["in.wav": Sound.wav])
      let isVideo = options.hasPrefix("VIDEO")
      let picture = isVideo ? "-f lavfi -i color=red:s=64x48:r=10 -shortest" : ""
      try bench.shell(
        "ffmpeg -v error -i in.wav \(picture) \(options.replacing("VIDEO ", with: "")) \(name)")
      try bench.convert(name, .by(2))
      #expect(try bench.entries("stream=codec_name", of: output) == "aac")
      let audio = try bench.probe(output).stream
      // Containers without exact lengths may add less than a packet at each end.
      let frames = try #require(audio["duration_ts"] as? Int)
      let rate = Int(audio["sample_rate"] as? String ?? "")
      let wanted = rate == 48000 ? 48000 : 44100
      #expect(frames >= wanted && frames <= wanted + 2 * 2 * 2048, "\(frames)")
      if ["memo.m4a", "film.mov", "call.3gp"].contains(name) { #expect(frames == wanted) }
    }
  }
#endif
