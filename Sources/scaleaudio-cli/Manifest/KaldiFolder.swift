import ScaleAudio

/// The files that describe outputs in a folder of Kaldi, sorted by the bytes of their names, as Kaldi requires.
///
/// Speakers, texts and the number of feature frames are not known here. `utt2uniq` maps the name of an output to that
/// of its source, as after Kaldi's own speed perturbation.
struct KaldiFolder {
  /// The names of the files.
  static let files: [FilePath.Component] = ["wav.scp", "utt2dur", "reco2dur", "utt2uniq"]

  /// The names of all outputs, one after another.
  private var names: [UInt8] = []
  /// The end of each name.
  private var ends: [Int] = []

  /// Adds an output.
  mutating func add(_ name: ManifestName) {
    names += name.kaldi
    ends.append(names.count)
  }

  /// The indices of the outputs, in the order of the lines.
  func sorted() -> [Int] {
    names.withUnsafeBytes { (bytes) in
      func name(_ index: Int) -> UnsafeRawBufferPointer {
        .init(rebasing: bytes[(index > 0 ? ends[index - 1] : 0)..<ends[index]])
      }
      return ends.indices.sorted { name($0).lexicographicallyPrecedes(name($1)) }
    }
  }

  /// True if a path can be part of a line.
  static func canName(_ path: FilePath) -> Bool { !path.bytes.contains(UInt8(ascii: "\n")) }

  /// The line of an output in one of the files.
  static func line(
    _ file: FilePath.Component, _ entry: ManifestEntry, _ name: ManifestName
  ) -> [UInt8] {
    let value =
      switch file {
      case "wav.scp": source(entry)
      case "utt2uniq": name.base
      default: Array(Quantities.decimal(entry.audio.outputSeconds, digits: 6).utf8)
      }
    return name.kaldi + Array(" ".utf8) + value + Array("\n".utf8)
  }

  /// A file, or a command that prints 16-bit WAV, which is what Kaldi reads.
  private static func source(_ entry: ManifestEntry) -> [UInt8] {
    let path = entry.output.bytes
    let is16Bit = entry.sampleFormat == .int16
    switch entry.audio.outputFormat {
    case "wav" where is16Bit && isPlain(path): return path
    case "wav" where is16Bit: return command("cat", path)
    case "flac" where is16Bit: return command("flac -c -d -s", path)
    default:
      return command(
        "ffmpeg -nostdin -v error \(entry.raw.map(options(for:)) ?? "")-i",
        Array("file:".utf8) + path, "-c:a pcm_s16le -f wav -")
    }
  }

  /// The options of ffmpeg for headerless samples; its names of encodings equal ours.
  private static func options(for raw: RawPCM) -> String {
    "-f \(raw.encoding.rawValue) -ar \(raw.spec.sampleRate) -ac \(raw.spec.channelCount) "
  }

  private static func command(
    _ program: String, _ path: [UInt8], _ options: String = ""
  ) -> [UInt8] {
    let named = path.first == UInt8(ascii: "-") ? Array("./".utf8) + path : path
    let quote = UInt8(ascii: "'")
    let quoted = named.flatMap { $0 == quote ? Array("'\\''".utf8) : [$0] }
    return Array("\(program) '".utf8) + quoted
      + Array("' \(options)\(options.isEmpty ? "" : " ")|".utf8)
  }

  /// True if Kaldi and its scripts accept a path unquoted; colons, brackets and so on have special meanings
  /// there.
  private static func isPlain(_ path: [UInt8]) -> Bool {
    let special = Array("_./+=@%~-".utf8)
    return path.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...0xFF:
        true
      default: special.contains(byte)
      }
    }
  }
}
