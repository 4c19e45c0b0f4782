#if FFmpeg
  import AudioModel
  import Foundation
  import SystemPackage
  import TestSupport
  import Testing

  @testable import AudioContainers
  @testable import AudioIO

  @Suite("Chapters in M4A")
  struct M4AChapterTests {
    let folder: TemporaryFolder
    let path: FilePath

    init() throws {
      folder = try TemporaryFolder()
      path = folder.file("out.m4b")
    }

    /// Writes silence with chapters; returns the warnings.
    @discardableResult
    private func write(
      _ chapters: [Metadata.Chapter], frames: Int, format: String = "m4b", rate: Int = 44100
    ) throws -> [String] {
      var metadata = Metadata()
      metadata.chapters = chapters
      return try encode(
        [Int16](repeating: 0, count: frames),
        as: .of(format, frames: frames, layout: .mono, rate: rate, metadata: metadata), to: path)
    }

    /// Nero's list as ffprobe reads it, in 100 ns, when nothing leads to the text track.
    private func neroChapters() throws -> [M4AProbe.Report.Chapter] {
      var bytes = try Files.read(path)
      let name = Array("tref".utf8)
      let place = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
      bytes.replaceSubrange(place..<place + 4, with: Array("free".utf8))
      let copy = folder.file("nero.m4b")
      try Files.write(bytes, to: copy)
      let chapters = try M4AProbe(copy).report.chapters
      #expect(chapters.allSatisfy { $0.time_base == "1/10000000" })
      return chapters
    }

    @Test(arguments: ["m4b", "m4b-alac"], [44100, 22050, 96000])
    func fortyChaptersStartAtTheirFrames(format: String, rate: Int) throws {
      let frames = rate * 3 + 77
      // Odd distances, so that no start is a whole number of milliseconds.
      let starts = (0..<40).map { $0 * (frames / 41) + $0 * $0 % 7 }
      let chapters = starts.enumerated().map {
        Metadata.Chapter(start: Double($1), title: "Kapitel \($0 + 1): Žluťoučký 声 🎧")
      }
      #expect(try write(chapters, frames: frames, format: format, rate: rate) == [])
      let probe = try M4AProbe(path)
      #expect(probe.audio.duration_ts == frames)
      #expect(probe.report.chapters.count == 40)
      for (found, chapter) in zip(probe.report.chapters, chapters) {
        #expect(found.time_base == "1/\(rate)")
        #expect(Double(found.start) == chapter.start && found.tags?["title"] == chapter.title)
      }
      #expect(probe.report.chapters.last?.end == frames)
      let listed = try neroChapters()
      #expect(listed.map { $0.tags?["title"] } == chapters.map(\.title))
      for (found, start) in zip(listed, starts) {
        #expect(Int((Double(found.start) / 1e7 * Double(rate)).rounded()) == start)
      }
      #expect(try M4AProbe.decode(path, as: "s16le").count / 2 >= frames)
    }

    @Test func startsAreRoundedAndStayWithinTheAudio() throws {
      let moments = [0.4, 99.6, 4000.49, 4999.51, 7000, .infinity, -3, .nan]
      try write(
        moments.enumerated().map { Metadata.Chapter(start: $1, title: "\($0)") }, frames: 5000)
      let found = try M4AProbe(path).report.chapters
      #expect(found.map(\.start).filter { $0 > 0 && $0 < 5000 } == [100, 4000])
      #expect(found.map(\.start) == found.map(\.start).sorted())
      #expect(found.count == moments.count)
    }

    @Test func aFirstChapterMayStartLate() throws {
      try write(
        [Metadata.Chapter(start: 1001, title: "one"), Metadata.Chapter(start: 3003, title: "two")],
        frames: 5000)
      let probe = try M4AProbe(path)
      #expect(probe.report.chapters.map(\.start) == [1001, 3003])
      #expect(probe.report.chapters.map { $0.tags?["title"] } == ["one", "two"])
      #expect(probe.audio.duration_ts == 5000)
      #expect(try neroChapters().map { $0.tags?["title"] } == ["one", "two"])
    }

    @Test func titlesMayBeEmptyOrLong() throws {
      let long = String(repeating: "ž", count: 200)
      try write(
        [Metadata.Chapter(start: 0, title: ""), Metadata.Chapter(start: 100, title: long)],
        frames: 5000)
      let probe = try M4AProbe(path)
      #expect(probe.report.chapters.map { $0.tags?["title"] ?? "" } == ["", long])
      // Nero's titles hold 255 bytes; half a letter is not a letter.
      #expect(
        try neroChapters().map { $0.tags?["title"] ?? "" } == [
          "", String(repeating: "ž", count: 127),
        ])
    }

    @Test func thousandChaptersAreKept() throws {
      let chapters = (0..<1000).map { Metadata.Chapter(start: Double($0 * 47), title: "c\($0)") }
      try write(chapters, frames: 50_000)
      let probe = try M4AProbe(path)
      #expect(probe.report.chapters.count == 1000)
      #expect(probe.report.chapters.last?.start == 999 * 47)
      #expect(try neroChapters().count == 255)
    }

    @Test func lossesAreReported() throws {
      let picture = Metadata.Picture(
        type: 3, mimeType: "image/png", description: "", width: 1, height: 1, depth: 8, colors: 0,
        data: [1])
      let notCarried = try write(
        [
          Metadata.Chapter(start: 0, end: 50, title: "a", address: "http://a", picture: picture),
          Metadata.Chapter(start: 100, title: "b"),
        ], frames: 5000)
      #expect(notCarried == ["pictures of chapters", "addresses of chapters"])
      #expect(throws: AudioFileError.self) {
        try write([Metadata.Chapter(start: 0, title: "a")], frames: 0)
      }
    }

    /// A text track has neither gaps nor overlaps.
    @Test(arguments: [(1000.0, true), (2000, false), (2001, false), (3000, true)])
    func otherEndsAreReported(end: Double, isReported: Bool) throws {
      let chapters = [
        Metadata.Chapter(start: 0, end: end, title: "a"), Metadata.Chapter(start: 2000, title: "b"),
      ]
      #expect(MP4Chapters(chapters, frameCount: 5000).warnings.isEmpty == !isReported)
    }

    /// Days that no test could encode: the tables alone, with packets of many frames.
    @Test func timesBeyondFourBillionFramesAreExact() throws {
      let rate = 96_000
      let frames = 20 * 3600 * rate + 1
      let stream = PacketStream(
        codec: .aac, spec: AudioSpec(sampleRate: rate, layout: .mono), frameCount: frames,
        delay: 1024, framesPerPacket: 1 << 20, bitDepth: 16, configuration: [0x10, 0x08])
      #expect(frames > Int(UInt32.max))
      var metadata = Metadata()
      metadata.chapters = (0..<40).map {
        Metadata.Chapter(start: Double($0 * (frames / 40)), title: "c\($0)")
      }
      let cursor = OutputCursor(
        descriptor: try FileDescriptor.open(
          path, .readWrite, options: .create, permissions: .ownerReadWrite))
      let file = try MP4File(
        cursor, brand: "M4B ", movie: MP4Movie(stream: stream, metadata: metadata), path: path)
      let packet: [UInt8] = [1, 2]
      for _ in 0..<stream.packetCount {
        try packet.withUnsafeBytes { try file.append($0) }
      }
      try file.finish()
      let probe = try M4AProbe(path, complaining: true)
      #expect(probe.audio.duration_ts == frames)
      #expect(probe.report.chapters.map(\.start) == metadata.chapters.map { Int($0.start) })
      #expect(probe.report.chapters.last?.end == frames)
    }
  }
#endif
