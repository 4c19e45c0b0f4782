import ArgumentParser
import ScaleAudio

/// Reports the content of audio files.
struct InfoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Report what audio files contain: format, length, tags, chapters, levels.",
    discussion: """
      Reports container, codec, sample rate, channels, bit depth, length, bit rate, encoder \
      delay and padding, tags, pictures, chapters, marks and tracks, and the output that `convert` would \
      write, at the length that --tempo, --speed, -f or --duration gives.

      The number of frames is exact unless marked "estimated"; --exact decodes the file to count them. \
      Lines are cut to the terminal's width, or 100 columns; --json reports everything. Damaged files are \
      reported up to the damage; standard error names the damage, and the exit status is 1.

      LEVELS
        Peak, true peak (between samples, by libebur128), RMS and average power
        are in dB relative to full scale, at least -80. Average power is that of
        the mean square, and so equals the RMS. Loudness is integrated loudness
        and loudness range (EBU R 128). DC offset is the mean of all samples,
        with a full scale of 1. A clipped run is at least 3 consecutive samples at
        full scale. Silence is below -80 dB in every channel. MD5 covers the
        decoded samples: interleaved, little-endian, signed, at the bit depth of
        the source (for 16-bit FLAC equal to the MD5 in its header, and to
        `ffmpeg -f md5`); for lossy codecs, 32-bit floats.

      VALUES
        The columns of --csv, named as in --json. --get takes the short names too.

      \(InspectionField.table)

      JSON
        One object per line for each file, including unreadable ones. "status" is
        "ok", "damaged" or "failed"; the latter two have "error" and "errorClass".
        Unknown fields are omitted. info.schema.json, installed in
        share/scaleaudio, describes every field (JSON Schema, 2020-12).

      EXAMPLES
        scaleaudio info song.flac
        scaleaudio info -f 1.5 song.mp3          also the output 1.5 times as long
        scaleaudio info --levels --json Music/   everything, for programs
        scaleaudio info --short *.wav            a line per file
        scaleaudio info --get duration,rate in.mp3

      EXIT STATUS
        0    success
        1    some files are unreadable or damaged
        64   wrong usage
        66   no input found
        75   temporary failure worth retrying
        78   the configuration file is wrong
        130  interrupted (143 by SIGTERM)
      """)

  @OptionGroup(title: "Report") var inspection: InspectionOptions
  @OptionGroup(title: "Length of the output") var length: LengthOptions
  @OptionGroup(title: "Input") var input: InputOptions
  @OptionGroup(title: "Input") var configuration: ConfigurationOptions

  func validate() throws {
    try input.validateGiven()
    try length.validateAtMostOne()
    if length.all.count > 1 { throw ValidationError("Give one length; info predicts one output.") }
  }

  func run() async throws {
    let run = InfoRun(request, Interruption.shared)
    let status = run.run()
    if status != ExitStatus.success { throw ExitCode(status) }
  }

  /// The request of the options; without a length, the output keeps that of the input.
  private var request: InfoRequest {
    var settings = ConversionSettings(time: length.all.first ?? .factor(.unchanged))
    settings.track = inspection.track
    var report = inspection.request
    report.raw = input.raw?.pcm
    report.tagEncoding = inspection.encoding.tagEncoding
    return InfoRequest(
      input: input, inspection: report, form: inspection.form,
      settings: settings, isScaled: !length.all.isEmpty)
  }
}
