internal import AudioContainers
package import AudioIO
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
      guard let name = Self.synchronized(head) else { return nil }
      let isFound = found.map { String(cString: $0.pointee.name) == name } ?? false
      if !isFound, name.hasSuffix("ac3") { return nil }
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

  /// Whether the file contains recorded audio rather than a playlist, text, images or synthesizer
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

/// The format of a file that libavformat recognizes.
package struct LibAVSniffer {
  package let format: AudioFormat
  /// Whether a false detection is unlikely.
  package let isCertain: Bool

  package init?(_ input: borrowing InputFile) throws(AudioFileError) {
    guard let probe = try LibAVProbe(input) else { return nil }
    isCertain = probe.score > LibAVProbe.strongScore
    guard let format = try Self.format(input, probe) else { return nil }
    self.format = format
  }

  /// Format ids by the first name of the demuxer, for formats that it determines.
  private static let rows = [
    "aa": "av", "aac": "aac", "ac3": "ac3", "amr": "amr", "amrnb": "amr", "amrwb": "amr",
    "ape": "ape",
    "avi": "avi", "dts": "dts", "dtshd": "dts", "eac3": "eac3", "flv": "flv", "kux": "flv",
    "live_flv": "flv", "mlp": "mlp", "mpc": "mpc", "mpc8": "mpc", "mpeg": "mpg",
    "mpegts": "ts", "tak": "tak", "truehd": "mlp", "tta": "tta", "wv": "wavpack",
  ]

  private static func format(
    _ input: borrowing InputFile, _ probe: LibAVProbe
  ) throws(AudioFileError) -> AudioFormat? {
    let name = probe.names.first ?? ""
    switch name {
    case "mov": return FFmpegLibrary.format(named: try MP4Brand.rowID(of: input))
    case "matroska":
      let head = try input.bytes(at: 0, count: 64)
      let isWebM = head.indices.contains { head[$0...].starts(with: Array("webm".utf8)) }
      return coded(input, probe, "\(isWebM ? "webm" : "mka")")
    case "asf", "xwma": return coded(input, probe, "wma")
    default:
      if let id = rows[name] { return FFmpegLibrary.format(named: id) }
      return isLossless(input, probe) == nil ? nil : coded(input, probe, "av")
    }
  }

  /// The format of a container whose audio may be lossy or lossless, depending on its first track.
  private static func coded(
    _ input: borrowing InputFile, _ probe: LibAVProbe, _ id: String
  ) -> AudioFormat? {
    FFmpegLibrary.format(named: id)?.holding(
      isLossless: isLossless(input, probe) == true, formatName: probe.longName)
  }

  /// Whether the first track is lossless; `nil` if no track can be decoded.
  private static func isLossless(_ input: borrowing InputFile, _ probe: LibAVProbe) -> Bool? {
    do throws(AudioFileError) {
      let container = try LibAVContainer(input, probe)
      return LibAVEncoding.isLossless(try LibAVTrack(of: container, number: nil))
    } catch {
      return nil
    }
  }
}

/// Detects encrypted audio, which libavformat demuxes like any other, so that decoding it gives noise.
enum LibAVEncryption {
  /// The cause of the error for an encrypted track.
  static let reason = "its audio is encrypted (DRM); only a copy without encryption can be decoded"

  /// Throws if the audio is encrypted according to its container's headers.
  ///
  /// - Parameters:
  ///   - number: The audio track, counted from 1.
  ///   - movie: The index of an MP4 file.
  static func check(
    _ input: borrowing InputFile, demuxer: [String], track number: Int?, movie: MP4Index?
  ) throws(AudioFileError) {
    let tracks: [Bool]
    switch demuxer.first {
    // Audible's format, which is always encrypted.
    case "aa": tracks = [true]
    case "matroska": tracks = try MatroskaTracks.encryptions(of: input)
    case "asf": tracks = [try ASFHeader.isEncrypted(input)]
    case "oma": tracks = [try isEncryptedOpenMG(input)]
    default: tracks = movie?.soundTracks.map(\.isEncrypted) ?? []
    }
    guard tracks.contains(true) else { return }
    let index = (number ?? 1) - 1
    if !tracks.indices.contains(index) || tracks[index] {
      throw .unsupported(input.path, reason: reason)
    }
  }

  /// Whether the header after the tag names an encryption key: 0xFFFF and 0xFF80 mean none.
  ///
  /// There is no specification; this is what libavformat reads.
  private static func isEncryptedOpenMG(
    _ input: borrowing InputFile
  ) throws(AudioFileError) -> Bool {
    let tag = try input.bytes(at: 0, count: 10)
    var start = 0
    if tag.count == 10, tag.starts(with: Array("ea3".utf8)) {
      // A size of 28 bits, as in ID3v2, excludes the header and the footer.
      let size = tag[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
      start = 10 + size + (tag[5] & 0x10 != 0 ? 10 : 0)
    }
    let head = try input.bytes(at: start, count: 8)
    guard head.count == 8, head.starts(with: Array("EA3".utf8)) else { return false }
    return ![0xFFFF, 0xFF80].contains(head[6...].bigEndianValue)
  }
}
