internal import AudioIO
internal import AudioModel
internal import CFLAC
internal import Dispatch
internal import SystemPackage

/// A writer of native FLAC that encodes segments in parallel while cores are free.
///
/// The segments, and so the file, are the same for any number of cores. libFLAC 1.4 encodes on one
/// thread. Its frames depend on each other only by their numbers, so the frames of a segment are
/// renumbered for the whole stream (``FLACFrameNumber``).
final class SegmentedFLAC {
  /// Samples in a segment, in all channels together.
  private static let segmentSamples = 1 << 18
  /// Maximum number of segments in memory: queued, encoding, or waiting to be written.
  private static let maximumSegments = 12

  private let path: FilePath
  private let output: OutputCursor
  private let settings: FLACEncoder.Settings
  private let blockFrames: Int
  private let segmentFrames: Int
  private var head: FLACStreamHead
  private var digest: SampleDigest
  private var encodedFrames = 0
  /// The segment being filled.
  private var current: FLACSegment
  /// The segments that are queued or encoding, in order.
  private var waiting: [FLACSegment] = []
  /// Segments whose memory can be reused.
  private var spare: [FLACSegment] = []

  /// Writes the stream's header and metadata.
  init(
    _ output: OutputCursor, _ settings: FLACEncoder.Settings, blocks: FLACMetadataBlocks,
    path: FilePath
  ) throws(AudioFileError) {
    self.path = path
    self.output = output
    self.settings = settings
    // An encoder without frames writes everything that precedes them, and updates it at the end.
    let encoder = try FLACEncoder(output, settings, blocks: blocks, path: path)
    blockFrames = encoder.blockFrames
    let start = output.position
    try encoder.finish()
    _ = output.seek(to: start)
    let blocksInSegment = max(8, Self.segmentSamples / (blockFrames * settings.channelCount))
    segmentFrames = blocksInSegment * blockFrames
    head = FLACStreamHead(output, blockFrames: blockFrames, frameCount: settings.frameCount)
    digest = SampleDigest(bitDepth: settings.bitDepth)
    current = FLACSegment(settings, capacity: segmentFrames)
  }

  deinit {
    for segment in waiting { CoreBudget.shared.withdrawOffers(by: segment) }
  }

  /// Encodes interleaved frames; `order` gives the source channel of each channel of the file.
  func encode<Sample: PCMSample>(
    _ frames: Span<Sample>, order: [Int]
  ) throws(AudioFileError) {
    let total = frames.count / order.count
    var start = 0
    while start < total {
      let filled = current.frameCount
      let count = min(segmentFrames - filled, total - start)
      FLACSamples.put(
        frames.extracting(start * order.count..<(start + count) * order.count), order: order,
        into: &current.samples, at: filled)
      current.frameCount += count
      start += count
      if current.frameCount == segmentFrames { try submit() }
    }
  }

  /// Encodes the remaining frames and completes the stream information.
  func finish() throws(AudioFileError) {
    if current.frameCount > 0 { try submit() }
    while !waiting.isEmpty { try writeFirst() }
    guard head.write(to: output, digest: digest.finish()) else {
      throw .cannotWrite(path, output.failure ?? .ioError)
    }
  }

  /// Queues the current segment for encoding and starts the next.
  private func submit() throws(AudioFileError) {
    add(current)
    current.firstFrameNumber = encodedFrames
    encodedFrames += (current.frameCount + blockFrames - 1) / blockFrames
    current.offer(to: .shared)
    waiting.append(current)
    encodeIdle()
    while let first = waiting.first, first.hasCompleted() { try write(first) }
    while waiting.count >= Self.maximumSegments { try writeFirst() }
    current = spare.popLast() ?? FLACSegment(settings, capacity: segmentFrames)
  }

  /// Encodes one segment on this thread if enough segments are queued for all other cores. More
  /// queued segments would only take memory while other files keep the cores busy.
  private func encodeIdle() {
    let idle = waiting.filter { CoreBudget.shared.hasOffers(by: $0) }
    guard idle.count >= min(CoreBudget.shared.cores, Self.maximumSegments / 2) else { return }
    for segment in idle {
      // Another thread may have started it after it was counted.
      if segment.encodeIfIdle(within: .shared) { return }
    }
  }

