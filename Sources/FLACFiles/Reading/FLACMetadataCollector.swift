internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import CFLAC

/// Collects the content of a FLAC stream's metadata blocks, except pictures (``FLACPictures``).
final class FLACMetadataCollector {
  private(set) var streamInfo: FLAC__StreamMetadata_StreamInfo?
  /// True if the stream has no stream information, so that the first frame replaces it.
  private(set) var isWithoutInformation = false
  private(set) var metadata = Metadata()
  private var texts: TextDecoder

  /// - Parameter encoding: That of comments that are not in UTF-8; `nil` if none is declared.
  init(encoding: TextEncoding?) { texts = TextDecoder(nil, declared: encoding) }

  /// The value of the channel mask comment, if present.
  private(set) var maskText: String?
  private var droppedComments = 0
  private var hasDamagedComments = false
  /// The blocks that are not carried.
  private(set) var otherBlocks: [MetadataLoss] = []

  /// The contents of the blocks that hold chunks of WAV, in order.
  private(set) var riffBlocks: [[UInt8]] = []
  /// The maximum bytes of such blocks together.
  private static let maximumRIFFBytes = 1 << 26
  private var riffByteCount = 0

  /// The declared number of frames; `nil` if the stream declares none.
  var declaredFrames: Int? {
    streamInfo.flatMap { $0.total_samples == 0 ? nil : Int(exactly: $0.total_samples) }
  }

  /// Frames of every block except the last, if the stream declares one size for all.
  var blockFrames: UInt64? {
    streamInfo.flatMap {
      $0.min_blocksize == $0.max_blocksize && $0.max_blocksize > 0 ? UInt64($0.max_blocksize) : nil
    }
  }

  /// The declared MD5 of the samples in hexadecimal; `nil` if the stream declares none, with zeros.
  var signature: String? {
    guard let streamInfo else { return nil }
    return withUnsafeBytes(of: streamInfo.md5sum) { bytes in
      guard bytes.contains(where: { $0 != 0 }) else { return nil }
      return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }

  /// Warnings about metadata that is not carried.
  var warnings: [String] {
    var warnings: [String] = []
    if isWithoutInformation {
      warnings.append(
        "it has no STREAMINFO block, so truncation cannot be detected")
    }
    if droppedComments > 0 {
      warnings.append(
        "comments dropped because they are not NAME=value: \(droppedComments)"
      )
    }
    if hasDamagedComments { warnings.append("the tags are damaged; some may be lost") }
    return warnings
  }

  /// Adds a block delivered by libFLAC's metadata callback.
  func take(_ block: UnsafePointer<FLAC__StreamMetadata>) {
    switch block.pointee.type {
    case FLAC__METADATA_TYPE_STREAMINFO:
      if streamInfo == nil { streamInfo = block.pointee.data.stream_info }
    case FLAC__METADATA_TYPE_VORBIS_COMMENT:
      take(block.pointee.data.vorbis_comment, byteCount: Int(block.pointee.length))
    case FLAC__METADATA_TYPE_SEEKTABLE, FLAC__METADATA_TYPE_PADDING: break
    case FLAC__METADATA_TYPE_CUESHEET:
      // RFC 9639 section 8.7: a stream may have several cue sheets; programs use the first.
      if metadata.cueSheet == nil {
        metadata.cueSheet = CueSheetBlock.cueSheet(block.pointee.data.cue_sheet)
      } else {
        note("CUESHEET")
      }
    case FLAC__METADATA_TYPE_APPLICATION:
      if take(block.pointee.data.application, byteCount: Int(block.pointee.length)) { break }
      let (a, b, c, d) = block.pointee.data.application.id
      let id = String(
        [a, b, c, d].map { (0x20..<0x7F).contains($0) ? Character(Unicode.Scalar($0)) : "?" })
      note("APPLICATION \(id)")
    default: note("block of type \(block.pointee.type.rawValue)")
    }
  }

  /// Takes a block with a chunk of WAV; returns false for another block.
  private func take(
    _ application: FLAC__StreamMetadata_Application, byteCount: Int
  ) -> Bool {
    let (a, b, c, d) = application.id
    let count = byteCount - 4
    guard [a, b, c, d] == Array(RIFFBlocks.id.utf8), count >= 0, let data = application.data,
      riffByteCount + count <= Self.maximumRIFFBytes
    else { return false }
    riffByteCount += count
    riffBlocks.append(Array(UnsafeBufferPointer(start: data, count: count)))
    return true
  }

  /// Notes that the blocks with chunks of WAV cannot be read.
  func noteRIFF() { note("APPLICATION \(RIFFBlocks.id)") }

  /// Takes the stream information from the first frame of a stream that has none.
  func takeFirst(_ header: FLAC__FrameHeader) {
    var info = FLAC__StreamMetadata_StreamInfo()
    info.sample_rate = header.sample_rate
    info.channels = header.channels
    info.bits_per_sample = header.bits_per_sample
    streamInfo = info
    isWithoutInformation = true
  }

  private func note(_ name: String) {
    let loss = MetadataLoss(.chunk, name)
    if otherBlocks.count < 16, !otherBlocks.contains(loss) { otherBlocks.append(loss) }
  }

  private func take(_ comments: FLAC__StreamMetadata_VorbisComment, byteCount: Int) {
    var bytesSeen = 8 + Int(comments.vendor_string.length)
    for index in 0..<Int(comments.num_comments) {
      guard let entry = comments.comments?[index] else { break }
      bytesSeen += 4 + Int(entry.length)
      let bytes = UnsafeBufferPointer(start: entry.entry, count: Int(entry.length))
      guard let comment = CommentField.comment(of: bytes, &texts) else {
        droppedComments += 1
        continue
      }
      if comment.name.uppercased() == FLACLayout.maskField {
        if maskText == nil { maskText = comment.value }
      } else {
        metadata.comments.append(comment)
      }
    }
    metadata.add(texts.stored)
    // libFLAC silently drops entries whose lengths exceed the block.
    if bytesSeen != byteCount { hasDamagedComments = true }
  }

  /// How a frame contradicts the stream information; `nil` if it does not.
  func change(in header: FLAC__FrameHeader) -> String? {
    guard let streamInfo else { return nil }
    if header.channels != streamInfo.channels {
      return "the channel count changes from \(streamInfo.channels) to \(header.channels)"
    }
    if header.sample_rate != streamInfo.sample_rate {
      return
        "the sample rate changes from \(streamInfo.sample_rate) to \(header.sample_rate) Hz"
    }
    if header.bits_per_sample != streamInfo.bits_per_sample {
      return
        "the depth changes from \(streamInfo.bits_per_sample) to \(header.bits_per_sample) bits"
    }
    return nil
  }
}

/// The pictures of a FLAC stream, each bounded by the length of its metadata block.
///
/// libFLAC 1.4 allocates as much memory as a picture's fields declare, up to 4 GB, even if the
/// block is short. So libFLAC skips pictures, and they are read here.
///
/// Source: RFC 9639 sections 8.1 (headers of blocks) and 8.8 (picture).
struct FLACPictures {
  private(set) var pictures: [Metadata.Picture] = []
  /// True if a picture block does not contain exactly one picture.
  private(set) var areDamaged = false
  /// The offset after the metadata blocks, counted from `fLaC`; `nil` if they have no end.
  private(set) var metadataEnd: Int?

