internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import FoundationEssentials

/// Content that is no audio, which people often find in files with the name of audio.
struct OtherContent {
  /// The number of bytes of the start that is sufficient.
  static let byteCount = 2048

  /// The content, as a phrase: `a web page`.
  let name: String
  let remedy: Remedy

  private init(_ name: String, _ remedy: Remedy) {
    (self.name, self.remedy) = (name, remedy)
  }

  /// The content that the start of a file shows; `nil` if it is not known.
  ///
  /// Source: the first bytes that each format defines; Git LFS and git-annex, "pointer files".
  init?(_ head: AudioFormat.FileHead) {
    let known = Self.signatures.first { head.has($0.bytes, at: $0.offset) }
    if let known {
      self.init(known.name, known.remedy)
      return
    }
    let itself = Remedy.act("fetch the file itself")
    let start = head.bytes.prefix(64)
    let text = String(decoding: start.drop { $0 <= 0x20 || $0 >= 0x80 }, as: UTF8.self).lowercased()
    if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") {
      self.init("a web page", itself)
    } else if text.hasPrefix("<?xml") || text.hasPrefix("{\"") {
      self.init("a text in \(text.hasPrefix("{") ? "JSON" : "XML")", itself)
    } else if start.count == 64, head.bytes.allSatisfy({ $0 == 0 }) {
      self.init("zeros, as an interrupted copy leaves them", .act("copy or download it again"))
    } else {
      return nil
    }
  }

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
    let list = Remedy.act("name the files that it lists")
    let module = "a module of a tracker (notes, not audio)"
    let notes = Remedy.act("convert it to WAV or FLAC with a program that decodes it")
    let pointer = Remedy.act("fetch the file itself")
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
      Signature("#EXTM3U", "a playlist", list),
      Signature("[playlist]", "a playlist", list),
      Signature("Extended Module: ", module, notes), Signature("IMPM", module, notes),
      Signature("SCRM", at: 44, module, notes), Signature("M.K.", at: 1080, module, notes),
    ]
  }()
}
