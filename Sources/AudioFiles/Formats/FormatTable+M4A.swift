#if FFmpeg
  internal import CLibAV

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
      library: .libAV, isWritable: hasEncoder("alac"), channels: 1...8, layouts: .alac,
      highestSampleRate: highestALACRate, fallbackID: "caf",
      packets: PacketEncoding(file: .caf, codec: .alac))

    /// The highest rate that Apple's own converter takes for ALAC, in Hz.
    private static let highestALACRate = 384_000

    private static func hasEncoder(_ name: String) -> Bool {
      avcodec_find_encoder_by_name(name) != nil
    }

    private static func aac(
      id: String, name: String, extension fileExtension: String, file: PacketEncoding.File,
      losslessID: String?
    ) -> AudioFormat {
      AudioFormat(
        id: id, name: name, extensions: [fileExtension],
        library: .libAV, isLossless: false,
        isWritable: hasEncoder("aac"), channels: 1...8, layouts: .aac, sampleRates: aacRates,
        fallbackID: "mp3", losslessID: losslessID,
        packets: PacketEncoding(file: file, codec: .aac))
    }

    private static func alac(
      id: String, name: String, extension fileExtension: String, file: PacketEncoding.File
    ) -> AudioFormat {
      AudioFormat(
        id: id, name: name, extensions: [fileExtension],
        library: .libAV, isWritable: hasEncoder("alac"),
        channels: 1...8, layouts: .alac, highestSampleRate: highestALACRate, fallbackID: "flac",
        packets: PacketEncoding(file: file, codec: .alac))
    }

    /// The sample rates that libavcodec's encoder names, in rising order.
    private static let aacRates: [Int] = {
      guard let encoder = avcodec_find_encoder_by_name("aac"),
        var next = encoder.pointee.supported_samplerates
      else { return [] }
      var rates: [Int] = []
      while next.pointee > 0 {
        rates.append(Int(next.pointee))
        next += 1
      }
      return rates.sorted()
    }()
  }
#endif
