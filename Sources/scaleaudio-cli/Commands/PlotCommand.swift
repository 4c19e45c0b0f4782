import ArgumentParser
import ScaleAudio

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Draws audio.
struct PlotCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plot",
    abstract: "Draw the waveforms of audio files: PNG, SVG, PDF or in the terminal.",
    usage: "scaleaudio plot <path> ... [-o <file or folder>] [<options>]",
    discussion: """
      A picture goes beside its file, in.png beside in.flac, or where -o says; what is found in folders \
      keeps its place below them. The extension of -o, or --format, tells the format: png, svg or pdf; json \
      and dat are the data that peaks.js and wavesurfer.js draw. Without either, a terminal shows the \
      picture itself.

      STYLES
        bars      The default: each sample's level in decibels, averaged
                  for each bar, from --noise-floor to the loudest bar.
        envelope  The lowest and the highest sample of each column of
                  pixels; the line of the samples where they are fewer.
        spectrogram
                  Decibels over time and frequency, a full-scale sine
                  being 0 dB, from --noise-floor on.

      Points are pixels of a PNG unless --scale says more. Chapters and marks are lines with their names.

      EXAMPLES
        scaleaudio plot song.flac -o song.svg
        scaleaudio plot song.flac
        scaleaudio plot song.flac -o peaks.json --pixels-per-second 20 --bits 8
        scaleaudio plot --style envelope --theme dark --scale 2 talk.mp3 -o talk.png
        scaleaudio plot --range 1:00-2:30 --channels split film.wav -o part.pdf
        scaleaudio plot --format png -o pictures/ Music/
        scaleaudio plot --json --skip-existing Music/
        scaleaudio plot --sheet -o sheet.png Music/

      Exit statuses are those of convert.
      """)

  @OptionGroup(title: "Picture") var picture: PictureOptions
  @OptionGroup(title: "Audio") var audio: PlotOptions
  @OptionGroup(title: "Data") var data: WaveformDataOptions
  @OptionGroup(title: "Output") var terminal: TerminalOptions
  @OptionGroup(title: "Output") var output: PlotOutputOptions
  @OptionGroup(title: "Input") var input: InputOptions
  @OptionGroup(title: "Input") var track: TrackOptions
  @OptionGroup(title: "Work") var work: RunOptions

  func validate() throws {
    if let option = data.given, !output.asksForData {
      throw ValidationError("\(option) is for data; write it with -o FILE.json or FILE.dat.")
    }
    if data.splitChannels, audio.channels != nil {
      throw ValidationError("--split-channels and --channels exclude each other; give one.")
    }
    if output.sheet, case .split = audio.channels?.channels {
      throw ValidationError(
        "--sheet shows one lane for each file; leave out --channels split, or name a channel.")
    }
    if output.output == "-" && !work.dryRun && isatty(STDOUT_FILENO) == 1 {
      throw ValidationError("Pictures are not written to a terminal; redirect standard output.")
    }
    if work.json && (output.output == "-" || terminal.terminal != nil) {
      throw ValidationError("--json and the picture cannot both go to standard output.")
    }
    if terminal.terminal != nil, let option = output.givenForFiles {
      throw ValidationError("--terminal and \(option) exclude each other; give one.")
    }
    try picture.checkSize(isText: showsText)
  }

  func run() async throws {
    let status = await PlotRun(self, Interruption.shared).run()
    if status != ExitStatus.success { throw ExitCode(status) }
  }

  /// How pictures are shown in the terminal; `nil` when they are files.
  var terminalMode: TerminalMode? {
    if let mode = terminal.terminal { return mode }
    let hasPlace = output.output != nil || output.format != nil || work.json
    return !hasPlace && isatty(STDOUT_FILENO) == 1 ? .auto : nil
  }

  /// Whether pictures are made of characters, which are measured in columns and lines.
  private var showsText: Bool {
    terminalMode.map { TerminalScreen(mode: $0, options: picture).isText } ?? false
  }

  /// What the options ask for.
  var settings: PlotSettings {
    PlotSettings(
      picture: picture.settings, levels: audio.levels, data: data.settings,
      channels: data.splitChannels ? .split : audio.channels?.channels,
      range: audio.range?.range, existing: output.existing, salvages: audio.salvage,
      track: track.track)
  }
}
