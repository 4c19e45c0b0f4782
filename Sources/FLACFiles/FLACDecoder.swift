internal import AudioIO
internal import CFLAC
internal import SystemPackage

/// What keeps a FLAC stream from being whole.
enum FLACDamage: Hashable {
  /// Bytes that are no frame stand where one should begin.
  case lostSync
  /// A frame whose header or checksum is wrong, or that no known encoder writes.
  case badFrame
  /// A metadata block contradicts its own length.
  case badMetadata
  /// The stream ends within a frame.
  case cut
  /// A frame declares another rate, channel count or depth than the stream.
  case changed(String)

  /// What messages say of a whole header.
  static let metadataReason = "its FLAC metadata are damaged"

  /// What messages say.
  var description: String {
    switch self {
    case .lostSync: "bytes that are no FLAC frame"
    case .badFrame: "a damaged FLAC frame"
    case .badMetadata: "damaged FLAC metadata"
    case .cut: "a FLAC frame that is cut short"
    case .changed(let what): what
    }
  }
}

/// libFLAC's stream decoder on a file of its own, native or in Ogg.
///
/// After a block that could be decoded, ``damage`` and ``missingFrames`` say what lay before it.
final class FLACDecoder {
  let metadata = FLACMetadataCollector()
  /// The block decoded last; empty at the end of the stream.
  private(set) var block = FLACBlock()
  /// What was wrong first between the block decoded before and this one.
  private(set) var damage: FLACDamage?
  /// Frames that are missing before the block, by the frame numbers; negative where numbers repeat.
  private(set) var missingFrames = 0
  /// How often something was wrong so far.
  private(set) var damageCount = 0
  /// The byte after the last sound frame; `nil` in Ogg.
  private(set) var soundBytes: Int?

  private let path: FilePath
  private let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
  fileprivate let input: InputCursor
  /// The number that the next frame should bear; `nil` where any will do.
  private var nextFrame: UInt64?
  private var isFinished = false
  /// Blocks that one call of libFLAC has given; all but the last are silence that it made up.
  private var blocksInCall = 0

  /// Pieces of damage beyond which a stream is given up. Each can make libFLAC decode the same bytes
  /// anew, which a hostile file can ask for at every few bytes; in random bytes one stands every 8 KB.
  private let mostDamage: Int
  /// Bytes beyond which a stream is given up, for the same reason.
  private let mostBytesRead: Int
  /// Whether the stream was given up.
  var isGivenUp: Bool { damageCount > mostDamage || input.bytesRead > mostBytesRead }

  /// Opens the stream and reads its metadata.
  ///
  /// Damaged metadata are an error unless `salvaging`.
  init(
    _ input: borrowing InputFile, inOgg: Bool, checksMD5: Bool, salvaging: Bool
  ) throws(AudioFileError) {
    path = input.path
    self.input = try InputCursor(input)
    mostDamage = salvaging ? 1000 + input.size / 8192 : 100
    mostBytesRead = 8 * input.size + (64 << 20)
    guard let decoder = FLAC__stream_decoder_new() else { throw .cannotOpen(path, .noMemory) }
    self.decoder = decoder
    FLAC__stream_decoder_set_md5_checking(decoder, checksMD5 ? 1 : 0)
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
    guard metadata.streamInfo != nil else {
      if state == FLAC__STREAM_DECODER_END_OF_STREAM, damage == nil {
        throw .truncated(path, expected: nil, found: 0)
      }
      throw .malformed(path, reason: "it has no readable FLAC stream information")
    }
    if state == FLAC__STREAM_DECODER_END_OF_STREAM {
      throw .truncated(path, expected: metadata.declaredFrames, found: 0)
    }
    // Where the length is known, numbers that do not begin at 0 tell of missing frames too.
    if metadata.declaredFrames != nil { nextFrame = 0 }
    if damage != nil || !succeeded {
      guard salvaging, state == FLAC__STREAM_DECODER_SEARCH_FOR_FRAME_SYNC else {
        throw .malformed(path, reason: FLACDamage.metadataReason)
      }
    }
  }

  /// Decodes on to the next sound block; `false` when the stream has no more of them.
  func decodeBlock() throws(AudioFileError) -> Bool {
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
        if !succeeded, block.frameCount == 0 { note(.cut) }
        isFinished = true
        break
      }
      guard succeeded else {
        throw .malformed(path, reason: "libFLAC gave up: \(Self.words(for: state))")
      }
      if blocksInCall > 1, block.isSilent, !hasReread { hasReread = reread() }
    }
    guard block.frameCount > 0 else { return false }
    nextFrame = block.firstFrame &+ UInt64(block.frameCount)
    var position: UInt64 = 0
    if FLAC__stream_decoder_get_decode_position(decoder, &position) != 0 {
      soundBytes = Int(exactly: position)
    }
    return true
  }

  /// Drops a block that libFLAC may have wiped out, and goes back to before it; `false` when it cannot,
  /// so that the block counts as missing.
  ///
  /// Where frames are missing libFLAC 1.4 makes up silent ones, in the same call as the next sound one
  /// and in the same memory, which loses that one's samples. A flushed decoder makes up none.
  private func reread() -> Bool {
    block.clear()
    guard let soundBytes, input.seek(to: soundBytes) else { return false }
    return FLAC__stream_decoder_flush(decoder) != 0
  }

  /// The bytes of the file from `offset`, at most `count`; `nil` when they cannot be read.
  ///
  /// Leaves the decoder's own position where it was.
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

  /// Ends decoding; `false` when the decoded audio has another MD5 signature than the stream declares.
  ///
  /// A stream without a signature, and a decoder told not to check it, answer `true`.
  func finish() -> Bool {
    isFinished = true
    return FLAC__stream_decoder_finish(decoder) != 0
  }

  private static func words(for state: FLAC__StreamDecoderState) -> String {
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

  /// Keeps a block that libFLAC has decoded.
  fileprivate func take(
    _ frame: FLAC__Frame, _ channels: UnsafePointer<UnsafePointer<Int32>?>
  ) -> Bool {
    if let change = metadata.change(in: frame.header) {
      note(.changed(change))
      return true
    }
    blocksInCall += 1
    guard block.take(frame.header, channels) else { return false }
    if let nextFrame {
      missingFrames = Int(Int64(truncatingIfNeeded: block.firstFrame &- nextFrame))
    }
    return true
  }
}

// The callbacks that libFLAC calls; `client` is the decoder, which outlives every call.

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
