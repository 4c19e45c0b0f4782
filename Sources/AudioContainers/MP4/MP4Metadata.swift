internal import AudioIO
internal import AudioModel

extension TagContents {
  /// Adds the metadata of a movie: iTunes' items, QuickTime's keys, user data, chapters, and when it was made.
  ///
  /// Each place adds what the places before it lack.
  ///
  /// - Parameters:
  ///   - sampleRate: The sample rate of the audio in Hz.
  ///   - delay: Seconds from the start of the movie to the first frame of the audio.
  mutating func complete(
    with movie: MP4Index, of input: borrowing InputFile, sampleRate: Int, delay: Double
  ) throws(AudioFileError) {
    guard movie.hasMovie else { return }
    metadata.creationTime = movie.creationTime
    var keys = MP4Metadata()
    for meta in movie.metadata.meta {
      if let items = try keys.readMeta(input, meta) { try takeItems(input, items) }
    }
    complete(with: keys.contents, from: "QuickTime's keys")
    var texts = MP4Metadata()
    for range in movie.metadata.userData { try texts.readUserData(input, in: range) }
    complete(with: texts.contents, from: "the user data")
    var ofTracks = MP4Metadata()
    for track in movie.tracksInOrder.map(\.metadata) {
      for range in track.userData { try ofTracks.readUserData(input, in: range) }
      for meta in track.meta where try ofTracks.readMeta(input, meta) != nil {
        note(.tag, "iTunes' items of a track")
      }
    }
    complete(with: ofTracks.contents, from: "the user data of a track")
    for box in movie.userBoxes {
      let isXMP = try input.bytes(at: box.lowerBound, count: 16) == Self.identifierOfXMP
      note(.tag, isXMP ? "XMP" : "user-defined data (uuid)")
    }
    if metadata.chapters.isEmpty {
      let found = try movie.chapters(input, sampleRate: sampleRate, delay: delay)
      metadata.chapters = found.chapters
      found.lost.forEach { note($0) }
    }
  }

  /// Source: Adobe, "XMP Specification Part 3", section MPEG-4.
  private static let identifierOfXMP: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF,
    0xAC,
  ]

  private mutating func takeItems(
    _ input: borrowing InputFile, _ items: Range<Int>
  ) throws(AudioFileError) {
    guard items.count <= Self.maximumByteCount else {
      warnings.append(
        "ignored a tag of \(items.count) bytes, more than \(Self.maximumByteCount >> 20) MB")
      return
    }
    let bytes = try input.bytes(at: items.lowerBound, count: items.count)
    complete(with: MP4Items.contents(of: bytes), from: "another tag")
  }
}

/// The tags of a movie outside iTunes' items: QuickTime's keys and user data, and 3GPP's assets.
struct MP4Metadata {
  private(set) var contents = TagContents()

  /// The maximum size of one value, in bytes.
  private static let maximumBytes = 16 << 20

  // MARK: Keys

  /// Reads QuickTime's keys in a `meta` box; returns the list of iTunes' items there, if it has one.
  mutating func readMeta(
    _ input: borrowing InputFile, _ meta: Range<Int>
  ) throws(AudioFileError) -> Range<Int>? {
    // QuickTime's `meta` is a plain box; in MP4, it begins with version and flags.
    let isPlain = try input.bytes(at: meta.lowerBound + 4, count: 4).elementsEqual("hdlr".utf8)
    let content = isPlain ? meta : min(meta.lowerBound + 4, meta.upperBound)..<meta.upperBound
    if try MP4Box.first("keys", in: content, of: input) != nil {
      try readKeys(input, in: content)
    } else if let items = try MP4Box.first("ilst", in: content, of: input) {
      return items
    } else if let handler = try MP4Box.first("hdlr", in: content, of: input) {
      let kind = ByteReader(
        bigEndian: try input.bytes(at: handler.lowerBound, count: 12)
      ).type(at: 8)
      if let kind, kind != "mdir", kind != "mdta" {
        contents.note(.tag, "metadata of kind \(kind)")
      }
    }
    return nil
  }

