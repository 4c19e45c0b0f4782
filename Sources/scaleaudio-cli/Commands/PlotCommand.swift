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
    abstract: "Draw the waveforms of audio files: PNG, SVG or PDF.",
    usage: "scaleaudio plot <path> ... [-o <picture or folder>] [<options>]",
    discussion: """
      A picture goes beside its file, in.png beside in.flac, or where -o says; what is found in folders \
      keeps its place below them. The extension of -o, or --format, tells the format: png, svg or pdf.

      STYLES
        bars      The default: each sample's level in decibels, averaged
                  for each bar, from --noise-floor to the loudest bar.
        envelope  The lowest and the highest sample of each column of
                  pixels; the line of the samples where they are fewer.

      Points are pixels of a PNG unless --scale says more. Chapters and marks are lines with their names.

      EXAMPLES
        scaleaudio plot song.flac -o song.svg
        scaleaudio plot --style envelope --theme dark --scale 2 talk.mp3 -o talk.png
        scaleaudio plot --range 1:00-2:30 --channels split film.wav -o part.pdf
        scaleaudio plot --format png -o pictures/ Music/
        scaleaudio plot --sheet -o sheet.png Music/

      Exit statuses are those of convert.
      """)

  @OptionGroup(title: "Picture") var picture: PictureOptions
  @OptionGroup(title: "Audio") var audio: PlotOptions
  @OptionGroup(title: "Output") var output: PlotOutputOptions
  @OptionGroup(title: "Input") var input: InputOptions
  @OptionGroup(title: "Input") var track: TrackOptions

  func validate() throws {
    if output.sheet, case .split = audio.channels?.channels {
      throw ValidationError(
        "--sheet shows one lane for each file; leave out --channels split, or name a channel.")
    }
    let isTerminal = isatty(STDOUT_FILENO) == 1
    if output.output == "-" && isTerminal {
      throw ValidationError("Pictures are not written to a terminal; redirect standard output.")
    }
    if output.output == nil && output.format == nil && isTerminal {
      throw ValidationError("Say where the picture goes, -o FILE, or give a --format.")
    }
  }

  func run() async throws {
    let status = await PlotRun(self, Interruption.shared).run()
    if status != ExitStatus.success { throw ExitCode(status) }
  }

  /// What the options ask for.
  var settings: PlotSettings {
    PlotSettings(
      picture: picture.settings, levels: audio.levels, channels: audio.channels?.channels,
      range: audio.range?.range, existing: output.existing, salvages: audio.salvage,
      track: track.track)
  }
}
