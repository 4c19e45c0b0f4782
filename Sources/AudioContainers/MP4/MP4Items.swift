internal import AudioIO
internal import AudioModel

/// iTunes' items, the content of `ilst`: a box for each name, with the values in boxes `data`.
///
/// Source: Apple, "QuickTime File Format Specification", section Metadata Atoms, for the boxes and the types of values.
/// There is no specification of the items; these are those that iTunes, TagLib 1.13 and Mp3tag know.
enum MP4Items {
  /// The name of free items before their own name.
  fileprivate static let free = "----:com.apple.iTunes:"
  /// A genre by its number in ID3v1 plus 1.
  fileprivate static let numberedGenre = "gnre"
  fileprivate static let covers = "covr"

  /// The kinds of values in an item.
  fileprivate enum Kind: Equatable {
    /// Any number of texts.
    case text
    /// One text. Several go into a free item.
    case oneText
    /// Any number of texts without a type.
    case untypedText
    /// A text with a number up to 100, or a number of 16 bits.
    case rating
    /// 0 or 1, in one byte.
    case flag
    /// A number in 1, 2, 4 or 8 bytes; it has a sign in 2 and in 8.
    case number(bytes: Int)
    /// Whole beats per minute, in 2 bytes.
    case tempo
    /// A number and a total of 16 bits each, with 16 unused bits before them and, if `isPadded`, after them.
    case pair(isPadded: Bool)

    /// The size of a number in bytes; `nil` for texts and pairs.
    var byteCount: Int? {
      switch self {
      case .flag: 1
      case .rating, .tempo: 2
      case .number(let bytes): bytes
      case .text, .oneText, .untypedText, .pair: nil
      }
    }

    /// True if an item has more than one value.
    var isList: Bool { [.text, .oneText, .untypedText].contains(self) }
  }

  /// An item, with the name of the comment that means the same.
  fileprivate struct Item {
    /// Four characters, or the full name of a free item.
    let type: String
    let name: String
    let kind: Kind

    init(_ type: String, _ name: String, _ kind: Kind = .text) {
      (self.type, self.name, self.kind) = (type, name, kind)
    }
  }

