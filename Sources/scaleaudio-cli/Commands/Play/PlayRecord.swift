import AudioPlayer
internal import FoundationEssentials
import ScaleAudio

/// A `--json` object about an event of `play`, as described by `play.schema.json`; fields without a value are left out.
struct PlayRecord: Encodable {
  private let schema = RecordSchema.play
  let event: String
  private(set) var input: String?
  private(set) var inputBase64: Data?
  /// The place of the file in the list, from 1.
  private(set) var number: Int?
  private(set) var title: String?
  private(set) var artist: String?
  private var source: InputFields?
  /// True if its length is an estimate, until an event reports it.
  private var lengthEstimated: Bool?
  /// The device that plays the sound.
  var device: String?
  private var outputSampleRate: Int?
  private var outputChannels: Int?
  private var outputLayout: String?
  /// The frame that is heard, and the same in seconds.
  private var frame: Int?
  private var seconds: Double?
  private var speed: Double?
  private var pitchSemitones: Double?
  /// True if the source is played, without the changes of options and keys.
  private var isSource: Bool?
  private var volume: Double?
  /// The file that is written while others play, and how much of it is.
  var output: String?
  private var percent: Int?
  var errorClass: String?
  var error: String?
  var underruns: Int?

  init(_ event: String) { self.event = event }

  /// An event of a file.
  init(_ event: String, _ path: FilePath) {
    self.event = event
    input = path.string
    inputBase64 = path.bytesUnlessText
  }

  init(started track: Track) {
    self.init("started", track.item.input.path)
    number = track.index + 1
    title = track.source.metadata.values("TITLE").first ?? track.item.title
    artist = track.source.metadata.values("ARTIST").first
    source = InputFields(track.source)
    if track.source.lengthBasis == .estimated { lengthEstimated = true }
  }

  /// The length of a file, after an estimate.
  init(measured track: Track) {
    self.init("measured", track.item.input.path)
    number = track.index + 1
    source = InputFields(track.source)
  }

  init(opened device: String, _ spec: AudioSpec) {
    self.init("output")
    self.device = device
    (outputSampleRate, outputChannels) = (spec.sampleRate, spec.channelCount)
    outputLayout = spec.layout.description
  }

  /// A file that is written while others play.
  init(_ event: String, _ work: Conversion, percent: Int) {
    self.init(event, work.input.path)
    output = work.output.path.string
    self.percent = percent
  }

  /// Describes what is playing now.
  init(_ event: String, _ status: PlayerStatus) {
    self.event = event
    guard let track = status.track else { return }
    input = track.item.input.path.string
    inputBase64 = track.item.input.path.bytesUnlessText
    let frame = max(0, Int(status.frame))
    self.frame = frame
    seconds = track.source.spec.seconds(frames: frame)
    speed = track.speed(at: status.frame, rate: status.hearsSource ? 1 : status.rate)
    pitchSemitones = status.hearsSource ? 0 : status.semitones
    if status.hearsSource { isSource = true }
    volume = status.volume.isMuted ? 0 : status.volume.level
  }

  private enum CodingKeys: CodingKey {
    case schema, event, input, inputBase64, number, title, artist, lengthEstimated
    case device, outputSampleRate, outputChannels, outputLayout
    case frame, seconds, speed, pitchSemitones, isSource, volume, output, percent
    case errorClass, error, underruns
  }

  /// Encodes all parts into one object.
  func encode(to encoder: any Encoder) throws {
    try source?.encode(to: encoder)
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(schema, forKey: .schema)
    try fields.encode(event, forKey: .event)
    try fields.encodeIfPresent(input, forKey: .input)
    try fields.encodeIfPresent(inputBase64, forKey: .inputBase64)
    try fields.encodeIfPresent(number, forKey: .number)
    try fields.encodeIfPresent(title, forKey: .title)
    try fields.encodeIfPresent(artist, forKey: .artist)
    try fields.encodeIfPresent(lengthEstimated, forKey: .lengthEstimated)
    try fields.encodeIfPresent(device, forKey: .device)
    try fields.encodeIfPresent(outputSampleRate, forKey: .outputSampleRate)
    try fields.encodeIfPresent(outputChannels, forKey: .outputChannels)
    try fields.encodeIfPresent(outputLayout, forKey: .outputLayout)
    try fields.encodeIfPresent(frame, forKey: .frame)
    try fields.encodeIfPresent(seconds, forKey: .seconds)
    try fields.encodeIfPresent(speed, forKey: .speed)
    try fields.encodeIfPresent(pitchSemitones, forKey: .pitchSemitones)
    try fields.encodeIfPresent(isSource, forKey: .isSource)
    try fields.encodeIfPresent(volume, forKey: .volume)
    try fields.encodeIfPresent(output, forKey: .output)
    try fields.encodeIfPresent(percent, forKey: .percent)
    try fields.encodeIfPresent(errorClass, forKey: .errorClass)
    try fields.encodeIfPresent(error, forKey: .error)
    try fields.encodeIfPresent(underruns, forKey: .underruns)
  }
}
