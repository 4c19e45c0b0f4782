import ArgumentParser
import AudioIO
import ScaleAudio

/// A single value about a file, for scripts and tables.
enum InspectionField: String, CaseIterable, ExpressibleByArgument {
  case path, container, codec, lossless, rate, channels, layout, bits, frames, duration, bitrate
  case bytes

  /// The value as text; empty if it is not known. Paths are bytes as they are.
  func value(_ report: InspectionReport, _ path: FilePath) -> [UInt8] {
    if self == .path { return path.bytes }
    return Array((text(report) ?? "").utf8)
  }

  private func text(_ report: InspectionReport) -> String? {
    let source = report.source
    return switch self {
    case .path: nil
    case .container: report.storage.container
    case .codec: source.codec
    case .lossless: report.isLossless ? "yes" : "no"
    case .rate: "\(source.spec.sampleRate)"
    case .channels: "\(source.spec.layout.channelCount)"
    case .layout: source.spec.layout.description
    case .bits: source.sampleFormat.map { "\($0.bitDepth)" }
    case .frames: "\(source.frameCount)"
    case .duration: Quantities.decimal(source.spec.seconds(frames: source.frameCount), digits: 6)
    case .bitrate: report.averageBitRate.map { "\($0)" }
    case .bytes: "\(report.byteCount)"
    }
  }
}

/// The fields of `--get`, separated by commas.
struct InspectionFields {
  let fields: [InspectionField]

  init(_ text: String) throws {
    fields = try text.split(separator: ",", omittingEmptySubsequences: false).map { name in
      guard let field = InspectionField(rawValue: String(name)) else {
        let names = InspectionField.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("values are \(names)")
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

  /// Values separated by commas, as RFC 4180 says.
  static func csv(_ values: [[UInt8]]) -> [UInt8] {
    let special = Array(",\"\r\n".utf8)
    let quote = UInt8(ascii: "\"")
    let shown = values.map { value -> [UInt8] in
      guard value.contains(where: special.contains) else { return value }
      return [quote] + value.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
    }
    return Array(shown.joined(separator: [UInt8(ascii: ",")])) + Array("\r\n".utf8)
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
