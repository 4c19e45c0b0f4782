import ArgumentParser
import AudioIO
import ScaleAudio
import SystemPackage

/// The inputs.
struct InputOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Files, folders (walked recursively), or - for standard input.", valueName: "path"),
    completion: .file())
  var paths: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Read more paths from this file, one per line; - is standard input.", valueName: "file"),
    completion: .file())
  var filesFrom: String?

  @Flag(
    name: [.customShort("0"), .customLong("null")],
    help: "Paths in --files-from are separated by NUL instead of line feeds.")
  var endsInNull = false

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "In folders, take only matching files; repeatable. A pattern with a slash matches the path below the folder.",
      valueName: "glob"))
  var include: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "In folders, ignore matching files and folders; repeatable.", valueName: "glob"))
  var exclude: [String] = []

  @Option(
    help: ArgumentHelp(
      "Read every input as samples without a header: s16le:48000:2 or f32be:44.1k:5.1, encoding, rate, channels.",
      discussion: """
        Encodings: \(RawValue.encodings). Folders are searched for .raw and .pcm. This declares inputs \
        only. Raw outputs (--format raw, .raw, .pcm) keep the byte order of raw inputs, otherwise \
        little-endian, and the bit depth of the source or --bits; --format s16be and similar choose both.
        """, valueName: "encoding:rate:channels"),
    transform: RawValue.init)
  var raw: RawValue?

  @Flag(name: .customLong("no-recursive"), help: "Do not enter subfolders.")
  var isFlat = false

  @Flag(help: "Follow symbolic links in folders.")
  var followSymlinks = false

  func validate() throws {
    if endsInNull && filesFrom == nil { throw ValidationError("-0 needs --files-from.") }
    if paths.contains("") || filesFrom == "" { throw ValidationError("A path must not be empty.") }
    if (include + exclude).contains("") {
      throw ValidationError("--include and --exclude need a pattern.")
    }
    if let address = paths.first(where: isAddress) {
      throw ValidationError(
        "'\(address)' is an address, not a file; download it first, or pipe it: curl -sL ADDRESS | scaleaudio OPTIONS -"
      )
    }
    let readers = paths.count { $0 == "-" } + (filesFrom == "-" ? 1 : 0)
    if readers > 1 { throw ValidationError("Standard input can be read only once.") }
  }

  /// True if an argument is a web address, not the path of a file.
  private func isAddress(_ text: String) -> Bool {
    guard let colon = text.firstRange(of: "://"), colon.lowerBound > text.startIndex,
      text[..<colon.lowerBound].allSatisfy({ $0.isASCII && $0.isLetter })
    else { return false }
    return FileStatus(path: RawArgument.path(of: text)) == nil
  }

  /// A hint about an input that failed: a pattern in quotes, or the last of several, which is probably the output, as
  /// other programs take it.
  func hint(at problem: AudioFileError) -> String? {
    guard case .cannotOpen(let path, .noSuchFileOrDirectory) = problem, filesFrom == nil else {
      return nil
    }
    if let pattern = path.lastComponent?.string, pattern.contains("*") {
      return
        "hint: a shell expands \(pattern) only without quotes; or name the folder, with --include '\(pattern)'"
    }
    guard paths.count > 1, let last = paths.last, RawArgument.path(of: last) == path,
      path.extension.flatMap(AudioFormat.forExtension) != nil
    else { return nil }
    return "hint: if \(path.printable) names the output, write -o \(path.printable)"
  }

  var isGiven: Bool { !paths.isEmpty || filesFrom != nil }

  /// Throws if no input is named; for commands that need one.
  func validateGiven() throws {
    if !isGiven { throw ValidationError("Name a file or a folder, or - for standard input.") }
  }

  /// The file of paths; `nil` for none and for standard input.
  var listPath: FilePath? {
    filesFrom.flatMap { $0 == "-" ? nil : RawArgument.path(of: $0) }
  }

  var walker: FileWalker {
    var walker = FileWalker(
      isRecursive: !isFlat, followsSymbolicLinks: followSymlinks,
      includes: include.map { GlobPattern(bytes: RawArgument.bytes(of: $0)) },
      excludes: exclude.map { GlobPattern(bytes: RawArgument.bytes(of: $0)) })
    walker.takesRawPCM = raw != nil
    return walker
  }

  /// All named inputs, those of the command line first.
  func inputs(_ cancellation: Cancellation) throws(AudioFileError) -> [NamedInput] {
    let named = paths.map { $0 == "-" ? .standardInput : NamedInput.path(RawArgument.path(of: $0)) }
    return named + (try listedPaths(cancellation).map { .path($0) })
  }

  /// The message that no input contains audio: the places searched, and what to do.
  var nothingFound: String {
    let folders = paths.filter { $0 != "-" }.map { escapedForTerminal(RawArgument.path(of: $0)) }
    let list = filesFrom.map {
      "the paths of "
        + ($0 == "-" ? "standard input" : escapedForTerminal(RawArgument.path(of: $0)))
    }
    let places = folders.count > 3 ? ["\(folders.count) folders"] : folders
    let remedy =
      include.isEmpty && exclude.isEmpty
      ? "scaleaudio formats lists readable formats"
      : "--include and --exclude may leave out too much"
    return
      "no audio files found in \((places + [list].compactMap(\.self)).joined(separator: ", ")); \(remedy)"
  }

  private func listedPaths(_ cancellation: Cancellation) throws(AudioFileError) -> [FilePath] {
    guard let filesFrom else { return [] }
    let path = RawArgument.path(of: filesFrom)
    let source = filesFrom == "-" ? .standardInput : try FileDescriptor.reading(path)
    defer { if filesFrom != "-" { try? source.close() } }
    let bytes = try Spool.bytes(
      of: source, path: path, isCancelled: { cancellation.isCancelled })
    if endsInNull { return bytes.split(separator: 0).map { FilePath(bytes: $0) } }
    return PathList.paths(bytes)
  }
}

