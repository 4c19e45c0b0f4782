internal import AudioIO
internal import AudioModel
internal import CFLAC
internal import SystemPackage

/// The cue sheet block of FLAC.
///
/// Source: RFC 9639 section 8.7, "Cuesheet".
enum CueSheetBlock {
  /// "A track number of 170 for CD-DA, 255 otherwise" is the lead-out.
  private static let leadOutNumbers: (disc: UInt8, other: UInt8) = (170, 255)
  /// Audio frames in a CD frame, at 44,100 Hz.
  private static let framesPerCDFrame = 588.0

  /// The cue sheet that libFLAC has read.
  static func cueSheet(_ sheet: FLAC__StreamMetadata_CueSheet) -> Metadata.CueSheet {
    var catalog = sheet.media_catalog_number
    var result = Metadata.CueSheet(
      catalogNumber: withUnsafeBytes(of: &catalog) { text($0) }, leadIn: Double(sheet.lead_in),
      isCD: sheet.is_cd != 0, tracks: [])
    for number in 0..<Int(sheet.num_tracks) {
      guard let track = sheet.tracks?[number] else { break }
      var isrc = track.isrc
      var taken = Metadata.CueSheet.Track(
        number: track.number, offset: Double(track.offset),
        isrc: withUnsafeBytes(of: &isrc) { text($0) }, isAudio: track.type == 0,
        hasPreEmphasis: track.pre_emphasis != 0)
      for position in 0..<Int(track.num_indices) {
        guard let index = track.indices?[position] else { break }
        taken.indices.append(.init(number: index.number, offset: Double(index.offset)))
      }
      result.tracks.append(taken)
    }
    return result
  }

  /// ASCII text up to the first zero.
  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Fills a new block; returns the reason if libFLAC would reject it.
  ///
  /// The result is a compact disc's cue sheet only if every position is a multiple of a CD frame,
  /// which few factors preserve.
  static func fill(
    _ block: UnsafeMutablePointer<FLAC__StreamMetadata>, from sheet: Metadata.CueSheet,
    sampleRate: Int, path: FilePath
  ) throws(AudioFileError) -> String? {
    let isCD = sheet.isCD && sampleRate == 44100 && isOnCDFrames(sheet)
    withUnsafeMutableBytes(of: &block.pointee.data.cue_sheet.media_catalog_number) {
      copy(sheet.catalogNumber, into: $0)
    }
    block.pointee.data.cue_sheet.is_cd = isCD ? 1 : 0
    // "For use cases other than CD-DA, the lead-in MUST be 0."
    block.pointee.data.cue_sheet.lead_in = isCD ? UInt64(exactly: sheet.leadIn) ?? 0 : 0
    for (number, track) in sheet.tracks.enumerated() {
      let isLast = number == sheet.tracks.count - 1
      try append(track, leadOut: isLast ? isCD : nil, to: block, at: number, path: path)
    }
    var violation: UnsafePointer<CChar>?
    if FLAC__metadata_object_cuesheet_is_legal(block, isCD ? 1 : 0, &violation) != 0 { return nil }
    return violation.map { String(cString: $0) } ?? "libFLAC refuses it"
  }

  private static func isOnCDFrames(_ sheet: Metadata.CueSheet) -> Bool {
    let moments =
      [sheet.leadIn] + sheet.tracks.map(\.offset)
      + sheet.tracks.flatMap { $0.indices.map(\.offset) }
    return moments.allSatisfy { $0.remainder(dividingBy: framesPerCDFrame) == 0 }
  }

  /// Appends a track; for the lead-out, `leadOut` is whether the cue sheet is a compact disc's.
  private static func append(
    _ track: Metadata.CueSheet.Track, leadOut: Bool?,
    to block: UnsafeMutablePointer<FLAC__StreamMetadata>, at number: Int, path: FilePath
  ) throws(AudioFileError) {
    guard
      FLAC__metadata_object_cuesheet_insert_blank_track(block, UInt32(number)) != 0,
      FLAC__metadata_object_cuesheet_track_resize_indices(
        block, UInt32(number), UInt32(track.indices.count)) != 0,
      let place = block.pointee.data.cue_sheet.tracks.map({ $0 + number })
    else { throw .cannotWrite(path, .noMemory) }
    place.pointee.offset = UInt64(exactly: track.offset.rounded()) ?? 0
    place.pointee.number =
      leadOut.map { $0 ? leadOutNumbers.disc : leadOutNumbers.other } ?? track.number
    place.pointee.type = track.isAudio ? 0 : 1
    place.pointee.pre_emphasis = track.hasPreEmphasis ? 1 : 0
    withUnsafeMutableBytes(of: &place.pointee.isrc) { copy(track.isrc, into: $0) }
    for (position, index) in track.indices.enumerated() {
      place.pointee.indices?[position].number = index.number
      place.pointee.indices?[position].offset = UInt64(exactly: index.offset.rounded()) ?? 0
    }
  }

  /// Copies ASCII text and leaves room for a terminating zero.
  private static func copy(_ text: String, into bytes: UnsafeMutableRawBufferPointer) {
    for (index, byte) in text.utf8.prefix(bytes.count - 1).enumerated() { bytes[index] = byte }
  }
}
