import AudioFiles
import AudioModel

@testable import AudioIO
@testable import ScaleAudio
@testable import scaleaudio_cli

/// Jobs and reports for the tests of the display; ten seconds of stereo each, unless stated.
enum Scene {
  // swift-format-ignore: NeverForceUnwrap
  static func job(_ id: Int, _ name: FilePath, bytes: Int = 1000) -> ConversionJob {
    let output = FilePath("\(name.stem ?? "")-x1.5.\(name.extension ?? "")")
    return ConversionJob(
      id: id,
      work: Conversion(
        input: .file(name), output: .file(output),
        settings: ConversionSettings(time: .factor(TimeFactor(1.5)!))),
      inputBytes: bytes)
  }

  static func jobs(_ count: Int) -> [ConversionJob] {
    (0..<count).map { job($0, FilePath("\($0).wav")) }
  }

  static func progress(_ fraction: Double, seconds: Double = 10) -> ConversionProgress {
    ConversionProgress(
      frames: Int(44100 * seconds * fraction), totalFrames: Int(44100 * seconds),
      sampleRate: 44100)
  }

  // swift-format-ignore: NeverForceUnwrap
  static func report(
    frames: Int = 441_000, factor: Double = 1.5, layout: ChannelLayout = .stereo,
    clipped: Int = 0, gain: Double? = nil, seconds: Double = 0.02, warnings: [String] = []
  ) -> ConversionReport {
    let spec = AudioSpec(sampleRate: 44100, layout: layout)
    let flac = AudioFormat.named("flac")!
    var report = ConversionReport(
      source: SourceDescription(
        spec: spec, frameCount: frames, format: .named("wav")!, codec: "PCM 16-bit",
        sampleFormat: .int16),
      format: flac, spec: spec, outputFrames: Int(Double(frames) * factor), factor: factor,
      method: .smoothstep, clippedSamples: clipped, seconds: seconds,
      warnings: warnings.map { AudioWarning(.output, $0) })
    report.clippedDecibels = clipped > 0 ? 0.8 : nil
    report.gainDecibels = gain
    return report
  }
}

/// A terminal that keeps what is written, and a clock that is set by hand.
final class RecordingTerminal {
  private(set) var writes: [String] = []
  var columns = 60
  var rows = 20
  var time = 0.0

  var text: String { writes.joined() }
  var lines: [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  func display(
    _ style: ProgressDisplay.Style = .auto, _ verbosity: ProgressDisplay.Verbosity = .normal,
    jobs: [ConversionJob], movesCursor: Bool = false
  ) -> ProgressDisplay {
    ProgressDisplay(
      style: style, verbosity: verbosity, files: jobs.map { BatchFile($0) },
      terminal: Terminal(
        write: { self.writes.append($0) },
        size: { Terminal.Size(columns: self.columns, rows: self.rows) }, movesCursor: movesCursor),
      now: { self.time })
  }
}

// The tests report conversions, as most runs do.

extension ProgressState {
  init(jobs: [ConversionJob]) { self.init(files: jobs.map { BatchFile($0) }) }

  mutating func apply(_ event: ConversionEvent) { apply(FileEvent(event)) }
}

extension ProgressDisplay {
  func handle(_ event: ConversionEvent) { handle(FileEvent(event)) }
}
