import ArgumentParser
import ScaleAudio

/// The value of `--bitrate`: `192k` or `192000`.
struct BitRateValue {
  private static let range = 4_000...10_000_000

  /// Bits per second.
  let bitsPerSecond: Int

  init(_ text: String) throws {
    let isThousands = text.hasSuffix("k") || text.hasSuffix("K")
    guard let number = Decimal.value(isThousands ? text.dropLast() : text[...]),
      let rate = Int(exactly: (number * (isThousands ? 1000 : 1)).rounded()),
      Self.range.contains(rate)
    else {
      throw ValidationError("a bit rate is within 4k to 10000k, such as 192k or 192000")
    }
    bitsPerSecond = rate
  }
}

/// The value of `--encoding-quality`: a number, also a negative one.
struct QualityValue {
  let quality: Double

  init(_ text: String) throws {
    let isNegative = text.hasPrefix("-")
    guard let number = Decimal.value(isNegative ? text.dropFirst() : text[...]), number <= 1000
    else { throw ValidationError("a quality is a number such as 5 or -1") }
    quality = isNegative ? -number : number
  }
}

/// The value of `--format`: the name of a format that is written, or a file name extension for it.
struct FormatValue {
  let format: AudioFormat

  init(_ text: String) throws {
    let name = (text.hasPrefix(".") ? String(text.dropFirst()) : text).lowercased()
    let known =
      AudioFormat.ofCodec(name) ?? AudioFormat.named(name) ?? AudioFormat.forExtension(name)
    guard let format = known, format.isWritable else {
      let names = AudioFormat.all.filter(\.isWritable).map(\.id).joined(separator: ", ")
      let verdict = known == nil ? "is not a format" : "is read but not written"
      throw ValidationError("it \(verdict); those written are \(names)")
    }
    self.format = format
  }
}
