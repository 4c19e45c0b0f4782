internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import CSndFile
internal import SystemPackage

/// The layout of a file to be written: container, sample format, channel order and speaker
/// positions.
struct SndFileTarget: Sendable {
  /// The `SF_FORMAT_…` value.
  let format: Int32
  /// The permutation from the source's channels to the file's.
  let order: ChannelOrder
  private let layout: ChannelLayout
  /// The content of the chunk with Core Audio's layout, if the source has one.
  private let coreAudioLayout: [UInt8]?
  private let row: AudioFormat
  private let major: Int

  /// True for MP3, whose tags are written separately because libsndfile treats UTF-8 as Latin-1.
  var isMPEG: Bool { major == SF_FORMAT_MPEG }

  /// Bytes at the start of the file to reserve.
  var leadingByteCount: Int { isExtendedWave64 ? Wave64Extension.byteCount : 0 }

  /// True for Wave64 with a channel mask, which libsndfile does not write.
  private var isExtendedWave64: Bool {
    major == SF_FORMAT_W64 && layout.speakers != nil
      && layout != .assumed(channelCount: layout.channelCount)
  }

  /// The stored sample format; `nil` for lossy codecs.
  let sampleFormat: SampleFormat?

  /// The sample type passed to libsndfile. Lossy encoders take floating point: libsndfile's MP3
  /// encoder copies only half of the 16-bit samples of a stereo block.
  var delivery: SampleEncoding.Delivery { SampleEncoding.Delivery(of: sampleFormat) }

  init(_ description: OutputDescription, path: FilePath) throws(AudioFileError) {
    row = description.format
    let subtype = row.library.code & Int32(SF_FORMAT_SUBMASK | SF_FORMAT_ENDMASK)
    sampleFormat = row.isLossless ? description.sampleFormat ?? .int16 : nil
    if let limit = row.limit(
      for: description.spec, frameCount: description.frameCount, sampleFormat: sampleFormat)
    {
      throw .cannotHold(path, reason: limit, remedy: nil)
    }
    let given = description.givenLayout ?? description.spec.layout
    let isPlain = given.speakers == nil || given == .assumed(channelCount: given.channelCount)
    coreAudioLayout = row.layouts == .coreAudio ? description.coreAudioLayout : nil
    switch row.layouts {
    case _ where coreAudioLayout != nil: layout = given
    case _ where description.givenLayout != nil: layout = given.inMaskOrder
    case .vorbis where given.speakers != nil:
      layout = VorbisLayout.layout(channelCount: given.channelCount)
    case .vorbis, .countOnly, .aac, .alac: layout = given
    case .waveMask, .coreAudio: layout = given.inMaskOrder
    }
    guard let order = ChannelOrder(from: given, to: layout) else {
      throw .cannotHold(path, reason: "\(row.name) cannot store the layout \(given)", remedy: nil)
    }
    self.order = order
    // Layouts that plain WAV can express stay plain; an extensible header always states positions.
    switch Int(row.library.code) & SF_FORMAT_TYPEMASK {
    case SF_FORMAT_WAV: major = isPlain ? SF_FORMAT_WAV : SF_FORMAT_WAVEX
    case SF_FORMAT_WAVEX:
      major = given.speakers == nil && given.channelCount > 2 ? SF_FORMAT_WAV : SF_FORMAT_WAVEX
    case let other: major = other
    }
    guard let sampleFormat else {
      format = Int32(major) | subtype
      return
    }
    guard
      let format = SndFileSubtype.format(
        major: Int32(major), like: subtype, storing: sampleFormat)
    else {
      throw .cannotHold(path, reason: "\(row.name) holds no \(sampleFormat) samples", remedy: nil)
    }
    self.format = format
  }

  /// Writes the speakers into the header of a file just opened.
  func applyLayout(
    to handle: SndFileHandle, path: FilePath
  ) throws(AudioFileError) {
    if let coreAudioLayout {
      let name = major == SF_FORMAT_CAF ? "chan" : "CHAN"
      guard Self.setChunk(name, coreAudioLayout, of: handle) else {
        throw .encoderFailed(path, reason: "libsndfile refused the layout \(layout)")
      }
      return
    }
    guard let speakers = layout.speakers,
      layout != .assumed(channelCount: layout.channelCount) || major == SF_FORMAT_WAVEX
    else { return }
    let accepted: Bool
    switch major {
    case SF_FORMAT_WAVEX, SF_FORMAT_RF64:
      var map = speakers.map { Self.mapValue($0) }
      let size = Int32(map.count * MemoryLayout<Int32>.size)
      accepted = sf_command(handle.pointer, Int32(SFC_SET_CHANNEL_MAP_INFO), &map, size) != 0
    case SF_FORMAT_CAF:
      accepted = Self.setChunk("chan", CoreAudioLayout.content(for: layout), of: handle)
    case SF_FORMAT_AIFF:
      accepted = Self.setChunk("CHAN", CoreAudioLayout.content(for: layout), of: handle)
    default:
      accepted = true
    }
    if !accepted {
      throw .encoderFailed(path, reason: "libsndfile refused the layout \(layout)")
    }
  }

