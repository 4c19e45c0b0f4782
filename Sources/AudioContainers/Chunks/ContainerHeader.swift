internal import AudioIO

/// Bytes to be shown in place of a file's own, at an offset.
package struct HeaderPatch: Hashable, Sendable {
  package var offset: Int
  package var bytes: [UInt8]

  package init(offset: Int, bytes: [UInt8]) {
    self.offset = offset
    self.bytes = bytes
  }
}

/// What the header of an uncompressed-audio container says, read apart from libsndfile.
///
/// libsndfile takes what is there for the length and drops what it does not know; this tells a cut file
/// from a whole one, and which speaker a channel is for.
package struct ContainerHeader: Sendable {
  /// Where the audio begins in the file.
  package var audioOffset: Int
  /// Bytes of audio that the header promises; `nil` when it leaves the length open.
  var declaredBytes: Int?
  /// Where the header holds that number, and how.
  package var lengthField: LengthField
  /// Frames that another part of the header promises, such as AIFF's `COMM` or a `fact` chunk.
  package var declaredFrames: Int?
  /// Bytes of one frame of all channels; `nil` for encodings in blocks or packets.
  package var bytesPerFrame: Int?
  /// Frames of one block or packet, for encodings in those.
  var framesPerBlock: Int?
  /// Bytes of one block of all channels, for encodings in blocks that are all alike.
  var bytesPerBlock: Int?
  package var channelCount: Int?
  package var sampleRate: Double?
  /// The channel mask of WAVE_FORMAT_EXTENSIBLE.
  var channelMask: UInt32?
  /// The content of Core Audio's channel layout chunk.
  var coreAudioLayout: [UInt8]?
  /// The content of the `fmt ` chunk of WAV and RF64.
  package var waveFormat: [UInt8]?
  /// Whether FFmpeg's libavformat wrote the file.
  var isWrittenByLavf = false
  /// The chunks, in file order; a `LIST` with its kind, as in `LIST adtl`.
  package var chunks: [ChunkPlace] = []
  /// Corrections of the header beyond its length that libsndfile needs to read the file.
  package var repairs: [HeaderPatch] = []

  /// A number in the header that counts the bytes of audio.
  package struct LengthField: Sendable {
    var offset: Int
    /// 4 or 8.
    package var byteCount: Int
    package var isBigEndian: Bool
    /// What the field counts besides the audio itself.
    var overhead: Int

    /// The bytes that say this length; `nil` when the field is too small.
    func patch(_ audioBytes: Int) -> HeaderPatch? {
      let (value, overflow) = audioBytes.addingReportingOverflow(overhead)
      guard !overflow, value >= 0, byteCount == 8 || value <= 0xFFFF_FFFF else { return nil }
      let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return HeaderPatch(offset: offset, bytes: isBigEndian ? bytes.reversed() : bytes)
    }
  }

  /// Why a file is not read that sox wrote through libsndfile into a pipe, where it could not go back.
  static let repeatedHeader =
    "a second header stands where its audio should begin, as when a program that must go back to "
    + "complete the header writes into a pipe"

  /// Bytes of audio that are there.
  package func availableBytes(fileSize: Int) -> Int {
    let rest = max(0, fileSize - audioOffset)
    return declaredBytes.map { min($0, rest) } ?? rest
  }

  /// Whether the header promises more audio than the file has.
  package func isCut(fileSize: Int) -> Bool {
    if let declaredBytes, declaredBytes > fileSize - audioOffset { return true }
    guard let declaredFrames, let bytesPerFrame, bytesPerFrame > 0, declaredBytes != nil else {
      return false
    }
    return declaredFrames > availableBytes(fileSize: fileSize) / bytesPerFrame
  }

  /// The promised length in frames, where it can be told.
  package var expectedFrames: Int? {
    guard let bytesPerFrame, bytesPerFrame > 0, let declaredBytes else { return nil }
    return max(declaredBytes / bytesPerFrame, declaredFrames ?? 0)
  }
}

/// Numbers that stand for "not known, to the end of the file".
enum OpenLength {
  /// Whether a 32-bit length of audio means that it is not known.
  ///
  /// Measured: ffmpeg writes 0xFFFFFFFF into a pipe, sox 0x7FFFF000 (AIFF: 0x7F000000), arecord
  /// 0x7FFFFF00 or 0x80000000; some count the header off.
  static func is32(_ value: Int) -> Bool {
    (0x7FFF_F000...0x8000_0000).contains(value) || value >= 0xFFFF_FF00 || value == 0x7F00_0000
  }

  /// Whether a 64-bit length means that it is not known: -1, and ffmpeg's largest.
  static func is64(_ value: UInt64) -> Bool { value >= 0x7FFF_FFFF_FFFF_0000 }
}
