import AudioModel
internal import FoundationEssentials
import ScaleAudio

/// The object of `info --json` about one file, as described by `info.schema.json`.
struct InspectionRecord: Encodable {
  enum Status: String, Encodable { case ok, damaged, failed }

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
    /// True if players do not list it; `nil` otherwise.
    let hidden: Bool?
  }

  struct Mark: Encodable {
    let kind: TimelineItem.Kind
    let startSeconds: Double
    let endSeconds: Double?
    let label: String
  }

  /// A broadcast extension (EBU Tech 3285).
  struct Broadcast: Encodable {
    let version: Int
    let description, originator, originatorReference: String
    let originationDate, originationTime: String
    let timeReferenceFrames: UInt64
    let timeReferenceSeconds: Double
    let umid: String?
    let integratedLUFS: Double?
    let codingHistory: [String]

    fileprivate init(_ fields: BroadcastExtension, rate: Int) {
      version = fields.version
      description = fields.descriptionText
      originator = fields.originator
      originatorReference = fields.originatorReference
      originationDate = fields.originationDate
      originationTime = fields.originationTime
      timeReferenceFrames = fields.timeReferenceFrames
      timeReferenceSeconds = Double(fields.timeReferenceFrames) / Double(max(1, rate))
      umid = fields.materialIdentifierText
      integratedLUFS = fields.integratedLoudness
      codingHistory = fields.codingHistory
    }
  }

  struct Track: Encodable {
    let number: Int
    let codec: String
    let sampleRate, channels: Int?
    let layout, language, title: String?
    let taken: Bool
  }

  /// Video beside the audio.
  struct Video: Encodable {
    let description: String
    let converted: Bool
  }

  /// The output that `convert` would write.
  struct Planned: Encodable {
    fileprivate struct PlanFields: Encodable {
      var output: String?
      var warnings: [String]?
      var notCarried: [String]?
      var errorClass: String?
      var error: String?
    }

    private var fields: OutputFields?
    private var details = PlanFields()

    fileprivate init(_ planned: Result<PlannedOutput, ConversionError>) {
      switch planned {
      case .failure(let failure):
        details.errorClass = failure.errorClass
        details.error = failure.fullCause
      case .success(let output):
        fields = OutputFields(output)
        details.output = output.path?.string
        details.warnings = output.warnings.map(\.text)
        details.notCarried = output.losses.map(\.text)
      }
    }

    /// Encodes both parts into one object.
    func encode(to encoder: any Encoder) throws {
      try fields?.encode(to: encoder)
      try details.encode(to: encoder)
    }
  }

  /// The fields other than those about the audio.
  fileprivate struct InspectionFields: Encodable {
    let schema = RecordSchema.info
    let input: String
    /// The bytes of the path if they are not UTF-8.
    let inputBase64: Data?
    let status: Status
    var errorClass: String?
    var error: String?
    var bytes: Int?
    var container: String?
    var codec: String?
    var profile: String?
    var codecSampleRate: Int?
    var encoder: String?
    var lossless: Bool?
    var speakers: [String]?
    var framesAre: String?
    var bitRate: Int?
    var bitRateMode: String?
    var delayFrames: Int?
    var paddingFrames: Int?
    var declaredMD5: String?
    var tracks: [Track]?
    var video: Video?
    var tags: [Tag]?
    var pictures: [Picture]?
    var chapters: [Chapter]?
    var marks: [Mark]?
    var broadcast: Broadcast?
    var chunks: [String]?
    var notCarried: [String]?
    var warnings: [String]?
    var planned: Planned?
    var tempo: TempoRecord?
    var levels: LevelsRecord?
  }

  private let audio: InputFields?
  private var details: InspectionFields

  /// The record of an unreadable file.
  init(_ problem: AudioFileError) {
    audio = nil
    details = InspectionFields(
      input: problem.path.string, inputBase64: problem.path.bytesUnlessText, status: .failed,
      errorClass: problem.errorClass, error: problem.fullMessage)
  }

  init(
    _ report: InspectionReport, _ path: FilePath, _ planned: Result<PlannedOutput, ConversionError>
  ) {
    audio = InputFields(report)
    details = InspectionFields(
      input: path.string, inputBase64: path.bytesUnlessText,
      status: report.problem == nil ? .ok : .damaged, errorClass: report.problem?.errorClass,
      error: report.problem?.fullMessage, bytes: report.byteCount)
    details.lossless = report.isLossless
    details.fill(from: report.source)
    details.fill(from: report.source.storage)
    details.bitRate = report.averageBitRate
    details.fill(from: report.source.metadata, rate: report.source.spec.sampleRate)
    details.planned = Planned(planned)
    details.tempo = report.tempo.map(TempoRecord.init)
    details.levels = report.levels.map { LevelsRecord($0, report.source.spec) }
  }

  /// Encodes both parts into one object.
  func encode(to encoder: any Encoder) throws {
    try audio?.encode(to: encoder)
    try details.encode(to: encoder)
  }

  /// The name of a picture type (ID3v2.4, section 4.14).
  static func kind(ofPicture type: UInt32) -> String {
    let kinds = Metadata.Picture.kinds
    return kinds[kinds.indices.contains(Int(type)) ? Int(type) : 0].name
  }
}

