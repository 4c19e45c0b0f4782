internal import AudioContainers
package import AudioIO
internal import AudioModel
internal import CTagLib

/// Reads the tags of a file, of whatever format, told by its content.
package enum TagReader {
  /// The largest tag that is read, in bytes.
  static let mostBytes = 64 << 20

  /// Everything that the tags of a file say.
  ///
  /// - Parameters:
  ///   - sampleRate: Of the audio, in Hz: times in tags become frames.
  ///   - framesPerMPEGFrame: Frames of one MPEG audio frame, for times that count those.
  package static func read(
    _ input: borrowing InputFile, sampleRate: Int, framesPerMPEGFrame: Int? = nil
  ) throws(AudioFileError) -> TagContents {
    var reading = Reading(sampleRate: sampleRate, framesPerMPEGFrame: framesPerMPEGFrame)
    let start = try reading.readLeadingTags(input)
    try reading.readContainer(input, at: start)
    return reading.contents
  }

  /// The ID3v2 tags in front of a file alone.
  package static func readLeadingTags(
    _ input: borrowing InputFile, sampleRate: Int
  ) throws(AudioFileError) -> TagContents {
    var reading = Reading(sampleRate: sampleRate, framesPerMPEGFrame: nil)
    _ = try reading.readLeadingTags(input)
    return reading.contents
  }

  private struct Reading {
    let sampleRate: Int
    let framesPerMPEGFrame: Int?
    var contents = TagContents()

    init(sampleRate: Int, framesPerMPEGFrame: Int?) {
      self.sampleRate = sampleRate
      self.framesPerMPEGFrame = framesPerMPEGFrame
    }

    /// Reads the ID3v2 tags in front; returns where what follows them begins.
    mutating func readLeadingTags(_ input: borrowing InputFile) throws(AudioFileError) -> Int {
      var start = 0
      for _ in 0..<ID3Tag.maximumCount {
        guard let count = ID3Tag.byteCount(try input.bytes(at: start, count: 10)) else { break }
        try take(CTAG_ID3V2, input, start..<start + count)
        start += count
      }
      return start
    }

    /// Reads what the container holds in places of its own.
    mutating func readContainer(
      _ input: borrowing InputFile, at start: Int
    ) throws(AudioFileError) {
      let head = try input.bytes(at: start, count: 16)
      func has(_ text: String, _ offset: Int = 0) -> Bool {
        head.dropFirst(offset).starts(with: Array(text.utf8))
      }
      let inside = start + 12..<max(start + 12, input.size)
      if has("RIFF") || has("RF64") || has("BW64") {
        try readChunks(input, inside, .riff)
      } else if has("RIFX") {
        try readChunks(input, inside, .riffBigEndian)
      } else if has("FORM") {
        try readChunks(input, inside, .iff)
      } else if has("caff") {
        try readChunks(input, start + 8..<max(start + 8, input.size), .caf)
      } else if has("OggS") {
        contents.complete(with: OpusComments.read(input))
      } else if ["ftyp", "moov", "mdat", "free", "wide", "skip"].contains(where: { has($0, 4) }) {
        try readItems(input, from: start)
      } else if head.starts(with: [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) {
        try readASF(input, at: start)
      } else {
        try readTrailingTags(input)
      }
    }

    /// Takes in a tag that stands in a range of the file.
    private mutating func take(
      _ kind: ctag_kind, _ input: borrowing InputFile, _ range: Range<Int>
    ) throws(AudioFileError) {
      guard range.count <= TagReader.mostBytes || input.size < TagReader.mostBytes else {
        contents.warnings.append(
          "a tag of \(range.count) bytes is not read: more than \(TagReader.mostBytes >> 20) MB")
        return
      }
      let collector = TagCollector(
        sampleRate: sampleRate, framesPerMPEGFrame: framesPerMPEGFrame)
      collector.read(kind, try input.bytes(at: range.lowerBound, count: range.count))
      contents.complete(with: collector.contents)
    }

    private mutating func readChunks(
      _ input: borrowing InputFile, _ range: Range<Int>, _ layout: ChunkWalker.Grammar
    ) throws(AudioFileError) {
      let chunks = try ChunkWalker.list(input, in: range, layout)
      for chunk in chunks where chunk.name.uppercased() == "ID3 " && layout != .caf {
        try take(CTAG_ID3V2, input, chunk.content)
      }
      var plain = TagContents()
      plain.metadata.comments = try TextChunks.comments(input, chunks, layout)
      contents.complete(with: plain)
    }

    /// Reads `moov.udta.meta.ilst` (or `moov.meta.ilst`) of an MP4 file.
    private mutating func readItems(
      _ input: borrowing InputFile, from start: Int
    ) throws(AudioFileError) {
      guard let movie = try MP4Box.first("moov", in: start..<input.size, of: input) else { return }
      let userData = try MP4Box.first("udta", in: movie, of: input)
      guard let meta = try MP4Box.first("meta", in: userData ?? movie, of: input) else { return }
      // QuickTime's `meta` is a plain atom; that of MP4 begins with version and flags.
      let isPlain = try input.bytes(at: meta.lowerBound + 4, count: 4).elementsEqual("hdlr".utf8)
      let content = isPlain ? meta : min(meta.lowerBound + 4, meta.upperBound)..<meta.upperBound
      guard let items = try MP4Box.first("ilst", in: content, of: input) else { return }
      try take(CTAG_MP4, input, items)
    }

    private mutating func readASF(
      _ input: borrowing InputFile, at start: Int
    ) throws(AudioFileError) {
      // The size of the header object stands behind its GUID, in 64 bits, little endian.
      let bytes = try input.bytes(at: start + 16, count: 8)
      let size = bytes.reversed().bigEndianValue
      guard bytes.count == 8, let count = Int(exactly: size), count <= input.size - start else {
        return
      }
      guard count <= TagReader.mostBytes,
        ASFHeader.isSound(try input.bytes(at: start, count: count))
      else {
        contents.warnings.append("its tags are damaged or too large and are not read")
        return
      }
      try take(CTAG_ASF, input, start..<start + count)
    }

    /// Reads APEv2 and ID3v1 at the end of a file.
    private mutating func readTrailingTags(
      _ input: borrowing InputFile
    ) throws(AudioFileError) {
      let version1 = try ID3v1Tag.comments(of: input)
      let end = version1 == nil ? input.size : input.size - 128
      let footer = try input.bytes(at: end - 32, count: 32)
      if footer.count == 32, footer.starts(with: Array("APETAGEX".utf8)) {
        // The size counts the items and the footer.
        let count = Int(footer[12..<16].littleEndianValue)
        if count >= 32, count <= end { try take(CTAG_APE, input, end - count..<end) }
      }
      var plain = TagContents()
      plain.metadata.comments = version1 ?? []
      contents.complete(with: plain)
    }
  }
}