  /// Reads a `meta` box with the handler `mdta`: numbered items, whose names are in a list of keys.
  ///
  /// Source: Apple, "QuickTime File Format Specification", section Metadata Atoms.
  private mutating func readKeys(
    _ input: borrowing InputFile, in meta: Range<Int>
  ) throws(AudioFileError) {
    guard let list = try MP4Box.first("keys", in: meta, of: input),
      let items = try MP4Box.first("ilst", in: meta, of: input)
    else { return }
    var keys: [String] = []
    let afterCount = min(list.lowerBound + 8, list.upperBound)..<list.upperBound
    try MP4Box.forEach(input, in: afterCount) { (input, box) throws(AudioFileError) in
      guard keys.count < TagContents.maximumCommentCount else { return }
      keys.append(String(decoding: try box.fields(input, count: 1024).bytes, as: UTF8.self))
    }
    var found = self
    try MP4Box.forEach(input, in: items) { (input, item) throws(AudioFileError) in
      let number = item.type.unicodeScalars.reduce(0) { $0 << 8 | Int($1.value & 0xFF) }
      let key = keys.indices.contains(number - 1) ? keys[number - 1] : ""
      try MP4Box.forEach(input, in: item.content) { (input, value) throws(AudioFileError) in
        if value.type == "data" {
          found.take(try value.fields(input, count: Self.maximumBytes), key)
        }
      }
    }
    self = found
  }

  /// Takes the value of a key: a kind, a locale, and the data.
  private mutating func take(_ value: ByteReader, _ key: String) {
    let name = MP4TagNames.name(ofKey: key)
    if name.isEmpty || MP4TagNames.ignoredKeys.contains(key.lowercased()) { return }
    guard let kind = value.int32(at: 0), value.bytes.count > 8 else { return }
    let data = Array(value.bytes[8...])
    if [13, 14, 27].contains(kind) {
      contents.metadata.pictures.append(
        Metadata.Picture(
          type: contents.metadata.pictures.isEmpty ? 3 : 0, mimeType: "", description: "",
          data: data))
    } else if let text = Self.text(data, kind: kind) {
      add(name, text)
    } else {
      contents.note(.tag, "tag \(name)")
    }
  }

  /// The text of a value by its well-known type; `nil` if it is neither text nor a number.
  private static func text(_ data: [UInt8], kind: Int) -> String? {
    switch (kind, data.count) {
    case (1, _), (4, _): return String(decoding: data.prefix { $0 != 0 }, as: UTF8.self)
    case (2, _), (5, _): return MP4Text.utf16(data[...])
    case (21, 1...8), (65, 1), (66, 2), (67, 4), (74, 8):
      let shift = 64 - 8 * data.count
      return String(Int64(bitPattern: data.bigEndianValue << UInt64(shift)) >> Int64(shift))
    case (22, 1...8), (75, 1), (76, 2), (77, 4), (78, 8): return String(data.bigEndianValue)
    case (23, 4): return "\(Float(bitPattern: UInt32(data.bigEndianValue)))"
    case (24, 8): return "\(Double(bitPattern: data.bigEndianValue))"
    default: return nil
    }
  }

  // MARK: User data

  /// Reads the boxes of a movie's user data that are texts.
  mutating func readUserData(
    _ input: borrowing InputFile, in range: Range<Int>
  ) throws(AudioFileError) {
    var found = self
    try MP4Box.forEach(input, in: range) { (input, box) throws(AudioFileError) in
      if MP4TagNames.ignoredUserData.contains(box.type) { return }
      guard box.content.count <= Self.maximumBytes else {
        found.contents.note(.tag, "user data \(box.type)")
        return
      }
      found.take(box.type, try box.fields(input, count: Self.maximumBytes))
    }
    // libavformat writes a comment as both.
    let remarks = Set(found.contents.metadata.comments.filter { $0.name == "COMMENT" }.map(\.value))
    found.contents.metadata.comments.removeAll {
      $0.name == "DESCRIPTION" && remarks.contains($0.value)
    }
    self = found
  }

