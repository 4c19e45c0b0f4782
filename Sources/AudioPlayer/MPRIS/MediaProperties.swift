internal import AudioIO
internal import AudioModel
import Glibc
internal import ScaleAudio
internal import SystemPackage

/// The properties of MPRIS's interfaces, by what a player does at a moment.
///
/// Source: the D-Bus interface specification of MPRIS 2.2, `org.mpris.MediaPlayer2` and `.Player`.
struct MediaProperties {
  let status: PlayerStatus
  /// True if playing was stopped: it begins again at the start of the file.
  let isStopped: Bool
  let fileCount: Int
  let coverPath: String?

  static let application: [BusEntry] = [
    BusEntry("CanQuit", .bool(true)), BusEntry("CanRaise", .bool(false)),
    BusEntry("HasTrackList", .bool(false)), BusEntry("Identity", .string("scaleaudio")),
    BusEntry("SupportedUriSchemes", .strings([])), BusEntry("SupportedMimeTypes", .strings([])),
  ]

  /// Everything about what is played, except its position, which changes all the time.
  var player: [BusEntry] {
    let hasTrack = status.track != nil
    return [
      BusEntry("PlaybackStatus", .string(playbackStatus)),
      BusEntry("LoopStatus", .string(status.loopsTrack ? "Track" : "None")),
      BusEntry("Rate", .double(status.rate)),
      BusEntry("MinimumRate", .double(Player.rateRange.lowerBound)),
      BusEntry("MaximumRate", .double(Player.rateRange.upperBound)),
      BusEntry("Metadata", .dictionary(metadata)),
      BusEntry("Volume", .double(status.volume.isMuted ? 0 : status.volume.level)),
      BusEntry("CanGoNext", .bool((status.track?.index ?? 0) + 1 < fileCount)),
      // At the first file, this goes to its start.
      BusEntry("CanGoPrevious", .bool(hasTrack)),
      BusEntry("CanPlay", .bool(hasTrack)), BusEntry("CanPause", .bool(hasTrack)),
      BusEntry("CanSeek", .bool(hasTrack)), BusEntry("CanControl", .bool(true)),
    ]
  }

  private var playbackStatus: String {
    switch status.state {
    case .playing: "Playing"
    case .paused: isStopped ? "Stopped" : "Paused"
    case .opening, .ended: "Stopped"
    }
  }

  /// The position in microseconds.
  var position: Int64 {
    guard let rate = status.track?.source.spec.sampleRate else { return 0 }
    return Int64(status.frame / Double(rate) * 1e6)
  }

  static func path(of track: Track) -> String { "/org/scaleaudio/track/\(track.index + 1)" }

  /// The length in microseconds.
  static func length(of track: Track) -> Int64 {
    Int64(track.source.spec.seconds(frames: track.source.frameCount) * 1e6)
  }

  private var metadata: [BusEntry] {
    guard let track = status.track else { return [] }
    let tags = track.source.metadata
    let path = track.item.input.path
    let name =
      track.item.title ?? path.lastComponent?.string ?? path.string
    var entries = [
      BusEntry("mpris:trackid", .objectPath(Self.path(of: track))),
      BusEntry("mpris:length", .integer(Self.length(of: track))),
      BusEntry("xesam:title", .string(tags.values("TITLE").first { !$0.isEmpty } ?? name)),
    ]
    func add(_ name: String, _ values: [String]) {
      if !values.isEmpty { entries.append(BusEntry(name, .strings(values))) }
    }
    add("xesam:artist", tags.values("ARTIST"))
    if let album = tags.values("ALBUM").first {
      entries.append(BusEntry("xesam:album", .string(album)))
    }
    add("xesam:albumArtist", tags.values("ALBUMARTIST"))
    add("xesam:genre", tags.values("GENRE"))
    if case .file(let path) = track.item.input {
      entries.append(BusEntry("xesam:url", .string(Self.url(path))))
    }
    if let coverPath {
      entries.append(BusEntry("mpris:artUrl", .string(Self.url(FilePath(coverPath)))))
    }
    return entries
  }

  /// `file:///music/a%20b.flac`, by RFC 8089.
  static func url(_ path: FilePath) -> String {
    var bytes = path.withPlatformString { text in
      (0..<strlen(text)).map { UInt8(bitPattern: text[$0]) }
    }
    if path.isRelative, let folder = getcwd(nil, 0) {
      defer { free(folder) }
      bytes =
        (0..<strlen(folder)).map { UInt8(bitPattern: folder[$0]) } + [UInt8(ascii: "/")] + bytes
    }
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
    let digits = Array("0123456789ABCDEF")
    return "file://"
      + bytes.map { byte in
        plain.contains(byte)
          ? String(Unicode.Scalar(byte)) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }.joined()
  }
}

extension PrivateFile {
  /// Writes the picture that shows best what is played, for programs that show it; `nil` if there is none, or it
  /// cannot be written.
  convenience init?(coverOf pictures: [Metadata.Picture]) {
    let files = pictures.filter { $0.mimeType != "-->" && !$0.data.isEmpty }
    guard let picture = files.first(where: { $0.type == 3 }) ?? files.first else { return nil }
    let ending =
      switch picture.mimeType.lowercased() {
      case "image/png": ".png"
      case "image/gif": ".gif"
      case "image/webp": ".webp"
      default: ".jpg"
      }
    self.init("scaleaudio-cover", ending: ending, picture.data)
  }
}
