import ArgumentParser
import Glibc
import ScaleAudio

/// Draws audio.
struct PlotCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plot",
    abstract: "Draw the waveforms of audio files as PNG, SVG or PDF, or in the terminal.",
    usage: "scaleaudio plot <path> ... [-o <file or folder>] [<options>]",
    discussion: """
      A picture goes beside its file, in.png beside in.flac, or to the path given by -o; files in folders \
      keep their relative paths. The extension of -o, or --format, selects the format: png, svg or pdf, or \
      json and dat for the data that peaks.js and wavesurfer.js draw. Without either, the picture is drawn \
      in the terminal.

      STYLES
        envelope  The default: the lowest and highest sample in each column of
                  pixels, with the RMS inside, lighter; or a line through the
                  samples if there are fewer.
        bars      For cards and players: the mean level of the samples in each
                  bar, in decibels, from --noise-floor to full scale, or with
                  --fit to the loudest.
        spectrogram
                  Decibels over time and frequency, from --noise-floor; a
                  full-scale sine is 0 dB.
        both      The envelope above the spectrogram.
        loudness  Momentary (400 ms) and short-term (3 s) loudness in LUFS by
                  EBU R 128, with lines at -23 and -16 LUFS.

      Red at the edges of an envelope is clipping: samples at full scale. A point is one pixel of a PNG, or --scale pixels. Chapters and marks are drawn as lines with names.

      EXAMPLES
        scaleaudio plot song.flac -o song.svg
        scaleaudio plot song.flac
        scaleaudio plot song.flac -o peaks.json --pixels-per-second 20 --bits 8
        scaleaudio plot --theme dark --scale 2 talk.mp3 -o talk.png
        scaleaudio plot --range 1:00-2:30 --channels split film.wav -o part.pdf
        scaleaudio plot --format png -o pictures/ Music/
        scaleaudio plot --json --skip-existing Music/

      Exit statuses are those of convert.
      """)

  @OptionGroup(title: "Picture") var picture: PictureOptions
  @OptionGroup(title: "Audio") var audio: PlotOptions
  @OptionGroup(title: "Data") var data: WaveformDataOptions
  @OptionGroup(title: "Output") var terminal: TerminalOptions
  @OptionGroup(title: "Output") var output: PlotOutputOptions
  @OptionGroup(title: "Input") var input: InputOptions
  @OptionGroup(title: "Input") var track: TrackOptions
  @OptionGroup(title: "Input") var encoding: TagEncodingOption
  @OptionGroup(title: "Work") var work: RunOptions
  @OptionGroup(title: "Work") var configuration: ConfigurationOptions

  func validate() throws {
    try input.validateGiven()
    if let option = data.given, !output.asksForData {
      throw ValidationError(
        "\(option) needs waveform data; write it with -o FILE.json or FILE.dat.")
    }
    if data.splitChannels, audio.channels != nil {
      throw ValidationError("--split-channels and --channels exclude each other; give one.")
    }
    if output.output == "-" && !work.dryRun && isatty(STDOUT_FILENO) == 1 {
      throw ValidationError("Pictures are not written to a terminal; redirect standard output.")
    }
    if work.json && (output.output == "-" || terminal.terminal != nil) {
      throw ValidationError("--json and the picture cannot both go to standard output.")
    }
    if picture.style == .loudness, audio.channels != nil {
      throw ValidationError(
        "--style loudness measures all channels together; leave out --channels.")
    }
    if terminal.terminal != nil, let option = output.givenForFiles {
      throw ValidationError("--terminal and \(option) exclude each other; give one.")
    }
    try picture.checkSize(isText: screen?.isText ?? false)
  }

  func run() async throws {
    let status = await PlotRun(request, Interruption.shared).run()
    if status != ExitStatus.success { throw ExitCode(status) }
  }

  /// The terminal that shows the pictures; `nil` if they are files.
  private var screen: TerminalScreen? {
    terminalMode.map { TerminalScreen(mode: $0, options: picture) }
  }

  private var terminalMode: TerminalMode? {
    if let mode = terminal.terminal { return mode }
    let hasPlace =
      output.output != nil || output.format != nil || work.json
    return !hasPlace && isatty(STDOUT_FILENO) == 1 ? .auto : nil
  }

  /// The request of the options.
  private var request: PlotRequest {
    PlotRequest(
      input: input, settings: settings, screen: screen, destination: output.destination,
      format: output.format, work: work)
  }

  private var settings: PlotSettings {
    var settings = PlotSettings(
      picture: picture.settings, levels: audio.levels, data: data.settings,
      channels: data.splitChannels ? .split : audio.channels?.channels,
      range: audio.range?.range, existing: output.existing, salvages: audio.salvage,
      track: track.track)
    settings.raw = input.raw?.pcm
    settings.tagEncoding = encoding.tagEncoding
    return settings
  }
}
