public import ArgumentParser
import AudioIO
public import ScaleAudio

/// The destination of outputs, and what happens to existing ones.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.customShort("o", allowingJoined: true), .long], parsing: .unconditional,
    help: ArgumentHelp(
      "Output file for one input file; otherwise a folder, created if missing. - is standard output.",
      discussion: """
        A pipe or a character device is written as a stream. A symbolic link is followed, and refused if \
        it leads nowhere; so are sockets and block devices.
        """, valueName: "path"),
    completion: .file())
  var output: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Recreate the folder structure below this folder in the output, also for files from a list.",
      valueName: "folder"),
    completion: .directory)
  var base: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Suffix for output names. Default: the change, such as -tempo0.7, -speed1.25, -x1.5, -30s or -x1.5-sinc.",
      valueName: "text"))
  var suffix: String?

  @Option(
    help: ArgumentHelp(
      "Names of the outputs, also in folders: {stem} {ext} {factor} {tempo} {speed} {method} {pitch} {duration} {bpm} {from} {to} {index} {parent} {engine} {quality} {rate} {title} {track}.",
      discussion:
        "A slash begins a folder below that of the outputs: '{parent}/{stem}-{speed}.{ext}'.",
      valueName: "template"),
    transform: Self.template)
  var name: NameTemplate?

  @Flag(help: "Keep the input's extension before the new one: in-x1.5.wav.flac.")
  var keepExtension = false

  @Flag(
    help: ArgumentHelp(
      "Also convert inputs that are themselves outputs of other inputs. Default: they are skipped.",
      discussion: """
        After scaleaudio -f 2 *.wav, a second *.wav also matches a-x2.wav. It is known by its encoder tag, and by \
        its name, which begins with that of the input a.wav.
        """))
  var includeOutputs = false

  @Flag(help: "Overwrite existing outputs. Default: an existing output is an error.")
  var overwrite = false

  @Flag(help: "Skip inputs whose outputs exist.")
  var skipExisting = false

  @Flag(
    help: ArgumentHelp(
      "Skip conversions that are done: same unchanged source, same options.",
      discussion: """
        This run is recorded in .scaleaudio.jsonl in the output folder. Outputs of a run without --resume count \
        as done if they are no older than their source and have the right format and length.
        """))
  var resume = false

  @Flag(
    help: ArgumentHelp(
      "Refuse an output that would lack anything of its source.",
      discussion: """
        A chunk, tag, picture, chapter or mark that the format does not hold, the precision of a mark or of samples, \
        the position of a speaker, a line of a timed text that cannot be read: an error before anything is written. \
        -n lists them all.
        """))
  var strict = false

  @Flag(
    help: ArgumentHelp(
      "Do not flush outputs to the disk: faster, but a power failure may lose them."
    ))
  var noSync = false

  /// True if the output is a file whose name asks for another format than that of the one input, which is a file too.
  func isOtherFormat(than inputs: [String]) -> Bool {
    func format(_ text: String) -> AudioFormat? {
      let path = RawArgument.path(of: text)
      let isFolder = FileStatus(path: path, followingLinks: true)?.kind == .folder
      return isFolder || text.hasSuffix("/")
        ? nil : path.extension.flatMap(AudioFormat.forExtension)
    }
    guard inputs.count == 1, let output, let wanted = format(output), let known = format(inputs[0])
    else { return false }
    return wanted.isWritable && wanted.id != known.id
  }

  func validate() throws {
    if overwrite && skipExisting {
      throw ValidationError("--overwrite and --skip-existing exclude each other; give one.")
    }
    if resume && skipExisting {
      throw ValidationError("--resume and --skip-existing exclude each other; give one.")
    }
    if output == "" || base == "" {
      throw ValidationError("--\(output == "" ? "output" : "base") needs a path.")
    }
    if resume && output == "-" {
      throw ValidationError("--resume does not apply to standard output.")
    }
    if noSync && output == "-" {
      throw ValidationError("--no-sync does not apply to standard output.")
    }
    if name != nil && (suffix != nil || keepExtension) {
      let other = suffix != nil ? "--suffix" : "--keep-extension"
      throw ValidationError("--name and \(other) exclude each other; give one.")
    }
    try validateNamedFile()
    if let output,
      let field = NameTemplate.Placeholder.allCases.first(where: {
        output.contains("{\($0.rawValue)}")
      })
    {
      throw ValidationError(
        "--output is a path as it stands, with {\(field.rawValue)} in it; names of fields are for --name '{\(field.rawValue)}.{ext}'."
      )
    }
    guard let suffix else { return }
    if suffix.utf8.contains(UInt8(ascii: "/")) || suffix.utf8.contains(0) {
      throw ValidationError("--suffix '\(suffix)' must not contain a slash.")
    }
    if RawArgument.bytes(of: suffix) != Array(suffix.utf8) {
      throw ValidationError("--suffix must be UTF-8.")
    }
  }

  /// Throws for an option that names outputs if `--output` names the one output itself.
  private func validateNamedFile() throws {
    let naming = [
      (name != nil, "--name"), (suffix != nil, "--suffix"), (keepExtension, "--keep-extension"),
    ]
    guard let option = naming.first(where: \.0)?.1, let output else { return }
    if output == "-" || isStream {
      throw ValidationError("\(option) names files, not a stream; leave it out.")
    }
    let path = RawArgument.path(of: output)
    if !output.hasSuffix("/"), FileStatus(path: path)?.kind != .folder,
      path.extension.flatMap(AudioFormat.forExtension)?.isWritable == true
    {
      throw ValidationError(
        "--output \(output) names the output itself; leave out \(option), or name a folder: --output DIR/."
      )
    }
  }

  private static func template(_ text: String) throws -> NameTemplate {
    guard RawArgument.bytes(of: text) == Array(text.utf8) else {
      throw ValidationError("a template is UTF-8")
    }
    do throws(NameTemplate.Problem) {
      return try NameTemplate(text)
    } catch {
      let names = NameTemplate.Placeholder.allCases.map { "{\($0.rawValue)}" }
      switch error {
      case .unknownPlaceholder(let name):
        throw ValidationError(
          "there is no {\(name)}; choose from \(names.joined(separator: " ")), or write {{ for a brace"
        )
      case .openBrace:
        throw ValidationError("an unmatched brace; write {{ or }} for a brace in a name")
      case .notBelowFolder:
        throw ValidationError(
          "a template is a name below the folder of the outputs, without . and ..")
      }
    }
  }

  /// True if the output is a pipe or a device, beside which no files are written.
  var isStream: Bool {
    guard case .path(let path) = destination else { return false }
    return OutputPlace.isStream(path)
  }

  var existing: ExistingOutput {
    overwrite ? .replace : skipExisting ? .skip : .refuse
  }

  var destination: OutputDestination { OutputDestination(argument: output) }
}

