public import ArgumentParser
public import ScaleAudio

/// How deep samples are read and stored.
struct DepthOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Bits of a stored sample: 8, 16, 24, 32, or f32 and f64 for floating point. Default: the source's, or the nearest that the format holds; 16 where the source is lossy.",
      valueName: "depth"))
  var bits: StoredBits?

  @Option(
    help: ArgumentHelp(
      "int16 rounds samples to 16 bits as they are read, whatever the source, and scales those.",
      valueName: "format"))
  var sampleFormat: ReadFormat?

  @Option(
    help:
      "Noise added before samples are rounded: tpdf (triangular, one step either way, the same in every run), none, or auto, which is tpdf where floating point becomes 16 bits or fewer: from floating-point sources, by sinc and stretch, and where the level is changed. Silence stays silence."
  )
  var dither: Dither = .auto

  func validate() throws {
    if sampleFormat == .int16, let bits, bits.format != .int16 {
      throw ValidationError(
        "--sample-format int16 and --bits \(bits.rawValue) exclude each other; give one.")
    }
    if dither == .tpdf, let bits, bits.format.isFloat {
      throw ValidationError("--dither means nothing for floating point.")
    }
  }

  /// Refuses what means nothing for a format that was named, or for integers that are not scaled in
  /// floating point.
  func validate(for format: AudioFormat?, inFloat: Bool) throws {
    if dither == .tpdf, sampleFormat == .int16, !inFloat {
      throw ValidationError(
        "--sample-format int16 rounds without noise; use --bits 16 with --dither tpdf.")
    }
    guard let format else { return }
    if let bits, !format.sampleFormats.contains(bits.format) {
      throw ValidationError("\(format.lack(of: bits.format)); \(bits.format.remedy).")
    }
    if dither == .tpdf, !format.isLossless {
      throw ValidationError("--dither means nothing for \(format.name).")
    }
  }

  /// Adds what was asked to settings.
  func apply(to settings: inout ConversionSettings) {
    settings.sampleFormat = bits?.format
    settings.forcesInt16 = sampleFormat == .int16
    settings.dither = dither
  }
}

/// The value of `--bits`.
enum StoredBits: String, CaseIterable, ExpressibleByArgument {
  case int8 = "8"
  case int16 = "16"
  case int24 = "24"
  case int32 = "32"
  case float32 = "f32"
  case float64 = "f64"

  var format: SampleFormat {
    switch self {
    case .int8: .int8
    case .int16: .int16
    case .int24: .int24
    case .int32: .int32
    case .float32: .float32
    case .float64: .float64
    }
  }
}

/// The value of `--sample-format`.
enum ReadFormat: String, CaseIterable, ExpressibleByArgument {
  case int16
}

extension Dither: ExpressibleByArgument {}
