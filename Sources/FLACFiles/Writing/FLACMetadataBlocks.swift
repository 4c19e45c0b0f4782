internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import CFLAC
internal import SystemPackage

/// The metadata blocks that an encoder writes after the stream information; owns their memory.
final class FLACMetadataBlocks {
  private(set) var blocks: [UnsafeMutablePointer<FLAC__StreamMetadata>?] = []
  /// Names of metadata that the file cannot hold.
  private(set) var notCarried: [MetadataLoss] = []
  /// Warnings about metadata that is carried with changes.
  private(set) var warnings: [String] = []
  private let path: FilePath

  /// Maximum length of a metadata block in bytes: a 24-bit field (RFC 9639 section 8.1).
  private static let maximumBytes = (1 << 24) - 1
  /// Room for tag editors, so that they need not rewrite the whole file.
  private static let paddingBytes: UInt32 = 4096
  /// Seconds between seek points.
  private static let seekInterval = 10

  /// Creates the blocks for `description`: seek table (not in Ogg), comments, cue sheet, pictures,
  /// padding.
  init(_ description: OutputDescription, inOgg: Bool, path: FilePath) throws(AudioFileError) {
    self.path = path
    if !inOgg, description.frameCount > 0 {
      try addSeekTable(
        frameCount: description.frameCount, sampleRate: description.spec.sampleRate)
    }
    try addComments(
      description.metadata.comments, maskText: FLACLayout.maskText(for: description.spec.layout))
    try addRIFF(description)
    if let sheet = description.metadata.cueSheet {
      try add(sheet, sampleRate: description.spec.sampleRate)
    }
    for picture in description.metadata.pictures { try add(picture) }
    if !description.metadata.syncedLyrics.isEmpty {
      notCarried.append(MetadataLoss(.lyrics, "synchronized lyrics"))
    }
    try newBlock(FLAC__METADATA_TYPE_PADDING).pointee.length = Self.paddingBytes
  }

  deinit {
    for block in blocks { FLAC__metadata_object_delete(block) }
  }

  private func newBlock(
    _ type: FLAC__MetadataType
  ) throws(AudioFileError) -> UnsafeMutablePointer<FLAC__StreamMetadata> {
    guard let block = FLAC__metadata_object_new(type) else { throw .cannotWrite(path, .noMemory) }
    blocks.append(block)
    return block
  }

  private func addSeekTable(frameCount: Int, sampleRate: Int) throws(AudioFileError) {
    let block = try newBlock(FLAC__METADATA_TYPE_SEEKTABLE)
    // libFLAC accepts at most 32768 points.
    let spacing = max(sampleRate * Self.seekInterval, frameCount / 30_000)
    guard
      FLAC__metadata_object_seektable_template_append_spaced_points_by_samples(
        block, UInt32(clamping: spacing), UInt64(frameCount)) != 0,
      FLAC__metadata_object_seektable_template_sort(block, 1) != 0
    else { throw .cannotWrite(path, .noMemory) }
  }

  private func addComments(
    _ comments: [Metadata.Comment], maskText: String?
  ) throws(AudioFileError) {
    let block = try newBlock(FLAC__METADATA_TYPE_VORBIS_COMMENT)
    // A mask among comments from another format would be read as this stream's layout.
    var fields = comments.filter { $0.name.uppercased() != FLACLayout.maskField }
    if let maskText {
      fields.append(Metadata.Comment(name: FLACLayout.maskField, value: maskText))
    }
    var left = Self.maximumBytes - 1024
    for field in fields {
      guard var bytes = CommentField.bytes(of: field), bytes.count + 4 <= left else {
        notCarried.append(MetadataLoss(.tag, "tag \(field.name.prefix(40))"))
        continue
      }
      left -= bytes.count + 4
      let added = bytes.withUnsafeMutableBufferPointer { buffer in
        FLAC__metadata_object_vorbiscomment_append_comment(
          block,
          FLAC__StreamMetadata_VorbisComment_Entry(
            length: UInt32(buffer.count), entry: buffer.baseAddress), 1) != 0
      }
      guard added else { throw .cannotWrite(path, .noMemory) }
    }
  }

