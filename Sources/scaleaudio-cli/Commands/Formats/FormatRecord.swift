import ScaleAudio

/// The `--json` object of one format.
struct FormatRecord: Encodable {
  struct Channels: Encodable {
    let least, most: Int
  }

  let id: String
  let name: String
  let extensions: [String]
  /// Every format in the table can be read.
  let read = true
  let written: Bool
  let lossless: Bool
  let sampleFormats: [String]
  let channels: Channels
  let sampleRates: [Int]?
  let highestSampleRate: Int
  let layouts: [String]
  let anyLayout: Bool
  let holds: [String]
  let writtenAs: String?
  let longAs: String?

  init(_ format: AudioFormat) {
    id = format.id
    name = format.name
    extensions = format.extensions
    written = format.isWritable
    lossless = format.isLossless
    sampleFormats = format.sampleFormats.map(\.rawValue)
    channels = Channels(least: format.channels.lowerBound, most: format.channels.upperBound)
    sampleRates = format.sampleRates
    highestSampleRate = format.sampleRates?.max() ?? format.highestSampleRate
    layouts = format.namedLayouts.map(\.description)
    anyLayout = format.saysAnyLayout
    holds = format.holds.names
    writtenAs = format.isWritable ? nil : format.writtenForm?.id
    longAs = format.longForm?.id
  }
}
