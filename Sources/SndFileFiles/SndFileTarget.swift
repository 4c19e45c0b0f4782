internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import CSndFile
internal import SystemPackage

/// How libsndfile is to lay out a file: container, order of the channels, and how it says them.
struct SndFileTarget: Sendable {
  /// The `SF_FORMAT_…` value.
  let format: Int32
  /// From the order of the frames given to that of the file.
  let order: ChannelOrder
  private let layout: ChannelLayout
  private let row: AudioFormat
  private let major: Int

  /// Whether it is MP3, whose tags are written here: libsndfile takes UTF-8 for Latin-1.
  var isMPEG: Bool { major == SF_FORMAT_MPEG }

  /// Bytes at the start of the file that libsndfile is to leave free.
  var leadingByteCount: Int { isExtendedWave64 ? Wave64Extension.byteCount : 0 }

  /// Whether it is Wave64 with a mask, which libsndfile does not write.
  private var isExtendedWave64: Bool {
    major == SF_FORMAT_W64 && layout.speakers != nil
      && layout != .assumed(channelCount: layout.channelCount)
  }

  /// How samples are stored; `nil` for lossy codecs.
  let sampleFormat: SampleFormat?

  /// How samples are handed over. Encoders of lossy codecs take floating point, for which they work:
  /// libsndfile's MP3 encoder copies only half of the 16-bit samples of a stereo block.
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
    switch row.layouts {
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
    // What plain WAV can say stays plain; an extensible header always gives positions.
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

  /// Says the speakers in the header of a file just opened.
  func applyLayout(
    to handle: SndFileHandle, path: FilePath
  ) throws(AudioFileError) {
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

  /// Keeps the chunk of peaks out of a floating-point file just opened: it tells the second in which the
  /// file was made, and nothing that its samples do not.
  func leaveOutPeaks(of handle: SndFileHandle) {
    // RF64 has none by itself, and libsndfile 1.2 adds one where it is told to leave out what is not
    // there (sf_command, SFC_SET_ADD_PEAK_CHUNK).
    guard sampleFormat?.isFloat == true, major != SF_FORMAT_RF64 else { return }
    sf_command(handle.pointer, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
  }

  /// Gives a file just opened a chunk in front of its audio; `false` where it refuses it.
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

  /// Checks a closed file for what libsndfile does not report.
  func verify(
    _ stream: SndFileStream, frames: Int, path: FilePath
  ) throws(AudioFileError) {
    if major == SF_FORMAT_RF64, layout.speakers == nil, layout.channelCount > 2 {
      try clearDefaultMask(stream, path: path)
    }
    if isExtendedWave64 { try Wave64Extension.apply(layout.mask, to: stream, path: path) }
    // The least that PCM can take, whatever the header.
    let frameBytes = layout.channelCount * (sampleFormat?.bitDepth ?? 0) / 8
    if stream.writtenByteCount < frames * frameBytes {
      throw .encoderFailed(path, reason: "libsndfile wrote less than it was given")
    }
  }

  /// libsndfile gives 4, 6 and 8 channels the usual speakers when it is told none.
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
  /// The file as it now is, for reading.
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
