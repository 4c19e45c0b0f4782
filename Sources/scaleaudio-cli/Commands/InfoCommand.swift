import ArgumentParser
import ScaleAudio

/// Tells what there is to know of audio files.
struct InfoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Tell what is in audio files: format, length, tags, chapters, levels.",
    discussion: """
      Container, codec, rate, speakers, depth, length, bit rate, where the audio stands in the file, its \
      packets, the encoder's delay and padding, tags, pictures, chapters, marks and tracks; and what \
      `convert` would make of it, at a factor where -f, --speed or --duration gives one.

      The number of frames is exact unless it says "estimated": then only decoding could tell, which \
      --exact does. Where a container has no index of its packets, their number and bytes are told with \
      --exact or --levels only, which read all of it. Lines are cut to the terminal's width, or 100 columns; \
      --json tells everything. A damaged file is told of as far as it decodes; what is wrong with it is told on \
      standard error, and the exit status is 1.

      LEVELS
        Peak, true peak (between samples, by libebur128), RMS and average power
        are in dB of full scale, and end at -80; the average power is that of the
        mean square, and so what the RMS is. Loudness is integrated loudness and
        loudness range by EBU R 128. DC offset is the mean of all samples,
        of which 1 is full scale. A clipped run is 3 samples or more in a row at
        full scale. Silence is what is lower than -80 dB in every channel.
        MD5 is of the decoded samples: interleaved, little-endian, integers
        signed, as deep as the source stores them (16-bit FLAC: what its header
        says, and what `ffmpeg -f md5` says); of lossy codecs, 32-bit floats.

      JSON
        One object a line for each file, those that cannot be read too ("status":
        "ok", "damaged" or "failed", then with "error" and "errorClass"). What is
        not known is left out. info.schema.json, installed in share/scaleaudio,
        describes every field (JSON Schema, 2020-12).

      EXAMPLES
        scaleaudio info song.flac
        scaleaudio info -f 1.5 song.mp3          and what 1.5 times as long makes of it
        scaleaudio info --levels --json Music/   everything, for programs

      EXIT STATUS
        0    every file was told of
        1    some files cannot be read, or are damaged
        64   wrong usage
        66   no input was found
        75   a fault worth retrying
        130  interrupted (143 by SIGTERM)
      """)

  @OptionGroup(title: "Facts") var facts: FactsOptions
  @OptionGroup(title: "Length of an output") var time: TimeOptions
  @OptionGroup(title: "Input") var input: InputOptions

  func validate() throws { try time.validateAtMostOne() }

  func run() async throws {
    let status = InfoRun(self, Interruption.shared).run()
    if status != ExitStatus.success { throw ExitCode(status) }
  }

  /// What a conversion is asked for beside the facts; the length stays where none is given.
  var settings: ConversionSettings {
    var settings = ConversionSettings(time: time.given ?? .factor(.unchanged))
    settings.track = facts.track
    return settings
  }
}