  private mutating func take(_ type: String, _ fields: ByteReader) {
    if type == "loci" {
      takeLocation(fields)
    } else if let name = MP4TagNames.assets[type] {
      takeAsset(type, name, fields)
    } else if type == "name" {
      add("TITLE", MP4Text.text(fields.bytes[...]))
    } else if let name = MP4TagNames.name(ofUserData: type) {
      for (text, language) in MP4Text.international(fields) {
        // The name of libavformat's muxer.
        if type == "\u{A9}swr", text.hasPrefix("Lavf") { continue }
        add(name, text, language)
      }
    } else if type.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
      contents.note(.tag, "user data \(type)")
    }
  }

  /// Source: 3GPP TS 26.244 section 8.
  private mutating func takeAsset(_ type: String, _ name: String, _ fields: ByteReader) {
    let bytes = fields.bytes
    // A classification begins with its entity and the number of its table, a rating with its entity and criteria.
    let headCount = ["clsf": 6, "rtng": 8][type] ?? 0
    if bytes.dropFirst(4).prefix(headCount).contains(where: { $0 != 0 && $0 != 0x20 }) {
      let parts = type == "clsf" ? "the entity and the table" : "the entity and the criteria"
      contents.note(.tag, "\(parts) of tag \(name)")
    }
    let language = MP4Text.language(fields.int16(at: 4 + headCount) ?? 0)
    switch type {
    case "yrrc":
      if let year = fields.int16(at: 4) { add(name, String(year)) }
    case "kywd":
      var offset = 7
      for _ in 0..<Int(bytes.count > 6 ? bytes[6] : 0) where offset < bytes.count {
        let end = offset + 1 + Int(bytes[offset])
        let word = bytes[(offset + 1)..<max(offset + 1, min(end, bytes.count))]
        add(name, MP4Text.text(word), language)
        offset = end
      }
    default:
      let text = MP4Text.terminated(bytes.dropFirst(6 + headCount))
      add(name, MP4Text.text(text.text), language)
      if type == "albm", let track = text.rest.first { add("TRACKNUMBER", String(track)) }
    }
  }

  /// Takes a location as ISO 6709 text, in the precision of libavformat and of Android.
  private mutating func takeLocation(_ fields: ByteReader) {
    let language = MP4Text.language(fields.int16(at: 4) ?? 0)
    let (place, afterPlace) = MP4Text.terminated(fields.bytes.dropFirst(6))
    // The role of the place in the recording: 0 is where it was made.
    if afterPlace.first ?? 0 != 0 { contents.note(.tag, "the role of the location") }
    let numbers = ByteReader(bigEndian: Array(afterPlace.dropFirst()))
    let values = [0, 4, 8].compactMap { numbers.uint32(at: $0) }
      .map { Double(Int32(bitPattern: $0)) / 65536 }
    guard values.count == 3 else { return contents.note(.tag, "user data loci") }
    let altitude = values[2] == 0 ? "" : MP4Text.signed(values[2], whole: 3, places: 3)
    add(
      "LOCATION",
      MP4Text.signed(values[1], whole: 2, places: 4)
        + MP4Text.signed(values[0], whole: 3, places: 4) + altitude + "/")
    let (body, notes) = MP4Text.terminated(numbers.bytes.dropFirst(12))
    add("LOCATIONNAME", MP4Text.text(place), language)
    let name = MP4Text.text(body)
    if name.lowercased() != "earth" { add("LOCATIONBODY", name) }
    add("LOCATIONNOTES", MP4Text.text(MP4Text.terminated(notes).text), language)
  }

  private mutating func add(_ name: String, _ value: String, _ language: String? = nil) {
    let comment = Metadata.Comment(name: name, value: value, language: language)
    let known = contents.metadata.comments
    guard !value.isEmpty, !known.contains(where: { ($0.name, $0.value) == (name, value) })
    else { return }
    guard contents.metadata.comments.count < TagContents.maximumCommentCount else {
      return contents.note(.tag, "tags beyond the first \(TagContents.maximumCommentCount)")
    }
    contents.metadata.comments.append(comment)
    TagNames.splitTotals(in: &contents.metadata.comments)
  }
}

/// The names of tags in QuickTime and 3GPP files.
private enum MP4TagNames {
  private static let apple = "com.apple.quicktime."

  /// The comment name of a key; a key without one keeps its own name.
  static func name(ofKey key: String) -> String {
    let lowered = key.lowercased()
    if lowered.hasPrefix(apple) { return keys[String(lowered.dropFirst(apple.count))] ?? key }
    // libavformat writes its generic names.
    return generic[lowered] ?? (lowered.contains(".") ? key : key.uppercased())
  }

  /// The comment name of a box in user data; `nil` if it is not known to be text.
  static func name(ofUserData type: String) -> String? {
    if let name = userData[type] { return name }
    return type.first == "\u{A9}" ? "MP4:(c)" + type.dropFirst() : nil
  }

  /// Apple's keys after `com.apple.quicktime.`.
  private static let keys = [
    "album": "ALBUM", "artist": "ARTIST", "author": "AUTHOR", "comment": "COMMENT",
    "copyright": "COPYRIGHT", "creationdate": "DATE", "description": "DESCRIPTION",
    "director": "DIRECTOR", "genre": "GENRE", "information": "INFORMATION",
    "keywords": "KEYWORDS", "location.iso6709": "LOCATION", "location.name": "LOCATIONNAME",
    "location.body": "LOCATIONBODY", "location.note": "LOCATIONNOTES", "make": "MAKE",
    "model": "MODEL", "originalartist": "ORIGINALARTIST", "performer": "PERFORMER",
    "producer": "PRODUCER", "publisher": "PUBLISHER", "software": "SOFTWARE", "title": "TITLE",
    "year": "YEAR", "encodedby": "ENCODEDBY", "composer": "COMPOSER",
  ]

