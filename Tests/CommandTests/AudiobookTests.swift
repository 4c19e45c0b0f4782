#if FFmpeg
  import Foundation
  import TestSupport
  import Testing
  @testable import AudioContainers
  @testable import AudioModel

  @Suite("Audiobooks")
  struct AudiobookTests {
    /// Where the source's chapters begin, in milliseconds: uneven, the first one at 0.
    private static let starts = (0..<40).map { $0 * 731 + $0 * $0 % 7 * 13 }

    /// A book of half a minute in 40 chapters with a cover, as ffmpeg and mutagen make one.
    private func makeBook(in folder: borrowing TemporaryFolder) throws {
      var notes = ";FFMETADATA1\ntitle=The Bööк\nartist=A. Reader\n"
      for (number, start) in Self.starts.enumerated() {
        let end = number + 1 < Self.starts.count ? Self.starts[number + 1] : 30_000
        notes +=
          "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(start)\nEND=\(end)\ntitle=Part \(number + 1) ☙\n"
      }
      try folder.write("notes.txt", Array(notes.utf8))
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
      let made = try Program.shell(lines, in: folder.path)
      #expect(made.status == 0, "\(made.errorText)")
    }

    @Test func fortyChaptersKeepTheirTimes() throws {
      let folder = try TemporaryFolder()
      try makeBook(in: folder)
      let run = try Program.run("-f", "0.8", "book.m4b", in: folder.path)
      #expect(run.status == 0, "\(run.errorText)")
      #expect(!run.errorText.contains("warning"), "\(run.errorText)")
      let probe = try Tool.run(
        "ffprobe",
        [
          "-v", "error", "-show_chapters", "-show_streams", "-show_format", "-of", "json",
          "book-x0.8.m4b",
        ], in: folder.path)
      let reported = try JSONDecoder().decode(Probe.self, from: Data(probe.output))
      let chapters = try #require(reported.chapters)
      try #require(chapters.count == 40)
      for (number, chapter) in chapters.enumerated() {
        let wanted = Double(Self.starts[number]) / 1000 * 0.8
        let found = try #require(Double(chapter.start_time))
        #expect(
          abs(found - wanted) <= 1.0 / 44100, "chapter \(number + 1): \(found), not \(wanted)")
        #expect(chapter.tags["title"] == "Part \(number + 1) ☙")
      }
      let audio = try #require(reported.streams.first { $0.codec_type == "audio" })
      #expect(audio.codec_name == "aac")
      // Int(1,323,000 * 0.8)
      #expect(audio.duration_ts == 1_058_400)
      #expect(reported.streams.contains { $0.codec_name == "mjpeg" })
      #expect(reported.format.tags["title"] == "The Bööк")
      #expect(reported.format.tags["major_brand"] == "M4B ")
    }

    /// Files from phones and cameras are converted by name alone.
    @Test(arguments: [
      ("memo.m4a", "-c:a aac -ac 1", "memo-x2.m4a"), ("film.mov", "VIDEO -c:a aac", "film-x2.m4a"),
      ("film.mp4", "VIDEO -c:a aac", "film-x2.m4a"), ("call.3gp", "-c:a aac -ac 1", "call-x2.m4a"),
      ("note.aac", "-c:a aac", "note-x2.m4a"), ("film.webm", "-c:a libopus", "film-x2.m4a"),
    ])
    func phoneFormats(name: String, options: String, output: String) throws {
      let folder = try TemporaryFolder()
      try folder.write("in.wav", Sound.wav)
      let isVideo = options.hasPrefix("VIDEO")
      let picture = isVideo ? "-f lavfi -i color=red:s=64x48:r=10 -shortest" : ""
      let made = try Program.shell(
        "ffmpeg -v error -i in.wav \(picture) \(options.replacing("VIDEO ", with: "")) \(name)",
        in: folder.path)
      #expect(made.status == 0, "\(made.errorText)")
      let run = try Program.run("-f", "2", name, in: folder.path)
      #expect(run.status == 0, "\(run.errorText)")
      let probe = try Tool.run(
        "ffprobe", ["-v", "error", "-show_streams", "-show_format", "-of", "json", output],
        in: folder.path)
      let reported = try JSONDecoder().decode(Probe.self, from: Data(probe.output))
      let audio = try #require(reported.streams.first)
      #expect(reported.streams.count == 1)
      #expect(audio.codec_name == "aac")
      // Containers without exact lengths may add less than a packet at each end.
      let frames = try #require(audio.duration_ts)
      let rate = Int(audio.sample_rate ?? "") ?? 0
      let wanted = rate == 48000 ? 48000 : 44100
      #expect(frames >= wanted && frames <= wanted + 2 * 2 * 2048, "\(frames)")
      if ["memo.m4a", "film.mov", "call.3gp"].contains(name) { #expect(frames == wanted) }
    }

    private struct Probe: Decodable {
      struct Chapter: Decodable {
        let start_time: String
        let tags: [String: String]
      }
      struct Stream: Decodable {
        let codec_type: String
        let codec_name: String?
        let duration_ts: Int?
        let sample_rate: String?
      }
      struct Format: Decodable { let tags: [String: String] }
      let chapters: [Chapter]?
      let streams: [Stream]
      let format: Format
    }
  }
#endif