  /// The items, in the order in which they are tried for a comment.
  private static let items: [Item] =
    [
      // The names are those of Mp3tag.
      Item("\u{A9}too", "ENCODER", .oneText), Item("\u{A9}enc", "ENCODEDBY", .oneText),
      Item("rate", "RATING", .rating), Item("stik", "ITUNESMEDIATYPE", .number(bytes: 1)),
      Item("rtng", "ITUNESADVISORY", .number(bytes: 1)),
      Item("akID", "ITUNESACCOUNTTYPE", .number(bytes: 1)), Item("hdvd", "ITUNESHDVIDEO", .flag),
      Item("apID", "ITUNESACCOUNT", .oneText), Item("cnID", "ITUNESCATALOGID", .number(bytes: 4)),
      Item("atID", "ITUNESARTISTID", .number(bytes: 4)),
      Item("geID", "ITUNESGENREID", .number(bytes: 4)),
      Item("sfID", "ITUNESCOUNTRYID", .number(bytes: 4)),
      Item("cmID", "ITUNESCOMPOSERID", .number(bytes: 4)),
      Item("plID", "ITUNESALBUMID", .number(bytes: 8)), Item("ownr", "ITUNESOWNER", .oneText),
      Item("purd", "ITUNESPURCHASEDATE", .oneText), Item("ldes", "LONGDESCRIPTION", .oneText),
      Item("keyw", "PODCASTKEYWORDS", .oneText), Item("\u{A9}dir", "DIRECTOR", .oneText),
      Item("\u{A9}nrt", "NARRATOR", .oneText), Item("\u{A9}pub", "PUBLISHER", .oneText),
      Item("\u{A9}con", "CONDUCTOR", .oneText),
      // The names are those of TagLib's properties.
      Item("\u{A9}nam", "TITLE"), Item("\u{A9}ART", "ARTIST"), Item("\u{A9}alb", "ALBUM"),
      Item("\u{A9}cmt", "COMMENT"), Item("\u{A9}gen", "GENRE"), Item("\u{A9}day", "DATE"),
      Item("\u{A9}wrt", "COMPOSER"), Item("\u{A9}grp", "GROUPING"), Item("aART", "ALBUMARTIST"),
      Item("trkn", "TRACKNUMBER", .pair(isPadded: true)),
      Item("disk", "DISCNUMBER", .pair(isPadded: false)), Item("cpil", "COMPILATION", .flag),
      Item("tmpo", "BPM", .tempo), Item("cprt", "COPYRIGHT"), Item("\u{A9}lyr", "LYRICS"),
      Item("soal", "ALBUMSORT"), Item("soaa", "ALBUMARTISTSORT"), Item("soar", "ARTISTSORT"),
      Item("sonm", "TITLESORT"), Item("soco", "COMPOSERSORT"), Item("sosn", "SHOWSORT"),
      Item("shwm", "SHOWWORKMOVEMENT", .flag), Item("pgap", "GAPLESSPLAYBACK", .flag),
      Item("pcst", "PODCAST", .flag), Item("catg", "PODCASTCATEGORY"), Item("desc", "PODCASTDESC"),
      Item("egid", "PODCASTID", .untypedText), Item("purl", "PODCASTURL", .untypedText),
      Item("tves", "TVEPISODE", .number(bytes: 4)), Item("tven", "TVEPISODEID"),
      Item("tvnn", "TVNETWORK"), Item("tvsn", "TVSEASON", .number(bytes: 4)),
      Item("tvsh", "TVSHOW"), Item("\u{A9}wrk", "WORK"), Item("\u{A9}mvn", "MOVEMENTNAME"),
      Item("\u{A9}mvi", "MOVEMENTNUMBER", .number(bytes: 2)),
      Item("\u{A9}mvc", "MOVEMENTCOUNT", .number(bytes: 2)),
    ]
    + [
      ("MusicBrainz Track Id", "MUSICBRAINZ_TRACKID"),
      ("MusicBrainz Artist Id", "MUSICBRAINZ_ARTISTID"),
      ("MusicBrainz Album Id", "MUSICBRAINZ_ALBUMID"),
      ("MusicBrainz Album Artist Id", "MUSICBRAINZ_ALBUMARTISTID"),
      ("MusicBrainz Release Group Id", "MUSICBRAINZ_RELEASEGROUPID"),
      ("MusicBrainz Release Track Id", "MUSICBRAINZ_RELEASETRACKID"),
      ("MusicBrainz Work Id", "MUSICBRAINZ_WORKID"),
      ("MusicBrainz Album Release Country", "RELEASECOUNTRY"),
      ("MusicBrainz Album Status", "RELEASESTATUS"), ("MusicBrainz Album Type", "RELEASETYPE"),
      ("originaldate", "ORIGINALDATE"),
    ].map { Item(free + $0, $1) }
    + [
      "ARTISTS", "ASIN", "LABEL", "LYRICIST", "CONDUCTOR", "REMIXER", "ENGINEER", "PRODUCER",
      "DJMIXER", "MIXER", "SUBTITLE", "DISCSUBTITLE", "MOOD", "ISRC", "CATALOGNUMBER", "BARCODE",
      "SCRIPT", "LANGUAGE", "LICENSE", "MEDIA",
    ].map { Item(free + $0, $0) }

  private static let byType = Dictionary(uniqueKeysWithValues: items.map { ($0.type, $0) })
  private static let byName = Dictionary(grouping: items, by: \.name)

  /// The known item of a type.
  fileprivate static func item(_ type: String) -> Item? { byType[type] }

  /// The items that can hold a comment of this name, in upper case.
  fileprivate static func items(named name: String) -> [Item] { byName[name] ?? [] }

  // MARK: Genres

  /// The name of a genre by its number in the item; empty if there is none.
  fileprivate static func genre(_ number: UInt64) -> String {
    UInt8(exactly: Int(number) - 1).map { ID3v1Tag.genre($0) } ?? ""
  }

