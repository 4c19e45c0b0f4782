import AudioPlayer
import ScaleAudio

/// A `--json` object about an event of `play`; fields without a value are left out.
struct PlayRecord: Encodable {
  var event: String
  var input: String?
  /// The place of the file in the list, from 1.
  var number: Int?
  var title: String?
  var artist: String?
  var sampleRate: Int?
  var channels: Int?
  var layout: String?
  var frames: Int?
  /// The length, or the position, in seconds.
  var seconds: Double?
  /// The frame that is heard.
  var frame: Int?
  var speed: Double?
  var pitchSemitones: Double?
  /// Whether the source is heard in place of what the options or the keys make of it.
  var isSource: Bool?
  var volume: Double?
  var output: String?
  /// How much of a file is written.
  var percent: Int?
  var errorClass: String?
  var error: String?
  var underruns: Int?

  init(_ event: String) { self.event = event }

  init(started track: Track) {
    event = "started"
    let source = track.source
    input = track.item.input.path.string
    number = track.index + 1
    title = source.metadata.values("TITLE").first ?? track.item.title
    artist = source.metadata.values("ARTIST").first
    sampleRate = source.spec.sampleRate
    channels = source.spec.channelCount
    layout = "\(source.spec.layout)"
    frames = source.frameCount
    seconds = source.spec.seconds(frames: source.frameCount)
  }

  /// A file that is written while others play.
  init(_ event: String, _ work: Conversion, percent: Int) {
    self.event = event
    input = work.input.path.string
    output = work.output.path.string
    self.percent = percent
  }

  /// What is heard now.
  init(_ event: String, _ status: PlayerStatus) {
    self.event = event
    input = status.track?.item.input.path.string
    frame = Int(status.frame)
    seconds = status.track.map { $0.source.spec.seconds(frames: Int(status.frame)) }
    speed = status.hearsSource ? 1 : status.rate
    pitchSemitones = status.hearsSource ? 0 : status.semitones
    if status.hearsSource { isSource = true }
    volume = status.volume.isMuted ? 0 : status.volume.level
  }
}
