internal import AudioContainers
package import AudioIO
package import AudioModel
package import SystemPackage

/// FFmpeg's libraries: demuxing and decoding, and encoding with libavcodec.
package enum FFmpegLibrary: DemuxingLibrary {
  package static var failure: String? { LibAVSetup.failure.map(LibAVSetup.lack) }

  package static func check(_ path: FilePath) throws(AudioFileError) {
    try LibAVSetup.check(path)
  }

  /// The pixels of a JPEG or PNG file; `nil` where it cannot be decoded.
  package static func pixels(ofPicture file: [UInt8]) -> DecodedPicture? {
    LibAVPicture.pixels(of: file)
  }

  package static func sniff(
    _ input: borrowing InputFile
  ) throws(AudioFileError) -> (format: AudioFormat, isCertain: Bool)? {
    try LibAVSniffer(input).map { ($0.format, $0.isCertain) }
  }

  package static func refusal(
    of input: borrowing InputFile
  ) throws(AudioFileError) -> AudioFileError? { try LibAVSniffer.refusal(of: input) }

  package static func reader(
    for input: borrowing InputFile, format: AudioFormat, options: ReadingOptions
  ) throws(AudioFileError) -> any FrameStream {
    try LibAVReader(
      input, format: format,
      holding: { format.holding(isLossless: $0, formatName: $1) }, options)
  }

  package static func joinedParts(
    of input: borrowing InputFile, format: AudioFormat
  ) throws(AudioFileError) -> [Range<Int>]? {
    switch format.id {
    case "amr": try JoinedAMR.parts(of: input)
    case "mka", "webm": try JoinedMatroska.parts(of: input)
    default: nil
    }
  }

  package static func writer(
    to output: borrowing OutputFile, as description: OutputDescription
  ) throws(AudioFileError) -> any AudioFileWriter {
    guard description.format.packets != nil else {
      throw .encoderFailed(
        output.path, reason: "\(description.format.name) files are read but not written")
    }
    return try LibAVWriter(output, description)
  }

  /// The sample formats of libavcodec's encoders of ALAC and WavPack.
  package static func sampleFormats(of format: AudioFormat) -> [SampleFormat] {
    format.packets?.codec == .wavPack
      ? [.int8, .int16, .int24, .int32, .float32] : [.int16, .int24]
  }

  package static func canState(_ layout: ChannelLayout, in format: AudioFormat) -> Bool {
    guard let packets = format.packets else { return false }
    return EncoderLayout(layout, codec: packets.codec) != nil
  }
}

extension AudioFormat {
  /// This format for a file with lossless or lossy audio, which determines the format written for
  /// it.
  ///
  /// `formatName` is FFmpeg's name, used for formats that are not in the table.
  func holding(isLossless: Bool, formatName: String) -> AudioFormat {
    guard library.type == FFmpegLibrary.self else { return self }
    if packets != nil {
      return isLossless ? losslessID.flatMap(FFmpegLibrary.format(named:)) ?? self : self
    }
    var fallback = fallbackID
    if isLossless, fallback == "m4a" {
      // For video, MP4 with its lossless codec is written.
      fallback = ["mka", "webm", "wma", "av"].contains(id) ? "flac" : "m4a-alac"
    }
    return AudioFormat(
      id: id, name: id == "av" ? formatName : name, extensions: extensions, container: container,
      library: library,
      isLossless: isLossless, isWritable: false, fallbackID: fallback)
  }
}

extension FFmpegLibrary {
  private static let library = AudioFormat.Library(FFmpegLibrary.self)

  /// The format with this id.
  static func format(named id: String) -> AudioFormat? {
    (mpeg4 + demuxed).first { $0.id == id }
  }

  // MARK: Read only

  /// The formats that FFmpeg's libraries only read, and WavPack.
  ///
  /// The extensions select files in a folder. Extensions shared with other kinds of file (`.ts` is
  /// also TypeScript) are omitted; such files are detected by content.
  package static let demuxed: [AudioFormat] = mp4 + video + lossy + lossless

  private static func row(
    _ id: String, _ name: String, _ extensions: [String], isLossless: Bool = false,
    container: AudioFormat.Container = .other, fallbackID: String
  ) -> AudioFormat {
    AudioFormat(
      id: id, name: name, extensions: extensions, container: container, library: library,
      isLossless: isLossless, isWritable: false, fallbackID: fallbackID)
  }

  private static let mp4: [AudioFormat] = [
    row("mp4", "MP4", ["mp4", "m4v"], container: .mp4, fallbackID: "m4a"),
    row("3gp", "3GP", ["3gp", "3gpp", "3g2", "3ga"], container: .mp4, fallbackID: "m4a"),
  ]

  private static let video: [AudioFormat] = [
    row("mov", "QuickTime", ["mov", "qt"], container: .mp4, fallbackID: "m4a"),
    row("mka", "Matroska", ["mka", "mkv"], container: .matroska, fallbackID: "m4a"),
    row("webm", "WebM", ["webm", "weba"], container: .matroska, fallbackID: "m4a"),
    row("avi", "AVI", ["avi"], container: .riff, fallbackID: "m4a"),
    row("ts", "MPEG-TS", ["mts", "m2ts", "m2t"], fallbackID: "m4a"),
    row("mpg", "MPEG-PS", ["mpg", "mpeg", "vob"], fallbackID: "m4a"),
    row("flv", "FLV", ["flv"], fallbackID: "m4a"),
  ]