  /// The number of a genre for the item; `nil` if it has none.
  fileprivate static func number(ofGenre name: String) -> Int? {
    (1...192).first { genre(UInt64($0)) == name }
  }
}

// MARK: - Reading

extension MP4Items {
  /// The content of a list of items. Of damaged items, complete boxes are read.
  ///
  /// The standard item of a field has precedence over a free item with its meaning. A free item with other values keeps
  /// its own name, so that each is written as what it was.
  static func contents(of list: [UInt8]) -> TagContents {
    var reading = Reading()
    let boxes = Self.boxes(list[...])
    if boxes.count == maximumBoxCount {
      reading.contents.note(.tag, "items beyond the first \(maximumBoxCount)")
    }
    for box in boxes { reading.take(box) }
    reading.report()
    return reading.contents
  }

  /// The maximum number of boxes at one level: more are implausible.
  private static let maximumBoxCount = 1 << 14

  private typealias Box = (type: String, content: ArraySlice<UInt8>)

  /// The complete boxes in some bytes, one after another.
  private static func boxes(_ bytes: ArraySlice<UInt8>) -> [Box] {
    var boxes: [Box] = []
    var rest = bytes
    while rest.count >= 8, boxes.count < maximumBoxCount {
      let size = Int(rest.prefix(4).bigEndianValue)
      guard size >= 8, size <= rest.count else { break }
      let type = rest.dropFirst(4).prefix(4).map { Unicode.Scalar($0) }
      boxes.append((String(String.UnicodeScalarView(type)), rest.prefix(size).dropFirst(8)))
      rest = rest.dropFirst(size)
    }
    return boxes
  }

  private struct Reading {
    var contents = TagContents()
    /// The names of numbered genres.
    private var genres: [String] = []
    /// The texts of items by their types.
    private var texts: [String: Values<String>] = [:]
    private var covers = Values<ArraySlice<UInt8>>()

    /// The values of the boxes of one item. A value that an earlier box has already counts once.
    struct Values<Value: Hashable> {
      private(set) var all: [Value] = []
      private var known: Set<Value> = []

      mutating func append(_ values: [Value]) {
        all += values.filter { !known.contains($0) }
        known.formUnion(values)
      }
    }

    mutating func take(_ item: Box) {
      var type = item.type
      var (domain, own): (String, String?) = ("", nil)
      var values: [ArraySlice<UInt8>] = []
      for box in boxes(item.content) {
        // Version and flags precede a name; type and locale precede a value.
        switch box.type {
        case "mean": domain = MP4Items.text(box.content.dropFirst(4)) ?? ""
        case "name": own = MP4Items.text(box.content.dropFirst(4))
        case "data" where box.content.count >= 8: values.append(box.content)
        default: break
        }
      }
      if type == "----" {
        type = "----:\(domain):\(own ?? "")"
        guard own != nil else { return contents.note(.tag, "tag \(type)") }
      }
      switch type {
      case MP4Items.covers:
        // GIF, JPEG, PNG, BMP, or any.
        let pictures = values.filter { [0, 12, 13, 14, 27].contains($0.prefix(4).bigEndianValue) }
        if pictures.count < values.count { contents.note(.tag, "tag \(MP4Items.plainName(type))") }
        covers.append(pictures)
      case MP4Items.numberedGenre:
        for value in values {
          let number = value.dropFirst(8)
          let genre = number.count == 2 ? MP4Items.genre(number.bigEndianValue) : ""
          if genre.isEmpty {
            contents.note(.tag, "tag \(MP4Items.plainName(type))")
          } else if !genres.contains(genre) {
            genres.append(genre)
          }
        }
      default:
        let kind = MP4Items.item(type)?.kind ?? .text
        let read = values.compactMap { value -> String? in
          let text = kind.text(of: value)
          if text == nil { contents.note(.tag, "tag \(MP4Items.plainName(type))") }
          return text
        }
        if !read.isEmpty { texts[type, default: Values()].append(read) }
      }
    }