/// A list of paths, one per line.
enum PathList {
  private static let carriageReturn = UInt8(ascii: "\r")

  /// The paths; those of a list from Windows, with its byte order mark and its ends of lines, too.
  static func paths(_ bytes: [UInt8]) -> [FilePath] {
    var text = bytes[...]
    if text.starts(with: [0xEF, 0xBB, 0xBF]) {
      text = text.dropFirst(3)
    } else if text.starts(with: [0xFF, 0xFE]) {
      // UTF-16, as PowerShell writes it.
      let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
        UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
      }
      text = Array(String(decoding: units, as: UTF16.self).utf8)[...]
    }
    return text.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let path = FilePath(bytes: line)
      guard line.last == carriageReturn, FileStatus(path: path) == nil else { return path }
      let rest = line.dropLast()
      return rest.isEmpty ? nil : FilePath(bytes: rest)
    }
  }
}

/// The value of `--raw`: `s16le:48000:2` or `s16le:48000:5.1`.
struct RawValue {
  let pcm: RawPCM

  static let encodings = RawPCM.Encoding.allCases.map(\.rawValue).joined(separator: " ")

  init(_ text: String) throws {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard let encoding = RawPCM.Encoding(rawValue: parts[0].lowercased()) else {
      throw ValidationError("an encoding is one of \(Self.encodings), as in s16le:48000:2")
    }
    guard parts.count == 3 else {
      throw ValidationError("give encoding, rate and channels, as in s16le:48000:2")
    }
    let rate = try SampleRateValue(parts[1], within: RawPCM.sampleRateRange).hertz
    guard let layout = RawPCM.layout(named: parts[2]) else {
      let most = RawPCM.channelRange.upperBound
      throw ValidationError(
        "channels are a number from 1 to \(most), or a layout such as stereo or 5.1(side)")
    }
    pcm = RawPCM(encoding: encoding, spec: AudioSpec(sampleRate: rate, layout: layout))
  }
}

/// The encoding of texts in a file.
struct TagEncodingOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read tags, markers and cue sheets that state no encoding in this one, such as CP1251, GBK, SHIFT_JIS or MACINTOSH.",
      discussion: """
        This is about chunks of WAV, AIFF and CAF, about ID3v1, about texts of ID3v2 that are labeled Latin-1, and about the \
        file name in a cue sheet. Without it, text that is not UTF-8 is read as Windows-1252, in ID3v2 as Latin-1. Within one \
        kind of container, the bytes of chunks and of such texts stay as they are. iconv -l lists names.
        """, valueName: "name"),
    transform: TextEncoding.init(argument:))
  var tagEncoding: TextEncoding?
}

extension TextEncoding {
  fileprivate init(argument: String) throws {
    guard let encoding = TextEncoding(argument) else {
      throw ValidationError(
        "'\(argument)' is no encoding of text that this system knows; iconv -l lists them.")
    }
    self = encoding
  }
}

/// The audio track of a file.
struct TrackOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Audio track, for files with several. Default: 1.", valueName: "n"))
  var track: Int?

  func validate() throws {
    guard let track, track < 1 else { return }
    throw ValidationError("--track \(track) is out of range; tracks count from 1.")
  }
}
