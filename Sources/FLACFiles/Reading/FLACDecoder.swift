internal import AudioIO
internal import CFLAC
internal import SystemPackage

/// The kinds of damage in a FLAC stream.
enum FLACDamage: Hashable {
  /// Bytes that are not a frame, where a frame should begin.
  case lostSync
  /// A frame with a wrong header or checksum, or one that no known encoder writes.
  case badFrame
  /// A metadata block whose content contradicts its length.
  case badMetadata
  /// The end of the stream within a frame.
  case truncated
  /// A frame that declares a different sample rate, channel count or bit depth than the stream.
  case changed(String)

  /// The error text for damaged metadata.
  static let metadataReason = "its FLAC metadata is damaged"

  /// The error text.
  var description: String {
    switch self {
    case .lostSync: "bytes that are not a FLAC frame"
    case .badFrame: "a damaged FLAC frame"
    case .badMetadata: "damaged FLAC metadata"
    case .truncated: "a truncated FLAC frame"
    case .changed(let what): what
    }
  }
}

/// libFLAC's stream decoder, with its own file descriptor, for native FLAC and Ogg FLAC.
///
/// After a block has been decoded, ``damage`` and ``missingFrames`` describe what preceded it.
final class FLACDecoder {
  let metadata: FLACMetadataCollector
  /// The most recently decoded block; empty at the end of the stream.
  private(set) var block = FLACBlock()
  /// The first damage between the previous block and this one.
  private(set) var damage: FLACDamage?
  /// Frames missing before the block, according to the frame numbers; negative if numbers repeat.
  private(set) var missingFrames = 0
  /// The number of damaged places found so far.
  private(set) var damageCount = 0
  /// The offset after the last intact frame; `nil` in Ogg.
  private(set) var soundBytes: Int?

  private let path: FilePath
  private let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
  fileprivate let input: InputCursor
  /// The expected number of the next frame; `nil` if any number is valid.
  private var nextFrame: UInt64?
  /// The start of the next block, if all blocks are as long as the stream information declares.
  private var nextDeclaredFrame: UInt64?
  private var isFinished = false
  /// True while a block that was decoded for the stream information, or by seeking, is not yet delivered.
  private(set) var isAhead = false
  /// True if frame numbers are meaningful.
  private(set) var hasNumbers = true
  /// Blocks delivered by one libFLAC call; all except the last are silence that libFLAC inserted.
  private var blocksInCall = 0

  /// Number of damaged places after which decoding stops. Each one can make libFLAC decode the same
  /// bytes again, and a hostile file can cause that every few bytes; random bytes cause it every 8
  /// KB.
  private let maximumDamage: Int
  /// Number of bytes read after which decoding stops, for the same reason.
  private let maximumBytesRead: Int
  /// True if decoding stopped because of either limit.
  var isGivenUp: Bool {
    damageCount > maximumDamage || input.bytesRead - bytesReadToSeek > maximumBytesRead
  }
  /// Bytes read by seeking, which libFLAC limits itself.
  private var bytesReadToSeek = 0

  /// Opens the stream and reads its metadata.
  ///
  /// Damaged metadata is an error unless salvaging is expected.
  init(
    _ input: borrowing InputFile, _ expectation: FLACBlockSource.Expectation
  ) throws(AudioFileError) {
    let (inOgg, salvaging) = (expectation.inOgg, expectation.salvaging)
    path = input.path
    metadata = FLACMetadataCollector(encoding: input.tagEncoding)
    self.input = try InputCursor(input)
    maximumDamage = salvaging ? 1000 + input.size / 8192 : 100
    maximumBytesRead = 8 * input.size + (64 << 20)
    guard let decoder = FLAC__stream_decoder_new() else { throw .cannotOpen(path, .noMemory) }
    self.decoder = decoder
    FLAC__stream_decoder_set_md5_checking(decoder, expectation.checksMD5 ? 1 : 0)
    FLAC__stream_decoder_set_metadata_respond_all(decoder)
    FLAC__stream_decoder_set_metadata_ignore(decoder, FLAC__METADATA_TYPE_PICTURE)
    let start = inOgg ? FLAC__stream_decoder_init_ogg_stream : FLAC__stream_decoder_init_stream
    let status = start(
      decoder, readBytes, seekToByte, tellByte, tellLength, isAtEnd, takeBlock, takeMetadata,
      takeError, Unmanaged.passUnretained(self).toOpaque())
    if status == FLAC__STREAM_DECODER_INIT_STATUS_UNSUPPORTED_CONTAINER {
      throw .unsupported(path, reason: "this libFLAC was built without Ogg")
    }
    guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK else {
      throw .malformed(path, reason: "libFLAC cannot open it")
    }
    try readMetadata(salvaging: salvaging)
  }

