package import AudioModel
import Glibc

/// The tags by which the level of files is set.
package enum GainSource: String, CaseIterable, Sendable { case off, track, album }

/// The gain that tags of a file ask for: ReplayGain 2 (for -18 LUFS), or R128 of Opus (for -23 LUFS).
///
/// Sources: the ReplayGain 2.0 specification; RFC 7845, section 5.2.1.
package struct ReplayGain: Hashable, Sendable {
  /// In dB; 0 without tags.
  package let decibels: Double

  /// Tags beyond this are not gains.
  private static let greatest = 64.0

  /// The gain of a file or of its album; if it has only one of both, that one. Where a tag states the peak, the gain
  /// stays below clipping.
  package init(of metadata: Metadata, _ source: GainSource) {
    let names: [String] =
      switch source {
      case .off: []
      case .track: ["TRACK", "ALBUM"]
      case .album: ["ALBUM", "TRACK"]
      }
    decibels = names.lazy.compactMap { Self.gain($0, metadata) }.first ?? 0
  }

  /// The factor of samples.
  package var factor: Float { decibels == 0 ? 1 : Float(pow(10, decibels / 20)) }

  private static func gain(_ name: String, _ metadata: Metadata) -> Double? {
    // R128 is relative to a level that is 5 dB lower.
    if let text = metadata.values("R128_\(name)_GAIN").first, let value = number(text) {
      let gain = value / 256 + 5
      return abs(gain) <= greatest ? gain : nil
    }
    guard let text = metadata.values("REPLAYGAIN_\(name)_GAIN").first, let gain = number(text),
      abs(gain) <= greatest
    else { return nil }
    guard let peak = metadata.values("REPLAYGAIN_\(name)_PEAK").first.flatMap(number),
      peak > 0, peak <= 1000
    else { return gain }
    return min(gain, max(0, -20 * log10(peak)))
  }

  /// The number at the start of a text, such as `-6.5 dB`.
  private static func number(_ text: String) -> Double? {
    let digits = text.drop { $0 == " " }.prefix { "+-.0123456789".contains($0) }
    return Double(digits).flatMap { $0.isFinite ? $0 : nil }
  }
}
