internal import CFLAC

/// A run of whole blocks of a FLAC stream, encoded by itself.
final class FLACSegment: @unchecked Sendable {
  // One thread encodes it, then another, which waited for that, writes it: nothing is shared at a time.
  private let samples: [Int32]
  private let frameCount: Int
  private let firstFrameNumber: Int
  private let settings: FLACEncoder.Settings
  /// The encoded frames, numbered as in the whole stream.
  private(set) var bytes: [UInt8] = []
  /// The size of each encoded frame, in bytes.
  private(set) var sizes: [Int] = []
  /// Why it could not be encoded.
  private(set) var failure: String?

  /// The segment of interleaved `samples`, `frameCount` frames, whose first encoded frame has the given
  /// number.
  init(
    samples: [Int32], frameCount: Int, firstFrameNumber: Int, settings: FLACEncoder.Settings
  ) {
    self.samples = samples
    self.frameCount = frameCount
    self.firstFrameNumber = firstFrameNumber
    self.settings = settings
  }

  /// Encodes the segment.
  func encode() {
    guard let encoder = FLAC__stream_encoder_new() else {
      failure = "there is no memory"
      return
    }
    defer { FLAC__stream_encoder_delete(encoder) }
    settings.apply(to: encoder)
    FLAC__stream_encoder_set_do_md5(encoder, 0)
    bytes.reserveCapacity(frameCount * settings.channelCount * settings.bitDepth / 8)
    let client = Unmanaged.passUnretained(self).toOpaque()
    let status = FLAC__stream_encoder_init_stream(encoder, takeFrame, nil, nil, nil, client)
    let succeeded =
      status == FLAC__STREAM_ENCODER_INIT_STATUS_OK
      && FLAC__stream_encoder_process_interleaved(encoder, samples, UInt32(frameCount)) != 0
      && FLAC__stream_encoder_finish(encoder) != 0
    if !succeeded, failure == nil {
      let state = FLAC__stream_encoder_get_resolved_state_string(encoder)
      failure = state.map { String(cString: $0) } ?? "no cause given"
    }
  }

  /// Takes one encoded frame; `false` where it is not as libFLAC's frames are.
  fileprivate func take(_ frame: UnsafeRawBufferPointer) -> Bool {
    let before = bytes.count
    let number = firstFrameNumber + sizes.count
    if number == sizes.count {
      bytes.append(contentsOf: frame)
    } else if !FLACFrameNumber.append(frame, numbered: number, to: &bytes) {
      failure = "libFLAC made a frame of another kind"
      return false
    }
    sizes.append(bytes.count - before)
    return true
  }
}

/// libFLAC writes a frame of audio in one piece, and tells it from metadata by its samples.
private func takeFrame(
  _: UnsafePointer<FLAC__StreamEncoder>?, _ bytes: UnsafePointer<UInt8>?, _ count: Int,
  _ samples: UInt32, _: UInt32, _ client: UnsafeMutableRawPointer?
) -> FLAC__StreamEncoderWriteStatus {
  guard let client else { return FLAC__STREAM_ENCODER_WRITE_STATUS_FATAL_ERROR }
  if samples == 0 { return FLAC__STREAM_ENCODER_WRITE_STATUS_OK }
  let segment = Unmanaged<FLACSegment>.fromOpaque(client).takeUnretainedValue()
  return segment.take(UnsafeRawBufferPointer(start: bytes, count: count))
    ? FLAC__STREAM_ENCODER_WRITE_STATUS_OK : FLAC__STREAM_ENCODER_WRITE_STATUS_FATAL_ERROR
}