  deinit { FLAC__stream_decoder_delete(decoder) }

  private func readMetadata(salvaging: Bool) throws(AudioFileError) {
    let succeeded = FLAC__stream_decoder_process_until_end_of_metadata(decoder) != 0
    if let failure = input.failure { throw .cannotRead(path, failure) }
    let state = FLAC__stream_decoder_get_state(decoder)
    if metadata.streamInfo == nil, damage == nil, succeeded,
      state == FLAC__STREAM_DECODER_SEARCH_FOR_FRAME_SYNC
        || state == FLAC__STREAM_DECODER_READ_FRAME
    {
      // RFC 9639 section 9.1.2: without stream information, the first frame states everything.
      isAhead = try decodeBlock()
      if isAhead, damage == nil { return }
    }
    guard metadata.streamInfo != nil else {
      if state == FLAC__STREAM_DECODER_END_OF_STREAM, damage == nil {
        throw .truncated(path, expected: nil, found: 0)
      }
      throw .malformed(path, reason: "it has no readable FLAC stream information")
    }
    if state == FLAC__STREAM_DECODER_END_OF_STREAM {
      throw .truncated(path, expected: metadata.declaredFrames, found: 0)
    }
    // If the length is known, numbers that do not start at 0 also indicate missing frames.
    hasNumbers = try !hasContradictoryNumbers(salvaging: salvaging)
    if metadata.declaredFrames != nil, hasNumbers { nextFrame = 0 }
    if damage != nil || !succeeded {
      guard salvaging, state == FLAC__STREAM_DECODER_SEARCH_FOR_FRAME_SYNC else {
        throw .malformed(path, reason: FLACDamage.metadataReason)
      }
    }
  }

  /// True if the frames have a fixed size that the stream information does not state, so that libFLAC cannot
  /// compute a frame's position from its number.
  private func hasContradictoryNumbers(salvaging: Bool) throws(AudioFileError) -> Bool {
    guard let info = metadata.streamInfo,
      info.min_blocksize != info.max_blocksize || info.min_blocksize == 0
    else { return false }
    var position: UInt64 = 0
    guard FLAC__stream_decoder_get_decode_position(decoder, &position) != 0,
      let offset = Int(exactly: position), let head = try bytes(at: offset, count: 2)
    else { return false }
    return head == [0xFF, 0xF8]
  }

  /// Decodes the next intact block; `false` if the stream has no more blocks.
  func decodeBlock() throws(AudioFileError) -> Bool {
    if isAhead {
      isAhead = false
      return true
    }
    block.clear()
    damage = nil
    missingFrames = 0
    guard !isFinished else { return false }
    var hasReread = false
    while block.frameCount == 0 {
      blocksInCall = 0
      let succeeded = FLAC__stream_decoder_process_single(decoder) != 0
      if let failure = input.failure { throw .cannotRead(path, failure) }
      let state = FLAC__stream_decoder_get_state(decoder)
      if state == FLAC__STREAM_DECODER_END_OF_STREAM {
        if !succeeded, block.frameCount == 0 { note(.truncated) }
        isFinished = true
        break
      }
      guard succeeded else {
        throw .malformed(path, reason: "libFLAC failed: \(Self.text(for: state))")
      }
      if blocksInCall > 1, block.isSilent, !hasReread { hasReread = reread() }
    }
    guard block.frameCount > 0 else { return false }
    nextFrame = hasNumbers ? block.firstFrame &+ UInt64(block.frameCount) : nil
    nextDeclaredFrame = metadata.blockFrames.map { block.firstFrame &+ $0 }
    notePosition()
    return true
  }

