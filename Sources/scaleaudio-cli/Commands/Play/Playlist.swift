import AudioIO
import AudioPlayer
import ScaleAudio
import SystemPackage

/// The entries of a playlist file: M3U, M3U8 or PLS.
struct Playlist {
  struct Entry: Equatable {
    let path: FilePath
    /// The title that the playlist gives it.
    let title: String?
    /// Other readings of the text, if nothing has that path.
    var alternatives: [FilePath] = []

    /// The path that exists, or else the one that is written.
    var foundPath: FilePath {
      if FileStatus(path: path) != nil { return path }
      return alternatives.first { FileStatus(path: $0) != nil } ?? path
    }
  }

  /// In order. Addresses on the web are among ``addresses``.
  private(set) var entries: [Entry] = []
  /// The entries that cannot be played.
  private(set) var addresses: [String] = []

  private static let maximumBytes = 16 << 20

  /// True if a path names a playlist, by its extension.
  static func isPlaylist(_ path: FilePath) -> Bool {
    ["m3u", "m3u8", "pls"].contains(path.extension?.lowercased() ?? "")
  }

  /// Reads a playlist file.
  init(contentsOf path: FilePath, cancellation: Cancellation) throws(AudioFileError) {
    let file = try FileDescriptor.reading(path)
    defer { try? file.close() }
    let bytes = try Spool.bytes(
      of: file, path: path, limit: Self.maximumBytes, isCancelled: { cancellation.isCancelled })
    self.init(
      bytes, isPLS: path.extension?.lowercased() == "pls", folder: path.removingLastComponent())
  }

  /// The entries of a text; relative paths are those below `folder`.
  init(_ bytes: [UInt8], isPLS: Bool, folder: FilePath) {
    var bytes = bytes[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }.map { line in
      Array(line.drop { $0 == 0x20 || $0 == 0x09 })
    }
    if isPLS { readPLS(lines, folder) } else { readM3U(lines, folder) }
  }

  private mutating func readM3U(_ lines: [[UInt8]], _ folder: FilePath) {
    var title: String?
    for line in lines where !line.isEmpty {
      guard line.first == UInt8(ascii: "#") else {
        add(line, title, folder)
        title = nil
        continue
      }
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix("#EXTINF:"), let comma = text.firstIndex(of: ",") {
        title = String(text[text.index(after: comma)...])
      }
    }
  }

  private mutating func readPLS(_ lines: [[UInt8]], _ folder: FilePath) {
    var files: [Int: [UInt8]] = [:]
    var titles: [Int: String] = [:]
    for line in lines {
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let key = String(decoding: line[..<equals], as: UTF8.self).lowercased()
      let value = Array(line[(equals + 1)...])
      if key.hasPrefix("file"), let number = Int(key.dropFirst(4)) { files[number] = value }
      if key.hasPrefix("title"), let number = Int(key.dropFirst(5)) {
        titles[number] = String(decoding: value, as: UTF8.self)
      }
    }
    for (number, file) in files.sorted(by: { $0.key < $1.key }) {
      add(file, titles[number], folder)
    }
  }

  private mutating func add(_ bytes: [UInt8], _ title: String?, _ folder: FilePath) {
    var bytes = bytes
    while bytes.last == 0x20 || bytes.last == 0x09 { bytes.removeLast() }
    guard !bytes.isEmpty else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    if text.lowercased().hasPrefix("file://") {
      let rest = Self.unescaped(Array(bytes.dropFirst("file://".count)))
      // A host may precede the path.
      bytes = Array(rest.drop { $0 != UInt8(ascii: "/") })
    } else if text.contains("://") {
      addresses.append(text)
      return
    }
    let paths = ([bytes] + Self.otherReadings(of: bytes)).map { bytes in
      let path = FilePath(bytes: bytes)
      return path.isAbsolute ? path : folder.pushing(path)
    }
    entries.append(
      Entry(
        path: paths[0], title: title.flatMap { $0.isEmpty ? nil : $0 },
        alternatives: Array(paths.dropFirst())))
  }

