/// How much of a damaged file could be decoded, in words.
package struct SalvageReport: Hashable, Sendable {
  /// Frames that were decoded.
  package var decoded: Int
  /// Frames of silence in place of missing ones.
  package var silent: Int
  /// Frames that the file declares, where it does.
  package var declared: Int?
  /// Frames per second, in Hz.
  package var sampleRate: Int

  package init(decoded: Int, silent: Int, declared: Int?, sampleRate: Int) {
    self.decoded = decoded
    self.silent = silent
    self.declared = declared
    self.sampleRate = sampleRate
  }

  /// `salvaged 12345 of 50000 frames (0.28 of 1.13 s)`.
  package var text: String {
    var text = "salvaged \(decoded) frames (\(seconds(decoded)) s)"
    if let declared {
      text =
        "salvaged \(decoded) of \(declared) frames (\(seconds(decoded)) of \(seconds(declared)) s)"
    }
    if silent > 0 { text += ", with \(silent) frames of silence in place of lost ones" }
    return text
  }

  /// Seconds with two decimals, without Foundation.
  private func seconds(_ frames: Int) -> String {
    let hundredths = (Double(frames) / Double(sampleRate) * 100).rounded(.toNearestOrEven)
    guard let count = Int(exactly: hundredths) else { return "?" }
    let fraction = String(count % 100)
    return "\(count / 100).\(fraction.count == 1 ? "0" : "")\(fraction)"
  }
}
