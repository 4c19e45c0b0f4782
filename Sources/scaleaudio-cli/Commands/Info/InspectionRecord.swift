internal import FoundationEssentials
import ScaleAudio

/// The object of `info --json` about one file, as described by `info.schema.json`.
struct InspectionRecord: Encodable {
  enum Status: String, Encodable { case ok, damaged, failed }

  struct Packets: Encodable {
    let count, smallestBytes, largestBytes, frames: Int?
  }

  struct Tag: Encodable {
    let name, value: String
    let language: String?
  }

  struct Picture: Encodable {
    let type: Int
    let kind, mime: String
    let bytes: Int
    let width, height: Int?
    let description: String?
  }

  struct Chapter: Encodable {
    let startSeconds: Double
    let endSeconds: Double?
    let title: String
    let address: String?
  }

  struct Mark: Encodable {
    let kind: TimelineItem.Kind
    let startSeconds: Double
    let endSeconds: Double?
    let label: String
  }

  struct Track: Encodable {
    let number: Int
    let codec: String
    let rate, channels: Int?
    let layout, language, title: String?
    let taken: Bool
  }

  struct Output: Encodable {
    var path: String?
    var format: String?
    var sampleFormat: String?
    var bits: Int?
    var rate: Int?
    var channels: Int?
    var layout: String?
    var frames: Int?
    var seconds: Double?
    var factor: Double?
    var warnings: [String]?
    var errorClass: String?
    var error: String?
  }

  let input: String
  /// The bytes of the path if they are not UTF-8.
  let inputBase64: Data?
  let status: Status
  private(set) var errorClass: String?
  private(set) var error: String?
  private(set) var bytes: Int?
  private(set) var container: String?
  private(set) var format: String?
  private(set) var codec: String?
  private(set) var lossless: Bool?
  private(set) var rate: Int?
  private(set) var channels: Int?
  private(set) var layout: String?
  private(set) var speakers: [String]?
  private(set) var sampleFormat: String?
  private(set) var bits: Int?
  private(set) var frames: Int?
  private(set) var framesAre: String?
  private(set) var seconds: Double?
  private(set) var bitRate: Int?
  private(set) var bitRateMode: String?
  private(set) var audioOffset: Int?
  private(set) var audioBytes: Int?
  private(set) var packets: Packets?
  private(set) var delayFrames: Int?
  private(set) var paddingFrames: Int?
  private(set) var declaredMD5: String?
  private(set) var tracks: [Track]?
  private(set) var tags: [Tag]?
  private(set) var pictures: [Picture]?
  private(set) var chapters: [Chapter]?
  private(set) var marks: [Mark]?
  private(set) var notCarried: [String]?
  private(set) var warnings: [String]?
  private(set) var output: Output?
  private(set) var levels: LevelsRecord?

  /// The record of an unreadable file.
  init(_ problem: AudioFileError) {
    input = problem.path.string
    inputBase64 = problem.path.bytesUnlessText
    status = .failed
    errorClass = problem.errorClass
    error = problem.fullMessage
  }

  init(
    _ report: InspectionReport, _ path: FilePath, _ output: Result<PlannedOutput, ConversionError>
  ) {
    input = path.string
    inputBase64 = path.bytesUnlessText
    status = report.problem == nil ? .ok : .damaged
    errorClass = report.problem?.errorClass
    error = report.problem?.fullMessage
    bytes = report.byteCount
    lossless = report.isLossless
    fill(from: report.source)
    fill(from: report.storage, isExactDepth: report.source.sampleFormat?.isFloat == false)
    bitRate = report.averageBitRate
    fill(from: report.source.metadata, rate: report.source.spec.sampleRate)
    self.output = Output(output)
    levels = report.levels.map { LevelsRecord($0, report.source.spec) }
  }

  private mutating func fill(from source: SourceDescription) {
    format = source.format.id
    codec = source.codec
    rate = source.spec.sampleRate
    channels = source.spec.channelCount
    layout = source.spec.layout.description
    speakers = source.spec.layout.speakers?.map(\.abbreviation)
    sampleFormat = source.sampleFormat?.rawValue
    bits = source.sampleFormat?.bitDepth
    frames = source.frameCount
    framesAre = source.lengthBasis.rawValue
    seconds = source.spec.seconds(frames: source.frameCount)
    notCarried = source.notCarried
    warnings = source.warnings
  }

  private mutating func fill(from storage: StorageDescription, isExactDepth: Bool) {
    container = storage.container
    if isExactDepth, let depth = storage.bitDepth { bits = depth }
    bitRateMode = storage.bitRateMode?.rawValue
    audioOffset = storage.audioOffset
    audioBytes = storage.audioByteCount
    packets = storage.packets.map {
      Packets(
        count: $0.count, smallestBytes: $0.bytes?.lowerBound, largestBytes: $0.bytes?.upperBound,
        frames: $0.frameCount)
    }
    delayFrames = storage.delay
    paddingFrames = storage.padding
    declaredMD5 = storage.declaredMD5
    tracks = storage.tracks.map { track in
      Track(
        number: track.number, codec: track.codec,
        rate: track.sampleRate > 0 ? track.sampleRate : nil,
        channels: track.channelCount > 0 ? track.channelCount : nil, layout: track.layout,
        language: track.language, title: track.title, taken: track.isSelected)
    }
  }

  private mutating func fill(from metadata: Metadata, rate: Int) {
    func seconds(_ frame: Double) -> Double {
      let seconds = frame / Double(max(1, rate))
      return seconds.isFinite ? seconds : 0
    }
    tags = metadata.comments.map { Tag(name: $0.name, value: $0.value, language: $0.language) }
    pictures = metadata.pictures.map(Self.picture)
    chapters = metadata.chapters.map {
      Chapter(
        startSeconds: seconds($0.start), endSeconds: $0.end.map(seconds), title: $0.title,
        address: $0.address)
    }
    marks = TimelineItem.all(in: metadata).map {
      Mark(
        kind: $0.kind, startSeconds: seconds($0.start),
        endSeconds: $0.length > 0 ? seconds($0.start + $0.length) : nil, label: $0.label)
    }
  }

  private static func picture(_ picture: Metadata.Picture) -> Picture {
    func known(_ number: UInt32) -> Int? { number > 0 ? Int(number) : nil }
    return Picture(
      type: Int(picture.type), kind: kind(ofPicture: picture.type), mime: picture.mimeType,
      bytes: picture.data.count, width: known(picture.width), height: known(picture.height),
      description: picture.description.isEmpty ? nil : picture.description)
  }

  /// The name of a picture type (ID3v2.4, section 4.14).
  static func kind(ofPicture type: UInt32) -> String {
    let kinds = Metadata.Picture.kinds
    return kinds[kinds.indices.contains(Int(type)) ? Int(type) : 0].name
  }
}

extension InspectionRecord.Output {
  fileprivate init(_ planned: Result<PlannedOutput, ConversionError>) {
    switch planned {
    case .failure(let failure):
      errorClass = failure.errorClass
      error = failure.fullCause
    case .success(let output):
      path = output.path?.string
      format = output.format.id
      sampleFormat = output.sampleFormat?.rawValue
      bits = output.sampleFormat?.bitDepth
      rate = output.spec.sampleRate
      channels = output.spec.channelCount
      layout = output.spec.layout.description
      frames = output.frameCount
      seconds = output.spec.seconds(frames: output.frameCount)
      factor = output.factor
      warnings = output.warnings
    }
  }
}
