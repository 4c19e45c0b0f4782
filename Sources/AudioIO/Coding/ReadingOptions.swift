internal import AudioModel

/// Options for opening a file.
package struct ReadingOptions: Hashable, Sendable {
  /// The audio track to read, from 1; `nil` for the container's default.
  package var track: Int?
  /// True when damage ends the audio with a warning rather than an error.
  package var salvages: Bool
  /// The lengths that may be estimated.
  package var estimates: Estimates
  /// True when a file can be opened although damage was found before decoding. The frames before the damage are
  /// delivered, followed by an error or the end. Damage that is found while decoding remains an error.
  package var endsAtDamage: Bool
  /// True when opening searches the file for damage that a decoder would skip silently.
  package var seeksDamage: Bool
  /// True when decoding may begin shortly before a distant frame even if only decoding from the start yields exact
  /// samples. This serves playback and pictures. The frame may be off by the rounding of packet times, and codecs that
  /// carry state or random numbers from packet to packet yield other samples.
  package var seeksNearby: Bool

  /// A choice of lengths that may be estimated.
  package enum Estimates: Hashable, Sendable {
    case none
    /// Lengths that only decoding the whole file could determine. Only the description of such a reader is usable.
    case ofDecoding
    /// Lengths that require any pass over the whole file. Frames equal those of a reader with an exact length, but the
    /// number of frames may differ from the estimate, and in a long file the reader may end before the audio does.
    case ofAnyPass
  }

  package init(
    track: Int? = nil, salvages: Bool = false, estimates: Estimates = .none,
    endsAtDamage: Bool = false, seeksDamage: Bool = false, seeksNearby: Bool = false
  ) {
    self.track = track
    self.salvages = salvages
    self.estimates = estimates
    self.endsAtDamage = endsAtDamage
    self.seeksDamage = seeksDamage
    self.seeksNearby = seeksNearby
  }

  /// True when a file can be opened although damage was found before decoding.
  package var toleratesDamage: Bool { salvages || endsAtDamage }
}

/// The decoded part of a damaged file.
package struct SalvageReport: Hashable, Sendable {
  /// Frames that were decoded.
  package var decoded: Int
  /// Frames of silence that replace missing frames.
  package var silent: Int
  /// Frames that the file declares; `nil` if it declares none.
  package var declared: Int?
  /// Frames per second, in Hz.
  package var sampleRate: Int

  package init(decoded: Int, silent: Int, declared: Int?, sampleRate: Int) {
    self.decoded = decoded
    self.silent = silent
    self.declared = declared
    self.sampleRate = sampleRate
  }

  /// `salvaged 12,345 of 50,000 frames (0.28 of 1.13 s)`.
  package var text: String {
    var text = "salvaged \(decoded.grouped) frames (\(seconds(decoded)) s)"
    if let declared {
      text =
        "salvaged \(decoded.grouped) of \(declared.grouped) frames "
        + "(\(seconds(decoded)) of \(seconds(declared)) s)"
    }
    if silent > 0 { text += ", with \(silent.grouped) frames of silence in place of lost ones" }
    return text
  }

  /// Seconds with two decimals, formatted without Foundation.
  private func seconds(_ frames: Int) -> String {
    let hundredths = (Double(frames) / Double(sampleRate) * 100).rounded(.toNearestOrEven)
    guard let count = Int(exactly: hundredths) else { return "?" }
    let fraction = String(count % 100)
    return "\(count / 100).\(fraction.count == 1 ? "0" : "")\(fraction)"
  }
}
