#if FFmpeg
  import AudioFiles
  import AudioModel
  import TestSupport
  import Testing

  @testable import AudioIO

  /// A reader at any frame delivers what a reading from the start delivers there, in every pair of a container and a
  /// codec that ffmpeg makes and the program reads.
  @Suite("Seeking in every format", .slow)
  struct EveryFormatSeekingTests {
    /// Containers that ffmpeg writes, by extension, each with the number of codecs below that it and this program have for
    /// it, with ffmpeg 5.1.
    static let containers: [(name: String, codecCount: Int)] = [
      ("wav", 21), ("w64", 21), ("aiff", 6), ("caf", 17), ("au", 4), ("avi", 24), ("mka", 32),
      ("webm", 2), ("mp4", 11), ("mov", 26), ("m4a", 3), ("3gp", 1), ("flv", 10), ("wma", 24),
      ("mts", 8), ("mpg", 5), ("ogg", 4), ("oga", 4), ("opus", 4), ("spx", 4), ("nut", 24),
      ("aac", 1), ("ac3", 11), ("eac3", 11), ("dts", 11), ("mlp", 11), ("thd", 11), ("tta", 1),
      ("wv", 1), ("mp3", 1), ("mp2", 11), ("adx", 1), ("voc", 4), ("sox", 1), ("ast", 1),
      ("mmf", 33), ("rm", 3), ("gsm", 11), ("wtv", 23), ("sf", 4), ("flac", 1),
    ]

    /// Codecs, one of each kind of decoder.
    static let codecs = [
      "aac", "ac3", "adpcm_adx", "adpcm_ima_qt", "adpcm_ima_wav", "adpcm_ms", "adpcm_swf",
      "adpcm_yamaha", "alac", "dca", "eac3", "flac", "g722", "g726", "libgsm", "libgsm_ms",
      "libmp3lame", "libopus", "libspeex", "libvorbis", "mlp", "mp2", "nellymoser", "pcm_alaw",
      "pcm_f32le", "pcm_mulaw", "pcm_s16be", "pcm_s16be_planar", "pcm_s16le", "pcm_s24le",
      "pcm_s32le", "pcm_u8", "real_144",
      "truehd", "tta", "wavpack", "wmav1", "wmav2",
    ]

    /// Codecs whose encoders take only some sample rates or channels, and what they take.
    private static let limits: [String: [String]] = [
      "libgsm": ["-ar", "8000", "-ac", "1"], "libgsm_ms": ["-ar", "8000", "-ac", "1"],
      "real_144": ["-ar", "8000", "-ac", "1"], "g726": ["-ar", "8000", "-ac", "1"],
      "nellymoser": ["-ar", "22050", "-ac", "1"], "g722": ["-ar", "16000", "-ac", "1"],
      "libspeex": ["-ar", "16000", "-ac", "1"], "adpcm_swf": ["-ar", "22050"],
      "libopus": ["-ar", "48000"],
    ]

    @Test(arguments: containers)
    func anyFrameIsThatOfAReadingFromTheStart(container: String, codecCount: Int) throws {
      let fixture = try AudioFixture()
      var checked: [String] = []
      try fixture.run(
        "sox", "-R", "-n", "-r", "44100", "-c", "2", "-b", "16", "x.wav", "synth", "4", "pinknoise",
        "sine", "100-9000", "vol", "0.5")
      // ffmpeg writes every codec into ADX, and then the number of samples over its first frame. After a frame that it
      // cannot decode, libmpg123 sums in another order: 9e-8 of full scale in such a file.
      for codec in container == "adx" ? ["adpcm_adx"] : Self.codecs {
        let name = "\(codec).\(container)"
        let made = try Tool.run(
          "ffmpeg",
          ["-v", "error", "-nostdin", "-i", "x.wav", "-c:a", codec, "-strict", "-2"]
            + (Self.limits[codec] ?? []) + [name],
          in: fixture.folder.path)
        // Many pairs do not exist, and of some the program reads none: `codecCount` are left.
        guard made.status == 0, let input = try? InputFile(path: fixture.path(name)),
          let whole = try? AudioFile.reader(for: input, salvaging: false),
          case let count = whole.source.frameCount, count > 0,
          let expected = try? Self.samples(whole, count)
        else { continue }
        try Self.check(name, input, expected, count, whole.source.spec.channelCount)
        checked.append(codec)
      }
      #expect(checked.count >= codecCount, "\(container): only \(checked.count): \(checked)")
    }

    /// Formats that ffmpeg does not write: 200 places, whether they are reached directly or by decoding.
    @Test(arguments: [
      ("x.mpc", ["mpcenc", "--silent", "x.wav", "x.mpc"]),
      ("x.amr", ["sox", "x.wav", "-r", "8000", "-c", "1", "-t", "amr-nb", "x.amr"]),
      ("x.mp1", []), ("x.raw", ["sox", "x.wav", "-t", "raw", "x.raw"]),
    ])
    func otherFormats(name: String, command: [String]) throws {
      let fixture = try AudioFixture()
      try fixture.run(
        "sox", "-R", "-n", "-r", "44100", "-c", "2", "-b", "16", "x.wav", "synth", "4", "pinknoise",
        "sine", "100-9000", "vol", "0.5")
      if let tool = command.first {
        let made = try Tool.run(tool, Array(command.dropFirst()), in: fixture.folder.path)
        #expect(made.status == 0, "\(made.errorText)")
      } else {
        try fixture.put(name, Self.layer1(frames: 440))
      }
      var input = try InputFile(path: fixture.path(name))
      if name == "x.raw" {
        input.raw = RawPCM(encoding: .s16le, spec: AudioSpec(sampleRate: 44_100, layout: .stereo))
      }
      let whole = try AudioFile.reader(for: input, salvaging: false)
      let count = whole.source.frameCount
      #expect(count > 30_000)
      let expected = try Self.samples(whole, count)
      #expect(Set(expected).count > 1000)
      try Self.check(name, input, expected, count, whole.source.spec.channelCount, places: 200)
    }

    /// MPEG-1 layer I in stereo at 384 kb/s and 44.1 kHz: 3 bits for each sample of every subband, at random.
    ///
    /// Source: ISO 11172-3, section 2.4.1.5: 4 bits of allocation for each subband of a channel, 6 of a scale factor,
    /// and 12 samples.
    private static func layer1(frames: Int) -> [UInt8] {
      var numbers = SeededNumbers(seed: 3)
      return (0..<frames).flatMap { _ in
        let rest = (0..<412 - 32).map { _ in UInt8.random(in: 0...255, using: &numbers) }
        return [0xFF, 0xFF, 0xC0, 0x00] + [UInt8](repeating: 0x22, count: 32) + rest
      }
    }

    private static func check(
      _ name: String, _ input: borrowing InputFile, _ expected: [Float], _ count: Int,
      _ channels: Int, places placeCount: Int? = nil
    ) throws {
      let reader = try AudioFile.reader(for: input, salvaging: false)
      var numbers = SeededNumbers(seed: 11)
      var places = [0, count, count - 1, 1, count / 2, 0]
      for _ in 0..<(placeCount ?? (reader.seeking == .direct ? 200 : 12)) {
        places.append(Int.random(in: 0...count, using: &numbers))
      }
      for place in places {
        try reader.seek(toFrame: place)
        let end = min(count, place + Int.random(in: 1...2500, using: &numbers))
        let found = try samples(reader, end - place)
        if found != Array(expected[place * channels..<end * channels]) {
          Issue.record("\(name) at \(place) of \(count), \(reader.seeking)")
          return
        }
      }
    }

    private static func samples(_ reader: any FrameStream, _ count: Int) throws -> [Float] {
      let channels = reader.source.spec.channelCount
      var samples: [Float] = []
      while samples.count < count * channels {
        var block = [Float](
          repeating: 9, count: min(1009, count - samples.count / channels) * channels)
        var span = block.mutableSpan
        let frames = try reader.read(into: &span)
        if frames == 0 { break }
        samples += block[..<(frames * channels)]
      }
      return samples
    }
  }
#endif
