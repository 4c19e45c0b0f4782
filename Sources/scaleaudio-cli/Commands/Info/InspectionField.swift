import ArgumentParser
import AudioIO
import ScaleAudio

/// A single value about a file, for scripts and tables, under its name in `--json`.
enum InspectionField: String, CaseIterable {
  case input, inputFormat, container, codec, lossless, inputSampleRate, inputChannels, inputLayout
  case inputBits, inputFrames, inputSeconds, bitRate, bytes

  /// The field with this name or short name; `nil` if there is none.
  init?(name: String) {
    guard let field = Self.allCases.first(where: { $0.rawValue == name || $0.shortName == name })
    else { return nil }
    self = field
  }

  /// The short name, which `--get` also accepts; `nil` if the name itself is short.
  var shortName: String? {
    switch self {
    case .input: "path"
    case .inputFormat: "format"
    case .inputSampleRate: "rate"
    case .inputChannels: "channels"
    case .inputLayout: "layout"
    case .inputBits: "bits"
    case .inputFrames: "frames"
    case .inputSeconds: "duration"
    case .bitRate: "bitrate"
    case .container, .codec, .lossless, .bytes: nil
    }
  }

  private var meaning: String {
    switch self {
    case .input: "the path as given"
    case .inputFormat: "as in scaleaudio formats"
    case .container: "WAV, Ogg, M4A"
    case .codec: "PCM 16-bit, Vorbis, AAC"
    case .lossless: "true or false"
    case .inputSampleRate: "frames per second"
    case .inputChannels: "number of channels"
    case .inputLayout: "stereo, 5.1(side)"
    case .inputBits: "bits per sample; empty for lossy codecs"
    case .inputFrames: "samples of each channel"
    case .inputSeconds: "with six decimals"
    case .bitRate: "bits per second on average"
    case .bytes: "size of the file"
    }
  }

  /// All names with their meanings, one per line.
  static var table: String {
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.count))
    }
    return allCases.map { field in
      "  " + padded(field.rawValue, 17) + padded(field.shortName ?? "", 10) + field.meaning
    }.joined(separator: "\n")
  }

  /// The value as text; empty if it is not known. Paths are unmodified bytes.
  func value(_ report: InspectionReport, _ path: FilePath) -> [UInt8] {
    if self == .input { return path.bytes }
    return Array((text(report) ?? "").utf8)
  }

  /// The value for a file that cannot be read: its path, and nothing else.
  func value(of unreadable: FilePath) -> [UInt8] { self == .input ? unreadable.bytes : [] }

  private func text(_ report: InspectionReport) -> String? {
    let source = report.source
    return switch self {
    case .input: nil
    case .inputFormat: source.format.id
    case .container: source.format.containerName
    case .codec: source.codec
    case .lossless: report.isLossless ? "true" : "false"
    case .inputSampleRate: "\(source.spec.sampleRate)"
    case .inputChannels: "\(source.spec.layout.channelCount)"
    case .inputLayout: source.spec.layout.description
    case .inputBits: InputFields(report).inputBits.map { "\($0)" }
    case .inputFrames: "\(source.frameCount)"
    case .inputSeconds:
      Quantities.decimal(source.spec.seconds(frames: source.frameCount), digits: 6)
    case .bitRate: report.averageBitRate.map { "\($0)" }
    case .bytes: "\(report.byteCount)"
    }
  }
}

/// The fields of `--get`, separated by commas.
struct InspectionFields {
  let fields: [InspectionField]

  init(_ text: String) throws {
    fields = try text.split(separator: ",", omittingEmptySubsequences: false).map { name in
      guard let field = InspectionField(name: String(name)) else {
        let names = InspectionField.allCases.map { $0.shortName ?? $0.rawValue }
        throw ValidationError(
          "values are those of --json, or in short \(names.joined(separator: ", "))")
      }
      return field
    }
  }
}

/// A file in one line.
enum InspectionLine {
  /// Values separated by tabs.
  static func values(_ values: [[UInt8]]) -> [UInt8] {
    Array(values.joined(separator: [UInt8(ascii: "\t")])) + [UInt8(ascii: "\n")]
  }

  /// `song.flac  FLAC 16-bit 44100 Hz stereo, 0:08.000, 352 kb/s, 343.3 KB`
  static func short(_ report: InspectionReport, _ path: FilePath) -> [UInt8] {
    let source = report.source
    var sound = [source.codec]
    if let format = source.sampleFormat, !source.codec.contains("-bit") {
      sound.append(format.description)
    }
    sound.append("\(source.spec.sampleRate) Hz \(source.spec.layout)")
    var parts = [
      sound.joined(separator: " "),
      Quantities.playingTime(source.spec.seconds(frames: source.frameCount)),
    ]
    if let rate = report.averageBitRate, rate > 0 { parts.append("\((rate + 500) / 1000) kb/s") }
    parts.append(Quantities.size(report.byteCount))
    return Array((escapedForTerminal(path) + "  " + parts.joined(separator: ", ") + "\n").utf8)
  }
}
