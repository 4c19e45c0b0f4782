internal import AudioIO
internal import CFLAC
internal import SystemPackage

/// libFLAC's stream encoder for native FLAC and Ogg FLAC.
final class FLACEncoder {
  private let path: FilePath
  private let encoder: UnsafeMutablePointer<FLAC__StreamEncoder>
  private let output: OutputCursor
  /// libFLAC keeps pointers to the blocks until it has finished.
  private let blocks: FLACMetadataBlocks
  private var isFinished = false

  /// The parameters of a stream.
  struct Settings {
    var channelCount: Int
    var bitDepth: Int
    var sampleRate: UInt32
    var frameCount: Int
    /// 0 to 8.
    var compressionLevel: UInt32
    /// The serial number of an Ogg stream; `nil` for native FLAC.
    var serialNumber: Int32?
  }

  /// Writes the stream's header and metadata.
  init(
    _ output: OutputCursor, _ settings: Settings, blocks: FLACMetadataBlocks, path: FilePath
  ) throws(AudioFileError) {
    self.path = path
    self.output = output
    self.blocks = blocks
    guard let encoder = FLAC__stream_encoder_new() else { throw .cannotWrite(path, .noMemory) }
    self.encoder = encoder
    settings.apply(to: encoder)
    var pointers = blocks.blocks
    FLAC__stream_encoder_set_metadata(encoder, &pointers, UInt32(pointers.count))
    let client = Unmanaged.passUnretained(output).toOpaque()
    let status: FLAC__StreamEncoderInitStatus
    if let serialNumber = settings.serialNumber {
      FLAC__stream_encoder_set_ogg_serial_number(encoder, Int(serialNumber))
      status = FLAC__stream_encoder_init_ogg_stream(
        encoder, readBytes, writeBytes, seekToByte, tellByte, nil, client)
    } else {
      status = FLAC__stream_encoder_init_stream(
        encoder, writeBytes, seekToByte, tellByte, nil, client)
    }
    guard status == FLAC__STREAM_ENCODER_INIT_STATUS_OK else {
      if let failure = output.failure { throw .cannotWrite(path, failure) }
      throw .encoderFailed(path, reason: "libFLAC refuses the settings (\(status.rawValue))")
    }
  }

  deinit {
    // Deleting the encoder finishes first, which would complete an abandoned file.
    if !isFinished { output.abandon() }
    FLAC__stream_encoder_delete(encoder)
  }

  /// Audio frames in a block.
  var blockFrames: Int { Int(FLAC__stream_encoder_get_blocksize(encoder)) }

  /// Encodes the first `frameCount` interleaved frames.
  func encode(_ samples: [Int32], frameCount: Int) throws(AudioFileError) {
    guard FLAC__stream_encoder_process_interleaved(encoder, samples, UInt32(frameCount)) != 0
    else { throw failure() }
  }

  /// Encodes the remaining frames and completes the stream information.
  func finish() throws(AudioFileError) {
    let succeeded = FLAC__stream_encoder_finish(encoder) != 0
    guard succeeded, output.failure == nil else { throw failure() }
    isFinished = true
  }

  private func failure() -> AudioFileError {
    if let failure = output.failure { return .cannotWrite(path, failure) }
    let state = FLAC__stream_encoder_get_resolved_state_string(encoder)
    return .encoderFailed(
      path, reason: "libFLAC failed: \(state.map { String(cString: $0) } ?? "unknown error")")
  }
}

extension FLACEncoder.Settings {
  /// Applies the settings to an encoder that has not started.
  func apply(to encoder: UnsafeMutablePointer<FLAC__StreamEncoder>) {
    FLAC__stream_encoder_set_channels(encoder, UInt32(channelCount))
    FLAC__stream_encoder_set_bits_per_sample(encoder, UInt32(bitDepth))
    FLAC__stream_encoder_set_sample_rate(encoder, sampleRate)
    FLAC__stream_encoder_set_compression_level(encoder, compressionLevel)
    FLAC__stream_encoder_set_total_samples_estimate(encoder, UInt64(frameCount))
    // RFC 9639 section 7: the streamable subset excludes some sample rates.
    FLAC__stream_encoder_set_streamable_subset(
      encoder, FLAC__format_sample_rate_is_subset(sampleRate))
  }
}

// libFLAC's callbacks; `client` is the output, which outlives every call.

private func output(_ client: UnsafeMutableRawPointer?) -> OutputCursor? {
  client.map { Unmanaged<OutputCursor>.fromOpaque($0).takeUnretainedValue() }
}

private func writeBytes(
  _: UnsafePointer<FLAC__StreamEncoder>?, _ bytes: UnsafePointer<UInt8>?, _ count: Int,
  _: UInt32, _: UInt32, _ client: UnsafeMutableRawPointer?
) -> FLAC__StreamEncoderWriteStatus {
  guard let output = output(client),
    output.write(UnsafeRawBufferPointer(start: bytes, count: count))
  else { return FLAC__STREAM_ENCODER_WRITE_STATUS_FATAL_ERROR }
  return FLAC__STREAM_ENCODER_WRITE_STATUS_OK
}

private func readBytes(
  _: UnsafePointer<FLAC__StreamEncoder>?, _ buffer: UnsafeMutablePointer<UInt8>?,
  _ count: UnsafeMutablePointer<Int>?, _ client: UnsafeMutableRawPointer?
) -> FLAC__StreamEncoderReadStatus {
  guard let output = output(client), let count,
    let read = output.read(
      into: UnsafeMutableRawBufferPointer(start: buffer, count: count.pointee))
  else { return FLAC__STREAM_ENCODER_READ_STATUS_ABORT }
  count.pointee = read
  return read == 0
    ? FLAC__STREAM_ENCODER_READ_STATUS_END_OF_STREAM : FLAC__STREAM_ENCODER_READ_STATUS_CONTINUE
}

private func seekToByte(
  _: UnsafePointer<FLAC__StreamEncoder>?, _ offset: UInt64, _ client: UnsafeMutableRawPointer?
) -> FLAC__StreamEncoderSeekStatus {
  guard let output = output(client), let target = Int(exactly: offset), output.seek(to: target)
  else { return FLAC__STREAM_ENCODER_SEEK_STATUS_ERROR }
  return FLAC__STREAM_ENCODER_SEEK_STATUS_OK
}

private func tellByte(
  _: UnsafePointer<FLAC__StreamEncoder>?, _ offset: UnsafeMutablePointer<UInt64>?,
  _ client: UnsafeMutableRawPointer?
) -> FLAC__StreamEncoderTellStatus {
  guard let output = output(client) else { return FLAC__STREAM_ENCODER_TELL_STATUS_ERROR }
  offset?.pointee = UInt64(output.position)
  return FLAC__STREAM_ENCODER_TELL_STATUS_OK
}