  private func notePosition() {
    var position: UInt64 = 0
    if FLAC__stream_decoder_get_decode_position(decoder, &position) != 0 {
      soundBytes = Int(exactly: position)
    }
  }

  /// Seeks to a frame, counted from one with a number, so that the next block begins with it. Returns `false` if
  /// libFLAC does not find the frame; the decoder is then unusable. The signature is not checked after a seek.
  func seek(toFrame frame: UInt64, from origin: UInt64) throws(AudioFileError) -> Bool {
    let (number, overflows) = origin.addingReportingOverflow(frame)
    if overflows { return false }
    block.clear()
    isAhead = false
    nextFrame = nil
    let bytesRead = input.bytesRead
    let found = FLAC__stream_decoder_seek_absolute(decoder, number) != 0
    bytesReadToSeek += input.bytesRead - bytesRead
    if let failure = input.failure { throw .cannotRead(path, failure) }
    guard found, block.frameCount > 0, block.firstFrame == number else { return false }
    (damage, missingFrames) = (nil, 0)
    nextFrame = block.firstFrame + UInt64(block.frameCount)
    nextDeclaredFrame = nil
    isAhead = true
    notePosition()
    return true
  }

  /// Drops a block whose samples libFLAC may have overwritten, and seeks back to its start; `false`
  /// if that fails, in which case the block counts as missing.
  ///
  /// Decodes a frame again after a gap. For missing frames, libFLAC 1.4 inserts silent ones in the
  /// same call and memory as the next intact frame, whose samples are lost. A flushed decoder
  /// inserts none.
  private func reread() -> Bool {
    block.clear()
    guard let soundBytes, input.seek(to: soundBytes) else { return false }
    return FLAC__stream_decoder_flush(decoder) != 0
  }

  /// The bytes of the file from `offset`, at most `count`; `nil` if they cannot be read.
  ///
  /// Does not change the decoder's position.
  func bytes(at offset: Int, count: Int) throws(AudioFileError) -> [UInt8]? {
    let position = input.position
    defer { _ = input.seek(to: position) }
    guard input.seek(to: offset) else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    guard let read = bytes.withUnsafeMutableBytes({ input.read(into: $0) }) else {
      throw .cannotRead(path, input.failure ?? .ioError)
    }
    return Array(bytes.prefix(read))
  }

  /// Ends decoding; `false` if the decoded audio does not match the MD5 signature of the stream.
  ///
  /// The result is `true` for a stream without a signature, and if signatures are not checked.
  func finish() -> Bool {
    isFinished = true
    return FLAC__stream_decoder_finish(decoder) != 0
  }

  private static func text(for state: FLAC__StreamDecoderState) -> String {
    switch state {
    case FLAC__STREAM_DECODER_OGG_ERROR: "an error in the Ogg layer"
    case FLAC__STREAM_DECODER_SEEK_ERROR: "a seek failed"
    case FLAC__STREAM_DECODER_MEMORY_ALLOCATION_ERROR: "out of memory"
    default: "state \(state.rawValue)"
    }
  }

  fileprivate func note(_ damage: FLACDamage) {
    if self.damage == nil { self.damage = damage }
    damageCount += 1
  }

  /// Stores a block that libFLAC has decoded.
  fileprivate func take(
    _ frame: FLAC__Frame, _ channels: UnsafePointer<UnsafePointer<Int32>?>
  ) -> Bool {
    if metadata.streamInfo == nil { metadata.takeFirst(frame.header) }
    if let change = metadata.change(in: frame.header) {
      note(.changed(change))
      return true
    }
    blocksInCall += 1
    guard block.take(frame.header, channels) else { return false }
    // libFLAC computes positions from the numbers of frames and the declared block size, which may be wrong.
    if let nextFrame, block.firstFrame != nextDeclaredFrame {
      missingFrames = Int(Int64(truncatingIfNeeded: block.firstFrame &- nextFrame))
    }
    return true
  }
}

