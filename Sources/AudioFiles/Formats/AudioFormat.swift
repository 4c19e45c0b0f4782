/// One row of the table of formats: a container with its usual encoding, and what it can hold.
public struct AudioFormat: Hashable, Sendable, Identifiable {
  /// The library that reads and writes a format.
  package enum Library: Hashable, Sendable {
    /// libsndfile: a major format and the subtype that is written, as `SF_FORMAT_…` values.
    case sndFile(major: Int32, subtype: Int32)
    case flac
    case oggFLAC
    case vorbis
    /// FFmpeg's libraries, which are there with the trait `FFmpeg`.
    case libAV
  }

  /// What is encoded by libavcodec, and the file that takes the packets.
  package struct PacketEncoding: Hashable, Sendable {
    package enum File: Hashable, Sendable {
      case m4a, m4b, caf
    }

    package enum Codec: String, Hashable, Sendable {
      case aac, alac
    }

    package let file: File
    package let codec: Codec
  }

  /// Which speaker positions a format can say.
  public enum Layouts: Hashable, Sendable {
    /// Only a count; one and two channels mean mono and stereo.
    case countOnly
    /// Any set of the 18 WAVE positions in mask order, or none (WAVEX, FLAC with a mask comment).
    case waveMask
    /// The layouts that Core Audio's channel layout chunk can say (CAF, AIFF).
    case coreAudio
    /// The fixed layouts of the Vorbis I specification (also Opus), one for each count up to 8.
    case vorbis
    /// Those that libavcodec's AAC encoder takes and an AAC configuration can tell.
    case aac
    /// One for each count up to 8: ALAC says nothing but the count.
    case alac
  }

  /// The row's name, as `--format` takes it: `flac`.
  public let id: String
  /// The name a person knows it by.
  public let name: String
  /// File name extensions, without dot, lower case, the preferred one first.
  public let extensions: [String]
  package let library: Library
  /// What is written where `library` does not write itself.
  package let packets: PacketEncoding?
  /// Whether encoding keeps every sample.
  public let isLossless: Bool
  /// Whether files are written in it.
  public let isWritable: Bool
  /// Channel counts that can be written.
  public let channels: ClosedRange<Int>
  /// Which speaker positions it can say.
  public let layouts: Layouts
  /// Sample rates that can be written, in Hz; `nil` for any up to `highestSampleRate`.
  public let sampleRates: [Int]?
  /// The highest sample rate that can be written, in Hz.
  public let highestSampleRate: Int
  /// The most bytes that a file's audio may take; `nil` without limit.
  public let maximumBytes: Int?
  /// The row that is written instead when it cannot be written, or when the audio is too long for it.
  public let fallbackID: String?
  /// The row that is written instead when the source is lossless.
  public let losslessID: String?

  init(
    id: String, name: String, extensions: [String], library: Library, isLossless: Bool = true,
    isWritable: Bool = true, channels: ClosedRange<Int> = 1...AudioFiles.mostChannels,
    layouts: Layouts = .countOnly, sampleRates: [Int]? = nil,
    highestSampleRate: Int = AudioFiles.highestSampleRate, maximumBytes: Int? = nil,
    fallbackID: String? = nil, losslessID: String? = nil,
    packets: PacketEncoding? = nil
  ) {
    self.id = id
    self.name = name
    self.extensions = extensions
    self.library = library
    self.isLossless = isLossless
    self.isWritable = isWritable
    self.channels = channels
    self.layouts = layouts
    self.sampleRates = sampleRates
    self.highestSampleRate = highestSampleRate
    self.maximumBytes = maximumBytes
    self.fallbackID = fallbackID
    self.losslessID = losslessID
    self.packets = packets
  }

  /// The row of this name, or failing that of this extension, in any case; `nil` when there is none.
  public static func named(_ text: String) -> AudioFormat? {
    let lowered = text.lowercased()
    return all.first { $0.id == lowered } ?? forExtension(lowered)
  }

  /// The row that is written for the name of a codec that stands in M4A files: `aac`, `alac`; `nil`
  /// for any other.
  public static func ofCodec(_ text: String) -> AudioFormat? {
    let ids = ["aac": "m4a-aac", "alac": "m4a-alac"]
    guard let id = ids[text.lowercased()] else { return nil }
    return all.first { $0.id == id }
  }

  /// The row that a file name extension (without dot, any case) stands for.
  public static func forExtension(_ text: String) -> AudioFormat? {
    let lowered = text.lowercased()
    return all.first { $0.extensions.contains(lowered) }
  }
}
