internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import FoundationEssentials

/// Content that is no audio, which people often find in files with the name of audio.
struct OtherContent {
  /// The number of bytes of the start that is sufficient.
  private static let byteCount = 2048

  /// The content, as a phrase: `a web page`.
  let name: String
  /// `nil` if the content does not show one.
  let remedy: Remedy?

  private init(_ name: String, _ remedy: Remedy?) {
    (self.name, self.remedy) = (name, remedy)
  }

  /// The content that the start of a file shows, and of zeros its other parts; `nil` if it is not known.
  ///
  /// Source: the first bytes that each format defines; Git LFS and git-annex, "pointer files".
  init?(of input: borrowing InputFile) throws(AudioFileError) {
    let head = AudioFormat.FileHead(
      bytes: try input.bytes(at: 0, count: Self.byteCount), fileSize: input.size)
    let known = Self.signatures.first { head.has($0.bytes, at: $0.offset) }
    if let known {
      self.init(known.name, known.remedy)
      return
    }
    let itself = Remedy.act("fetch the file itself")
    let start = head.bytes.prefix(128)
    // UTF-16 has a zero in each character.
    let units = start.drop { $0 <= 0x20 || $0 >= 0x80 }.filter { $0 != 0 }
    let text = String(decoding: units, as: UTF8.self).lowercased()
    if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") {
      self.init("a web page", itself)
    } else if text.hasPrefix("<?xml") {
      self.init("a text in XML", itself)
    } else if Self.isJSON(units) {
      self.init("a text in JSON", itself)
    } else if text.hasPrefix("#extm3u") {
      self.init("a playlist", Self.list)
    } else if Self.isCueSheet(head.bytes) {
      self.init("a cue sheet", Self.list)
    } else if start.count >= 64, try Self.isZero(input) {
      // Samples without a header may be silent.
      let isNamedRaw = AudioFileError.isNamedRaw(input.path)
      self.init(
        "zeros, as an interrupted copy leaves them",
        isNamedRaw ? nil : .act("copy or download it again"))
    } else {
      return nil
    }
  }

  /// True for text that begins with an object, or with an array of other than numbers, which times in brackets resemble.
  private static func isJSON(_ text: [UInt8]) -> Bool {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    guard text.allSatisfy({ $0 >= 0x20 || isBlank($0) }),
      let second = text.dropFirst().first(where: { !isBlank($0) })
    else { return false }
    let next = Unicode.Scalar(second)
    return switch text.first.map({ Unicode.Scalar($0) }) {
    case "{": next == "\"" || next == "}"
    case "[": next == "{" || next == "[" || next == "\"" || next == "]"
    default: false
    }
  }

  /// True if a text has the line of the first track of a cue sheet.
  private static func isCueSheet(_ bytes: [UInt8]) -> Bool {
    let lines = TextUnits(bytes.filter { $0 != 0 }.map { UInt16($0) }).lines
    return lines.contains { line in
      var rest = line.drop { $0.isBlank }
      return CueSheetText.take("TRACK", &rest)
        && rest.first.map { (0x30...0x39).contains($0) } ?? false
    }
  }

  /// True if a file is zeros, as far as samples of it show.
  private static func isZero(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    let last = max(0, input.size - byteCount)
    for eighth in 0...8 {
      let bytes = try input.bytes(at: last / 8 * eighth + last % 8 * eighth / 8, count: byteCount)
      guard bytes.allSatisfy({ $0 == 0 }) else { return false }
    }
    return true
  }

  private static let list = Remedy.act("name the files that it lists")

  private struct Signature {
    let bytes: [UInt8]
    let offset: Int
    let name: String
    let remedy: Remedy

    init(_ text: String, at offset: Int = 0, _ name: String, _ remedy: Remedy) {
      self.init(Array(text.utf8), at: offset, name, remedy)
    }

    init(_ bytes: [UInt8], at offset: Int = 0, _ name: String, _ remedy: Remedy) {
      (self.bytes, self.offset, self.name, self.remedy) = (bytes, offset, name, remedy)
    }
  }

  private static let signatures: [Signature] = {
    let (archive, picture) = (Remedy.act("unpack it"), Remedy.act("name an audio file"))
    let module = "a module of a tracker (notes, not audio)"
    let notes = Remedy.act("convert it to WAV or FLAC with a program that decodes it")
    let pointer = Remedy.act("fetch the file itself")
    let export = Remedy.act("export its audio with that program")
    return [
      Signature(
        "version https://git-lfs", "a pointer, which git lfs pull replaces by the file", pointer),
      Signature(
        "/annex/objects/", "a pointer, which git annex get replaces by the file", pointer),
      Signature("PK\u{3}\u{4}", "a ZIP archive", archive),
      Signature([0x1F, 0x8B], "compressed by gzip", archive),
      Signature("BZh", "compressed by bzip2", archive),
      Signature([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "compressed by xz", archive),
      Signature([0x28, 0xB5, 0x2F, 0xFD], "compressed by zstd", archive),
      Signature([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive", archive),
      Signature("Rar!\u{1A}\u{7}", "a RAR archive", archive),
      Signature("ustar", at: 257, "a tar archive", archive),
      Signature("%PDF", "a PDF document", picture),
      Signature([0x89, 0x50, 0x4E, 0x47], "a picture (PNG)", picture),
      Signature([0xFF, 0xD8, 0xFF], "a picture (JPEG)", picture),
      Signature("GIF8", "a picture (GIF)", picture),
      Signature("WEBP", at: 8, "a picture (WebP)", picture),
      Signature("[playlist]", "a playlist", list),
      Signature([0, 5, 0x16, 7], "what a Mac keeps beside a file (AppleDouble)", picture),
      Signature("SQLite format 3", "a database, such as a project of Audacity", export),
      Signature("<REAPER_PROJECT", "a project of REAPER", export),
      Signature("Extended Module: ", module, notes), Signature("IMPM", module, notes),
      Signature("SCRM", at: 44, module, notes), Signature("M.K.", at: 1080, module, notes),
    ]
  }()
}
