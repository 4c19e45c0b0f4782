internal import AudioModel
internal import AudioTags
internal import CFLAC

/// Gathers what a FLAC stream's metadata blocks say, but for pictures (``FLACPictures``).
final class FLACMetadataCollector {
  private(set) var streamInfo: FLAC__StreamMetadata_StreamInfo?
  private(set) var metadata = Metadata()
  /// The value of the channel mask comment, where there is one.
  private(set) var maskText: String?
  private var droppedComments = 0
  private var hasDamagedComments = false
  /// Blocks that will be missing.
  private(set) var otherBlocks: [String] = []

  /// The frames that the stream declares; `nil` where it does not.
  var declaredFrames: Int? {
    streamInfo.flatMap { $0.total_samples == 0 ? nil : Int(exactly: $0.total_samples) }
  }

  /// Whether the stream declares the MD5 signature of its audio; all zeros means that it does not.
  var hasSignature: Bool {
    guard let streamInfo else { return false }
    return withUnsafeBytes(of: streamInfo.md5sum) { $0.contains { $0 != 0 } }
  }

  /// What the user should know about metadata that will not be carried.
  var warnings: [String] {
    var warnings: [String] = []
    if droppedComments > 0 {
      warnings.append(
        "\(droppedComments) tags are not NAME=value in UTF-8 and are not carried")
    }
    if hasDamagedComments { warnings.append("the tags are damaged; some may be lost") }
    return warnings
  }

  /// Takes what libFLAC's metadata callback was given.
  func take(_ block: UnsafePointer<FLAC__StreamMetadata>) {
    switch block.pointee.type {
    case FLAC__METADATA_TYPE_STREAMINFO:
      if streamInfo == nil { streamInfo = block.pointee.data.stream_info }
    case FLAC__METADATA_TYPE_VORBIS_COMMENT:
      take(block.pointee.data.vorbis_comment, byteCount: Int(block.pointee.length))
    case FLAC__METADATA_TYPE_SEEKTABLE, FLAC__METADATA_TYPE_PADDING: break
    case FLAC__METADATA_TYPE_CUESHEET:
      // RFC 9639 section 8.7: there may be several; programs look at the first.
      if metadata.cueSheet == nil {
        metadata.cueSheet = CueSheetBlock.cueSheet(block.pointee.data.cue_sheet)
      } else {
        note("CUESHEET")
      }
    case FLAC__METADATA_TYPE_APPLICATION:
      let (a, b, c, d) = block.pointee.data.application.id
      let id = String(
        [a, b, c, d].map { (0x20..<0x7F).contains($0) ? Character(Unicode.Scalar($0)) : "?" })
      note("APPLICATION \(id)")
    default: note("block of type \(block.pointee.type.rawValue)")
    }
  }

  private func note(_ name: String) {
    if otherBlocks.count < 16, !otherBlocks.contains(name) { otherBlocks.append(name) }
  }

  private func take(_ comments: FLAC__StreamMetadata_VorbisComment, byteCount: Int) {
    var bytesSeen = 8 + Int(comments.vendor_string.length)
    for index in 0..<Int(comments.num_comments) {
      guard let entry = comments.comments?[index] else { break }
      bytesSeen += 4 + Int(entry.length)
      let bytes = UnsafeBufferPointer(start: entry.entry, count: Int(entry.length))
      guard let comment = CommentField.comment(of: bytes) else {
        droppedComments += 1
        continue
      }
      if comment.name.uppercased() == FLACLayout.maskField {
        if maskText == nil { maskText = comment.value }
      } else {
        metadata.comments.append(comment)
      }
    }
    // libFLAC quietly leaves out entries whose lengths go beyond the block.
    if bytesSeen != byteCount { hasDamagedComments = true }
  }

  /// How a frame contradicts the stream information; `nil` when it does not.
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
