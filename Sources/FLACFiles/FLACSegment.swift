internal import AudioIO
internal import CFLAC
internal import Dispatch

/// A run of whole blocks of a FLAC stream, encoded by itself; its memory serves for one run after another.
final class FLACSegment: @unchecked Sendable {
  // One thread fills and writes it, and another may encode it in between, for which the first waits:
  // nothing is used by both at a time.

  /// Interleaved frames, as libFLAC takes them; the first ``frameCount`` count.
  var samples: [Int32]
  /// Frames of audio in it.
  var frameCount = 0
  /// The number of the first encoded frame within the stream.
  var firstFrameNumber = 0
  private let settings: FLACEncoder.Settings
  /// The encoded frames, numbered as in the whole stream.
  private(set) var bytes: [UInt8] = []
  /// The size of each encoded frame, in bytes.
  private(set) var sizes: [Int] = []
  /// Why it could not be encoded.
  private(set) var failure: String?
  private let isEncoded = DispatchSemaphore(value: 0)

  /// An empty segment with room for so many frames.
  init(_ settings: FLACEncoder.Settings, capacity: Int) {
    self.settings = settings
    samples = Array(repeating: 0, count: capacity * settings.channelCount)
  }

  /// Forgets what is in it, but not its memory.
  func clear() {
    frameCount = 0
    bytes.removeAll(keepingCapacity: true)
    sizes.removeAll(keepingCapacity: true)
    failure = nil
  }

  /// Has it encoded elsewhere when a core is free.
  func offer(to budget: CoreBudget) {
    budget.offer(by: self) { [self] in
      encode()
      isEncoded.signal()
    }
  }

  /// Encodes it here where nobody has begun to; whether that was so.
  @discardableResult
  func encodeIfIdle(within budget: CoreBudget) -> Bool {
    guard budget.withdrawOffers(by: self) else { return false }
    encode()
    isEncoded.signal()
    return true
  }

  /// Waits until it is encoded; encodes it here where nobody has begun to.
  func complete(within budget: CoreBudget) {
    encodeIfIdle(within: budget)
    isEncoded.wait()
  }

  /// Whether it was encoded by now; then it is complete.
  func hasCompleted() -> Bool { isEncoded.wait(timeout: .now()) == .success }

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
