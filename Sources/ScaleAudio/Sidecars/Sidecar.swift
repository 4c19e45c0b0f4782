internal import AudioIO
internal import AudioModel
internal import SystemPackage

/// A text file beside an input, named like it, and its scaled copy.
struct Sidecar: Hashable {
  /// The maximum size in bytes: hundreds of hours of captions.
  private static let maximumBytes = 16 << 20

  let form: SidecarForm
  let path: FilePath
  /// The path of the copy: beside the audio's output, with its stem.
  let output: FilePath

  /// The sidecars among the names of the files beside an input.
  static func find(
    among names: [SidecarName], beside input: FilePath, output: FilePath
  ) -> [Sidecar] {
    names.compactMap { name in
      guard let form = name.form else { return nil }
      return Sidecar(
        form: form, path: input.removingLastComponent().appending(name.file.components),
        output: output.removingLastComponent().appending(name.file(of: output).components))
    }.sorted { $0.form.place < $1.form.place }
  }

  /// The copy; without a text if the file is not in its form. For `folders`, see ``FilePolicy/inputRoots``.
  func copy(
    _ scale: TimeScale, _ names: SidecarNames, keepsMeasured: Bool, beneath folders: [FilePath]
  ) throws(AudioFileError) -> SidecarCopy {
    let file = try InputFile(path: path, beneath: folders)
    guard file.size <= Self.maximumBytes else {
      throw .limitExceeded(
        path, reason: "it is larger than \(Self.maximumBytes >> 20) MiB; not converted")
    }
    var copy = SidecarCopy()
    guard let text = SidecarText(try file.bytes(at: 0, count: file.size)) else { return copy }
    let scaled: ScaledText?
    if form == .cueSheet {
      let sheet = CueSheetFile(text, names, keepsMeasured: keepsMeasured)
      scaled = sheet.scaled(scale)
      copy.dropped = sheet.dropped
    } else {
      scaled = form.scaled(text, scale)
    }
    copy.bytes = scaled.map { text.encoded($0.units) }
    copy.unreadLines =
      scaled?.unreadLines ?? (form == .labels ? LabelText.spacedLines(of: text.units) : [])
    return copy
  }
}

/// The content of a sidecar for another length of the audio.
struct SidecarCopy {
  /// `nil` if the file is not in its form.
  var bytes: [UInt8]?
  /// The numbers, from 1, of the lines whose times cannot be read.
  var unreadLines: [Int] = []
  /// The names of remarks that were left out because they were measured on the original audio.
  var dropped: [String] = []
}

/// A form of text files beside audio whose times refer to it.
enum SidecarForm: String, CaseIterable, Sendable {
  /// Lyrics.
  case lyrics = "lrc"
  case cueSheet = "cue"
  case subRip = "srt"
  case webVTT = "vtt"
  /// SubStation Alpha, version 4+ and 4.
  case advancedSubStation = "ass"
  case subStation = "ssa"
  /// Annotations of Praat.
  case textGrid = "textgrid"
  /// Chapters of podcasts.
  case chapterJSON = "chapters.json"
  /// A list of chapters.
  case chapters = "chapters.txt"
  /// Captions of Whisper; other tables have the same extension.
  case table = "tsv"
  /// A label track of Audacity, or a list of chapters; other text files have the same extension.
  case labels = "txt"

  /// The text for another length of the audio; `nil` if it is not in this form. ``CueSheetFile`` scales cue sheets.
  fileprivate func scaled(_ text: SidecarText, _ scale: TimeScale) -> ScaledText? {
    switch self {
    case .lyrics: LyricsText.scaled(text.units, scale)
    case .cueSheet: nil
    case .subRip: SubRipText.scaled(text.units, scale)
    case .webVTT: WebVTTText.scaled(text.units, scale)
    case .advancedSubStation, .subStation: SubStationText.scaled(text.units, scale)
    case .textGrid: TextGridText.scaled(text.units, scale)
    case .chapterJSON: ChapterJSON.scaled(text.units, scale)
    case .table: TableText.scaled(text.units, scale)
    case .chapters:
      LabelText.scaled(text.units, scale) ?? ChapterText.scaled(text.units, scale, isNamed: true)
    case .labels: LabelText.scaled(text.units, scale) ?? ChapterText.scaled(text.units, scale)
    }
  }