  private static let pictureType: UInt8 = 6
  /// The block type that is not allowed.
  private static let forbiddenType: UInt8 = 127

  init(of input: borrowing InputFile, inOgg: Bool) throws(AudioFileError) {
    var stream = try FLACByteReader(input, inOgg: inOgg)
    guard try stream.bytes(of: input, at: 0, count: 4) == Array("fLaC".utf8) else { return }
    var position = 4
    while true {
      let head = try stream.bytes(of: input, at: position, count: 4)
      guard head.count == 4, head[0] & 0x7F != Self.forbiddenType else { return }
      let length = Int(head[1...].bigEndianValue)
      if head[0] & 0x7F == Self.pictureType {
        take(try stream.bytes(of: input, at: position + 4, count: length))
      }
      position += 4 + length
      let isLast = head[0] & 0x80 != 0
      if isLast {
        metadataEnd = position
        return
      }
    }
  }

  private mutating func take(_ block: [UInt8]) {
    if let picture = PictureBlock.picture(block) {
      pictures.append(picture)
    } else {
      areDamaged = true
    }
  }
}

/// A FLAC stream's bytes from `fLaC` on, in a native file or on the pages of an Ogg stream.
private struct FLACByteReader {
  private let inOgg: Bool
  /// The offset of `fLaC` in the file or, in Ogg, in the content of the pages.
  private let start: Int
  /// The content of the pages read so far, and the offset of the next page.
  private var content: [UInt8] = []
  private var nextPage = 0

  /// RFC 9639 section 10.1: the Ogg mapping puts nine bytes before `fLaC`.
  private static let mappingBytes = 9

  init(_ input: borrowing InputFile, inOgg: Bool) throws(AudioFileError) {
    self.inOgg = inOgg
    start = inOgg ? Self.mappingBytes : try ID3Tag.end(of: input)
  }

  /// The bytes from `offset`, at most `count`; fewer at the end of the stream.
  mutating func bytes(
    of input: borrowing InputFile, at offset: Int, count: Int
  ) throws(AudioFileError) -> [UInt8] {
    guard inOgg else { return try input.bytes(at: start + offset, count: count) }
    let first = start + offset
    while content.count < first + count, try readPage(input) {}
    return Array(content.dropFirst(first).prefix(count))
  }

  private mutating func readPage(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    let head = try input.bytes(at: nextPage, count: 300)
    guard let page = OggPageHeader(head[...]) else { return false }
    let headerBytes = 27 + Int(head[26])
    content += try input.bytes(at: nextPage + headerBytes, count: page.byteCount - headerBytes)
    nextPage += page.byteCount
    return true
  }
}
