internal import AudioFiles
package import AudioIO
internal import AudioModel
internal import FoundationEssentials
internal import Glibc
package import SystemPackage

/// Notes of a person about the audio of a file: marks, loops with names, speed, key and place.
package struct PracticeNotes: Codable, Hashable, Sendable {
  /// A moment with a name, in seconds from the start of the file.
  package struct Mark: Codable, Hashable, Sendable {
    package var start: Double
    package var title: String

    package init(start: Double, title: String) { (self.start, self.title) = (start, title) }
  }

  /// A part with a name, in seconds from the start of the file.
  package struct Loop: Codable, Hashable, Sendable {
    package var start: Double
    package var end: Double
    package var title: String

    package init(start: Double, end: Double, title: String) {
      (self.start, self.end, self.title) = (start, end, title)
    }
  }

  /// The version of the form. A program leaves files of later versions as they are.
  package static let currentVersion = 1

  package private(set) var version = currentVersion
  /// The name of the file when it was last played, for people.
  package var name: String
  package var marks: [Mark] = []
  package var loops: [Loop] = []
  /// Input / output; `nil` for 1.
  package var speed: Double?
  /// `nil` for 0.
  package var semitones: Double?
  /// The place at which it was left, in seconds; `nil` at its start or end.
  package var position: Double?

  package init(name: String) { self.name = name }

  /// True if there is nothing to keep.
  package var isEmpty: Bool {
    marks.isEmpty && loops.isEmpty && speed == nil && semitones == nil && position == nil
  }

  /// The marks and loops as labels of Audacity: start, end and name in a line, separated by tabs.
  package var labels: String {
    let lines =
      marks.map { ($0.start, $0.start, $0.title) } + loops.map { ($0.start, $0.end, $0.title) }
    return lines.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map { start, end, title in
      "\(Self.decimal(start))\t\(Self.decimal(end))\t\(Self.oneLine(title))\n"
    }.joined()
  }

  /// The most tracks of a cue sheet, whose numbers have two digits.
  package static let mostCueTracks = 99

  /// The marks and the starts of loops as a cue sheet, whose moments are 75ths of a second; the first ``mostCueTracks``.
  package var cueSheet: String {
    let starts =
      marks.map { ($0.start, $0.title) } + loops.map { ($0.start, $0.title) }
    let quoted = Self.oneLine(name).replacing("\"", with: "'")
    return starts.sorted { $0.0 < $1.0 }.prefix(Self.mostCueTracks).enumerated().reduce(
      into: "FILE \"\(quoted)\" WAVE\n"
    ) { text, entry in
      let (index, (start, title)) = entry
      let frames = Int((max(0, min(start, 359_999)) * 75).rounded())
      let parts = [frames / 75 / 60, frames / 75 % 60, frames % 75].map { Self.padded($0) }
      text += "  TRACK \(Self.padded(index + 1)) AUDIO\n"
      text += "    TITLE \"\(Self.oneLine(title).replacing("\"", with: "'"))\"\n"
      text += "    INDEX 01 \(parts.joined(separator: ":"))\n"
    }
  }

  private static func decimal(_ seconds: Double) -> String {
    let micro = Int((max(0, min(seconds, 1e9)) * 1e6).rounded())
    let rest = String(micro % 1_000_000)
    return "\(micro / 1_000_000)." + String(repeating: "0", count: 6 - rest.count) + rest
  }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
  }
}

