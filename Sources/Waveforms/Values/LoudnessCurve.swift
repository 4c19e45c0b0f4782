/// The loudness of audio over time, by EBU R 128.
///
/// This library does not measure it: see libebur128, or EBU Tech 3341.
public struct LoudnessCurve: Hashable, Sendable {
  /// The highest momentary loudness in each column, over windows of 400 ms that end there, in LUFS; minus infinity
  /// for silence, or if no window ends there.
  public let momentary: [Double]
  /// The highest short-term loudness in each column, over windows of 3 s that end there, in LUFS; as many as
  /// ``momentary``.
  public let shortTerm: [Double]
  /// The integrated loudness of the audio, in LUFS; `nil` if nothing is louder than the gate.
  public let integrated: Double?

  /// A curve of these values. If the counts differ, the extra values are dropped.
  public init(momentary: [Double], shortTerm: [Double], integrated: Double?) {
    let count = min(momentary.count, shortTerm.count)
    self.momentary = Array(momentary.prefix(count))
    self.shortTerm = Array(shortTerm.prefix(count))
    self.integrated = integrated
  }

  /// The lowest and the highest loudness shown, in LUFS.
  static let range = -60.0...0.0
  /// The levels of EBU R 128 for broadcasts, and of podcasts and streaming, in LUFS.
  static let targets = [-23.0, -16]

  /// The height of a loudness, from 0 at the bottom to 1 at the top.
  static func height(of loudness: Double) -> Double {
    min(1, max(0, (loudness - range.lowerBound) / (range.upperBound - range.lowerBound)))
  }
}
