/// Bytes that replace a file's bytes at an offset while it is read.
package struct HeaderPatch: Hashable, Sendable {
  package var offset: Int
  package var bytes: [UInt8]

  package init(offset: Int, bytes: [UInt8]) {
    self.offset = offset
    self.bytes = bytes
  }
}

/// The header of a container of uncompressed audio, read independently of libsndfile.
///
/// libsndfile limits the declared length to the file and drops unknown chunks. This header shows whether a
/// file is truncated, and which speaker each channel belongs to.
package struct ContainerHeader: Sendable {
  /// The offset of the audio in the file.
  package var audioOffset: Int
  /// Bytes of audio that the header declares; `nil` if it leaves the length open.
  package var declaredBytes: Int?
  /// The field that stores this length.
  package var lengthField: LengthField
  /// Frames that another part of the header declares, such as AIFF's `COMM` or a `fact` chunk.
  package var declaredFrames: Int?
  /// Bytes per frame, all channels together; `nil` for encodings in blocks or packets.
  package var bytesPerFrame: Int?
  /// Frames per block or packet, for encodings in blocks or packets.
  package var framesPerBlock: Int?
  /// Bytes per block, all channels together, for encodings in blocks of equal size.
  package var bytesPerBlock: Int?
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
  /// Corrections of the header, other than the length, that libsndfile needs to read the file.
  package var repairs: [HeaderPatch] = []
  /// Warnings about ambiguous values in the header.
  package var warnings: [String] = []

  /// True for codecs in blocks of equal size.
  package var isInEqualBlocks: Bool { bytesPerBlock ?? 0 > 0 && framesPerBlock ?? 0 > 1 }

  package init(audioOffset: Int, declaredBytes: Int?, lengthField: LengthField) {
    self.audioOffset = audioOffset
    self.declaredBytes = declaredBytes
    self.lengthField = lengthField
  }

  /// The header field that stores the bytes of audio.
  package struct LengthField: Sendable {
    package var offset: Int
    /// 4 or 8.
    package var byteCount: Int
    package var isBigEndian: Bool
    /// Bytes that the field counts in addition to the audio.
    package var overhead: Int

    package init(offset: Int, byteCount: Int, isBigEndian: Bool, overhead: Int) {
      self.offset = offset
      self.byteCount = byteCount
      self.isBigEndian = isBigEndian
      self.overhead = overhead
    }

    /// The patch that sets the field to a length; `nil` if the field is too small.
    func patch(_ audioBytes: Int) -> HeaderPatch? {
      let (value, overflow) = audioBytes.addingReportingOverflow(overhead)
      guard !overflow, value >= 0, byteCount == 8 || value <= 0xFFFF_FFFF else { return nil }
      let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return HeaderPatch(offset: offset, bytes: isBigEndian ? bytes.reversed() : bytes)
    }
  }

  /// Bytes of audio in the file.
  package func availableBytes(fileSize: Int) -> Int {
    let rest = max(0, fileSize - audioOffset)
    return declaredBytes.map { min($0, rest) } ?? rest
  }

  /// Returns true if the header declares more audio than the file has.
  package func isTruncated(fileSize: Int) -> Bool {
    if let declaredBytes, declaredBytes > fileSize - audioOffset { return true }
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

  /// Corrections that give libsndfile a header with the actual length.
  package func patches(fileSize: Int) -> [HeaderPatch] {
    let rest = fileSize - audioOffset
    let isTrue = declaredBytes.map { $0 <= rest } ?? false
    if isTrue || rest < 0 { return repairs }
    var bytes = rest
    if let bytesPerFrame, bytesPerFrame > 0 { bytes -= bytes % bytesPerFrame }
    return repairs + [lengthField.patch(bytes)].compactMap { $0 }
  }
}

extension ContainerHeader {
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