    /// A field of an item.
    private struct Field {
      let item: String
      /// The name of the comments; a name of its own where another item has it.
      var name: String
      var values: [String]
      /// Fields of a lower rank have precedence: those of standard items, of known items, of others.
      let rank: Int
      /// True if the name of the comments does not identify the item when it is written.
      let isNamedByItem: Bool
    }

    mutating func report() {
      var fields = texts.sorted { MP4Items.precedes($0.key, $1.key) }.map(Self.field)
      if !genres.isEmpty {
        fields.insert(
          Field(
            item: MP4Items.numberedGenre, name: "GENRE", values: genres, rank: 1,
            isNamedByItem: true), at: 0)
      }
      var known: [String: Set<String>] = [:]
      let order = fields.indices.sorted { (fields[$0].rank, $0) < (fields[$1].rank, $1) }
      for index in order {
        let (field, key) = (fields[index], fields[index].name.uppercased())
        if let earlier = known[key], field.rank > 0 {
          if field.values.allSatisfy(earlier.contains) {
            fields[index].values = []
          } else if field.item != MP4Items.numberedGenre {
            fields[index].name = field.item
          }
        }
        known[key, default: []].formUnion(field.values)
      }
      var seen: [String: Set<String>] = [:]
      for field in fields {
        let new = field.values.filter { seen[field.name]?.contains($0) != true }
        seen[field.name, default: []].formUnion(new)
        for value in new { add(field, value) }
      }
      TagNames.splitTotals(in: &contents.metadata.comments)
      for value in covers.all {
        // MP4 has no types of pictures; the first counts as the front cover.
        contents.metadata.pictures.append(
          Metadata.Picture(
            type: contents.metadata.pictures.isEmpty ? 3 : 0, mimeType: "", description: "",
            data: Array(value.dropFirst(8))))
      }
    }

    private static func field(_ type: String, _ values: Values<String>) -> Field {
      let item = MP4Items.item(type)
      let isFree = type.hasPrefix("----")
      let all = item?.kind.isList == false ? Array(values.all.prefix(1)) : values.all
      return Field(
        item: type, name: item?.name ?? MP4Items.plainName(type), values: all,
        rank: isFree ? (item == nil ? 2 : 1) : 0,
        isNamedByItem: isFree || item?.kind == .oneText && all.count > 1)
    }

    private mutating func add(_ field: Field, _ value: String) {
      if field.name.isEmpty || value.isEmpty { return }
      guard contents.metadata.comments.count < TagContents.maximumCommentCount else {
        return contents.note(.tag, "tags beyond the first \(TagContents.maximumCommentCount)")
      }
      var comment = Metadata.Comment(name: field.name, value: value)
      if field.isNamedByItem { comment.item = .init(.mp4, field.item) }
      contents.metadata.comments.append(comment)
    }
  }

  /// The comment name of an item without one: its own name if it is free, otherwise `MP4:` and the four characters.
  fileprivate static func plainName(_ type: String) -> String {
    if type.hasPrefix(free) { return String(type.dropFirst(free.count)) }
    return type.hasPrefix("----") ? type : "MP4:" + type.replacing("\u{A9}", with: "(c)")
  }

  /// The order of items by their characters, free items first.
  fileprivate static func precedes(_ one: String, _ other: String) -> Bool {
    one.unicodeScalars.lexicographicallyPrecedes(other.unicodeScalars)
  }

  /// UTF-8 up to the first zero; `nil` if it is not valid.
  fileprivate static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}

