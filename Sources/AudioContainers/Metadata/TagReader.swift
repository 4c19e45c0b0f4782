package import AudioIO
internal import AudioModel
internal import CTagLib

/// Reads the tags of a file; its content, or the form of its container, shows where they are.
package enum TagReader {
  /// The maximum size of a tag to read, in bytes.
  static let maximumBytes = 64 << 20

  /// Reads all tags of a file.
  ///
  /// - Parameters:
  ///   - form: The form in which the file stores metadata; `nil` if only its content shows it.
  ///   - sampleRate: The sample rate of the audio in Hz, to convert times to frames.
  ///   - framesPerMPEGFrame: PCM frames per MPEG frame, to convert times that count MPEG frames.
  ///   - audioTrack: The number of the track among the audio tracks of its container, from 0.
  ///   - delay: Seconds from the start of the container's timeline to the track's first frame.
  package static func read(
    _ input: borrowing InputFile, form: AudioFormat.MetadataForm? = nil, sampleRate: Int,
    framesPerMPEGFrame: Int? = nil, audioTrack: Int = 0, delay: Double = 0
  ) throws(AudioFileError) -> TagContents {
    var reading = Reading(sampleRate: sampleRate, framesPerMPEGFrame: framesPerMPEGFrame)
    let start = try reading.readLeadingTags(input)
    if try input.bytes(at: start, count: 4) == [0x1A, 0x45, 0xDF, 0xA3] {
      let tags = try MatroskaTags(
        of: input, audioTrack: audioTrack, sampleRate: sampleRate, delay: delay)
      reading.contents.complete(with: tags.contents)
    } else {
      try reading.readContainer(input, form, at: start)
    }
    return reading.contents
  }

  /// Reads only the leading ID3v2 tags of a file.
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
    private var hasID3 = false

    init(sampleRate: Int, framesPerMPEGFrame: Int?) {
      self.sampleRate = sampleRate
      self.framesPerMPEGFrame = framesPerMPEGFrame
    }

    /// Reads the leading ID3v2 tags; returns the offset after them.
    mutating func readLeadingTags(_ input: borrowing InputFile) throws(AudioFileError) -> Int {
      var start = 0
      for _ in 0..<ID3Tag.maximumCount {
        guard let count = try ID3Tag.byteCount(of: input, at: start) else { break }
        try take(CTAG_ID3V2, input, start..<start + count)
        start += count
      }
      return start
    }

    /// Reads the tags in the container's own structures.
    mutating func readContainer(
      _ input: borrowing InputFile, _ form: AudioFormat.MetadataForm?, at start: Int
    ) throws(AudioFileError) {
      let head = try input.bytes(at: start, count: 16)
      func has(_ text: String, _ offset: Int = 0) -> Bool {
        head.dropFirst(offset).starts(with: Array(text.utf8))
      }
      let inside = start + 12..<max(start + 12, input.size)
      if has("RIFX") {
        try readChunks(input, inside, .riffBigEndian)
      } else if form == .riff || has("RIFF") || has("RF64") || has("BW64") {
        try readChunks(input, inside, .riff)
      } else if form == .iff || has("FORM") {
        try readChunks(input, inside, .iff)
      } else if has("caff") {
        try readChunks(input, start + 8..<max(start + 8, input.size), .caf)
      } else if has(".snd") || has("dns.") {
        let fields = ByteReader(bytes: head, isBigEndian: has(".snd"))
        try readText(input, 24..<max(24, min(fields.int32(at: 4) ?? 0, input.size)))
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

    /// Reads a tag in a range of the file.
    private mutating func take(
      _ kind: ctag_kind, _ input: borrowing InputFile, _ range: Range<Int>
    ) throws(AudioFileError) {
      guard range.count <= TagReader.maximumBytes || input.size < TagReader.maximumBytes else {
        contents.warnings.append(
          "ignored a tag of \(range.count) bytes, more than \(TagReader.maximumBytes >> 20) MB")
        return
      }
      let collector = TagCollector(
        sampleRate: sampleRate, framesPerMPEGFrame: framesPerMPEGFrame)
      collector.read(kind, try input.bytes(at: range.lowerBound, count: range.count))
      var place = kind == CTAG_APE ? "the APE tag" : "another tag"
      if kind == CTAG_ID3V2 {
        place = hasID3 ? "another ID3 tag" : "the ID3 tag"
        hasID3 = true
      }
      contents.complete(with: collector.contents, from: place)
    }

    private mutating func readChunks(
      _ input: borrowing InputFile, _ range: Range<Int>, _ layout: ChunkWalker.Grammar
    ) throws(AudioFileError) {
      let chunks = try ChunkWalker.list(input, in: range, layout)
      for chunk in chunks where chunk.name.uppercased() == "ID3 " && layout != .caf {
        try take(CTAG_ID3V2, input, chunk.content)
      }
      contents.metadata.hasID3Chunk = !contents.metadata.comments.isEmpty
      var plain = TagContents()
      plain.metadata.comments = try TextChunks.comments(input, chunks, layout)
      contents.complete(with: plain, from: layout == .iff ? "the text chunks" : "LIST INFO")
    }

    /// Reads the metadata of an MP4 file: iTunes' items, QuickTime's keys, user data.
    ///
    /// Each place adds what the places before it lack.
    private mutating func readItems(
      _ input: borrowing InputFile, from start: Int
    ) throws(AudioFileError) {
      guard let movie = try MP4Box.first("moov", in: start..<input.size, of: input) else { return }
      if let header = try MP4Box.first("mvhd", in: movie, of: input) {
        let fields = ByteReader(bigEndian: try input.bytes(at: header.lowerBound, count: 12))
        let time = fields.number(at: 4, count: fields.bytes.first == 1 ? 8 : 4) ?? 0
        contents.metadata.creationTime = UInt32(exactly: time).map { Int($0) } ?? 0
      }
      let userData = try Self.boxes("udta", in: movie, of: input)
      let tracks = try Self.boxes("trak", in: movie, of: input)
      var keys = MP4Metadata()
      for parent in userData + [movie] {
        for items in try readMeta(input, in: parent, &keys) { try take(CTAG_MP4, input, items) }
      }
      contents.complete(with: keys.contents, from: "QuickTime's keys")
      var texts = MP4Metadata()
      for range in userData { try texts.readUserData(input, in: range) }
      contents.complete(with: texts.contents, from: "the user data")
      var ofTracks = MP4Metadata()
      for track in tracks {
        let ofTrack = try Self.boxes("udta", in: track, of: input)
        for range in ofTrack { try ofTracks.readUserData(input, in: range) }
        for parent in ofTrack + [track]
        where try !readMeta(input, in: parent, &ofTracks).isEmpty {
          contents.note("iTunes' items of a track")
        }
      }
      contents.complete(with: ofTracks.contents, from: "the user data of a track")
      for range in [start..<input.size, movie] {
        for box in try Self.boxes("uuid", in: range, of: input) {
          let isXMP = try input.bytes(at: box.lowerBound, count: 16) == Self.identifierOfXMP
          contents.note(isXMP ? "XMP" : "user-defined data (uuid)")
        }
      }
    }

    /// Source: Adobe, "XMP Specification Part 3", section MPEG-4.
    private static let identifierOfXMP: [UInt8] = [
      0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF,
      0xAC,
    ]

    /// Reads QuickTime's keys in a box; returns the lists of iTunes' items there.
    private mutating func readMeta(
      _ input: borrowing InputFile, in parent: Range<Int>, _ keys: inout MP4Metadata
    ) throws(AudioFileError) -> [Range<Int>] {
      var lists: [Range<Int>] = []
      for meta in try Self.boxes("meta", in: parent, of: input) {
        // QuickTime's `meta` is a plain box; in MP4, it begins with version and flags.
        let isPlain = try input.bytes(at: meta.lowerBound + 4, count: 4)
          .elementsEqual("hdlr".utf8)
        let content =
          isPlain ? meta : min(meta.lowerBound + 4, meta.upperBound)..<meta.upperBound
        if try MP4Box.first("keys", in: content, of: input) != nil {
          try keys.readKeys(input, in: content)
        } else if let items = try MP4Box.first("ilst", in: content, of: input) {
          lists.append(items)
        } else if let handler = try MP4Box.first("hdlr", in: content, of: input) {
          let kind = ByteReader(
            bigEndian: try input.bytes(at: handler.lowerBound, count: 12)
          ).type(at: 8)
          if let kind, kind != "mdir", kind != "mdta" { contents.note("metadata of kind \(kind)") }
        }
      }
      return lists
    }

    /// The content of the boxes of a type in `range`, at most 64.
    private static func boxes(
      _ type: String, in range: Range<Int>, of input: borrowing InputFile
    ) throws(AudioFileError) -> [Range<Int>] {
      var found: [Range<Int>] = []
      try MP4Box.forEach(input, in: range) { (_, box) throws(AudioFileError) in
        if box.type == type, found.count < 64 { found.append(box.content) }
      }
      return found
    }

    /// Reads a text without a name.
    private mutating func readText(
      _ input: borrowing InputFile, _ range: Range<Int>
    ) throws(AudioFileError) {
      let bytes = try input.bytes(at: range.lowerBound, count: min(range.count, 1 << 16))
      contents.metadata.comments += TextChunks.unnamed(
        TagText.string(Array(bytes.prefix { $0 != 0 })))
    }

    private mutating func readASF(
      _ input: borrowing InputFile, at start: Int
    ) throws(AudioFileError) {
      // The little-endian 64-bit size of the header object follows its GUID.
      let bytes = try input.bytes(at: start + 16, count: 8)
      let size = bytes.littleEndianValue
      guard bytes.count == 8, let count = Int(exactly: size), count <= input.size - start else {
        return
      }
      guard count <= TagReader.maximumBytes,
        ASFHeader.isSound(try input.bytes(at: start, count: count))
      else {
        contents.warnings.append("its tags are damaged or too large and were not read")
        return
      }
      try take(CTAG_ASF, input, start..<start + count)
    }

    /// Reads APEv2, ID3v2, and ID3v1 tags at the end of a file, in this order. ID3v2 tags are found there by their footer.
    private mutating func readTrailingTags(
      _ input: borrowing InputFile
    ) throws(AudioFileError) {
      let places = try TrailingTag.places(of: input)
      for place in places where place.kind == .ape { try take(CTAG_APE, input, place.range) }
      for place in places where place.kind == .id3v2 { try take(CTAG_ID3V2, input, place.range) }
      for place in places {
        switch place.kind {
        case .ape, .id3v2: break
        case .id3v1:
          let tag = ID3v1Tag(try input.bytes(at: place.range.lowerBound, count: 128))
          if let tag { contents.complete(with: tag.contents(besides: contents.metadata)) }
        case .enhancedID3v1: contents.note("an enhanced ID3v1 tag")
        case .lyrics3: contents.note("a Lyrics3 tag")
        }
      }
    }
  }
}
