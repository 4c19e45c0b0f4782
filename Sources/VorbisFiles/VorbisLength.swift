internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import SystemPackage

/// The number of frames in a Vorbis file, and whether the file is complete.
struct VorbisLength {
  let frames: Int
  /// Frames lost before the first one, to be replaced by silence.
  let leadingFrames: Int
  /// True if the number is uncertain, because of damage or because only decoding the file would show
  /// it.
  private(set) var isEstimated = false
  /// Warnings about lost frames.
  var warnings: [String] = []

  /// Uses the length from the granule positions after checking that the first and last pages are present. When
  /// salvaging, decodes the whole file. A file that ends at damage has the length that its positions suggest.
  init(
    of input: borrowing InputFile, _ decoder: VorbisDecoder, spec: AudioSpec,
    _ options: ReadingOptions
  ) throws(AudioFileError) {
    let salvaging = options.salvages
    let pages = try VorbisPageCheck(of: input, decoder)
    if salvaging {
      leadingFrames = pages.hasBeginnings ? 0 : decoder.startPosition(ofLink: 0)
      let blocks = try VorbisBlockSource(
        try VorbisDecoder(input), of: input, spec: spec, salvaging: true,
        leadingFrames: leadingFrames)
      while try blocks.next() != nil {}
      frames = blocks.decodedFrames + blocks.silentFrames
      let declared = pages.frames.map { $0 + leadingFrames }
      if blocks.isDamaged || blocks.decodedFrames != declared {
        guard blocks.decodedFrames > 0 else {
          throw .truncated(input.path, expected: declared, found: 0)
        }
        let report = SalvageReport(
          decoded: blocks.decodedFrames, silent: blocks.silentFrames, declared: declared,
          sampleRate: spec.sampleRate)
        warnings = [report.text]
      }
      return
    }
    if options.endsAtDamage, pages.hasBeginnings,
      pages.frames == nil || pages.frames != decoder.declaredFrames
    {
      (frames, leadingFrames) = (max(0, decoder.declaredFrames ?? 0), 0)
      isEstimated = true
      return
    }
    guard let declared = pages.frames else {
      throw .truncated(input.path, expected: nil, found: decoder.declaredFrames)
    }
    guard pages.hasBeginnings else {
      throw .malformed(input.path, reason: "damaged or missing Ogg pages at frame 0")
    }
    // libogg waits for the rest of a damaged page that declares a size beyond the end of the file.
    guard let found = decoder.declaredFrames, found == declared else {
      throw .malformed(
        input.path,
        reason: "damaged Ogg pages, or granule positions that contradict each other")
    }
    leadingFrames = 0
    frames = declared
  }
}

/// A check of the first and last pages of each chained stream.
private struct VorbisPageCheck {
  /// Total frames according to the granule positions of the last pages; `nil` if one is missing.
  private(set) var frames: Int? = 0
  /// True if every stream has intact, consecutive pages up to the first one with audio.
  /// libvorbisfile starts at the first audio page that it finds.
  private(set) var hasBeginnings = true

  init(of input: borrowing InputFile, _ decoder: VorbisDecoder) throws(AudioFileError) {
    for link in 0..<decoder.linkCount {
      let bytes = decoder.bytes(ofLink: link)
      let serialNumber = decoder.serialNumber(ofLink: link)
      if try !Self.hasBeginning(input, in: bytes, serialNumber: serialNumber) {
        hasBeginnings = false
      }
      let end = try OggStreamEnd(of: input, in: bytes, serialNumber: serialNumber)
      frames = Self.sum(frames, Self.length(of: decoder, link: link, end: end))
    }
  }

  /// Frames of one stream; `nil` if its last page is missing.
  private static func length(of decoder: VorbisDecoder, link: Int, end: OggStreamEnd?) -> Int? {
    guard let end, end.isWhole else { return nil }
    // No packet ends on the last page.
    if end.granulePosition == -1 { return decoder.declaredFrames(ofLink: link) }
    let (length, overflows) = Int(end.granulePosition)
      .subtractingReportingOverflow(decoder.startPosition(ofLink: link))
    return overflows ? nil : length
  }

  private static func sum(_ a: Int?, _ b: Int?) -> Int? {
    guard let a, let b else { return nil }
    let (sum, overflows) = a.addingReportingOverflow(b)
    return overflows ? nil : sum
  }

  private static func hasBeginning(
    _ input: borrowing InputFile, in bytes: Range<Int>, serialNumber: UInt32
  ) throws(AudioFileError) -> Bool {
    var offset = bytes.lowerBound
    var number: Int?
    while offset < bytes.upperBound {
      guard let page = try OggPage(of: input, at: offset) else { return false }
      offset += page.byteCount
      guard page.serialNumber == serialNumber else { continue }
      if let number, page.sequenceNumber != number + 1 { return false }
      number = page.sequenceNumber
      // Header pages have position 0, and pages on which no packet ends have -1.
      if page.granulePosition != 0, page.granulePosition != -1 { return true }
    }
    return true
  }
}
