internal import AudioIO
internal import AudioModel
internal import ScaleAudio
internal import TimeScaling

/// The audio to play: a file or a conversion of it, possibly through the live engine.
struct Hearing: Hashable, Sendable {
  let file: FileLibrary.File
  /// The conversion; `nil` for the file as it is.
  let settings: ConversionSettings?
  /// The rate of the live engine, input frames / output frames, and its shift of the pitch in semitones.
  let rate: Double
  let semitones: Double
}

/// The stream of a hearing, from any frame on; its length is exact.
///
/// One thread at a time uses a sound.
final class Sound {
  /// The description of what is heard.
  var source: SourceDescription { stream.source }
  /// The frames of the file.
  let fileFrameCount: Int
  /// Output length / input length, without the rate of the engine on top.
  let factor: Double
  /// True when the live engine makes the sound, so that the samples of a conversion differ.
  let isPreview: Bool
  /// How a conversion stores the samples, and the noise that it adds before; `nil` where it is another that is heard.
  let stored: (format: SampleFormat?, dither: Dither)?
  /// The next frame.
  private(set) var position = 0
  /// The number of its beginning: 0 before ``begin(atFrame:run:)``.
  private(set) var run = 0

  private let stream: any FrameStream

  /// Browsers start late at higher rates, or refuse them.
  private static let highestSampleRate = 96_000

  init(_ hearing: Hearing) throws(ConversionError) {
    let path = hearing.file.path
    var stream = try ConversionError.files(hearing.file.reader())
    fileFrameCount = stream.source.frameCount
    var (rate, semitones) = (hearing.rate, hearing.semitones)
    var formants = StretchSettings.Formants.shift
    var (factor, stored): (Double, (SampleFormat?, Dither)?) = (1, nil)
    var map: TimeMap?
    if let settings = hearing.settings, case .stretch(let stretch) = settings.method {
      // The live engine replaces it: it can begin anywhere.
      if case .map = settings.time {
        map = try ConvertedStream.stretching(stream.source, settings.time, path: path)
      }
      let length = try PlannedOutput(stream.source, input: .file(path), settings: settings)
      factor = length.factor
      var heard = settings
      (heard.time, heard.method) = (.unchanged, .smoothstep)
      stream = try ConvertedStream.forListening(stream, settings: heard, path: path)
      let exact = Double(max(1, fileFrameCount)) / Double(max(1, length.frameCount))
      (rate, semitones) = (rate * exact, semitones + stretch.semitones)
      formants = stretch.formants
      guard map == nil || hearing.rate == 1 else {
        throw .cannotScale(path, .outOfRange("a time map is played at a rate of 1"))
      }
    } else if let settings = hearing.settings {
      let scaled = try ConvertedStream.forListening(stream, settings: settings, path: path)
      (factor, stored) = (scaled.factor, scaled.stored)
      stream = scaled
    }
    isPreview = rate != 1 || semitones != 0 || map != nil
    do throws(AudioFileError) {
      if let map {
        stream = try LiveStream(
          stream, map: map, semitones: semitones, formants: formants, path: path)
        stored = nil
      } else if isPreview {
        stream = try LiveStream(
          stream, rate: rate, semitones: semitones, formants: formants, path: path)
        stored = nil
      }
      if stream.spec.sampleRate > Self.highestSampleRate {
        stream = try ResampledStream(stream, to: Self.highestSampleRate, path: path)
        stored = nil
      }
    } catch {
      throw .file(error)
    }
    (self.stream, self.factor, self.stored) = (stream, factor, stored)
  }

  /// Fills `block` with the next frames, and returns how many; 0 only at the end.
  func read(into block: Block) throws(AudioFileError) -> Int {
    let count = try stream.read(into: block)
    position += count
    return count
  }

  /// Seeks to a frame, from 0 to the frame count; the next read starts there.
  ///
  /// The live engine begins with other phases at each place: what it makes goes on only where the run is the same.
  ///
  /// - Parameter run: A new number, above 0, for what does not go on from the frame before.
  func begin(atFrame frame: Int, run: Int) throws(AudioFileError) {
    if frame == position, self.run != 0 { return }
    if frame != position { try stream.seek(toFrame: frame) }
    (position, self.run) = (frame, run)
  }
}
