internal import AudioModel
internal import CFLAC
internal import SystemPackage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Writes FLAC through libFLAC.
final class FLACWriter<Sample: PCMSample>: AudioFileWriter {
  private let path: FilePath
  private let channels: Int
  private let encoder: UnsafeMutablePointer<FLAC__StreamEncoder>
  private var scratch: [Int32] = []

  init(_ output: borrowing OutputFile, _ description: OutputDescription) throws(AudioFileError) {
    path = output.path
    channels = description.spec.channelCount
    guard let encoder = FLAC__stream_encoder_new() else { throw .cannotWrite(path, .noMemory) }
    self.encoder = encoder
    FLAC__stream_encoder_set_channels(encoder, UInt32(channels))
    FLAC__stream_encoder_set_bits_per_sample(encoder, 16)
    FLAC__stream_encoder_set_sample_rate(encoder, UInt32(description.spec.sampleRate))
    FLAC__stream_encoder_set_compression_level(
      encoder, UInt32(description.options.compressionLevel ?? 5))
    FLAC__stream_encoder_set_total_samples_estimate(encoder, UInt64(description.frameCount))
    guard let copy = try? output.descriptor.duplicate(), let file = fdopen(copy.rawValue, "w+b")
    else { throw .cannotWrite(path, Errno(rawValue: errno)) }
    guard
      FLAC__stream_encoder_init_FILE(encoder, file, nil, nil)
        == FLAC__STREAM_ENCODER_INIT_STATUS_OK
    else { throw .encoderFailed(path, reason: "libFLAC refused these settings") }
  }

  deinit { FLAC__stream_encoder_delete(encoder) }

  func write(_ frames: Span<Sample>) throws(AudioFileError) {
    if scratch.count < frames.count { scratch = Array(repeating: 0, count: frames.count) }
    for i in 0..<frames.count { scratch[i] = Int32(frames[i].doubleValue) }
    guard
      FLAC__stream_encoder_process_interleaved(encoder, scratch, UInt32(frames.count / channels))
        != 0
    else { throw .encoderFailed(path, reason: "libFLAC failed") }
  }

  func finish() throws(AudioFileError) {
    guard FLAC__stream_encoder_finish(encoder) != 0 else {
      throw .encoderFailed(path, reason: "libFLAC could not complete the file")
    }
  }
}