  private static let lossy: [AudioFormat] = [
    row("aac", "AAC", ["aac", "adts"], fallbackID: "m4a"),
    row("wma", "Windows Media", ["wma", "wmv", "asf"], container: .asf, fallbackID: "m4a"),
    row("ac3", "AC-3", ["ac3"], fallbackID: "m4a"),
    row("eac3", "E-AC-3", ["eac3", "ec3"], fallbackID: "m4a"),
    row("dts", "DTS", ["dts", "dtshd"], fallbackID: "m4a"),
    row("amr", "AMR", ["amr", "awb"], fallbackID: "m4a"),
    row("mpc", "Musepack", ["mpc", "mpp"], fallbackID: "m4a"),
    row(
      "av", "other audio read by FFmpeg",
      [
        "spx", "ogv", "ogx", "ra", "rm", "rmvb", "oma", "aa3", "at3", "dsf", "dff", "shn", "vqf",
        "gsm", "adx", "mxf", "nut", "wtv", "dv",
      ], fallbackID: "m4a"),
  ]

  private static let lossless: [AudioFormat] = [
    row("ape", "Monkey's Audio", ["ape"], isLossless: true, fallbackID: "flac"),
    wavPack,
    row("tta", "True Audio", ["tta"], isLossless: true, fallbackID: "flac"),
    row("tak", "TAK", ["tak"], isLossless: true, fallbackID: "flac"),
    row("mlp", "MLP and TrueHD", ["mlp", "thd", "truehd"], isLossless: true, fallbackID: "flac"),
    row("voc", "Creative Voice", ["voc"], isLossless: true, fallbackID: "wav"),
  ]

  // MARK: Read and written

  /// Up to eight channels, which is what FFmpeg's decoders read of all layouts.
  private static let wavPack = AudioFormat(
    id: "wavpack", name: "WavPack", extensions: ["wv"], container: .wavPack, library: library,
    channels: 1...8, layouts: .waveMask, fallbackID: "flac",
    packets: AudioFormat.PacketEncoding(file: .wavPack, codec: .wavPack))

  /// AAC and ALAC in MPEG-4 files, with Apple's names.
  package static let mpeg4: [AudioFormat] = [
    aac(id: "m4a", name: "M4A", extension: "m4a", file: .m4a, losslessID: "m4a-alac"),
    aac(
      id: "m4b", name: "M4B (audiobook)", extension: "m4b", file: .m4b,
      losslessID: "m4b-alac"),
    aac(
      id: "m4r", name: "M4R (ringtone)", extension: "m4r", file: .m4a, losslessID: "m4r-alac"),
    aac(id: "m4a-aac", name: "M4A with AAC", extension: "m4a", file: .m4a, losslessID: nil),
    alac(id: "m4a-alac", name: "M4A with ALAC", extension: "m4a", file: .m4a),
    alac(id: "m4b-alac", name: "M4B with ALAC", extension: "m4b", file: .m4b),
    alac(id: "m4r-alac", name: "M4R with ALAC", extension: "m4r", file: .m4a),
  ]

  /// CAF with ALAC. libsndfile 1.2.0 decodes some 24-bit packets incorrectly, and prints messages
  /// about damaged ones.
  package static let cafALAC = AudioFormat(
    id: "caf-alac", name: "CAF with ALAC", extensions: ["caf"],
    container: .caf, codec: .alac, library: library, channels: 1...8, layouts: .alac,
    highestSampleRate: highestALACRate, fallbackID: "caf",
    packets: AudioFormat.PacketEncoding(file: .caf, codec: .alac))

  /// The highest ALAC sample rate that Apple's converter accepts, in Hz.
  private static let highestALACRate = 384_000

  private static func aac(
    id: String, name: String, extension fileExtension: String,
    file: AudioFormat.PacketEncoding.File,
    losslessID: String?
  ) -> AudioFormat {
    AudioFormat(
      id: id, name: name, extensions: [fileExtension],
      container: .mp4, codec: .aac, library: library, isLossless: false, channels: 1...8,
      layouts: .aac, sampleRates: aacRates,
      fallbackID: "mp3", losslessID: losslessID,
      packets: AudioFormat.PacketEncoding(file: file, codec: .aac))
  }

  private static func alac(
    id: String, name: String, extension fileExtension: String, file: AudioFormat.PacketEncoding.File
  ) -> AudioFormat {
    AudioFormat(
      id: id, name: name, extensions: [fileExtension],
      container: .mp4, codec: .alac, library: library,
      channels: 1...8, layouts: .alac, highestSampleRate: highestALACRate, fallbackID: "flac",
      packets: AudioFormat.PacketEncoding(file: file, codec: .alac))
  }

  /// The sample rates of AAC in ascending order: ISO 14496-3, table 1.18.
  ///
  /// libavcodec's encoder supports the same, but the table of formats does not load it.
  private static let aacRates = [
    7350, 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000,
  ]
}
