#if FFmpeg
  internal import CLibAV

  /// Tells which of libavformat's demuxers a file is for, by its content.
  struct LibAVProbe {
    /// The demuxer; libavformat's own, which lives as long as the process.
    let demuxer: UnsafePointer<AVInputFormat>
    /// How sure that is, 51 to 100.
    let score: Int

    /// Above this, hardly anything but the format itself looks like it.
    static let strongScore = 75
    /// How much of a file is looked at, in bytes.
    private static let reach = 1 << 16

    /// The demuxer's short names: `mov,mp4,m4a,3gp,3g2,mj2`.
    var names: [String] {
      String(cString: demuxer.pointee.name).split(separator: ",").map(String.init)
    }

    /// What the format is called.
    var longName: String {
      demuxer.pointee.long_name.map { String(cString: $0) } ?? names.first ?? ""
    }

    /// Looks at the beginning of `input`, behind ID3v2 tags; `nil` where nothing that holds sound is
    /// recognized.
    init?(_ input: borrowing InputFile) throws(AudioFileError) {
      _ = LibAVSetup.done
      let head = try input.bytes(at: ContentSniffer.start(of: input), count: Self.reach)
      guard !head.isEmpty else { return nil }
      var buffer = head + [UInt8](repeating: 0, count: Int(AVPROBE_PADDING_SIZE))
      var score: Int32 = 0
      let found = buffer.withUnsafeMutableBufferPointer { bytes in
        var data = AVProbeData()
        data.buf = bytes.baseAddress
        data.buf_size = Int32(head.count)
        return "".withCString { name in
          data.filename = name
          return av_probe_input_format3(&data, 1, &score)
        }
      }
      // A score of AVPROBE_SCORE_EXTENSION and less is no better than a fitting name.
      guard let found, score > AVPROBE_SCORE_EXTENSION else { return nil }
      demuxer = found
      self.score = Int(score)
      if !isSound { return nil }
    }

    /// Whether it is a file of recorded sound, rather than a list of other files, text, pictures, music
    /// to be played by an instrument, or MPEG audio, of which `MPEGFrameHeader` decides.
    private var isSound: Bool {
      if demuxer.pointee.flags & AVFMT_NOFILE != 0 { return false }
      return names.allSatisfy { name in
        !Self.others.contains(name) && !name.hasSuffix("_pipe") && !name.hasPrefix("image2")
      }
    }

    private static let others: Set = [
      "hls", "dash", "imf", "concat", "sdp", "rtp", "rtsp", "sap", "webm_dash_manifest",
      "ffmetadata", "sbg", "tty", "lavfi", "gif", "apng", "ico", "libgme", "libopenmpt", "mp3",
      "rawvideo", "bin", "xbin", "adf", "idf", "cdg",
    ]
  }
#endif