  /// The place in the order of reports.
  var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// Extensions of text files with times that are not scaled.
  static let others: Set<String> = [
    "sbv", "ttml", "dfxp", "itt", "scc", "stl", "sub", "smi", "srv1", "srv2", "srv3", "json3",
    "krc",
    "qrc", "eaf", "lab", "ctm", "rttm", "stm", "trs", "phn", "wrd", "beats", "jams", "edl", "pbf",
    "chapters.xml", "info.json", "ffmeta",
  ]

  /// True if a file is in this form.
  func hasTimes(_ path: FilePath) -> Bool {
    if self == .cueSheet { return true }
    guard let file = try? InputFile(path: path),
      let bytes = try? file.bytes(at: 0, count: min(file.size, 1 << 20)),
      let text = SidecarText(bytes)
    else { return false }
    let same = TimeScale(factor: 1, inputFrames: .max, outputFrames: .max, sampleRate: 1)
    return scaled(text, same) != nil
  }

  /// True if a file with this extension in another form causes a warning.
  var isExpected: Bool { self != .labels && self != .table }
}

/// The audio files that a sidecar refers to.
struct SidecarNames {
  /// The file names of input and output.
  let input, output: [UInt8]
  let inputFormat, outputFormat: AudioFormat
  /// The declared encoding of text that is not in Unicode; `nil` if it is not known.
  var encoding: TextEncoding?
}

/// The content of a text file in UTF-16 or an extension of ASCII.
///
/// UTF-16 is recognized by its byte order mark. Other text is processed byte by byte: syntax is ASCII, and
/// everything else, in UTF-8, Latin-1 or another encoding, passes through.
struct SidecarText {
  private enum Encoding { case bytes, utf16(isBigEndian: Bool) }

  /// The text without its byte order mark.
  let units: TextUnits
  private let encoding: Encoding
  private let mark: [UInt8]
  /// True for UTF-8, ASCII included.
  private let isUTF8: Bool

  /// `nil` for UTF-16 that ends within a code unit.
  init?(_ bytes: [UInt8]) {
    let marks: [([UInt8], Encoding)] = [
      ([0xEF, 0xBB, 0xBF], .bytes), ([0xFF, 0xFE], .utf16(isBigEndian: false)),
      ([0xFE, 0xFF], .utf16(isBigEndian: true)),
    ]
    (mark, encoding) = marks.first { bytes.starts(with: $0.0) } ?? ([], .bytes)
    let content = bytes[mark.count...]
    switch encoding {
    case .bytes:
      units = content.map { UInt16($0) }
      isUTF8 = String(validating: content, as: UTF8.self) != nil
    case .utf16(let isBigEndian):
      guard content.count % 2 == 0 else { return nil }
      units = stride(from: content.startIndex, to: content.endIndex, by: 2).map {
        let pair = content[$0..<$0 + 2]
        return UInt16(isBigEndian ? pair.bigEndianValue : pair.littleEndianValue)
      }
      isUTF8 = false
    }
  }

  /// The bytes of another text in the same encoding, with the same byte order mark.
  func encoded(_ units: TextUnits) -> [UInt8] {
    switch encoding {
    case .bytes: mark + units.map { UInt8(truncatingIfNeeded: $0) }
    case .utf16(let isBigEndian):
      mark
        + units.flatMap { unit in
          let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
          return isBigEndian ? [high, low] : [low, high]
        }
    }
  }

  /// A file name in the encoding of this text. `encoding` is that of text that is not in Unicode; `nil` if it is not known.
  func units(ofName name: [UInt8], in encoding: TextEncoding?) -> TextUnits {
    if case .utf16 = self.encoding { return Array(String(decoding: name, as: UTF8.self).utf16) }
    guard !isUTF8, let encoding, let text = String(validating: name, as: UTF8.self),
      let bytes = encoding.bytes(text)
    else { return name.map { UInt16($0) } }
    return bytes.map { UInt16($0) }
  }