/// Notes about files, one JSON file for each audio, whatever the name or the tags of its file.
package struct PracticeStore: Sendable {
  /// The notes stored about the audio of a file.
  package enum Stored: Equatable {
    case nothing
    case notes(PracticeNotes)
    /// The file is damaged, or of a later version; it stays as it is.
    case unusable(FilePath, isLater: Bool)
  }

  package let folder: FilePath

  package init(folder: FilePath) { self.folder = folder }

  /// `$XDG_STATE_HOME/scaleaudio/files`, by default below `~/.local/state`; `nil` without a home.
  package static var userFolder: FilePath? { UserFolder.state.path?.appending("files") }

  package func path(of identity: AudioIdentity) -> FilePath {
    folder.appending(identity.name + ".json")
  }

  /// The size of a stored file, and when it was written; `nil` if there is none.
  package func stamp(of identity: AudioIdentity) -> FileStamp? {
    FileStatus(path: path(of: identity))?.stamp
  }

  /// The most bytes that are read.
  private static let maximumBytes = 1 << 22

  package func stored(_ identity: AudioIdentity) -> Stored {
    let path = path(of: identity)
    guard FileStatus(path: path) != nil else { return .nothing }
    guard let file = try? InputFile(path: path), file.size <= Self.maximumBytes,
      let bytes = try? file.bytes(at: 0, count: file.size)
    else { return .unusable(path, isLater: false) }
    struct Version: Decodable { let version: Int }
    let data = Data(bytes)
    guard let version = try? JSONDecoder().decode(Version.self, from: data).version else {
      return .unusable(path, isLater: false)
    }
    guard version == PracticeNotes.currentVersion else {
      return .unusable(path, isLater: version > PracticeNotes.currentVersion)
    }
    guard let notes = try? JSONDecoder().decode(PracticeNotes.self, from: data), notes.isSound
    else { return .unusable(path, isLater: false) }
    return .notes(notes)
  }

  /// Changes the notes about the audio of a file, while no other program changes any, and returns what is stored then.
  ///
  /// A file that cannot be read stays as it is. Notes that are empty replace others, but begin no file.
  ///
  /// - Parameter name: The name of the file.
  @discardableResult
  package func change(
    _ identity: AudioIdentity, name: String, _ body: (inout PracticeNotes) -> Void
  ) throws(AudioFileError) -> Stored {
    var lock = FolderLock(folder)
    defer { withExtendedLifetime(lock) {} }
    if !lock.isHeld {
      // Nothing begins a folder but notes.
      var notes = PracticeNotes(name: name)
      body(&notes)
      if notes.isEmpty { return stored(identity) }
      UserFolder.make(folder)
      lock = FolderLock(folder)
    }
    let before = stored(identity)
    var notes = PracticeNotes(name: name)
    switch before {
    case .unusable: return before
    case .nothing:
      body(&notes)
      if notes.isEmpty { return before }
    case .notes(let stored):
      notes = stored
      notes.name = name
      body(&notes)
      if notes == stored { return before }
    }
    try write(notes, to: path(of: identity))
    return .notes(notes)
  }

  private func write(_ notes: PracticeNotes, to path: FilePath) throws(AudioFileError) {
    UserFolder.make(folder)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    guard let data = try? encoder.encode(notes) else { throw .cannotWrite(path, .invalidArgument) }
    // It could not be read again.
    guard data.count < Self.maximumBytes else { throw .cannotWrite(path, .fileTooLarge) }
    let file = try OutputFile(path: path)
    do {
      _ = fchmod(file.descriptor.rawValue, 0o600)
      try file.descriptor.writeAll(Array(data) + [0x0A])
    } catch {
      throw .cannotWrite(path, error as? Errno ?? .ioError)
    }
    try file.commit(replacing: true, syncing: false)
  }

  /// The lock of a folder of notes, which lasts as long as this value; none where there is no folder yet, or where another
  /// program keeps it for seconds, such as one that was stopped.
  private final class FolderLock {
    private let descriptor: Int32
    private static let tries = 100

    var isHeld: Bool { descriptor >= 0 }

    init(_ folder: FilePath) {
      descriptor = folder.appending(".lock").withPlatformString { path in
        open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      }
      if descriptor < 0 { return }
      for _ in 0..<Self.tries {
        if uninterrupted({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 || errno != EWOULDBLOCK {
          return
        }
        usleep(20_000)
      }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
  }
}

extension PracticeNotes {
  /// True if all its moments are moments.
  package var isSound: Bool {
    let moments =
      marks.map(\.start) + loops.flatMap { [$0.start, $0.end] } + [position ?? 0]
    return moments.allSatisfy { $0.isFinite && $0 >= 0 && $0 < 1e9 }
      && loops.allSatisfy { $0.start < $0.end }
      && (speed ?? 1).isFinite && (speed ?? 1) > 0 && (semitones ?? 0).isFinite
  }
}

/// The audio of a file, without its name, its container and its tags: rate, channels, length, and a hash of samples.
package struct AudioIdentity: Hashable, Sendable {
  /// The name of its notes.
  package let name: String

  /// The seconds at the start and in the middle that are read.
  private static let seconds = 10

  /// The bytes at the end that are read where the middle is not.
  private static let endBytes = 1 << 16

  /// The identity of the audio in a file. Where no frame can be gone to at once, or the length is an estimate, the last
  /// bytes of the file count in place of the middle: episodes begin alike.
  package init(
    of input: borrowing InputFile, isCancelled: () -> Bool
  ) throws(AudioFileError) {
    let stream = try AudioFile.listeningReader(for: input).0
    let source = stream.source
    let (rate, channels) = (source.spec.sampleRate, source.spec.channelCount)
    let count = source.frameCount
    var hash = FNV()
    let block = Block(.float32, sampleCount: 4096 * channels)
    var starts = [0]
    if count > 2 * Self.seconds * rate {
      if source.lengthBasis != .estimated, stream.seeking == .direct {
        starts.append(count / 2)
      } else {
        for byte in try AudioFile.lastBytes(Self.endBytes, of: input) { hash.add(byte) }
      }
    }
    for start in starts {
      // Of a damaged file, the samples up to the damage count.
      guard (try? stream.seek(toFrame: start)) != nil else { continue }
      var left = min(Self.seconds * rate, count - start)
      while left > 0 {
        if isCancelled() { throw .cannotRead("", .canceled) }
        let wanted = min(4096, left) * channels
        guard let made = try? stream.read(into: block.buffer.extracting(0..<wanted)), made > 0
        else { break }
        left -= made
        for sample in block.samples(of: Float.self).prefix(made * channels) {
          // Decoders may differ in the last bits.
          hash.add(Int16(max(-32_768, min(32_767, (sample.isFinite ? sample : 0) * 32_767))))
        }
      }
    }
    // An estimate depends on the size of the file, and so on its tags.
    let length = source.lengthBasis == .estimated ? "" : "-\(count)"
    name = "\(rate)-\(channels)\(length)-\(String(hash.value, radix: 16))"
  }

  /// The hash of Fowler, Noll and Vo (FNV-1a, 64 bits).
  private struct FNV {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

    mutating func add(_ sample: Int16) {
      add(UInt8(truncatingIfNeeded: sample))
      add(UInt8(truncatingIfNeeded: sample >> 8))
    }
  }
}
