internal import AudioIO
internal import AudioModel
internal import ScaleAudio

/// The facts that a list shows about a file.
struct ListedFile: Encodable {
  let id: String
  var title, artist, album: String?
  var seconds: Double?
  var frames, sampleRate, channels: Int?
  var layout, format, depth: String?
  var hasCover = false
  var isVideo = false
  var problem: Problem?
}

extension ListedFile {
  init(_ id: String, _ report: InspectionReport, _ problem: Problem?) {
    let source = report.source
    self.id = id
    title = source.metadata.first("TITLE")
    artist = source.metadata.first("ARTIST") ?? source.metadata.first("ALBUMARTIST")
    album = source.metadata.first("ALBUM")
    seconds = source.spec.seconds(frames: source.frameCount)
    frames = source.frameCount
    sampleRate = source.spec.sampleRate
    channels = source.spec.channelCount
    layout = source.spec.layout.description
    format = source.format.name
    let bits = report.source.storage.bitDepth ?? source.sampleFormat?.bitDepth
    depth = source.sampleFormat.map { $0.isFloat ? $0.description : "\(bits ?? $0.bitDepth)-bit" }
    hasCover = Cover(source.metadata) != nil
    isVideo = report.source.storage.video != nil
    self.problem = problem
  }
}

/// ListedDetails of a file that a page shows besides its facts.
struct ListedDetails: Encodable {
  struct Chapter: Encodable {
    let title: String
    let start: Double
    let end: Double
  }
  struct Mark: Encodable {
    let name: String
    let start: Double
  }

  private let facts: ListedFile
  private let tags: [[String]]
  private let chapters: [Chapter]
  private let marks: [Mark]
  private let isSeekable: Bool

  private enum Keys: CodingKey { case tags, chapters, marks, isSeekable }

  init(_ facts: ListedFile, _ source: SourceDescription?, isSeekable: Bool) {
    self.facts = facts
    self.isSeekable = isSeekable
    let metadata = source?.metadata ?? Metadata()
    let frames = source?.frameCount ?? 0
    let rate = Double(source?.spec.sampleRate ?? 1)
    // Positions come from files.
    func seconds(_ frame: Double) -> Double { max(0, min(frame, Double(frames))) / rate }
    tags = metadata.comments.map { [$0.name, $0.value] }
    chapters = metadata.chapters.indices.map { index in
      let chapter = metadata.chapters[index]
      let next = index + 1 < metadata.chapters.count ? metadata.chapters[index + 1].start : nil
      return Chapter(
        title: chapter.title, start: seconds(chapter.start),
        end: seconds(chapter.end ?? next ?? Double(frames)))
    }
    marks = metadata.marks.filter(\.start.isFinite).map {
      Mark(name: $0.label, start: seconds($0.start))
    }
  }

  /// Encodes both parts into one object.
  func encode(to encoder: any Encoder) throws {
    try facts.encode(to: encoder)
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(tags, forKey: .tags)
    try container.encode(chapters, forKey: .chapters)
    try container.encode(marks, forKey: .marks)
    try container.encode(isSeekable, forKey: .isSeekable)
  }
}

extension Metadata {
  /// The first value of a field that is not empty.
  fileprivate func first(_ name: String) -> String? { values(name).first { !$0.isEmpty } }
}

/// A cover that a browser may show: its type is that of its first bytes, never what a file claims.
struct Cover {
  /// `image/png`, `image/jpeg` or `image/webp`.
  let mimeType: String
  let data: [UInt8]

  /// The front cover, else the first picture of these types; `nil` if there is none.
  init?(_ metadata: Metadata) {
    let known = metadata.pictures.lazy.compactMap { picture in
      Self.mimeType(of: picture.data).map { (picture, $0) }
    }
    guard let (picture, type) = known.first(where: { $0.0.type == 3 }) ?? known.first else {
      return nil
    }
    (mimeType, data) = (type, picture.data)
  }

  /// Source: the PNG specification section 5.2, ITU-T T.81 annex B, RFC 9649 section 2.4.
  private static func mimeType(of data: [UInt8]) -> String? {
    if data.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if data.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    let isWebP =
      data.starts(with: Array("RIFF".utf8)) && data.dropFirst(8).starts(with: Array("WEBP".utf8))
    return isWebP ? "image/webp" : nil
  }
}
