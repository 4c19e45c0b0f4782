#if FFmpeg
  import AudioFiles
  import AudioModel
  import TestSupport
  import Testing

  @testable import AudioIO

  /// A listener's reader finds distant frames by the times of packets, or by counting them, where a reading from the
  /// start would take long.
  @Suite("Seeking by time")
  struct TimeSeekingTests {
    /// Formats whose packets at which decoding can begin are unknown, or whose decoders carry state or random numbers
    /// from packet to packet, and the largest difference after a seek, as a share of the signal's energy.
    @Test(
      .slow,
      arguments: [
        ("x.ac3", "-b:a 192k", 0.01), ("x.eac3", "-b:a 192k", 0.01),
        ("same.ac3", "-ar 48000 -b:a 192k", 0.01), ("same.eac3", "-ar 48000 -b:a 192k", 0.01),
        ("x.dts", "-c:a dca -strict -2", 1e-6),
        ("x.wma", "-c:a wmav2 -b:a 128k", 1e-6), ("x.avi", "-c:a libmp3lame", 1e-6),
        ("aac.ts", "-c:a aac", 1e-6), ("mp2.ts", "-c:a mp2", 1e-6), ("mp2.mpg", "-c:a mp2", 1e-6),
        ("ac3.mpg", "-c:a ac3 -b:a 192k", 0.01), ("x.flv", "-c:a aac", 1e-6),
        ("x.nut", "-c:a libmp3lame", 1e-6), ("mp3.mka", "-c:a libmp3lame", 1e-6),
        ("opus.mka", "-c:a libopus", 1e-6), ("vorbis.mka", "-c:a libvorbis", 1e-6),
        ("voice.opus", "-ac 1 -c:a libopus -b:a 12k -application voip", 1e-3),
        ("x.aac", "-c:a aac", 0.01),
        ("flac.mka", "-c:a flac", 1e-6),
      ])
    func nearlyTheSame(name: String, options: String, share: Double) throws {
      let fixture = try AudioFixture()
      try fixture.run(
        "sox", "-R", "-n", "-r", "44100", "-c", "2", "-b", "16", "x.wav", "synth", "60",
        "pinknoise", "sine", "100-2000", "vol", "0.5")
      try fixture.encode(name, options)
      let truth = try AudioFile.reader(for: InputFile(path: fixture.path(name)), salvaging: false)
      let channels = truth.source.spec.channelCount
      let slack = truth.source.spec.sampleRate / 500
      let frames = truth.source.frameCount
      let whole = try samples(truth, frames * channels)
      let (reader, damage) = try AudioFile.listeningReader(for: InputFile(path: fixture.path(name)))
      #expect(damage == nil)
      #expect(reader.seeking == .direct)
      var numbers = SeededNumbers(seed: 7)
      for _ in 0..<8 {
        let frame = Int.random(in: frames / 2..<frames - 8192, using: &numbers)
        try reader.seek(toFrame: frame)
        let found = try samples(reader, 4096 * channels)
        try #require(found.count == 4096 * channels)
        // The offset at which the samples differ least.
        let (offset, difference) = (-slack...slack).map { offset in
          (offset, Signal.differenceShare(found, expected: whole[((frame + offset) * channels)...]))
        }.min { $0.1 < $1.1 }!
        #expect(difference < share, "\(difference) at frame \(frame), off by \(offset)")
      }
      // From a distant frame to the end there are as many frames as from the start.
      try reader.seek(toFrame: frames - 1000)
      #expect(try samples(reader, 4096 * channels).count == 1000 * channels)
      // The start is that of decoding from the start, and so is what is near.
      for frame in [0, 5000] {
        try reader.seek(toFrame: frame)
        let found = try samples(reader, 4096 * channels)
        #expect(found == Array(whole[frame * channels..<(frame + 4096) * channels]))
      }
    }

    /// An index of packets of AAC gives the frame exactly, although noise that the decoder makes up differs. A reader for
    /// conversions decodes from the start, and gives the same bits.
    @Test(arguments: [("noise.m4a", "-b:a 64k", 0.2), ("plain.m4a", "-aac_pns 0", 1e-6)])
    func AACByItsIndex(name: String, options: String, share: Double) throws {
      let fixture = try AudioFixture()
      try fixture.run(
        "sox", "-R", "-n", "-r", "44100", "-c", "2", "-b", "16", "x.wav", "synth", "30",
        "pinknoise", "sine", "100-2000", "vol", "0.5")
      try fixture.encode(name, "-c:a aac \(options)")
      let input = try InputFile(path: fixture.path(name))
      let exact = try AudioFile.reader(for: input, salvaging: false)
      #expect(exact.seeking == .decoding)
      let frames = exact.source.frameCount
      let whole = try samples(exact, frames * 2)
      let (reader, _) = try AudioFile.listeningReader(for: input)
      #expect(reader.seeking == .direct)
      var numbers = SeededNumbers(seed: 9)
      for _ in 0..<20 {
        let frame = Int.random(in: 0..<frames - 4096, using: &numbers)
        let expected = whole[(2 * frame)..<2 * (frame + 4096)]
        try reader.seek(toFrame: frame)
        let found = try samples(reader, 2 * 4096)
        let difference = Signal.differenceShare(found, expected: expected)
        #expect(difference < share, "\(difference) at frame \(frame)")
        try exact.seek(toFrame: frame)
        let isSame = try samples(exact, 2 * 4096).elementsEqual(expected)
        #expect(isSame)
      }
    }

    /// ffmpeg joins files without the overlaps between their packets, so that the positions of pages differ from the
    /// number of frames before more and more.
    @Test func joinedVorbis() throws {
      let fixture = try AudioFixture()
      try fixture.run(
        "sox", "-R", "-n", "-r", "22050", "-c", "1", "-b", "16", "x.wav", "synth", "25",
        "pinknoise",
        "sine", "100-2000", "vol", "0.5")
      try fixture.encode("p.ogg", "-c:a libvorbis")
      try fixture.put("list", Array("file p.ogg\nfile p.ogg\nfile p.ogg\nfile p.ogg\n".utf8))
      try fixture.run(
        "ffmpeg", "-v", "error", "-f", "concat", "-i", "list", "-c", "copy", "x.ogg")
      let input = try InputFile(path: fixture.path("x.ogg"))
      let (first, _) = try AudioFile.listeningReader(for: input, estimates: .ofAnyPass)
      #expect(first.source.lengthBasis == .declared)
      let whole = try samples(first, .max)
      for estimates in [ReadingOptions.Estimates.ofAnyPass, .none] {
        let (reader, _) = try AudioFile.listeningReader(for: input, estimates: estimates)
        #expect(reader.seeking == .direct)
        var numbers = SeededNumbers(seed: 5)
        for _ in 0..<20 {
          let frame = Int.random(in: 5000..<80 * 22_050, using: &numbers)
          try reader.seek(toFrame: frame)
          let found = try samples(reader, 1024)
          let offset = (-4000...4000).first { offset in
            whole[frame + offset] == found[0]
              && whole[(frame + offset)..<(frame + offset + 1024)].elementsEqual(found)
          }
          #expect(offset != nil, "at frame \(frame)")
        }
      }
    }

    /// The first packets of a file with a quiet first half are smaller than the others.
    @Test func estimatedLengthOfADTS() throws {
      let fixture = try AudioFixture()
      try fixture.run(
        "sh", "-c",
        "sox -R -n -r 44100 -b 16 q.wav synth 40 sine 300 vol 0.01; "
          + "sox -R -n -r 44100 -b 16 l.wav synth 40 whitenoise vol 0.5; sox q.wav l.wav x.wav")
      try fixture.encode("x.aac", "-c:a aac -q:a 2")
      try expectEstimate(fixture, "x.aac", seconds: 80, slack: 4)
    }

    /// The sizes of the first packets suggest the length of streams without any.
    @Test(arguments: [("x.thd", "-c:a truehd -strict -2"), ("x.mlp", "-c:a mlp -strict -2")])
    func estimatedLengths(name: String, options: String) throws {
      let fixture = try AudioFixture()
      try fixture.run(
        "sox", "-R", "-n", "-r", "44100", "-b", "16", "x.wav", "synth", "40", "pinknoise")
      try fixture.encode(name, options)
      try expectEstimate(fixture, name, seconds: 40, slack: 4)
    }

    private func expectEstimate(
      _ fixture: AudioFixture, _ name: String, seconds: Double, slack: Double
    ) throws {
      let (reader, _) = try AudioFile.listeningReader(
        for: InputFile(path: fixture.path(name)), estimates: .ofAnyPass)
      #expect(reader.source.lengthBasis == .estimated)
      let found = Double(reader.source.frameCount) / 44_100
      #expect(abs(found - seconds) < slack, "\(found)")
    }

    private func samples(_ reader: any FrameStream, _ count: Int) throws -> [Float] {
      var all: [Float] = []
      var block = [Float](repeating: 0, count: 1 << 14)
      while all.count < count {
        var span = block.mutableSpan
        var part = span._mutatingExtracting(0..<min(1 << 14, count - all.count))
        let frames = try reader.read(into: &part)
        if frames == 0 { break }
        all += block[..<(frames * reader.source.spec.channelCount)]
      }
      return all
    }
  }
#endif
