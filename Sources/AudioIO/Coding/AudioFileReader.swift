public import AudioModel

/// Decodes one audio file, from its first frame to its last.
package protocol AudioFileReader: AnyObject {
  /// What the file holds. Its frame count is exact.
  var source: SourceDescription { get }
  /// Samples read so far that were beyond full scale and had to be clamped.
  var clipping: Clipping { get }
  /// Samples read so far that were no finite numbers, and became silence.
  var nonFiniteSamples: Int { get }

  /// Fills `buffer` with the next frames, interleaved, and returns how many frames were written;
  /// 0 only at the end.
  ///
  /// Samples are told in the type that is asked for; one as deep as `source.sampleFormat`, or deeper,
  /// loses nothing. The type is the same in all calls.
  ///
  /// The total over all calls is `source.frameCount`, or an error is thrown.
  func read<Sample: PCMSample>(into buffer: inout MutableSpan<Sample>)
    throws(AudioFileError) -> Int

  /// How the audio that this reader reads is stored in `input`, the whole file.
  ///
  /// Reads headers only, of the container or of its packets. Where a container has no index of its
  /// packets, they are read through only if `countsPackets`.
  func storage(
    of input: borrowing InputFile, countsPackets: Bool
  ) throws(AudioFileError) -> StorageDescription

  /// Throws where the last bytes of `input` show that the end of the audio is missing, which reading
  /// would otherwise find only there.
  func checkEnd(of input: borrowing InputFile) throws(AudioFileError)
}

extension AudioFileReader {
  package func checkEnd(of input: borrowing InputFile) throws(AudioFileError) {}

  package var nonFiniteSamples: Int { 0 }
}

/// How a file is opened.
package struct ReadingOptions: Hashable, Sendable {
  /// The audio track to read, from 1; `nil` for the container's default.
  package var track: Int?
  /// Whether damage ends the audio with a warning instead of an error.
  package var salvages: Bool
  /// Whether a length that only decoding could find may be an estimate.
  package var estimates: Bool

  package init(track: Int? = nil, salvages: Bool = false, estimates: Bool = false) {
    self.track = track
    self.salvages = salvages
    self.estimates = estimates
  }
}

/// What an opened audio file holds.
public struct SourceDescription: Hashable, Sendable {
  /// Sample rate and channel layout.
  public var spec: AudioSpec
  /// How the number of frames is known.
  public enum LengthBasis: String, Hashable, Sendable {
    /// The file declares it, and reading holds the file to that.
    case declared
    /// All of the file was decoded.
    case counted
    /// It follows from a rounded duration or a bit rate; no conversion relies on such a number.
    case estimated
  }

  /// The number of frames: exact, unless `lengthBasis` is `estimated`.
  public var frameCount: Int
  /// How that number is known.
  public var lengthBasis: LengthBasis
  /// The format's row in the table of formats.
  public var format: AudioFormat
  /// The name of the codec or sample encoding, such as `PCM 24-bit` or `Vorbis`.
  public var codec: String
  /// How samples are stored, or `nil` for lossy codecs, which have no depth of their own.
  public var sampleFormat: SampleFormat?
  /// Average bits per second of the encoded audio; `nil` where it says nothing (PCM, lossless).
  public var bitRate: Int?
  /// Tags and pictures.
  public var metadata: Metadata
  /// What was found that the user should know.
  public var warnings: [String]
  /// What is attached and not in `metadata`, so that it will be missing in the output: names people know.
  public var notCarried: [String]

  package init(
    spec: AudioSpec, frameCount: Int, format: AudioFormat, codec: String,
    sampleFormat: SampleFormat?, bitRate: Int? = nil, metadata: Metadata = Metadata(),
    warnings: [String] = [], notCarried: [String] = [], lengthBasis: LengthBasis = .declared
  ) {
    self.spec = spec
    self.frameCount = frameCount
    self.lengthBasis = lengthBasis
    self.format = format
    self.codec = codec
    self.sampleFormat = sampleFormat
    self.bitRate = bitRate
    self.metadata = metadata
    self.warnings = warnings
    self.notCarried = notCarried
  }
}

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