extension MP4Items.Kind {
  /// The text of a value, which begins with its type and its locale; `nil` if it is neither text nor a number that fits.
  fileprivate func text(of value: ArraySlice<UInt8>) -> String? {
    let type = value.prefix(4).bigEndianValue & 0xFF_FFFF
    let content = value.dropFirst(8)
    if case .pair = self {
      let (number, total) = (content.dropFirst(2).prefix(2), content.dropFirst(4).prefix(2))
      return "\(number.bigEndianValue)"
        + (total.bigEndianValue == 0 ? "" : "/\(total.bigEndianValue)")
    }
    guard let byteCount else { return Self.text(content, type: type) }
    if type == 1 {
      let text = Self.text(content, type: type)
      return self == .rating ? text : text.flatMap { data(for: [$0]) == nil ? nil : $0 }
    }
    // Leading zeros are left out, or more than usual.
    guard (1...8).contains(content.count),
      content.dropLast(byteCount).allSatisfy({ $0 == 0 })
    else { return nil }
    let number = content.bigEndianValue
    if self == .flag { return number == 0 ? "0" : "1" }
    return switch byteCount {
    case 2: "\(Int16(truncatingIfNeeded: number))"
    case 8: "\(Int64(bitPattern: number))"
    default: "\(number)"
    }
  }

  /// A text by its type: UTF-8 or UTF-16, or what is valid UTF-8 if it has no type.
  private static func text(_ content: ArraySlice<UInt8>, type: UInt64) -> String? {
    switch type {
    case 1, 4: MP4Items.text(content)
    case 2, 5: MP4Text.utf16(content)
    case 0 where !content.isEmpty && content.allSatisfy({ $0 > 8 }): MP4Items.text(content)
    default: nil
    }
  }
}

// MARK: - Writing

extension MP4Items {
  /// Adds the items of text tags and pictures, and one with the numbers of `iTunSMPB`.
  static func put(_ metadata: Metadata, gapless: String?, _ list: inout ByteWriter) {
    var writing = Writing()
    writing.add(TagNames.written(metadata.comments, items: .mp4))
    let covers = metadata.pictures.filter { $0.mimeType != addressType }
    if !covers.isEmpty { writing.values[Self.covers] = covers.map(value) }
    if let gapless { writing.values[free + "iTunSMPB"] = [(1, Array(gapless.utf8))] }
    writing.put(&list)
  }

  /// The metadata that the items cannot hold, except chapters and marks.
  static func notCarried(of metadata: Metadata) -> [MetadataLoss] {
    var notCarried: [MetadataLoss] = []
    if metadata.pictures.contains(where: { $0.mimeType == addressType }) {
      notCarried.append(MetadataLoss(.picture, "addresses of pictures"))
    }
    let kinds = metadata.pictures.enumerated().contains { index, picture in
      picture.type != (index == 0 ? 3 : 0) || !picture.description.isEmpty
    }
    if kinds { notCarried.append(MetadataLoss(.picture, "types and descriptions of pictures")) }
    if !metadata.syncedLyrics.isEmpty {
      notCarried.append(MetadataLoss(.lyrics, "synchronized lyrics"))
    }
    return notCarried
  }

  /// The MIME type of a picture that is only an address.
  private static let addressType = "-->"

  /// A value: its type, and its content.
  fileprivate typealias Value = (type: Int, content: [UInt8])

  private static func value(_ picture: Metadata.Picture) -> Value {
    let types = ["image/jpeg": 13, "image/png": 14, "image/bmp": 27]
    return (types[picture.mimeType] ?? 0, picture.data)
  }

  private struct Writing {
    /// By the types of items.
    var values: [String: [Value]] = [:]

    mutating func add(_ comments: [Metadata.Comment]) {
      for field in TagNames.grouped(comments) {
        // A name may have values of items and others.
        var rest = field.comments
        while let first = rest.first {
          let item = first.itemName(in: .mp4)
          let texts = rest.filter { $0.itemName(in: .mp4) == item }.map(\.value)
          rest.removeAll { $0.itemName(in: .mp4) == item }
          if let item { add(texts, toItem: item) } else { add(texts, named: first.name) }
        }
      }
    }

    /// Adds the values that were read from an item.
    private mutating func add(_ texts: [String], toItem item: String) {
      guard item == MP4Items.numberedGenre else { return append(texts, item) }
      if texts.count == 1, let number = MP4Items.number(ofGenre: texts[0]) {
        values[item] = [(0, number.bigEndianBytes(2))]
      } else {
        append(texts, "\u{A9}gen")
      }
    }