  /// Omits the peak chunk from a floating-point file just opened: it contains the creation time, and otherwise only
  /// values that the samples show.
  func leaveOutPeaks(of handle: SndFileHandle) {
    // RF64 has none by default, and libsndfile 1.2 adds one when this command removes it.
    guard sampleFormat?.isFloat == true, major != SF_FORMAT_RF64 else { return }
    sf_command(handle.pointer, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
  }

  /// Adds a chunk before the audio of a file just opened; `false` if libsndfile refuses it.
  static func setChunk(
    _ name: String, _ content: [UInt8], of handle: SndFileHandle
  ) -> Bool {
    var chunk = SF_CHUNK_INFO()
    withUnsafeMutableBytes(of: &chunk.id) { $0.copyBytes(from: name.utf8) }
    chunk.id_size = UInt32(name.utf8.count)
    var content = content
    return content.withUnsafeMutableBytes { bytes in
      // libsndfile keeps a copy.
      chunk.data = bytes.baseAddress
      chunk.datalen = UInt32(bytes.count)
      return sf_set_chunk(handle.pointer, &chunk) == SF_ERR_NO_ERROR
    }
  }

  private static func mapValue(_ speaker: Speaker) -> Int32 {
    let value =
      switch speaker {
      case .frontLeft: SF_CHANNEL_MAP_LEFT
      case .frontRight: SF_CHANNEL_MAP_RIGHT
      case .frontCenter: SF_CHANNEL_MAP_CENTER
      case .lowFrequency: SF_CHANNEL_MAP_LFE
      case .backLeft: SF_CHANNEL_MAP_REAR_LEFT
      case .backRight: SF_CHANNEL_MAP_REAR_RIGHT
      case .frontLeftOfCenter: SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER
      case .frontRightOfCenter: SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER
      case .backCenter: SF_CHANNEL_MAP_REAR_CENTER
      case .sideLeft: SF_CHANNEL_MAP_SIDE_LEFT
      case .sideRight: SF_CHANNEL_MAP_SIDE_RIGHT
      case .topCenter: SF_CHANNEL_MAP_TOP_CENTER
      case .topFrontLeft: SF_CHANNEL_MAP_TOP_FRONT_LEFT
      case .topFrontCenter: SF_CHANNEL_MAP_TOP_FRONT_CENTER
      case .topFrontRight: SF_CHANNEL_MAP_TOP_FRONT_RIGHT
      case .topBackLeft: SF_CHANNEL_MAP_TOP_REAR_LEFT
      case .topBackCenter: SF_CHANNEL_MAP_TOP_REAR_CENTER
      case .topBackRight: SF_CHANNEL_MAP_TOP_REAR_RIGHT
      }
    return Int32(value)
  }

  /// Checks a closed file for errors that libsndfile does not report.
  func verify(
    _ stream: SndFileStream, frames: Int, path: FilePath
  ) throws(AudioFileError) {
    if major == SF_FORMAT_RF64, layout.speakers == nil, layout.channelCount > 2 {
      try clearDefaultMask(stream, path: path)
    }
    if isExtendedWave64 { try Wave64Extension.apply(layout.mask, to: stream, path: path) }
    if major == SF_FORMAT_AIFF || major == SF_FORMAT_CAF {
      try correctSizes(of: stream, frames: frames, path: path)
    }
    // The minimum size of PCM, without the header.
    let frameBytes = layout.channelCount * (sampleFormat?.bitDepth ?? 0) / 8
    if stream.writtenByteCount < frames * frameBytes {
      throw .encoderFailed(path, reason: "libsndfile wrote fewer bytes than it received")
    }
  }

  /// Corrects sizes that libsndfile 1.2 derives from the size of the file.
  ///
  /// It adds a byte of padding to odd-sized PCM: AIFF counts it as audio, which makes 8-bit mono a frame longer, and
  /// CAF has no padding. If the audio is shorter than the peak chunk, which ``leaveOutPeaks(of:)`` removes from a
  /// header that is already written, the end of that header remains after the audio, and AIFF counts it as audio,
  /// too.
  private func correctSizes(
    of stream: SndFileStream, frames: Int, path: FilePath
  ) throws(AudioFileError) {
    guard let sampleFormat else { return }
    let byteCount = frames * layout.channelCount * sampleFormat.bitDepth / 8
    let isCAF = major == SF_FORMAT_CAF
    let peakBytes = 16 + 8 * layout.channelCount
    let isOdd = byteCount % 2 == 1
    guard isOdd || (!isCAF && sampleFormat.isFloat && byteCount < peakBytes) else { return }
    let file = try stream.reopened(path: path)
    var chunks = ChunkWalker(isCAF ? .caf : .iff, from: isCAF ? 8 : 12, to: file.size)
    var common: Int?
    do {
      while let chunk = try chunks.next(of: file) {
        if chunk.name == "COMM" { common = chunk.contentOffset }
        if chunk.name == "SSND", let common {
          // An offset and a block size precede the audio; the number of frames follows the number of channels.
          try file.descriptor.writeAll(
            toAbsoluteOffset: Int64(chunk.offset + 4), (byteCount + 8).bigEndianBytes(4))
          try file.descriptor.writeAll(
            toAbsoluteOffset: Int64(common + 2), frames.bigEndianBytes(4))
          if !isOdd {
            let end = chunk.contentOffset + 8 + byteCount
            try file.descriptor.writeAll(toAbsoluteOffset: 4, (end - 8).bigEndianBytes(4))
            try file.descriptor.resize(to: Int64(end))
            return
          }
        }
        let end = chunk.contentOffset + 4 + byteCount
        if isCAF, chunk.name == "data", file.size == end + 1 {
          try file.descriptor.resize(to: Int64(end))
        }
        chunks.skip(chunk)
      }
    } catch let error as AudioFileError {
      throw error
    } catch {
      throw .cannotWrite(path, error as? Errno ?? .ioError)
    }
  }

  /// libsndfile assigns the usual speakers to 4, 6 and 8 channels if none are set.
  private func clearDefaultMask(
    _ stream: SndFileStream, path: FilePath
  ) throws(AudioFileError) {
    // RIFF header 12, ds64 chunk 36, then the fmt chunk, whose mask is at byte 28.
    let fmt = 12 + 36
    let file = try stream.reopened(path: path)
    guard try file.bytes(at: fmt, count: 4).elementsEqual("fmt ".utf8) else {
      throw .encoderFailed(path, reason: "libsndfile laid out its header in an unknown way")
    }
    do {
      try file.descriptor.writeAll(toAbsoluteOffset: Int64(fmt + 28), [0, 0, 0, 0])
    } catch {
      throw .cannotWrite(path, error as? Errno ?? .ioError)
    }
  }
}

extension SndFileStream {
  /// The current content of the file, for reading.
  func reopened(path: FilePath) throws(AudioFileError) -> InputFile {
    do {
      return try InputFile(descriptor: try descriptor.duplicate(), path: path)
    } catch let error as AudioFileError {
      throw error
    } catch {
      throw .cannotWrite(path, error as? Errno ?? .ioError)
    }
  }
}

/// Converts the plain header that libsndfile writes into Wave64 to an extensible one with a channel
/// mask.
///
/// libsndfile writes the file from byte ``byteCount`` on. The header up to the next chunk is then
/// rewritten, longer by that many bytes.
enum Wave64Extension {
  /// Bytes added to the header: the content of its `fmt` chunk grows from 16 to 40 bytes.
  static let byteCount = 24
  /// The offset of the `fmt` chunk: the GUIDs of `riff` and `wave`, 16 bytes each, and the file
  /// size, 8.
  private static let fmt = 40
  /// The part of a WAVE sub-format GUID after the format tag.
  private static let formatGUID: [UInt8] = [
    0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71,
  ]