extension InputFields {
  /// The fields of an inspected file.
  init(_ report: InspectionReport) {
    let isInteger = report.source.sampleFormat?.isFloat == false
    self.init(report.source, bitDepth: isInteger ? report.source.storage.bitDepth : nil)
  }
}

extension InspectionRecord.InspectionFields {
  fileprivate mutating func fill(from source: SourceDescription) {
    container = source.format.containerName
    codec = source.codec
    speakers = source.spec.layout.speakers?.map(\.abbreviation)
    framesAre = source.lengthBasis.rawValue
    notCarried = source.notCarried.map(\.text)
    warnings = source.warnings.map(\.text)
  }

  fileprivate mutating func fill(from storage: StorageDescription) {
    profile = storage.profile
    codecSampleRate = storage.codecSampleRate
    encoder = storage.encoder
    bitRateMode = storage.bitRateMode?.rawValue
    delayFrames = storage.delay
    paddingFrames = storage.padding
    declaredMD5 = storage.declaredMD5
    video = storage.video.map { InspectionRecord.Video(description: $0, converted: false) }
    tracks = storage.tracks.map { track in
      InspectionRecord.Track(
        number: track.number, codec: track.codec,
        sampleRate: track.sampleRate > 0 ? track.sampleRate : nil,
        channels: track.channelCount > 0 ? track.channelCount : nil, layout: track.layout,
        language: track.language, title: track.title, taken: track.isSelected)
    }
  }

  fileprivate mutating func fill(from metadata: Metadata, rate: Int) {
    func seconds(_ frame: Double) -> Double {
      let seconds = frame / Double(max(1, rate))
      return seconds.isFinite ? seconds : 0
    }
    tags = metadata.comments.map {
      InspectionRecord.Tag(name: $0.name, value: $0.value, language: $0.language)
    }
    pictures = metadata.pictures.map(Self.picture)
    broadcast = metadata.broadcastExtension.flatMap(BroadcastExtension.init).map {
      InspectionRecord.Broadcast($0, rate: rate)
    }
    chunks = metadata.foreignChunks.isEmpty ? nil : metadata.foreignChunks.map(\.title)
    chapters = metadata.chapters.map {
      InspectionRecord.Chapter(
        startSeconds: seconds($0.start), endSeconds: $0.end.map(seconds), title: $0.title,
        address: $0.address, hidden: $0.isHidden ? true : nil)
    }
    marks = TimelineItem.all(in: metadata).map {
      InspectionRecord.Mark(
        kind: $0.kind, startSeconds: seconds($0.start),
        endSeconds: $0.length > 0 ? seconds($0.start + $0.length) : nil, label: $0.label)
    }
  }

  private static func picture(_ picture: Metadata.Picture) -> InspectionRecord.Picture {
    func known(_ number: UInt32) -> Int? { number > 0 ? Int(number) : nil }
    return InspectionRecord.Picture(
      type: Int(picture.type), kind: InspectionRecord.kind(ofPicture: picture.type),
      mime: picture.mimeType,
      bytes: picture.data.count, width: known(picture.width), height: known(picture.height),
      description: picture.description.isEmpty ? nil : picture.description)
  }
}