/// Files beside the audio.
struct SidecarOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Also scale text files named like each input: .lrc, .cue, .srt, .vtt, .ass, .TextGrid, .chapters.json, .txt.",
      discussion: """
        The copies go beside the output, under its name. A text is also found with a language (talk.en.srt) and after \
        the whole name (talk.wav.srt). .txt is a label track of Audacity or a list of chapters, 0:00 Intro.
        """))
  var sidecars = false

  @Flag(
    help: ArgumentHelp(
      "In folders, also copy what is not audio, such as covers and notes, to the folder of the outputs.",
      discussion: "Texts with times beside the audio are left to --sidecars."))
  var copyOthers = false

  @Flag(
    help: ArgumentHelp(
      "Also draw each input above its output, as in-x1.5.png beside in-x1.5.flac.",
      discussion: "For other pictures, see scaleaudio help plot."))
  var plot = false
}

/// The metadata written to the output.
struct TagOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Metadata in the output: keep all, text without pictures, or none.",
      discussion: "With none, there is no encoder tag either.",
      valueName: "what"))
  var metadata: MetadataSelection = .keep

  @Flag(
    help: ArgumentHelp(
      "Keep tags measured on the source, such as ReplayGain and AcoustID.",
      discussion: "They do not apply to the output and are dropped by default."))
  var keepStaleTags = false

  @OptionGroup var encoding: TagEncodingOption

  @Flag(help: "Keep the modification and access times of the source.")
  var keepMtime = false

  /// Adds these options to settings.
  func apply(to settings: inout ConversionSettings) {
    settings.metadata = metadata
    settings.keepsStaleTags = keepStaleTags
  }
}

extension MetadataSelection: ExpressibleByArgument {}