  private static let generic = [
    "album_artist": "ALBUMARTIST", "disc": "DISCNUMBER", "track": "TRACKNUMBER",
    "encoded_by": "ENCODEDBY", "com.android.manufacturer": "MAKE", "com.android.model": "MODEL",
  ]

  /// Keys that describe the container.
  static let ignoredKeys: Set = [
    "major_brand", "minor_version", "compatible_brands", "handler_name", "vendor_id", "encoder",
  ]

  /// Boxes that are read elsewhere, or that describe a window or hints, or nothing.
  static let ignoredUserData: Set = [
    "meta", "chpl", "free", "skip", "WLOC", "LOOP", "SelO", "AllF", "hnti", "hinf", "\0\0\0\0",
  ]

  /// Source: Apple, "QuickTime File Format Specification", section User Data Atoms; the names are those of
  /// libavformat.
  private static let userData = [
    "\u{A9}ART": "ARTIST", "\u{A9}PRD": "PRODUCER", "\u{A9}alb": "ALBUM", "\u{A9}arg": "ARRANGER",
    "\u{A9}aut": "ARTIST", "\u{A9}chp": "CHAPTER", "\u{A9}cmt": "COMMENT",
    "\u{A9}com": "COMPOSER", "\u{A9}cpy": "COPYRIGHT", "\u{A9}day": "DATE",
    "\u{A9}des": "DESCRIPTION",
    "\u{A9}dir": "DIRECTOR", "\u{A9}dis": "DISCLAIMER", "\u{A9}ed1": "EDIT_DATE",
    "\u{A9}enc": "ENCODEDBY", "\u{A9}fmt": "ORIGINAL_FORMAT", "\u{A9}gen": "GENRE",
    "\u{A9}grp": "GROUPING", "\u{A9}hst": "HOST_COMPUTER", "\u{A9}inf": "COMMENT",
    "\u{A9}key": "KEYWORDS", "\u{A9}lyr": "LYRICS", "\u{A9}mak": "MAKE", "\u{A9}mod": "MODEL",
    "\u{A9}nam": "TITLE", "\u{A9}ope": "ORIGINAL_ARTIST", "\u{A9}prd": "PRODUCER",
    "\u{A9}prf": "PERFORMERS", "\u{A9}req": "PLAYBACK_REQUIREMENTS",
    "\u{A9}src": "ORIGINAL_SOURCE", "\u{A9}st3": "SUBTITLE", "\u{A9}swr": "SOFTWARE",
    "\u{A9}too": "ENCODER", "\u{A9}trk": "TRACKNUMBER", "\u{A9}url": "URL",
    "\u{A9}wrn": "WARNING", "\u{A9}wrt": "COMPOSER", "\u{A9}xyz": "LOCATION", "manu": "MAKE",
    "modl": "MODEL",
  ]

  /// Source: 3GPP TS 26.244 section 8; the names are those that libavformat writes.
  static let assets = [
    "titl": "TITLE", "dscp": "DESCRIPTION", "cprt": "COPYRIGHT", "perf": "ARTIST",
    "auth": "AUTHOR", "gnre": "GENRE", "albm": "ALBUM", "yrrc": "DATE", "kywd": "KEYWORDS",
    "clsf": "CLASSIFICATION", "rtng": "CONTENTRATING",
  ]
}

/// Text in the boxes of QuickTime and 3GPP.
enum MP4Text {
  /// The texts of QuickTime's international text: a size, a language and a text in each.
  ///
  /// Some writers use the form of iTunes' items, or text alone.
  static func international(_ fields: ByteReader) -> [(text: String, language: String?)] {
    if fields.type(at: 4) == "data", fields.bytes.count >= 16 {
      return [(text(fields.bytes[16...]), nil)]
    }
    var texts: [(text: String, language: String?)] = []
    var offset = 0
    while let count = fields.int16(at: offset), count > 0,
      let language = fields.int16(at: offset + 2)
    {
      let start = offset + 4
      guard start + count <= fields.bytes.count else { break }
      let text = text(
        fields.bytes[start..<start + count], macintoshLanguage: language < 0x400 ? language : nil)
      texts.append((text, Self.language(language)))
      offset = start + count
    }
    return texts.isEmpty ? [(text(fields.bytes[...]), nil)] : texts
  }