// libFLAC's callbacks; `client` is the decoder, which outlives every call.

private func owner(_ client: UnsafeMutableRawPointer?) -> FLACDecoder? {
  client.map { Unmanaged<FLACDecoder>.fromOpaque($0).takeUnretainedValue() }
}

private func readBytes(
  _: UnsafePointer<FLAC__StreamDecoder>?, _ buffer: UnsafeMutablePointer<UInt8>?,
  _ count: UnsafeMutablePointer<Int>?, _ client: UnsafeMutableRawPointer?
) -> FLAC__StreamDecoderReadStatus {
  guard let decoder = owner(client), let count else {
    return FLAC__STREAM_DECODER_READ_STATUS_ABORT
  }
  if decoder.isGivenUp {
    count.pointee = 0
    return FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM
  }
  guard
    let read = decoder.input.read(
      into: UnsafeMutableRawBufferPointer(start: buffer, count: count.pointee))
  else { return FLAC__STREAM_DECODER_READ_STATUS_ABORT }
  count.pointee = read
  return read == 0
    ? FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM : FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
}

private func seekToByte(
  _: UnsafePointer<FLAC__StreamDecoder>?, _ offset: UInt64, _ client: UnsafeMutableRawPointer?
) -> FLAC__StreamDecoderSeekStatus {
  guard let input = owner(client)?.input, let target = Int(exactly: offset), input.seek(to: target)
  else { return FLAC__STREAM_DECODER_SEEK_STATUS_ERROR }
  return FLAC__STREAM_DECODER_SEEK_STATUS_OK
}

private func tellByte(
  _: UnsafePointer<FLAC__StreamDecoder>?, _ offset: UnsafeMutablePointer<UInt64>?,
  _ client: UnsafeMutableRawPointer?
) -> FLAC__StreamDecoderTellStatus {
  guard let input = owner(client)?.input else { return FLAC__STREAM_DECODER_TELL_STATUS_ERROR }
  offset?.pointee = UInt64(input.position)
  return FLAC__STREAM_DECODER_TELL_STATUS_OK
}

private func tellLength(
  _: UnsafePointer<FLAC__StreamDecoder>?, _ length: UnsafeMutablePointer<UInt64>?,
  _ client: UnsafeMutableRawPointer?
) -> FLAC__StreamDecoderLengthStatus {
  guard let input = owner(client)?.input else { return FLAC__STREAM_DECODER_LENGTH_STATUS_ERROR }
  length?.pointee = UInt64(input.size)
  return FLAC__STREAM_DECODER_LENGTH_STATUS_OK
}

private func isAtEnd(
  _: UnsafePointer<FLAC__StreamDecoder>?, _ client: UnsafeMutableRawPointer?
) -> Int32 {
  guard let input = owner(client)?.input else { return 1 }
  return input.position >= input.size ? 1 : 0
}

private func takeBlock(
  _: UnsafePointer<FLAC__StreamDecoder>?, _ frame: UnsafePointer<FLAC__Frame>?,
  _ channels: UnsafePointer<UnsafePointer<Int32>?>?, _ client: UnsafeMutableRawPointer?
) -> FLAC__StreamDecoderWriteStatus {
  guard let decoder = owner(client), let frame, let channels,
    decoder.take(frame.pointee, channels)
  else { return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT }
  return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
}

private func takeMetadata(
  _: UnsafePointer<FLAC__StreamDecoder>?, _ block: UnsafePointer<FLAC__StreamMetadata>?,
  _ client: UnsafeMutableRawPointer?
) {
  guard let block else { return }
  owner(client)?.metadata.take(block)
}

private func takeError(
  _: UnsafePointer<FLAC__StreamDecoder>?, _ status: FLAC__StreamDecoderErrorStatus,
  _ client: UnsafeMutableRawPointer?
) {
  let damage: FLACDamage =
    switch status {
    case FLAC__STREAM_DECODER_ERROR_STATUS_LOST_SYNC: .lostSync
    case FLAC__STREAM_DECODER_ERROR_STATUS_BAD_METADATA: .badMetadata
    default: .badFrame
    }
  owner(client)?.note(damage)
}
