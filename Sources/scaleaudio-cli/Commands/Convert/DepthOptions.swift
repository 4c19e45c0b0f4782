public import ArgumentParser
public import ScaleAudio

/// Bit depth and sample format.
struct DepthOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Bit depth of the output: 8, 16, 24, 32, or f32 and f64 for floating point. Default: that of the source, or the nearest that the format holds; 16 for lossy sources.",
      valueName: "depth"))
  var bits: StoredBits?

  @Option(
    help: ArgumentHelp(
      "int16 rounds samples to 16 bits as they are read, whatever the source.",
      valueName: "format"))
  var sampleFormat: ReadFormat?

  @Option(
    help:
      "Noise added before rounding: tpdf (triangular, plus or minus one step, the same in every run), none, or auto: tpdf if floating point is rounded to 16 bits or fewer, which happens with floating-point sources, with sinc and stretch, and with a change of level. Silence stays silent."
  )
  var dither: Dither = .auto

  /// True if the options request something even if the length stays.
  var isGiven: Bool { bits != nil || sampleFormat != nil }

  func validate() throws {
    if sampleFormat == .int16, let bits, bits.format != .int16 {
      throw ValidationError(
        "--sample-format int16 and --bits \(bits.rawValue) exclude each other; give one.")
    }
    if dither == .tpdf, let bits, bits.format.isFloat {
      throw ValidationError("--dither does not apply to floating point.")
    }
  }

  /// Throws for options that do not apply to the given format, or to integers that are not scaled in floating point.
  func validate(for format: AudioFormat?, inFloat: Bool) throws {
    if dither == .tpdf, sampleFormat == .int16, !inFloat {
      throw ValidationError(
        "--sample-format int16 rounds without dither; use --bits 16 with --dither tpdf.")
    }
    guard let format else { return }
    if let bits, !format.sampleFormats.contains(bits.format) {
      throw ValidationError("\(format.lack(of: bits.format)); \(bits.format.remedy.sentence).")
    }
    if dither == .tpdf, !format.isLossless {
      throw ValidationError("--dither does not apply to \(format.name).")
    }
  }

  /// Adds these options to settings.
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
