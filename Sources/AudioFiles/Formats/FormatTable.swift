internal import CSndFile

extension AudioFormat {
  /// Every format, in the order in which people are told of them.
  public static let all: [AudioFormat] = [
    AudioFormat(
      id: "wav", name: "WAV", extensions: ["wav", "wave"],
      library: .sndFile(major: Int32(SF_FORMAT_WAV), subtype: Int32(SF_FORMAT_PCM_16)),
      isLossless: true, isWritable: true, channels: 1...256, layouts: .waveMask, sampleRates: nil,
      maximumBytes: 0xFFFF_0000, fallbackID: "rf64"),
    AudioFormat(
      id: "rf64", name: "RF64", extensions: ["rf64"],
      library: .sndFile(major: Int32(SF_FORMAT_RF64), subtype: Int32(SF_FORMAT_PCM_16)),
      isLossless: true, isWritable: true, channels: 1...256, layouts: .waveMask, sampleRates: nil,
      maximumBytes: nil, fallbackID: nil),
    AudioFormat(
      id: "flac", name: "FLAC", extensions: ["flac"], library: .flac,
      isLossless: true, isWritable: true, channels: 1...8, layouts: .waveMask, sampleRates: nil,
      maximumBytes: nil, fallbackID: nil),
    AudioFormat(
      id: "oga", name: "Ogg FLAC", extensions: ["oga"], library: .oggFLAC,
      isLossless: true, isWritable: true, channels: 1...8, layouts: .waveMask, sampleRates: nil,
      maximumBytes: nil, fallbackID: nil),
    AudioFormat(
      id: "ogg", name: "Ogg Vorbis", extensions: ["ogg"], library: .vorbis,
      isLossless: false, isWritable: true, channels: 1...8, layouts: .vorbis, sampleRates: nil,
      maximumBytes: nil, fallbackID: nil),
  ]

  /// The row of this name; `nil` when there is none.
  public static func named(_ id: String) -> AudioFormat? {
    all.first { $0.id == id }
  }

  /// The row that a file name extension (without dot, any case) stands for.
  public static func forExtension(_ text: String) -> AudioFormat? {
    let lowered = text.lowercased()
    return all.first { $0.extensions.contains(lowered) }
  }
}