  /// Adds the chunks of WAV that FLAC has no blocks of its own for.
  private func addRIFF(_ description: OutputDescription) throws(AudioFileError) {
    let (contents, isLost) = RIFFBlocks.blocks(for: description)
    if isLost {
      notCarried.append(
        MetadataLoss(.chunk, "chunks of WAV, because WAV has no files of this length"))
    }
    guard contents.allSatisfy({ $0.count < Self.maximumBytes - 4 }) else {
      notCarried.append(MetadataLoss(.chunk, "chunks of WAV, of which one is too large for FLAC"))
      return
    }
    for var content in contents {
      let block = try newBlock(FLAC__METADATA_TYPE_APPLICATION)
      let id = Array(RIFFBlocks.id.utf8)
      block.pointee.data.application.id = (id[0], id[1], id[2], id[3])
      let isSet = content.withUnsafeMutableBufferPointer {
        FLAC__metadata_object_application_set_data(
          block, $0.baseAddress, UInt32($0.count), 1) != 0
      }
      guard isSet else { throw .cannotWrite(path, .noMemory) }
    }
  }

  private func add(
    _ sheet: Metadata.CueSheet, sampleRate: Int
  ) throws(AudioFileError) {
    let block = try newBlock(FLAC__METADATA_TYPE_CUESHEET)
    if let reason = try CueSheetBlock.fill(block, from: sheet, sampleRate: sampleRate, path: path) {
      notCarried.append(MetadataLoss(.mark, "the cue sheet (\(reason))"))
      FLAC__metadata_object_delete(blocks.removeLast())
    } else if sheet.isCD, block.pointee.data.cue_sheet.is_cd == 0 {
      notCarried.append(MetadataLoss(.mark, "the compact disc flag of the cue sheet"))
    }
  }

  private func add(_ picture: Metadata.Picture) throws(AudioFileError) {
    let block = try newBlock(FLAC__METADATA_TYPE_PICTURE)
    var data = picture.data
    block.pointee.data.picture.type = FLAC__StreamMetadata_Picture_Type(rawValue: picture.type)
    block.pointee.data.picture.width = picture.width
    block.pointee.data.picture.height = picture.height
    block.pointee.data.picture.depth = picture.depth
    block.pointee.data.picture.colors = picture.colors
    let isComplete =
      picture.mimeType.withCString {
        FLAC__metadata_object_picture_set_mime_type(block, UnsafeMutablePointer(mutating: $0), 1)
      } != 0
      && picture.description.withCString {
        $0.withMemoryRebound(to: UInt8.self, capacity: 1) {
          FLAC__metadata_object_picture_set_description(
            block, UnsafeMutablePointer(mutating: $0), 1)
        }
      } != 0
      && picture.data.count < Self.maximumBytes
      && data.withUnsafeMutableBufferPointer {
        FLAC__metadata_object_picture_set_data(block, $0.baseAddress, UInt32($0.count), 1)
      } != 0
    if !isComplete || !isAcceptable(block.pointee) {
      notCarried.append(
        MetadataLoss(.picture, "a picture of type \(picture.type) (\(picture.data.count) bytes)"))
      FLAC__metadata_object_delete(blocks.removeLast())
    }
  }

  /// True if libFLAC's encoder accepts a picture, by itself and together with the previous ones.
  private func isAcceptable(_ block: FLAC__StreamMetadata) -> Bool {
    var picture = block.data.picture
    guard Int(block.length) <= Self.maximumBytes,
      picture.type.rawValue < FLAC__STREAM_METADATA_PICTURE_TYPE_UNDEFINED.rawValue,
      FLAC__format_picture_is_legal(&picture, nil) != 0
    else { return false }
    let type = picture.type
    guard
      type == FLAC__STREAM_METADATA_PICTURE_TYPE_FILE_ICON_STANDARD
        || type == FLAC__STREAM_METADATA_PICTURE_TYPE_FILE_ICON
    else { return true }
    // RFC 9639 section 8.8: one each of these two types, and type 1 is a PNG of 32 by 32 pixels.
    let isSecond = blocks.dropLast().contains {
      $0?.pointee.type == FLAC__METADATA_TYPE_PICTURE && $0?.pointee.data.picture.type == type
    }
    if isSecond { return false }
    if type == FLAC__STREAM_METADATA_PICTURE_TYPE_FILE_ICON { return true }
    let mimeType = String(cString: picture.mime_type)
    return (mimeType == "image/png" || mimeType == "-->")
      && picture.width == 32 && picture.height == 32
  }
}
