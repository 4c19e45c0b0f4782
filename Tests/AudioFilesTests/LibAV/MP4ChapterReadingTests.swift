#if FFmpeg
  import AudioModel
  import Foundation
  import SystemPackage
  import TestSupport
  import Testing

  @testable import AudioContainers
  @testable import AudioIO

  /// Chapters of MP4, as ffprobe reads them.
  @Suite("Reading chapters of MP4")
  struct MP4ChapterReadingTests {
    private let fixture: AudioFixture

    init() throws { fixture = try AudioFixture() }

    /// Two chapters of 0.7 s and of 1.3 s, in `chapters.txt`.
    private func makeSound() throws {
      try fixture.makeNoise(frames: 88200)
      let text = """
        ;FFMETADATA1
        [CHAPTER]
        TIMEBASE=1/1000
        START=0
        END=700
        title=Größe
        [CHAPTER]
        TIMEBASE=1/1000
        START=700
        END=2000
        title=two 🎧
        """
      try fixture.put("chapters.txt", text.utf8)
    }

    private func encode(_ name: String, _ options: [String] = []) throws {
      try fixture.encode(name, ["-i", "chapters.txt", "-map_chapters", "1"] + options)
    }

    /// The chapters that ffprobe finds, in frames at 44.1 kHz.
    private func probed(_ name: String) throws -> [Metadata.Chapter] {
      try M4AProbe(fixture.path(name)).report.chapters.map { chapter in
        let parts = chapter.time_base.split(separator: "/").compactMap { Double($0) }
        func frame(_ time: Int) -> Double { Double(time) * parts[0] / parts[1] * 44100 }
        return Metadata.Chapter(
          start: frame(chapter.start),
          end: chapter.end > chapter.start ? frame(chapter.end) : nil,
          title: chapter.tags?["title"] ?? "")
      }
    }

    private func chapters(_ name: String) throws -> [Metadata.Chapter] {
      try TagReader.read(InputFile(path: fixture.path(name)), sampleRate: 44100).metadata.chapters
    }

    private func expectSame(_ name: String, _ count: Int) throws {
      let (found, wanted) = (try chapters(name), try probed(name))
      #expect(found.count == count && wanted.count == count)
      for (one, other) in zip(found, wanted) {
        #expect(one.title == other.title, "\(name)")
        #expect(abs(one.start - other.start) < 1e-6, "\(name)")
        #expect((one.end == nil) == (other.end == nil), "\(name)")
        #expect(abs((one.end ?? 0) - (other.end ?? 0)) < 1e-6, "\(name)")
      }
    }

    /// Replaces the type of a box, so that readers skip it.
    private func hide(_ type: String, in name: String, as other: String) throws {
      var bytes = try fixture.bytes(name)
      let place = try #require(bytes.firstRange(of: Array(type.utf8)))
      bytes.replaceSubrange(place, with: Array("free".utf8))
      try fixture.put(other, bytes)
    }

    /// A text track, in the movie or in fragments; a list alone.
    @Test func filesOfFFmpegAreReadLikeByFFprobe() throws {
      try makeSound()
      try encode("a.mp4")
      try encode("a.mov")
      let fragments = "frag_keyframe+empty_moov"
      try encode("b.mp4", ["-movflags", fragments])
      try encode("b.mov", ["-movflags", fragments + "+default_base_moof"])
      try hide("tref", in: "a.mp4", as: "list.mp4")
      try hide("chpl", in: "a.mp4", as: "track.mp4")
      for name in ["a.mp4", "a.mov", "b.mp4", "b.mov", "list.mp4", "track.mp4"] {
        try expectSame(name, 2)
      }
    }

    /// Our own files, of which a first chapter may be late, and a title long.
    @Test(arguments: [1, 3, 300])
    func ownChaptersComeBack(count: Int) throws {
      var metadata = Metadata()
      metadata.chapters = (0..<count).map {
        Metadata.Chapter(start: Double(1001 + 91 * $0), title: "Kapitel \($0): 声 🎧")
      }
      metadata.chapters[0].title = String(repeating: "ž", count: 3000)
      try fixture.write(
        "x.m4b", [Int16](repeating: 1, count: 44100), as: "m4b-alac", layout: .mono, rate: 44100,
        metadata: metadata)
      let found = try chapters("x.m4b")
      #expect(found.map(\.start) == metadata.chapters.map(\.start))
      #expect(found.map(\.title) == metadata.chapters.map(\.title))
      #expect(found.map(\.end) == metadata.chapters.dropFirst().map(\.start) + [44100])
      #expect(try probed("x.m4b").map(\.title) == found.map(\.title))
      let read = try fixture.read("x.m4b").source.metadata
      #expect(read.chapters == found)
    }

    /// Titles in UTF-16, in Mac OS Roman, and after a length that exceeds the sample.
    @Test func titlesOfOtherEncodingsAreRead() throws {
      var metadata = Metadata()
      metadata.chapters = (0..<4).map {
        Metadata.Chapter(start: Double(1000 * $0), title: "title-\($0)")
      }
      try fixture.write(
        "x.m4b", [Int16](repeating: 1, count: 44100), as: "m4b-alac", layout: .mono, rate: 44100,
        metadata: metadata)
      var bytes = try fixture.bytes("x.m4b")
      func replace(_ title: String, _ new: [UInt8]) throws {
        // The box with the encoding follows only in the sample.
        let old = [0, 7] + Array(title.utf8)
        let place = try #require(bytes.firstRange(of: old + [0, 0, 0, 12])).lowerBound
        bytes.replaceSubrange(place..<place + old.count, with: new)
      }
      try replace("title-0", [0, 6, 0xFE, 0xFF, 0, 0xFC, 0x26, 0x03, 0])
      try replace("title-1", [0, 6, 0xFF, 0xFE, 0xFC, 0, 0x03, 0x26, 0])
      try replace("title-2", [0, 7, 0x4D, 0x9F, 0x6C, 0x6C, 0x65, 0x72, 0x20])
      try replace("title-3", [0xFF, 0xFF] + Array("title-3".utf8))
      try fixture.put("y.m4b", bytes)
      // The last one is in Nero's list, whose units are not frames.
      #expect(try chapters("y.m4b").map(\.title) == ["ü☃", "ü☃", "Müller ", "title-3"])
      #expect(try chapters("y.m4b").map { $0.start.rounded() } == [0, 1000, 2000, 3000])
    }

    /// Nero's list of version 0, and moments that a camera's user marked.
    @Test func listsOfOtherFormsAreReadLikeByFFprobe() throws {
      func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        Wave.le(content.count + 8, 4).reversed() + Array(type.utf8) + content
      }
      try fixture.makeNoise(frames: 88200)
      try fixture.encode("plain.mp4", "-c:a aac -fflags +bitexact -map_metadata -1")
      var bytes = try fixture.bytes("plain.mp4")
      let place = try #require(bytes.firstRange(of: Array("moov".utf8))).lowerBound - 4
      let movie = Array(bytes[(place + 8)...])
      bytes.removeSubrange(place...)
      let start: [UInt8] = Wave.le(5_000_000, 8).reversed()
      let zero = [UInt8](repeating: 0, count: 8)
      let list = [0, 0, 0, 0, 2] + zero + [1, 0x61] + start + [2, 0x62, 0x63]
      let moments: [UInt8] = [0, 0, 0, 2, 0, 0, 0, 10, 0, 0, 3, 0xE8]
      for (name, content) in [("list", box("chpl", list)), ("moments", box("HMMT", moments))] {
        try fixture.put("\(name).mp4", bytes + box("moov", movie + box("udta", content)))
        try expectSame("\(name).mp4", 2)
      }
    }
  }
#endif
