/// What is plausible in the header of any file.
package enum AudioLimits {
  /// The maximum plausible sample rate, in Hz.
  package static let sampleRate = 10_000_000
  /// The maximum plausible channel count.
  package static let channelCount = 256
}

/// One row of the table of formats: a container with its usual encoding, and what it can hold.
public struct AudioFormat: Hashable, Sendable, Identifiable {
  /// The library that reads and writes a format; two are equal where they are one type.
  package struct Library: Hashable, Sendable {
    package let type: any AudioLibrary.Type
    /// The library's own number for what is written, such as an `SF_FORMAT_…` value; 0 where it needs none.
    package let code: Int32

    package init(_ type: any AudioLibrary.Type, code: Int32 = 0) {
      self.type = type
      self.code = code
    }

    package static func == (one: Library, other: Library) -> Bool {
      ObjectIdentifier(one.type) == ObjectIdentifier(other.type) && one.code == other.code
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(type))
      hasher.combine(code)
    }
  }

  /// The grammar of a format's files.
  package enum Container: Hashable, Sendable {
    case wav, rf64, wave64, aiff, aiffC, svx, caf, au, flac, ogg, mpegAudio, mp4
    case voc, paf, avr, mpc2k, xi, sds, wve, nist, ircam, pvf, mat5, mat4, htk
    /// One that only FFmpeg's libraries read.
    case other
  }

  /// The codec of a format that has one, rather than samples as they are.
  package enum Codec: Hashable, Sendable {
    case flac, vorbis, opus, mpegLayer1, mpegLayer2, mpegLayer3, aac, alac
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

    package init(file: File, codec: Codec) {
      self.file = file
      self.codec = codec
    }
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
  /// The grammar of its files.
  package let container: Container
  /// Its codec; `nil` for samples as they are, and for containers of many codecs.
  package let codec: Codec?
  /// The library that reads it and writes it.
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

  package init(
    id: String, name: String, extensions: [String], container: Container, codec: Codec? = nil,
    library: Library, isLossless: Bool = true, isWritable: Bool = true,
    channels: ClosedRange<Int> = 1...AudioLimits.channelCount,
    layouts: Layouts = .countOnly, sampleRates: [Int]? = nil,
    highestSampleRate: Int = AudioLimits.sampleRate, maximumBytes: Int? = nil,
    fallbackID: String? = nil, losslessID: String? = nil,
    packets: PacketEncoding? = nil
  ) {
    self.id = id
    self.name = name
    self.extensions = extensions
    self.container = container
    self.codec = codec
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
}

extension AudioFormat {
  /// The name of the container alone, where the row's name includes the codec.
  package var containerName: String {
    switch (container, packets?.file) {
    case (.ogg, _): "Ogg"
    case (.caf, _): "CAF"
    case (_, .m4b): "M4B (audiobook)"
    case (_, .m4a): name.hasPrefix("M4R") ? "M4R (ringtone)" : "M4A"
    default: name
    }
  }
}
