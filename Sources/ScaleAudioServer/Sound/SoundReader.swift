internal import AudioIO
internal import AudioModel
internal import ScaleAudio
internal import TimeScaling

/// A sound: a file or a conversion of it, possibly through the live engine.
struct Hearing: Hashable, Sendable {
  let file: FileLibrary.File
  /// The conversion; `nil` for the file as it is.
  let settings: ConversionSettings?
  /// The rate of the live engine, input frames / output frames, and its shift of the pitch in semitones.
  let rate: Double
  let semitones: Double

  /// Sounds above this are resampled: browsers start late at higher rates, or refuse them.
  static let highestSampleRate = 96_000
}

/// Delivers the frames of a hearing from any frame on; its length is exact.
///
/// One thread uses a reader at a time.
final class SoundReader {
  let spec: AudioSpec
  /// The frames of what is heard, and of the file.
  let frameCount: Int
  let sourceFrameCount: Int
  /// Output length / input length, without the rate of the engine on top.
  let factor: Double
  /// Whether the live engine makes it, so that a conversion's samples differ.
  let isPreview: Bool
  /// The samples of the source; `nil` for lossy codecs.
  let sampleFormat: SampleFormat?
  /// How a conversion stores the samples, and the noise that it adds before; `nil` where it is another that is heard.
  let stored: (format: SampleFormat?, dither: Dither)?
  private(set) var position = 0

  private let stages: any FrameSource

  init(_ hearing: Hearing) throws(ConversionError) {
    let path = hearing.file.path
    let reader = try ConversionError.files(hearing.file.reader())
    sourceFrameCount = reader.source.frameCount
    sampleFormat = reader.source.sampleFormat
    var stages: any FrameSource
    var (rate, semitones) = (hearing.rate, hearing.semitones)
    var stored: (SampleFormat?, Dither)?
    if let settings = hearing.settings, case .stretch(let stretch) = settings.method {
      // The live engine replaces it: it can begin anywhere.
      let length = try PlannedOutput(reader.source, input: .file(path), settings: settings)
      factor = length.factor
      var heard = settings
      (heard.time, heard.method) = (.unchanged, .smoothstep)
      stages = try ScaledFrames(.forListening(reader, settings: heard, path: path))
      let exact = Double(max(1, sourceFrameCount)) / Double(max(1, length.frameCount))
      (rate, semitones) = (rate * exact, semitones + stretch.semitones)
    } else if let settings = hearing.settings {
      let scaled = try ConvertedStream.forListening(reader, settings: settings, path: path)
      factor = scaled.factor
      stored = scaled.stored
      stages = ScaledFrames(scaled)
    } else {
      factor = 1
      stages = FileFrames(reader)
    }
    isPreview = rate != 1 || semitones != 0
    if isPreview {
      stages = try LiveFrames(stages, rate: rate, semitones: semitones, path: path)
    }
    if stages.spec.sampleRate > Hearing.highestSampleRate {
      stages = try ResampledFrames(stages, to: Hearing.highestSampleRate, path: path)
      stored = nil
    }
    self.stages = stages
    self.stored = isPreview ? nil : stored
    spec = stages.spec
    frameCount = stages.frameCount
  }

  /// Fills `buffer` with the next frames, and returns how many; 0 only at the end.
  func read(into buffer: inout MutableSpan<Double>) throws(ConversionError) -> Int {
    let count = try stages.read(into: &buffer)
    position += count
    return count
  }

  /// Goes to a frame, from 0 to the frame count; the next read delivers it.
  func seek(toFrame frame: Int) throws(ConversionError) {
    if frame == position { return }
    try stages.seek(toFrame: frame)
    position = frame
  }
}

/// A source of interleaved frames, full scale being 1.
protocol FrameSource: AnyObject {
  var spec: AudioSpec { get }
  var frameCount: Int { get }

  /// Fills `buffer` with the next frames, and returns how many; 0 only at the end.
  func read(into buffer: inout MutableSpan<Double>) throws(ConversionError) -> Int
  func seek(toFrame frame: Int) throws(ConversionError)
}

/// The frames of a file.
private final class FileFrames: FrameSource {
  private let reader: any FrameStream
  var spec: AudioSpec { reader.source.spec }
  var frameCount: Int { reader.source.frameCount }

  init(_ reader: any FrameStream) { self.reader = reader }

  func read(into buffer: inout MutableSpan<Double>) throws(ConversionError) -> Int {
    do throws(AudioFileError) {
      return try reader.read(into: &buffer)
    } catch {
      throw .file(error)
    }
  }

  func seek(toFrame frame: Int) throws(ConversionError) {
    try ConversionError.files(reader.seek(toFrame: frame))
  }
}

/// What a conversion makes.
private final class ScaledFrames: FrameSource {
  private let reader: ConvertedStream
  var spec: AudioSpec { reader.spec }
  var frameCount: Int { reader.frameCount }

  init(_ reader: ConvertedStream) { self.reader = reader }

  func read(into buffer: inout MutableSpan<Double>) throws(ConversionError) -> Int {
    try reader.read(into: &buffer)
  }

  func seek(toFrame frame: Int) throws(ConversionError) { try reader.seek(toFrame: frame) }
}
