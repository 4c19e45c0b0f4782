extension AudioFormat {
  /// The bit rate at which this format sounds about as good as a lossy source, in bits per second;
  /// `nil` for sources whose bit rate does not indicate quality (PCM, lossless).
  ///
  /// This is the default of all lossy formats: the source's bit rate per channel, multiplied by the
  /// relative need of this codec and divided by the relative need of the source's codec. Within one
  /// codec, the bit rate stays the same. A writer uses the nearest bit rate it supports, and its own
  /// default for sources without a bit rate.
  ///
  /// The relative needs are a rule of thumb from public listening tests, in which Opus at 96 kb/s,
  /// AAC and Vorbis at about 112 kb/s and MP3 at about 144 kb/s scored the same. HE-AAC synthesizes
  /// the upper half of the spectrum; a codec that must encode it gets at least 0.75 bits a sample.
  package func bitRate(like source: SourceDescription, channelCount: Int) -> Int? {
    guard !isLossless, let rate = source.bitRate, rate > 0, source.sampleFormat == nil else {
      return nil
    }
    let ratio = Self.need(ofCodec: name) / Self.need(ofCodec: source.codec)
    let channels = Double(channelCount) / Double(max(1, source.spec.channelCount))
    var wanted = Double(rate) * ratio * channels
    if Self.isHighEfficiency(source), codec != .opus {
      wanted = max(wanted, 0.75 * Double(channelCount) * Double(source.spec.sampleRate))
    }
    return Int(exactly: wanted.rounded())
  }

  /// The warning that a source's bit rate is raised, because this format's codec needs more than the
  /// source's; `nil` if it is not.
  package func bitRateWarning(like source: SourceDescription, channelCount: Int) -> String? {
    guard Self.isHighEfficiency(source), let rate = source.bitRate,
      let wanted = bitRate(like: source, channelCount: channelCount), wanted > rate
    else { return nil }
    return "its HE-AAC has \((rate + 500) / 1000) kb/s; \(name) needs more for the same quality, "
      + "so it is written at about \((wanted + 500) / 1000) kb/s"
  }

  private static func isHighEfficiency(_ source: SourceDescription) -> Bool {
    source.codec.hasPrefix("HE-AAC")
  }

  /// Bit rate of a codec relative to MP3 at the same quality. The keys are the codec names that the
  /// table and the readers use.
  private static func need(ofCodec name: String) -> Double {
    let lowered = name.lowercased()
    return needs.first { lowered.contains($0.0) }?.1 ?? 1
  }

  /// Keyed by a part of a codec's name; the first match counts.
  private static let needs: [(String, Double)] = [
    ("he-aac v2", 0.35), ("he-aac", 0.5), ("opus", 0.65), ("vorbis", 0.8), ("aac", 0.8),
    ("m4a", 0.8), ("m4b", 0.8), ("m4r", 0.8),
    ("amr", 0.5), ("eac3", 1), ("e-ac-3", 1),
    ("ac3", 1.3), ("ac-3", 1.3), ("layer iii", 1), ("layer ii", 1.4), ("mp2", 1.4),
    ("layer i", 1.8), ("mp1", 1.8),
  ]
}