  /// Rewrites the header of a file that libsndfile has closed.
  static func apply(_ mask: UInt32, to stream: SndFileStream, path: FilePath) throws(AudioFileError)
  {
    let file = try stream.reopened(path: path)
    let plain = try file.bytes(at: byteCount, count: fmt + 40)
    let head = ByteReader(bytes: plain, isBigEndian: false)
    // The size of a chunk includes its 24-byte header.
    guard let size = head.number(at: 16, count: 8),
      let fmtSize = head.number(at: fmt + 16, count: 8),
      head.text(at: fmt) == "fmt ", fmtSize == 40
    else {
      throw .encoderFailed(path, reason: "libsndfile laid out its header in an unknown way")
    }
    let format = plain[fmt + 24..<fmt + 40]
    var header = Array(plain[0..<16]) + littleEndian(size + UInt64(byteCount))
    header += plain[24..<fmt + 16] + littleEndian(fmtSize + UInt64(byteCount))
    // WAVE_FORMAT_EXTENSIBLE, the plain fields, the extension size, the valid bits.
    header += [0xFE, 0xFF] + format.dropFirst(2) + [22, 0] + format.suffix(2)
    header += Int(mask).littleEndianBytes(4) + format.prefix(2) + formatGUID
    do {
      try file.descriptor.writeAll(toAbsoluteOffset: 0, header)
    } catch {
      throw .cannotWrite(path, error as? Errno ?? .ioError)
    }
  }

  private static func littleEndian(_ value: UInt64) -> [UInt8] {
    Int(truncatingIfNeeded: value).littleEndianBytes(8)
  }
}