  /// The encoding of text that is not in Unicode, by the names of files in it; `nil` for Unicode, and if no encoding fits.
  ///
  /// It is `declared`, or the first in which one of `names` is that of a file whose name is known, or the first in which the
  /// whole text is valid and that can express the known name.
  func encoding(
    declared: TextEncoding?, names: [TextUnits], known name: [UInt8]
  ) -> TextEncoding? {
    guard case .bytes = encoding, !isUTF8, let known = String(validating: name, as: UTF8.self)
    else {
      return nil
    }
    if let declared { return declared }
    func stem(_ name: String) -> Substring {
      name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex)
    }
    let stored = names.filter { $0.contains { $0 >= 0x80 } }.map {
      $0.map { UInt8(truncatingIfNeeded: $0) }
    }
    let encodings = Self.codePages.lazy.compactMap { TextEncoding(codePage: $0) }
    let named = encodings.first { encoding in
      stored.contains { encoding.text($0).map { stem($0) == stem(known) } ?? false }
    }
    if let named { return named }
    let bytes = units.map { UInt8(truncatingIfNeeded: $0) }
    return encodings.first { $0.bytes(known) != nil && $0.text(bytes) != nil }
  }

  /// The code pages of Windows, DOS, Unix and the Macintosh: those of one byte for each character first, because those of
  /// several have Cyrillic and Greek letters, too.
  private static let codePages = [
    1252, 1251, 1250, 1253, 1254, 1255, 1256, 1257, 1258, 874, 932, 936, 949, 950, 51932, 20866,
    866,
    437, 850, 10000,
  ]
}

/// Scales the sidecars of one conversion.
///
/// Sidecars are published after the audio. A problem with a sidecar is a warning: the conversion itself has
/// succeeded.
final class SidecarConversion {
  private(set) var warnings: [AudioWarning] = []
  /// The published files.
  private(set) var outputs: [FilePath] = []
  private let files: FilePolicy
  private var prepared: [Prepared] = []

  /// A sidecar that is written but not published yet.
  private final class Prepared {
    let sidecar: Sidecar
    private var file: OutputFile?

    init(
      _ sidecar: Sidecar, _ content: [UInt8], beneath roots: [FilePath]
    ) throws(AudioFileError) {
      self.sidecar = sidecar
      let file = try OutputFile(path: sidecar.output, beneath: roots)
      do {
        try file.descriptor.writeAll(toAbsoluteOffset: 0, content)
      } catch {
        throw .cannotWrite(sidecar.output, error as? Errno ?? .ioError)
      }
      self.file = consume file
    }

    func commit(by files: FilePolicy) throws(AudioFileError) {
      try file.take()?.commit(
        replacing: files.existing == .replace, keepingReplaced: files.keepsReplaced,
        syncing: files.syncsOutput)
    }
  }

  /// Reads, scales and writes the sidecars of the input without publishing them.
  ///
  /// Throws only errors that would also affect the audio: a full disk, a folder without write permission.
  init(
    input: FilePath, output: FilePath, source: SourceDescription, plan: ConversionPlan,
    files: FilePolicy
  ) throws(AudioFileError) {
    self.files = files
    for (sidecar, copy) in copies(input: input, output: output, source: source, plan: plan) {
      prepared.append(try Prepared(sidecar, copy, beneath: files.outputRoots))
    }
  }

  private init(reading files: FilePolicy) { self.files = files }

  /// The warnings about the sidecars of an input, without writing any.
  static func warnings(
    input: FilePath, output: FilePath, source: SourceDescription, plan: ConversionPlan,
    files: FilePolicy
  ) -> [AudioWarning] {
    let reading = SidecarConversion(reading: files)
    _ = reading.copies(input: input, output: output, source: source, plan: plan)
    return reading.warnings
  }

