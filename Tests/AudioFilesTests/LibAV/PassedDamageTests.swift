#if FFmpeg
  import AudioFiles
  import AudioModel
  import TestSupport
  import Testing

  @testable import AudioIO

  /// Damage in Matroska, which libavformat passes over.
  @Suite("Damage that demuxers pass over")
  struct PassedDamageTests {
    /// Intact files, by muxers with clusters of known and unknown size, lacing, and video: no damage is reported.
    @Test(arguments: [
      ("x.mkv", "-c:v mpeg4 -c:a libvorbis", true), ("x.mka", "-c:a flac", false),
      ("x.webm", "-c:a libopus", false),
      ("x.mka", "-c:a libmp3lame -cluster_time_limit 300", false),
      ("x.webm", "-c:a libopus -live 1 -f webm", false),
    ])
    func intactFiles(name: String, options: String, isVideo: Bool) throws {
      let fixture = try AudioFixture.noise(
        name, options, seconds: 4, pictures: isVideo ? "160x120" : nil)
      #expect(try fixture.read(name).source.frameCount >= 4 * 44_100)
    }

    /// Files by mkvmerge, which laces packets of PCM, and files written to a pipe.
    @Test func intactFilesOfOtherPrograms() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 200_000)
      try fixture.encode("x.ogg", "-c:a libvorbis")
      for source in ["x.wav", "x.ogg"] {
        try fixture.run("mkvmerge", "-q", "-o", "merged.mka", source)
        #expect(try fixture.read("merged.mka").source.frameCount >= 200_000)
      }
      try fixture.run(
        "sh", "-c", "ffmpeg -v error -i x.wav -c:a libopus -f matroska - > piped.mka")
      #expect(try fixture.read("piped.mka").source.frameCount >= 200_000)
    }

    /// With a checksum for each cluster, a change of any byte in one shows, and so it does in the header of an element
    /// without.
    @Test func checksums() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 300_000)
      try fixture.encode("x.mka", "-c:a libopus")
      let bytes = try fixture.bytes("x.mka")
      let cluster = try #require(Self.offset(of: [0x1F, 0x43, 0xB6, 0x75], in: bytes))
      var numbers = SeededNumbers(seed: 21)
      for _ in 0..<40 {
        // The table of contents of ffmpeg, and tags, follow the clusters.
        let place = Int.random(in: cluster..<bytes.count * 9 / 10, using: &numbers)
        var bad = bytes
        bad[place] ^= 1 << UInt8.random(in: 0...7, using: &numbers)
        try fixture.put("bad.mka", bad)
        #expect(fixture.refusal("bad.mka")?.errorClass == "malformed", "byte \(place)")
      }
    }

    /// Damage that hits the header of one of many packets.
    @Test func headers() throws {
      let name = "x.webm"
      let header: [UInt8] = [0xA3]
      let fixture = try AudioFixture.noise(name, "-c:a libvorbis", seconds: 6)
      let whole = try fixture.read(name)
      let bytes = try fixture.bytes(name)
      let half = bytes.count / 2
      let place = try #require(Self.offset(of: header, in: bytes, from: half))
      var bad = bytes
      for index in place..<place + header.count { bad[index] = 0x55 }
      try fixture.put("bad", bad)
      let refusal = try #require(fixture.refusal("bad"))
      #expect(refusal.errorClass == "malformed")
      // For listening, what is before is there, and then the error.
      let input = try InputFile(path: fixture.path("bad"))
      let (reader, damage) = try AudioFile.listeningReader(for: input)
      #expect(damage != nil)
      let count = reader.source.frameCount
      #expect(count > whole.source.frameCount * 2 / 5 && count < whole.source.frameCount * 3 / 5)
      var block = [Int16](repeating: 0, count: count * reader.source.spec.channelCount)
      var span = block.mutableSpan
      #expect(try reader.read(into: &span) == count)
      #expect(whole.samples.starts(with: block))
    }

    private static func offset(of pattern: [UInt8], in bytes: [UInt8], from start: Int = 0) -> Int?
    {
      (start...bytes.count - pattern.count).first { place in
        bytes[place..<place + pattern.count].elementsEqual(pattern)
      }
    }
  }
#endif
