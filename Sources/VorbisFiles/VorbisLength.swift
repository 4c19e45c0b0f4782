internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import SystemPackage

/// How many frames a Vorbis file will give, and whether it is all there.
struct VorbisLength {
  let frames: Int
  /// Frames that are lost before the first, where they are to be made up for.
  let leadingFrames: Int
  /// What the user should know about frames that are lost.
  var warnings: [String] = []

  /// Takes the length by the granule positions, once the first and last pages are known to be there; to
  /// salvage, decodes the whole file.
  init(
    of input: borrowing InputFile, _ decoder: VorbisDecoder, spec: AudioSpec, salvaging: Bool
  ) throws(AudioFileError) {
    let pages = try VorbisPageCheck(of: input, decoder)
    if salvaging {
      leadingFrames = pages.hasBeginnings ? 0 : decoder.startPosition(ofLink: 0)
      let blocks = VorbisBlockSource(
        try VorbisDecoder(input), spec: spec, salvaging: true, leadingFrames: leadingFrames,
        path: input.path)
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
    guard let declared = pages.frames else {
      throw .truncated(input.path, expected: nil, found: decoder.declaredFrames)
    }
    guard pages.hasBeginnings else {
      throw .malformed(input.path, reason: "damaged or missing Ogg pages at frame 0")
    }
    // A damaged page may claim a size beyond the end of the file, and libogg waits for it there.
    guard let found = decoder.declaredFrames, found == declared else {
      throw .malformed(
        input.path,
        reason: "damaged Ogg pages, or granule positions that contradict each other")
    }
    frames = declared
    leadingFrames = 0
  }
}

/// What the first and last pages of each chained stream of a Vorbis file say.
private struct VorbisPageCheck {
  /// Frames in all by the granule positions of the last pages; `nil` where one of those is missing.
  private(set) var frames: Int? = 0
  /// Whether in every stream the pages from the first to the first with audio are sound and numbered
  /// on; libvorbisfile begins with the first page of audio that it finds.
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

  /// Frames of one stream; `nil` where its last page is missing.
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
      // Pages of headers have position 0, those on which no packet ends -1.
      if page.granulePosition != 0, page.granulePosition != -1 { return true }
    }
    return true
  }
}