    /// Adds the values of a field to the first item of its meaning that can hold them, otherwise to a free item.
    private mutating func add(_ texts: [String], named name: String) {
      let key = name.uppercased()
      for item in MP4Items.items(named: key) {
        if item.kind.isList {
          if item.kind == .oneText, texts.count > 1 { continue }
          return append(texts, item.type)
        } else if let value = item.kind.data(for: texts) {
          values[item.type] = [value]
          return
        }
      }
      if key.hasPrefix("MP4:"), let type = Self.type(String(name.dropFirst(4))) {
        append(texts, type)
      } else {
        append(texts, key.hasPrefix("----:") ? name : MP4Items.free + name)
      }
    }

    /// The item of texts with these four characters, of which `(c)` may be one; `nil` if there is none.
    private static func type(_ text: String) -> String? {
      let type = text.hasPrefix("(c)") ? "\u{A9}" + text.dropFirst(3) : text
      let scalars = type.unicodeScalars
      guard scalars.count == 4, scalars.allSatisfy({ $0.value < 0x100 }),
        ![MP4Items.numberedGenre, MP4Items.covers, "----"].contains(type),
        MP4Items.item(type)?.kind.isList != false
      else { return nil }
      return type
    }

    private mutating func append(_ texts: [String], _ type: String) {
      let number = MP4Items.item(type)?.kind == .untypedText ? 0 : 1
      values[type, default: []] += texts.map { (number, Array($0.utf8)) }
    }

    func put(_ list: inout ByteWriter) {
      for (type, values) in values.sorted(by: { MP4Items.precedes($0.key, $1.key) }) {
        list.box(type.hasPrefix("----") ? "----" : type) { item in
          if type.hasPrefix("----") { Self.putName(type, &item) }
          for value in values {
            item.box("data") { data in
              data.append32(value.type)
              // The locale: any.
              data.append32(0)
              data.append(value.content)
            }
          }
        }
      }
    }

    /// Adds the domain of a free item, and its own name, which may contain colons.
    private static func putName(_ type: String, _ item: inout ByteWriter) {
      let parts = type.dropFirst("----:".count).split(
        separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      item.box("mean", version: 0) {
        $0.append(parts.count > 1 ? String(parts[0]) : "com.apple.iTunes")
      }
      item.box("name", version: 0) { $0.append(String(parts.last ?? "")) }
    }
  }
}

extension MP4Items.Kind {
  /// The value of an item that holds one number; `nil` if it cannot hold the texts.
  fileprivate func data(for texts: [String]) -> MP4Items.Value? {
    guard texts.count == 1 else { return nil }
    let text = texts[0]
    let integer = 21
    switch self {
    case .text, .oneText, .untypedText: return nil
    case .rating:
      return Self.number(text, upTo: 100).map { _ in (1, Array(text.utf8)) }
    case .flag:
      return Self.number(text, upTo: 0xFF).map { (integer, [$0 == 0 ? 0 : 1]) }
    case .number(bytes: 8):
      return Int(text).map { (integer, $0.bigEndianBytes(8)) }
    case .number(let count):
      let most = count == 2 ? 0x7FFF : 1 << (8 * count) - 1
      return Self.number(text, upTo: most).map { (integer, $0.bigEndianBytes(count)) }
    case .tempo:
      guard let tempo = Double(text), tempo >= 0, tempo < 0x7FFF else { return nil }
      return (integer, Int(tempo + 0.5).bigEndianBytes(2))
    case .pair(let isPadded):
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      let numbers = parts.compactMap { Self.number(String($0), upTo: 0xFFFF) }
      guard numbers.count == parts.count, (1...2).contains(numbers.count) else { return nil }
      let total = numbers.count > 1 ? numbers[1] : 0
      let bytes = [0, 0] + numbers[0].bigEndianBytes(2) + total.bigEndianBytes(2)
      return (0, bytes + (isPadded ? [0, 0] : []))
    }
  }

  /// A number of only digits, up to a maximum.
  private static func number(_ text: String, upTo most: Int) -> Int? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text) else {
      return nil
    }
    return number <= most ? number : nil
  }
}
