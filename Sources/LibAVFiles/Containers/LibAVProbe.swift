internal import AudioContainers
internal import AudioIO
internal import CLibAV
internal import SystemPackage

/// Selects libavformat's demuxer for a file from its content.
struct LibAVProbe {
  /// The demuxer, which libavformat owns for the lifetime of the process.
  let demuxer: UnsafePointer<AVInputFormat>
  /// The confidence of the detection, 51 to 100.
  let score: Int

  /// Above this score, a false detection is unlikely.
  static let strongScore = 75
  /// Maximum number of bytes probed.
  private static let reach = 1 << 16

  /// The demuxer's short names, from a list such as `mov,mp4,m4a,3gp,3g2,mj2`.
  var names: [String] {
    String(cString: demuxer.pointee.name).split(separator: ",").map(String.init)
  }

  /// The display name of the format.
  var longName: String {
    demuxer.pointee.long_name.map { String(cString: $0) } ?? names.first ?? ""
  }

  /// Probes the start of `input`, after ID3v2 tags; `nil` if no audio format is recognized, or
  /// FFmpeg's libraries cannot be loaded.
  init?(_ input: borrowing InputFile) throws(AudioFileError) {
    guard LibAVSetup.failure == nil else { return nil }
    LibAVSetup.prepare(forFileOf: input.size)
    let head = try input.bytes(at: ID3Tag.end(of: input), count: Self.reach)
    guard !head.isEmpty else { return nil }
    var (found, score) = Self.probe(head)
    // A score of at most AVPROBE_SCORE_EXTENSION is no better than a matching file name, except for
    // streams of few frames that start with a sync word.
    if score <= Int(AVPROBE_SCORE_EXTENSION) {
      let whole = head.count < Self.reach ? head : []
      let named = Self.named(input.path, whole)
      guard let name = named ?? Self.synchronized(head) else { return nil }
      let isFound = found.map { String(cString: $0.pointee.name) == name } ?? false
      if !isFound, named == nil, name.hasSuffix("ac3") { return nil }
      found = av_find_input_format(name)
      score = Int(AVPROBE_SCORE_EXTENSION) + 1
    }
    guard let found else { return nil }
    demuxer = found
    self.score = score
    if !isRecordedAudio { return nil }
  }

  private static func probe(_ head: [UInt8]) -> (UnsafePointer<AVInputFormat>?, Int) {
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
    return (found, Int(score))
  }

  /// The demuxer of a stream that starts with a sync word.
  ///
  /// Source: ETSI TS 102 366 section 4.3 (AC-3; libavformat also checks a CRC, and recognizes
  /// E-AC-3); Dolby, "MLP bitstreams", the format sync of MLP and TrueHD; the first word of TAK.
  private static func synchronized(_ head: [UInt8]) -> String? {
    // The headers of Audible and TAK; libavformat is not sure about them.
    if head.dropFirst(4).starts(with: [0x57, 0x90, 0x75, 0x36]) { return "aa" }
    if head.starts(with: Array("tBaK".utf8)) { return "tak" }
    if head.starts(with: [0x0B, 0x77]), head.count > 5 {
      return head[5] >> 3 > 10 ? "eac3" : "ac3"
    }
    guard head.count >= 8, head[4...6].elementsEqual([0xF8, 0x72, 0x6F]) else {
      return ADTSTail.isPresent(in: head) ? "aac" : nil
    }
    return head[7] == 0xBA ? "truehd" : head[7] == 0xBB ? "mlp" : nil
  }

  /// The demuxer for a stream that is too short to be recognized by content alone, by the extension of the file; `nil`
  /// unless the content agrees.
  ///
  /// Source: ETSI EN 300 961 (GSM 06.10) with the signature 0xD of each frame of 33 bytes; ETSI TS 102 114 section 5.3.1
  /// (sync words of DTS in 16 and 14 bits, in both byte orders).
  private static func named(_ path: FilePath, _ whole: [UInt8]) -> String? {
    switch path.extension?.lowercased() {
    case "aac", "adts": return ADTSTail.begins(whole) ? "aac" : nil
    case "ac3", "eac3", "ec3": return whole.isEmpty ? nil : synchronized(whole)
    case "gsm":
      let starts = stride(from: 0, to: whole.count, by: 33)
      return whole.count >= 33 && starts.allSatisfy { whole[$0] >> 4 == 0xD } ? "gsm" : nil
    case "dts":
      let words: [[UInt8]] = [
        [0x7F, 0xFE, 0x80, 0x01], [0xFE, 0x7F, 0x01, 0x80], [0x1F, 0xFF, 0xE8, 0x00],
        [0xFF, 0x1F, 0x00, 0xE8],
      ]
      return words.contains { whole.starts(with: $0) } ? "dts" : nil
    default: return nil
    }
  }

  /// True when the file contains recorded audio rather than a playlist, text, images or synthesizer
  /// music. MPEG audio is detected by `MPEGFrameHeader`.
  private var isRecordedAudio: Bool {
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
