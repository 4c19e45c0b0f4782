package import AudioIO
internal import AudioModel

extension AudioFormat {
  /// The bit rate at which this format sounds about as good as a lossy source does, in bits per second;
  /// `nil` for sources whose rate says nothing of their quality (PCM, lossless).
  ///
  /// The one rule for all lossy formats, where nothing is asked for: the source's rate for each channel,
  /// times what this codec needs and divided by what the source's codec needs for the same quality.
  /// Within one codec that is the source's own rate. A writer takes the nearest rate that it has, and one
  /// of its own for sources without a rate.
  ///
  /// What codecs need, beside MP3, is a rule of thumb after public listening tests, in which Opus at 96
  /// kb/s, AAC and Vorbis at about 112 and MP3 at about 144 kb/s came out alike.
  package func bitRate(like source: SourceDescription, channelCount: Int) -> Int? {
    guard !isLossless, let rate = source.bitRate, rate > 0, source.sampleFormat == nil else {
      return nil
    }
    let ratio = Self.need(ofCodec: name) / Self.need(ofCodec: source.codec)
    let channels = Double(channelCount) / Double(max(1, source.spec.channelCount))
    return Int(exactly: (Double(rate) * ratio * channels).rounded())
  }

  /// Bits that a codec needs beside MP3 for the same quality. The names are the table's and the readers'.
  private static func need(ofCodec name: String) -> Double {
    let lowered = name.lowercased()
    return needs.first { lowered.contains($0.0) }?.1 ?? 1
  }

  /// By a part of a codec's name; the first that fits counts.
  private static let needs: [(String, Double)] = [
    ("opus", 0.65), ("vorbis", 0.8), ("aac", 0.8), ("m4a", 0.8), ("m4b", 0.8), ("m4r", 0.8),
    ("amr", 0.5), ("eac3", 1), ("e-ac-3", 1),
    ("ac3", 1.3), ("ac-3", 1.3), ("layer iii", 1), ("layer ii", 1.4), ("mp2", 1.4),
    ("layer i", 1.8), ("mp1", 1.8),
  ]
}
