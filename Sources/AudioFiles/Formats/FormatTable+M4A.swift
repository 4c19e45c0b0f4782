#if FFmpeg
  extension AudioFormat {
    /// AAC and ALAC in MPEG-4 files, as Apple names them.
    static let m4a: [AudioFormat] = [
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

    /// CAF with ALAC: libsndfile 1.2.0 decodes some 24-bit packets wrong, and prints of damaged ones.
    static let cafALAC = AudioFormat(
      id: "caf-alac", name: "CAF with ALAC", extensions: ["caf"],
      library: .libAV, isWritable: true, channels: 1...8, layouts: .alac,
      highestSampleRate: highestALACRate, fallbackID: "caf",
      packets: PacketEncoding(file: .caf, codec: .alac))

    /// The highest rate that Apple's own converter takes for ALAC, in Hz.
    private static let highestALACRate = 384_000

    private static func aac(
      id: String, name: String, extension fileExtension: String, file: PacketEncoding.File,
      losslessID: String?
    ) -> AudioFormat {
      AudioFormat(
        id: id, name: name, extensions: [fileExtension],
        library: .libAV, isLossless: false,
        isWritable: true, channels: 1...8, layouts: .aac, sampleRates: aacRates,
        fallbackID: "mp3", losslessID: losslessID,
        packets: PacketEncoding(file: file, codec: .aac))
    }

    private static func alac(
      id: String, name: String, extension fileExtension: String, file: PacketEncoding.File
    ) -> AudioFormat {
      AudioFormat(
        id: id, name: name, extensions: [fileExtension],
        library: .libAV, isWritable: true,
        channels: 1...8, layouts: .alac, highestSampleRate: highestALACRate, fallbackID: "flac",
        packets: PacketEncoding(file: file, codec: .alac))
    }

    /// The sample rates of AAC, in rising order: ISO 14496-3, table 1.18.
    ///
    /// libavcodec's encoder names the same; the table of formats does not load it to ask.
    private static let aacRates = [
      7350, 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000,
    ]
  }
#endif