  /// The bytes of a path as other programs mean them: escaped as in addresses, with the separators of Windows, and, if
  /// they are not UTF-8, in Latin-1.
  private static func otherReadings(of bytes: [UInt8]) -> [[UInt8]] {
    var readings = [bytes]
    func add(_ reading: [UInt8]) {
      if !readings.contains(reading) { readings.append(reading) }
    }
    for text in [bytes, bytes.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }] {
      add(text)
      add(unescaped(text))
      if String(validating: text, as: UTF8.self) == nil {
        add(text.flatMap { $0 < 0x80 ? [$0] : [0xC0 | $0 >> 6, 0x80 | $0 & 0x3F] })
      }
    }
    return Array(readings.dropFirst())
  }

  /// Bytes with `%20` and the like decoded.
  private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let value = UInt8(String(decoding: bytes[index + 1...index + 2], as: UTF8.self), radix: 16)
      {
        result.append(value)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }
}

/// The files to play: those of a command line, of its folders and of its playlists.
struct PlayInputs {
  /// Why something is not in it.
  enum Problem {
    case file(AudioFileError)
    /// A playlist names something that is not a file, or itself.
    case address(String)
  }

  private(set) var items: [PlayItem] = []
  private(set) var problems: [Problem] = []
  /// True if a search found nothing.
  private(set) var foundNothing = true

  private let input: InputOptions
  private let sound: PlayedSound
  private let follows, areMeasuredFirst: Bool
  private let tagEncoding: TextEncoding?
  private let cancellation: Cancellation

  init(
    _ input: InputOptions, _ sound: PlayedSound, follows: Bool, tagEncoding: TextEncoding?,
    areMeasuredFirst: Bool, cancellation: Cancellation
  ) {
    self.tagEncoding = tagEncoding
    (self.input, self.sound) = (input, sound)
    (self.follows, self.areMeasuredFirst) = (follows, areMeasuredFirst)
    self.cancellation = cancellation
    do throws(AudioFileError) {
      for named in try input.inputs(cancellation) {
        if case .path(let path) = named, Playlist.isPlaylist(path),
          FileStatus(path: path)?.kind != .folder
        {
          add(playlist: path)
        } else {
          let found = add(named)
          foundNothing = foundNothing && found
        }
      }
    } catch {
      problems.append(.file(error))
    }
  }

  /// How many playlists may name each other in a row.
  private static let maximumLists = 8

  /// Adds the entries of a playlist, and of those that it names; `lists` name it.
  private mutating func add(playlist path: FilePath, within lists: [FilePath] = []) {
    if lists.contains(path) || lists.count == Self.maximumLists {
      problems.append(
        .address(
          "\(path.printable): playlists contain each other in a loop, or are nested deeper than \(Self.maximumLists)"
        ))
      return
    }
    do throws(AudioFileError) {
      let list = try Playlist(contentsOf: path, cancellation: cancellation)
      problems += list.addresses.map {
        .address("\(path.printable): \($0): only files are played")
      }
      foundNothing = foundNothing && list.entries.isEmpty
      for entry in list.entries {
        let found = entry.foundPath
        if Playlist.isPlaylist(found), FileStatus(path: found)?.kind != .folder {
          add(playlist: found, within: lists + [path])
        } else {
          add(.path(found), title: entry.title)
        }
      }
    } catch {
      problems.append(.file(error))
    }
  }

  /// Adds what an argument or an entry names; returns whether nothing was there.
  @discardableResult
  private mutating func add(_ named: NamedInput, title: String? = nil) -> Bool {
    let list = InputList([named], walker: input.walker, cancellation: cancellation)
    problems += list.problems.map { .file($0) }
    items += list.inputs.map {
      PlayItem(
        $0.input, title: title, raw: input.raw?.pcm, tagEncoding: tagEncoding,
        conversion: sound.conversion, pace: sound.pace, follows: follows, isPipe: $0.isPipe,
        isMeasuredFirst: areMeasuredFirst)
    }
    return list.foundNothing
  }
}