  /// The copies of the sidecars of an input that may be written.
  private func copies(
    input: FilePath, output: FilePath, source: SourceDescription, plan: ConversionPlan
  ) -> [(Sidecar, [UInt8])] {
    let scale = TimeScale(
      factor: plan.factor, inputFrames: source.frameCount, outputFrames: plan.output.frameCount,
      sampleRate: source.spec.sampleRate, outputRate: plan.output.spec.sampleRate,
      map: plan.timeMap, part: plan.part?.frames, delay: source.delay)
    let names = SidecarNames(
      input: input.nameBytes, output: output.nameBytes, inputFormat: source.format,
      outputFormat: plan.output.format, encoding: files.tagEncoding)
    let found: [SidecarName]
    do throws(Errno) {
      found = try SidecarName.all(beside: input)
    } catch {
      warnings.append(
        AudioWarning(
          .sidecar,
          "sidecar files cannot be looked for, because \(input.folder.printable) cannot be listed: "
            + error.words))
      return []
    }
    for name in found where name.form == nil {
      let path = input.removingLastComponent().appending(name.file.components)
      warnings.append(
        AudioWarning(
          .sidecar,
          "sidecar \(path.printable): its times cannot be scaled in this form; not converted"))
    }
    let keepsMeasured = plan.metadata.keepsMeasured
    return Sidecar.find(among: found, beside: input, output: output).filter(isFree).compactMap {
      sidecar in
      copy(of: sidecar, scale, names, keepsMeasured: keepsMeasured).map { (sidecar, $0) }
    }
  }

  /// True if a sidecar's output may be written, given the files that exist.
  private func isFree(_ sidecar: Sidecar) -> Bool {
    guard FileStatus(path: sidecar.output, followingLinks: false) != nil else { return true }
    if FileIdentity(path: sidecar.output) == FileIdentity(path: sidecar.path) {
      warn(sidecar, "its output would replace it; left unchanged")
      return false
    }
    if files.existing == .refuse { warnAboutExisting(sidecar) }
    return files.existing == .replace
  }

  private func copy(
    of sidecar: Sidecar, _ scale: TimeScale, _ names: SidecarNames, keepsMeasured: Bool
  ) -> [UInt8]? {
    do throws(AudioFileError) {
      let copy = try sidecar.copy(
        scale, names, keepsMeasured: keepsMeasured, beneath: files.inputRoots)
      let lines = copy.unreadLines.lineNames
      if let bytes = copy.bytes {
        if !copy.unreadLines.isEmpty {
          warn(sidecar, "the times in \(lines) cannot be read and are unchanged; correct them")
        }
        if !copy.dropped.isEmpty {
          let names = copy.dropped.joined(separator: ", ")
          warn(sidecar, "left out because no longer valid: \(names)")
        }
        return bytes
      }
      if !copy.unreadLines.isEmpty {
        warn(
          sidecar,
          "the times in \(lines) are separated by spaces, which Audacity does not read; not converted; separate them by tabs"
        )
      } else if sidecar.form.isExpected {
        warn(sidecar, "contains no readable times for this audio; not converted")
      }
    } catch .limitExceeded where !sidecar.form.isExpected {
      // Text of another kind may be that long.
    } catch {
      warn(sidecar, error.cause)
    }
    return nil
  }

  /// Publishes the sidecars.
  func commit() {
    for one in prepared {
      do throws(AudioFileError) {
        try one.commit(by: files)
        outputs.append(one.sidecar.output)
      } catch {
        if case .outputExists = error {
          if files.existing == .refuse { warnAboutExisting(one.sidecar) }
        } else {
          warn(one.sidecar, error.cause)
        }
      }
    }
    prepared = []
  }

  private func warnAboutExisting(_ sidecar: Sidecar) {
    warn(
      sidecar, "\(sidecar.output.printable) exists and is kept")
  }

  private func warn(_ sidecar: Sidecar, _ text: String) {
    warnings.append(AudioWarning(.sidecar, "sidecar \(sidecar.path.printable): \(text)"))
  }
}

extension FilePath {
  /// The bytes of the last component.
  fileprivate var nameBytes: [UInt8] {
    lastComponent.map { FilePath(root: nil, [$0]).bytes } ?? []
  }
}
