import AudioIO
import ScaleAudio

extension ErrorWithRemedy {
  /// The file, the cause and the remedy in this program's options: one line, or one for each conflict.
  var fullMessage: String { fullMessage(namedOutput: nil) }

  /// The cause and the remedy in this program's options.
  var fullCause: String { cause + suffix(nil) }

  /// The file, the cause and the remedy for work whose output has this name by `--output`; `nil` if it has none.
  func fullMessage(namedOutput: FilePath?) -> String { message + suffix(namedOutput) }

  private func suffix(_ namedOutput: FilePath?) -> String {
    guard let remedy else { return "" }
    return "; \(remedy.sentence(namedOutput: namedOutput))"
  }
}

extension Job {
  /// The output that the user named; `nil` if it is named after the input.
  var namedOutput: FilePath? { isOutputNamed ? work.output.path : nil }
}

extension Remedy {
  /// The remedy in this program's options, as part of a sentence.
  var sentence: String { sentence(namedOutput: nil) }

  /// The remedy for work whose output has this name by `--output`, so that another format needs another extension.
  func sentence(namedOutput: FilePath?) -> String {
    func naming(_ formats: [String]) -> String { Self.naming(formats, namedOutput) }
    return switch self {
    case .declareRaw: "if it has no header, describe it: --raw s16le:48000:2"
    case .seeFormats: "scaleaudio formats lists readable formats; for headerless audio, add --raw"
    case .repairHeader: "make the file again, or repair its header"
    case .salvage: "--salvage converts what can be decoded"
    case .replaceOrSkip: "--overwrite replaces it, --skip-existing keeps it"
    case .retry: "convert it again"
    case .freeSpace: "free some disk space and try again"
    case .useFormat(let formats): "\(naming(formats)) keeps it"
    case .chooseFormat: "choose a --format"
    case .chooseFormatOrFolder:
      "choose another extension or a --format, or end the path with / if it is a folder"
    case .allowLayoutLoss: "--allow-layout-loss writes it without"
    case .mergeChannels: "--single-channel merges them (--downmix weighs them)"
    case .set(let setting, let value): "give \(setting.option) \(value)"
    case .change(let settings): "choose another \(Self.list(settings.map(\.option)))"
    case .omit(let setting, let formats):
      "leave out \(setting.option)" + (formats.isEmpty ? "" : ", or use \(naming(formats))")
    case .useMethod(let method): "choose --method \(method)"
    case .chooseOutput: "choose another --output, --suffix or --name"
    case .chooseOutputFile: "choose another --output"
    case .shortenName: "choose a shorter --output, --suffix or --name"
    case .nameOutput: "name its output: -o FILE, or -o - for standard output"
    case .writeSound: "write the sound to a file: -o FILE.wav"
    case .nameOutputFolder: "name a folder: -o FOLDER/"
    case .separateOutputs: "name fewer inputs at once, or leave out --output"
    case .keepFolders(let folder): "--base \(folder) keeps their folders"
    case .keepExtensions: "--keep-extension keeps them apart"
    case .nameOutputs(let template): "--name '\(template)' keeps them apart"
    case .allowLosses: "choose a --format that holds it, or leave out --strict"
    case .act(let words): words
    case .any(let remedies):
      remedies.map { $0.sentence(namedOutput: namedOutput) }.joined(separator: ", or ")
    }
  }

  /// The option that selects one of these formats: `--format flac or wav`, or `--output a.flac or a.wav`.
  private static func naming(_ formats: [String], _ output: FilePath?) -> String {
    guard let output else { return "--format \(list(formats))" }
    let names = formats.map { (id) -> String in
      var name = output
      name.extension = AudioFormat.named(id)?.extensions.first ?? id
      return name.printable
    }
    return "--output \(list(names))"
  }

  /// `a`, `a or b`, `a, b or c`
  private static func list(_ words: [String]) -> String {
    guard let last = words.last else { return "" }
    let others = words.dropLast()
    return others.isEmpty ? last : others.joined(separator: ", ") + " or \(last)"
  }
}

extension Remedy.Setting {
  /// The option for the setting.
  fileprivate var option: String {
    switch self {
    case .bitRate: "--bitrate"
    case .quality: "--encoding-quality"
    case .compressionLevel: "--compression-level"
    case .sampleFormat: "--bits"
    case .sampleRate: "--rate"
    case .track: "--track"
    case .downmix: "--downmix"
    case .strict: "--strict"
    case .channels: "--channels"
    case .range: "--range"
    case .partStart: "--from"
    case .partEnd: "--to"
    case .only: "--only"
    case .pixelsPerSecond: "--pixels-per-second"
    case .port: "--port"
    case .listenAddress: "--listen"
    case .bpm: "--bpm"
    }
  }
}
