package import AudioModel
package import SystemPackage

/// The header of a container of PCM and of other codecs.
///
/// It shows where the audio is, how it is stored, whether the file is truncated, and which speaker each channel
/// belongs to.
package struct ContainerHeader: Sendable {
  /// The offset of the audio in the file.
  package var audioOffset: Int
  /// Bytes of audio that the header declares; `nil` if it leaves the length open.
  package var declaredBytes: Int?
  /// The byte order of the numbers in chunks.
  package var isBigEndian: Bool
  /// Frames that another part of the header declares, such as AIFF's `COMM` or a `fact` chunk.
  package var declaredFrames: Int?
  /// How samples are stored; `nil` for codecs, and for samples of a width that ``RawPCM/Encoding`` lacks.
  package var encoding: RawPCM.Encoding?
  /// Bytes per frame, all channels together; `nil` for encodings in blocks or packets.
  package var bytesPerFrame: Int?
  /// Frames per block or packet, for encodings in blocks or packets.
  package var framesPerBlock: Int?
  /// Bytes per block, all channels together, for encodings in blocks of equal size.
  package var bytesPerBlock: Int?
  /// The bits of a sample, of WAV, RF64 and Wave64; in ADPCM, of a code.
  package var bitsPerSample: Int?
  package var channelCount: Int?
  package var sampleRate: Double?
  /// The encoding as the header names it: a WAVE format tag such as `0x0011`, a code of AIFF-C or CAF such as `ima4`,
  /// or the encoding number of AU or SVX.
  package var encodingID: String?
  /// Frames of encoder delay before the audio, in CAF's packet table.
  package var delay = 0
  /// The number of decoded frames according to CAF's packet table, with encoder delay and padding; `nil` without one.
  package var codedFrames: Int?
  /// The channel mask of WAVE_FORMAT_EXTENSIBLE.
  package var channelMask: UInt32?
  /// The channels of SVX: 2 is left, 4 is right, 6 is both, one after the other.
  package var svxChannels: Int?
  /// The content of Core Audio's channel layout chunk.
  package var coreAudioLayout: [UInt8]?
  /// The content of the `fmt ` chunk of WAV and RF64.
  package var waveFormat: [UInt8]?
  /// True when FFmpeg's libavformat wrote the file.
  package var isWrittenByLavf = false
  /// The chunks in file order; a `LIST` includes its type, as in `LIST adtl`.
  package var chunks: [ChunkPlace] = []
  /// Warnings about ambiguous values in the header, and about what follows the audio.
  package var warnings: [String] = []
  /// The offset of bytes after the audio that are no chunk; `nil` if there are none.
  package var strayOffset: Int?
  /// A contradiction between the chunks; `nil` if there is none.
  package var contradiction: Contradiction?

  /// True for codecs in blocks of equal size.
  package var isInEqualBlocks: Bool { bytesPerBlock ?? 0 > 0 && framesPerBlock ?? 0 > 1 }

  package init(audioOffset: Int, declaredBytes: Int?, isBigEndian: Bool) {
    self.audioOffset = audioOffset
    self.declaredBytes = declaredBytes
    self.isBigEndian = isBigEndian
  }

  /// Bytes of audio in the file.
  package func availableBytes(fileSize: Int) -> Int {
    let rest = max(0, fileSize - audioOffset)
    return declaredBytes.map { min($0, rest) } ?? rest
  }

  /// Returns true if the header declares more audio than the file has, in frames if they are of one size: some programs
  /// count the pad byte.
  package func isTruncated(fileSize: Int) -> Bool {
    if let declaredBytes, declaredBytes > fileSize - audioOffset {
      guard let bytesPerFrame, bytesPerFrame > 0, let there = framesThere(fileSize: fileSize),
        audioOffset <= fileSize
      else { return true }
      if declaredBytes / bytesPerFrame > there { return true }
    }
    guard let declaredFrames, let bytesPerFrame, bytesPerFrame > 0, declaredBytes != nil else {
      return false
    }
    return declaredFrames > availableBytes(fileSize: fileSize) / bytesPerFrame
  }

  /// The declared length in frames; `nil` if it is unknown.
  package var expectedFrames: Int? {
    guard let bytesPerFrame, bytesPerFrame > 0, let declaredBytes else { return nil }
    return max(declaredBytes / bytesPerFrame, declaredFrames ?? 0)
  }
}

extension ContainerHeader {
  /// Takes a sample rate that is stored as a floating-point number, rounded to whole Hz.
  package mutating func takeRate(_ rate: Double?) {
    sampleRate = rate.map { $0 >= 1 ? $0.rounded() : $0 }
    if let rate, let sampleRate, sampleRate != rate, rate < 0x1p52 {
      let thousandths = Int((rate * 1000).rounded())
      let fraction = String(String(1000 + thousandths % 1000).dropFirst())
      warnings.append(
        "its sample rate of \(thousandths / 1000).\(fraction) Hz is read as \(Int(sampleRate)) Hz")
    }
  }

  /// Whole frames of audio in the file; `nil` for encodings in blocks or packets.
  package func framesThere(fileSize: Int) -> Int? {
    guard let bytesPerFrame, bytesPerFrame > 0 else { return nil }
    return availableBytes(fileSize: fileSize) / bytesPerFrame
  }

  /// The length without the padding of the last block, from the `fact` or `pakt` chunk, given the length with
  /// padding.
  package func lengthWithoutPadding(of frameCount: Int) -> Int {
    guard bytesPerFrame == nil, let declaredFrames, let framesPerBlock else { return frameCount }
    // A larger difference means a wrong number: libsndfile writes half the length for stereo.
    let isPlausible = declaredFrames <= frameCount && frameCount - declaredFrames < framesPerBlock
    return isPlausible ? declaredFrames : frameCount
  }
}

extension ContainerHeader {
  /// Chunks that disagree about where the audio is.
  package struct Contradiction: Hashable, Sendable {
    /// The reason to refuse the file.
    package var reason: String
    /// The ranges of bytes that hold the audio if the file is salvaged, in order.
    package var audio: [Range<Int>]

    package init(reason: String, audio: [Range<Int>]) {
      self.reason = reason
      self.audio = audio
    }
  }

  /// The position and declared size of a chunk's content.
  package struct ChunkPlace: Hashable, Sendable {
    package var name: String
    package var offset: Int
    package var size: Int

    package init(name: String, offset: Int, size: Int) {
      self.name = name
      self.offset = offset
      self.size = size
    }
  }
}

extension AudioFormat {
  /// The header of a file in this format, which is read once; `nil` for containers whose header only their library
  /// reads.
  package func header(
    of input: borrowing InputFile
  ) throws(AudioFileError) -> ContainerHeader? {
    guard let read = container.header else { return nil }
    return try input.walked(read)
  }
}

extension AudioLimits {
  /// Throws if a file declares an implausible number of channels or sample rate.
  package static func check(
    channels: Int?, sampleRate: Double?, _ path: FilePath
  ) throws(AudioFileError) {
    if let channels, !(1...channelCount).contains(channels) {
      throw .limitExceeded(
        path,
        reason: "its header declares \(channels) channels; 1 to \(channelCount) are supported")
    }
    if let rate = sampleRate, !(1...Double(Self.sampleRate)).contains(rate) {
      // AIFF stores the rate as a floating-point number.
      let rateText = Int(exactly: rate).map(String.init) ?? "\(rate)"
      throw .limitExceeded(
        path,
        reason: "its header declares a sample rate of \(rateText) Hz; "
          + "1 to \(Self.sampleRate) are supported")
    }
  }
}
