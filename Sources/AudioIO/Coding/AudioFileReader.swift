public import AudioModel

/// Decodes one audio file, from its first frame to its last, or from any other.
package protocol AudioFileReader: AnyObject {
  /// The content of the file. Its frame count is exact.
  var source: SourceDescription { get }
  /// Samples read so far that exceeded full scale and were clamped.
  var clipping: Clipping { get }
  /// Samples read so far that were NaN or infinite and became silence.
  var nonFiniteSamples: Int { get }

  /// Fills `buffer` with the next frames, interleaved, and returns how many frames were written;
  /// 0 only at the end.
  ///
  /// Samples are converted to `Sample`, which must be the same type in all calls. A type at least as deep as
  /// `source.sampleFormat` is lossless.
  ///
  /// The total over all calls is `source.frameCount`. If the audio is damaged, the frames before the damage are
  /// delivered, then an error is thrown. If the length is estimated, the total is the number of frames that the file
  /// has.
  func read<Sample: PCMSample>(into buffer: inout MutableSpan<Sample>)
    throws(AudioFileError) -> Int

  /// How the reader seeks.
  var seeking: Seeking { get }

  /// Seeks to a frame, from 0 to the frame count; the next read starts there. If the length is estimated and there is
  /// no such frame, the next read delivers no frames.
  ///
  /// Frames equal those of a read from the start, bit for bit. Damage before the frame may go unnoticed, and so may
  /// errors that only a read of the whole file reveals, such as a wrong signature. After an error, the reader is
  /// unusable.
  func seek(toFrame frame: Int) throws(AudioFileError)

  /// How the audio of this reader is stored in `input`, the whole file.
  ///
  /// Reads only headers of the container and its packets. If a container has no packet index, its packets
  /// are counted only if `countsPackets` is set.
  func storage(
    of input: borrowing InputFile, countsPackets: Bool
  ) throws(AudioFileError) -> StorageDescription

  /// Throws if the last bytes of `input` show that the end of the audio is missing.
  ///
  /// This finds a truncated file early; reading would find it only at the end.
  func checkEnd(of input: borrowing InputFile) throws(AudioFileError)
}

extension AudioFileReader {
  package func checkEnd(of input: borrowing InputFile) throws(AudioFileError) {}

  package var nonFiniteSamples: Int { 0 }
}

/// How a reader seeks.
package enum Seeking: Sendable {
  /// Jumps to the frame's position in the file; this takes equally long for every frame.
  case direct
  /// Decodes the frames before it, from the current one or from the first.
  case decoding
}

/// Options for opening a file.
package struct ReadingOptions: Hashable, Sendable {
  /// The audio track to read, from 1; `nil` for the container's default.
  package var track: Int?
  /// Whether damage ends the audio with a warning rather than an error.
  package var salvages: Bool
  /// Which lengths may be estimated.
  package var estimates: Estimates
  /// Whether damage that is found before decoding does not prevent opening. The frames before it are delivered,
  /// followed by an error or the end. Damage that is found while decoding remains an error.
  package var endsAtDamage: Bool
  /// Whether opening searches the file for damage that a decoder would skip silently.
  package var seeksDamage: Bool
  /// Whether decoding begins near a distant frame where only decoding from the start yields its exact samples. The
  /// frame may be off by the rounding of packets' times, and codecs that carry state or random numbers from packet to
  /// packet yield other samples.
  package var seeksNearby: Bool

  /// Which lengths may be estimated.
  package enum Estimates: Hashable, Sendable {
    case none
    /// Lengths that only decoding the whole file could determine. Such a reader serves only for its description.
    case ofDecoding
    /// Lengths that require any pass over the whole file. The frames are those of an exact opening, but there may be
    /// more or fewer than estimated, and in a long file the reader may end before the audio does.
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

  /// Whether damage that is found before decoding does not prevent opening.
  package var toleratesDamage: Bool { salvages || endsAtDamage }
}

/// The content of an opened audio file.
public struct SourceDescription: Hashable, Sendable {
  /// Sample rate and channel layout.
  public var spec: AudioSpec
  /// How the number of frames is known, from most to least certain.
  public enum LengthBasis: String, Hashable, Sendable {
    /// The file declares it; reading fails if the file holds another number.
    case declared
    /// The whole file was decoded.
    case counted
    /// Computed from a rounded duration or a bit rate; conversions never rely on it.
    case estimated
  }

  /// The number of frames: exact, unless `lengthBasis` is `estimated`.
  public var frameCount: Int
  /// How the number of frames is known.
  public var lengthBasis: LengthBasis
  /// The row of the table of formats.
  public var format: AudioFormat
  /// The name of the codec or sample encoding, such as `PCM 24-bit` or `Vorbis`.
  public var codec: String
  /// The codec, if a demuxing library read a codec that another library also decodes.
  package var codecKind: AudioFormat.Codec?
  /// The format of the stored samples; `nil` for lossy codecs, which have no bit depth.
  public var sampleFormat: SampleFormat?
  /// Average bits per second of the encoded audio; `nil` for PCM and lossless codecs.
  public var bitRate: Int?
  /// Core Audio's description of the channel layout, as the file has it, if it has one for `spec.layout`.
  package var coreAudioLayout: [UInt8]?
  /// Tags and pictures.
  public var metadata: Metadata
  /// Warnings for the user.
  public var warnings: [String]
  /// Attachments missing from `metadata`, and so from the output, by display name.
  public var notCarried: [String]

  package init(
    spec: AudioSpec, frameCount: Int, format: AudioFormat, codec: String,
    codecKind: AudioFormat.Codec? = nil, sampleFormat: SampleFormat?, bitRate: Int? = nil,
    metadata: Metadata = Metadata(),
    warnings: [String] = [], notCarried: [String] = [], lengthBasis: LengthBasis = .declared
  ) {
    self.spec = spec
    self.frameCount = frameCount
    self.lengthBasis = lengthBasis
    self.format = format
    self.codec = codec
    self.codecKind = codecKind
    self.sampleFormat = sampleFormat
    self.bitRate = bitRate
    self.metadata = metadata
    self.warnings = warnings
    self.notCarried = notCarried
  }
}

/// How much of a damaged file could be decoded.
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

  /// Seconds with two decimals, formatted without Foundation.
  private func seconds(_ frames: Int) -> String {
    let hundredths = (Double(frames) / Double(sampleRate) * 100).rounded(.toNearestOrEven)
    guard let count = Int(exactly: hundredths) else { return "?" }
    let fraction = String(count % 100)
    return "\(count / 100).\(fraction.count == 1 ? "0" : "")\(fraction)"
  }
}