  private func add(_ segment: FLACSegment) {
    let samples = segment.samples
    digest.add(samples.span.extracting(0..<segment.frameCount * settings.channelCount))
  }

  /// Waits for the first segment and writes it.
  private func writeFirst() throws(AudioFileError) {
    guard let first = waiting.first else { return }
    first.complete(within: .shared)
    try write(first)
  }

  /// Writes the first segment, which has been encoded.
  private func write(_ segment: FLACSegment) throws(AudioFileError) {
    waiting.removeFirst()
    if let failure = segment.failure {
      throw .encoderFailed(path, reason: "libFLAC failed: \(failure)")
    }
    guard segment.bytes.withUnsafeBytes({ output.write($0) }) else {
      throw .cannotWrite(path, output.failure ?? .ioError)
    }
    for size in segment.sizes { head.count(frameOfBytes: size) }
    segment.clear()
    spare.append(segment)
  }
}

/// A run of whole blocks of a FLAC stream, encoded independently; its memory is reused.
final class FLACSegment: @unchecked Sendable {
  // One thread fills and writes a segment. Another may encode it in between while the first waits,
  // so no state is used by both at once.

  /// Interleaved frames for libFLAC; the first ``frameCount`` are valid.
  var samples: [Int32]
  /// Audio frames in the segment.
  var frameCount = 0
  /// The number of the first encoded frame within the stream.
  var firstFrameNumber = 0
  private let settings: FLACEncoder.Settings
  /// The encoded frames, numbered as in the whole stream.
  private(set) var bytes: [UInt8] = []
  /// The size of each encoded frame, in bytes.
  private(set) var sizes: [Int] = []
  /// The reason if encoding failed.
  private(set) var failure: String?
  private let isEncoded = DispatchSemaphore(value: 0)

  /// An empty segment with room for `capacity` frames.
  init(_ settings: FLACEncoder.Settings, capacity: Int) {
    self.settings = settings
    samples = Array(repeating: 0, count: capacity * settings.channelCount)
  }

  /// Removes the content and keeps the memory.
  func clear() {
    frameCount = 0
    bytes.removeAll(keepingCapacity: true)
    sizes.removeAll(keepingCapacity: true)
    failure = nil
  }

  /// Queues encoding on a free core.
  func offer(to budget: CoreBudget) {
    budget.offer(by: self) { [self] in
      encode()
      isEncoded.signal()
    }
  }

  /// Encodes the segment on this thread if no other thread has started; returns whether it did.
  @discardableResult
  func encodeIfIdle(within budget: CoreBudget) -> Bool {
    guard budget.withdrawOffers(by: self) else { return false }
    encode()
    isEncoded.signal()
    return true
  }

  /// Waits until the segment is encoded; encodes it on this thread if no other thread has started.
  func complete(within budget: CoreBudget) {
    encodeIfIdle(within: budget)
    isEncoded.wait()
  }

  /// Returns true once the segment has been encoded; it then counts as completed.
  func hasCompleted() -> Bool { isEncoded.wait(timeout: .now()) == .success }

  /// Encodes the segment.
  func encode() {
    guard let encoder = FLAC__stream_encoder_new() else {
      failure = "out of memory"
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
      failure = state.map { String(cString: $0) } ?? "unknown error"
    }
  }

  /// Adds one encoded frame; `false` if it is not a frame of fixed block size.
  fileprivate func take(_ frame: UnsafeRawBufferPointer) -> Bool {
    let before = bytes.count
    let number = firstFrameNumber + sizes.count
    if number == sizes.count {
      bytes.append(contentsOf: frame)
    } else if !FLACFrameNumber.append(frame, numbered: number, to: &bytes) {
      failure = "libFLAC wrote an unexpected kind of frame"
      return false
    }
    sizes.append(bytes.count - before)
    return true
  }
}

/// libFLAC writes each frame in one piece; metadata has a sample count of 0.
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