  /// A language by its code on the Macintosh, or by the letters of ISO 639-2 in 5 bits each; `nil` if it is none.
  ///
  /// Source: Apple, "QuickTime File Format Specification", section Language Code Values.
  static func language(_ code: Int) -> String? {
    if code < 0x400 {
      return macintoshLanguages.indices.contains(code) ? macintoshLanguages[code] : nil
    }
    let letters = [10, 5, 0].map { UInt8(code >> $0 & 0x1F) + 0x60 }
    let text = String(decoding: letters, as: UTF8.self)
    let isCode = letters.allSatisfy { (0x61...0x7A).contains($0) }
    return isCode && text != "und" ? text : nil
  }

  private static let macintoshLanguages = [
    "eng", "fra", "deu", "ita", "nld", "swe", "spa", "dan", "por", "nor", "heb", "jpn", "ara",
    "fin", "ell", "isl", "mlt", "tur", "hrv", "zho", "urd", "hin", "tha", "kor", "lit", "pol",
    "hun", "est", "lav", "sme", "fao", "fas", "rus", "zho", "nld", "gle", "sqi", "ron", "ces",
    "slk", "slv", "yid", "srp", "mkd", "bul", "ukr", "bel",
  ]

  /// The encodings of languages on the Macintosh that have another than Mac OS Roman, by their codes.
  private static let macintoshEncodings: [Int: String] = [
    11: "SHIFT_JIS", 15: "MAC-IS", 19: "BIG5", 23: "EUC-KR", 24: "MAC-CENTRALEUROPE",
    25: "MAC-CENTRALEUROPE", 26: "MAC-CENTRALEUROPE", 27: "MAC-CENTRALEUROPE",
    28: "MAC-CENTRALEUROPE", 32: "MAC-CYRILLIC", 33: "GBK", 38: "MAC-CENTRALEUROPE",
    39: "MAC-CENTRALEUROPE", 42: "MAC-CYRILLIC", 43: "MAC-CYRILLIC", 44: "MAC-CYRILLIC",
    45: "MAC-UK", 46: "MAC-CYRILLIC",
  ]

  /// A text in UTF-8, or in UTF-16 with a byte order mark; if it is neither and has a language of the Macintosh, in that
  /// language's encoding or Mac OS Roman.
  static func text(_ bytes: ArraySlice<UInt8>, macintoshLanguage: Int? = nil) -> String {
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      return utf16(bytes)
    }
    let plain = bytes.prefix { $0 != 0 }
    if let text = String(validating: plain, as: UTF8.self) { return text }
    guard let macintoshLanguage else { return String(decoding: plain, as: UTF8.self) }
    let encoding = macintoshEncodings[macintoshLanguage].flatMap { TextEncoding($0) }
    if let text = encoding?.text(plain) { return text }
    return String(
      String.UnicodeScalarView(
        plain.map { $0 < 0x80 ? Unicode.Scalar($0) : macRoman[Int($0) - 0x80] }))
  }

  static func utf16(_ bytes: ArraySlice<UInt8>) -> String {
    let isLittleEndian = bytes.starts(with: [0xFF, 0xFE])
    let hasMark = isLittleEndian || bytes.starts(with: [0xFE, 0xFF])
    let pairs = Array(bytes.dropFirst(hasMark ? 2 : 0))
    let units = stride(from: 0, to: pairs.count - 1, by: 2).map { index in
      let pair = pairs[index..<index + 2]
      return UInt16(isLittleEndian ? pair.littleEndianValue : pair.bigEndianValue)
    }
    return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
  }

  /// A text up to its zero, which has 16 bits in UTF-16, and the bytes after it.
  static func terminated(
    _ bytes: ArraySlice<UInt8>
  ) -> (text: ArraySlice<UInt8>, rest: ArraySlice<UInt8>) {
    let isWide = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
    let size = isWide ? 2 : 1
    for start in stride(from: bytes.startIndex, to: bytes.endIndex - size + 1, by: size)
    where bytes[start..<start + size].allSatisfy({ $0 == 0 }) {
      return (bytes[..<start], bytes[(start + size)...])
    }
    return (bytes, [])
  }

  /// A number with a sign, at least `whole` digits, and `places` digits after the point.
  static func signed(_ value: Double, whole: Int, places: Int) -> String {
    let unit = (0..<places).reduce(1) { unit, _ in unit * 10 }
    let scaled = Int((abs(value) * Double(unit)).rounded())
    func padded(_ number: Int, _ count: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
    let sign = value < 0 ? "-" : "+"
    return sign + padded(scaled / unit, whole) + "." + padded(scaled % unit, places)
  }

  /// The characters 0x80 to 0xFF of Mac OS Roman.
  private static let macRoman = Array(
    ("ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰"
      + "ÂÊÁËÈÍÎÏÌÓÔ\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ").unicodeScalars)
}
