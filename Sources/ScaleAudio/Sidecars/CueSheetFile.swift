internal import AudioIO
internal import AudioModel

/// A `.cue` file, which names the audio files that it refers to.
struct CueSheetFile {
  private let text: SidecarText
  private let names: SidecarNames
  private let lines: [ArraySlice<UInt16>]
  /// True if remarks that were measured on the original audio are kept.
  private let keepsMeasured: Bool
  /// The encoding of names that are not in Unicode.
  private let encoding: TextEncoding?

  init(_ text: SidecarText, _ names: SidecarNames, keepsMeasured: Bool) {
    self.text = text
    self.names = names
    self.keepsMeasured = keepsMeasured
    let lines = text.units.lines
    self.lines = lines
    encoding = text.encoding(
      declared: names.encoding, names: lines.compactMap { FileCommand($0)?.baseName },
      known: names.input)
  }

  /// The names of the remarks that are left out, each once.
  var dropped: [String] {
    if keepsMeasured { return [] }
    return lines.compactMap(StaleTags.measuredRemark).reduce(into: []) { names, name in
      if !names.contains(name) { names.append(name) }
    }
  }

  /// The cue sheet for the output, with the input's name replaced; `nil` if it refers to other files or
  /// contains no times.
  ///
  /// If it names several files, only the times of the input change.
  func scaled(_ scale: TimeScale) -> ScaledText? {
    let files = lines.compactMap(FileCommand.init)
    let input = text.units(ofName: names.input, in: encoding)
    var isOurs = files.isEmpty
    var hasTimes = false
    var result = ScaledText()
    let kept =
      isOurs || files.count == 1 ? CueSheetText.cut(lines, scale) : Array(lines.enumerated())
    for (number, line) in kept {
      if let file = FileCommand(line) {
        isOurs = files.count == 1 || file.baseName == input
        result.units += isOurs ? renamed(file) : TextUnits(line)
      } else if isOurs, let changed = CueSheetText.scaled(line: line, scale) {
        hasTimes = true
        result.units += changed
      } else if keepsMeasured || StaleTags.measuredRemark(line) == nil {
        result.units += line
        if isOurs, CueSheetText.isMeant(line) { result.unreadLines.append(number + 1) }
      }
    }
    return hasTimes ? result : nil
  }

  private func renamed(_ file: FileCommand) -> TextUnits {
    let name = text.units(ofName: names.output, in: encoding)
    let isQuoted = file.isQuoted || name.contains { $0 == 0x20 || $0 == 0x09 }
    let quote: TextUnits = isQuoted ? [FileCommand.quote] : []
    let type = names.inputFormat == names.outputFormat ? TextUnits(file.type) : outputType
    return TextUnits(file.before) + quote + name + quote + TextUnits(file.between) + type
      + TextUnits(file.after)
  }

  /// MP3 and AIFF have their own type names; every other format is called WAVE.
  private var outputType: TextUnits {
    switch names.outputFormat.id {
    case "mp3": Array("MP3".utf16)
    case "aiff", "aifc": Array("AIFF".utf16)
    default: Array("WAVE".utf16)
    }
  }
}

/// A line `FILE "name" WAVE`.
private struct FileCommand {
  static let quote = UInt16(ascii: "\"")

  /// The text before the name, without its quote.
  let before: ArraySlice<UInt16>
  let name: ArraySlice<UInt16>
  let isQuoted: Bool
  /// The blanks between name and type.
  let between: ArraySlice<UInt16>
  let type: ArraySlice<UInt16>
  let after: ArraySlice<UInt16>

  init?(_ line: ArraySlice<UInt16>) {
    var rest = line.drop { $0 == 0x20 || $0 == 0x09 }
    guard CueSheetText.take("FILE", &rest), let first = rest.first else { return nil }
    before = line[line.startIndex..<rest.startIndex]
    isQuoted = first == Self.quote
    if isQuoted {
      let inside = rest.dropFirst()
      guard let end = inside.firstIndex(of: Self.quote) else { return nil }
      name = inside[..<end]
      rest = inside[(end + 1)...]
    } else {
      name = rest.prefix { $0 > 0x20 }
      rest = rest.dropFirst(name.count)
    }
    between = rest.prefix { $0 == 0x20 || $0 == 0x09 }
    rest = rest.dropFirst(between.count)
    type = rest.prefix { $0 > 0x20 }
    after = rest.dropFirst(type.count)
  }

  /// The name without folders; both kinds of slashes separate them.
  var baseName: TextUnits {
    let separators: [UInt16] = [UInt16(ascii: "/"), UInt16(ascii: "\\")]
    return TextUnits(
      name.split(separator: separators[0]).last?.split(separator: separators[1]).last ?? [])
  }
}
