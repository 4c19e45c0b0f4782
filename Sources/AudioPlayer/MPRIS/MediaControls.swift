internal import AudioIO
internal import AudioModel
import Glibc
internal import ScaleAudio
internal import SystemPackage

/// Offers a player on the session bus as MPRIS describes it, so that media keys and other programs control it.
///
/// A thread of its own answers; it asks the player for everything as keys do. Without a bus nothing happens.
package final class MediaControls: @unchecked Sendable {
  private let monitor = SoundMonitor()
  private let (awake, alarm): (Int32, Int32)
  private var isStopping = false
  private var isDone = false

  /// Offers a player; `nil` if the system has no thread or descriptor left.
  package init?(_ player: Player) {
    var ends: (Int32, Int32) = (-1, -1)
    let isMade = withUnsafeMutablePointer(to: &ends) { ends in
      ends.withMemoryRebound(to: Int32.self, capacity: 2) { pipe($0) == 0 }
    }
    for end in [ends.0, ends.1] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (awake, alarm) = ends
    guard isMade else { return nil }
    let thread = SoundThread { [self] in
      serve(player)
      monitor.withLock {
        isDone = true
        monitor.wake()
      }
    }
    guard let thread else { return nil }
    thread.detach()
  }

  deinit {
    if awake >= 0 { Glibc.close(awake) }
    if alarm >= 0 { Glibc.close(alarm) }
  }

  private func serve(_ player: Player) {
    guard let service = MediaService(player) else { return }
    while !monitor.withLock({ isStopping }), service.step(waitingFor: awake) {}
    service.end()
  }

  /// Leaves the bus. A bus that does not answer is not waited for.
  package func stop() {
    monitor.withLock {
      isStopping = true
      var byte: UInt8 = 0
      _ = write(alarm, &byte, 1)
      let end = SoundMonitor.now + 0.5
      while !isDone, SoundMonitor.now < end { monitor.wait(seconds: 0.1) }
    }
  }
}

/// A player as an object on the session bus, `org.mpris.MediaPlayer2.scaleaudio`.
final class MediaService {
  private static let path = "/org/mpris/MediaPlayer2"
  private static let application = "org.mpris.MediaPlayer2"
  private static let interface = "org.mpris.MediaPlayer2.Player"
  private static let properties = "org.freedesktop.DBus.Properties"

  private let player: Player
  /// `nil` only while this is made.
  private var bus: SessionBus?
  /// When a program stopped the player, until it is elsewhere than at the start.
  private var stopTime: Double?
  private var cover: (track: Int, file: PrivateFile?)?
  /// The properties as last announced, by name.
  private var announced: [String: BusValue] = [:]
  private var lastPosition: (track: Int?, position: Int64, time: Double, rate: Double)?
  /// True if the sound stood still when the position was last announced.
  private var wasStalled = false
  /// When a program asked for another position that is not announced yet.
  private var seekTime: Double?
  /// How long the player may take to go to a position.
  private static let seekSeconds = 0.03
  /// How long the player may take to stop and to go to the start, on a busy machine.
  private static let stopSeconds = 3.0

  /// Offers a player; `nil` if there is no bus.
  init?(_ player: Player) {
    self.player = player
    bus = SessionBus(path: Self.path) { [unowned self] (call) throws(BusError) in
      try answer(call)
    }
    guard let bus else { return nil }
    let name = Self.application + ".scaleaudio"
    // Each of several players has its own name.
    guard bus.take(name: name) || bus.take(name: name + ".instance\(getpid())") else {
      return nil
    }
  }

  /// Leaves the bus, and removes the cover.
  func end() { (bus, cover) = (nil, nil) }

  /// Answers what was asked, announces what has changed, and waits for a moment, or until a descriptor can be
  /// read; returns whether the bus is still there.
  func step(waitingFor descriptor: Int32) -> Bool {
    guard let bus, bus.process() else { return false }
    announce()
    bus.wait(milliseconds: 100, or: descriptor)
    return true
  }

  private var current: MediaProperties {
    let status = player.status
    if let time = stopTime, SoundMonitor.now - time > Self.stopSeconds,
      status.state == .playing || status.frame > 0
    {
      stopTime = nil
    }
    if let track = status.track, cover?.track != track.index {
      cover = (track.index, PrivateFile(coverOf: track.source.metadata.pictures))
    }
    return MediaProperties(
      status: status, isStopped: stopTime != nil, coverPath: cover?.file?.path)
  }

  // MARK: Signals

  private func announce() {
    let now = current
    let changed = now.player.filter { announced[$0.name] != $0.value }
    if !changed.isEmpty {
      for entry in changed { announced[entry.name] = entry.value }
      bus?.emit(Self.properties, "PropertiesChanged") { signal in
        signal.append(.string(Self.interface))
        signal.append(.dictionary(changed))
        signal.append(.strings([]))
      }
    }
    let time = SoundMonitor.now
    let isSought = seekTime.map { time - $0 > Self.seekSeconds } ?? false
    // Programs let the position run on from the last signal: this is where it stands, and where it goes on.
    let isStalled = now.status.isStalled
    if isSought || isStalled != wasStalled || hasJumped(now, time) {
      (seekTime, wasStalled) = (nil, isStalled)
      bus?.emit(Self.interface, "Seeked") { $0.append(.integer(now.position)) }
    }
    lastPosition = (now.status.track?.index, now.position, time, now.status.rate)
  }

  /// True if the position changed other than by playing on.
  private func hasJumped(_ now: MediaProperties, _ time: Double) -> Bool {
    guard let last = lastPosition, let track = now.status.track, last.track == track.index else {
      return false
    }
    let elapsed = time - last.time
    let way = Double(now.position - last.position) / 1e6
    return way < -0.2 || way > elapsed * max(last.rate, now.status.rate) + 0.2
  }

  // MARK: Calls

  private func answer(_ call: BusMessage) throws(BusError) -> ((BusMessage) -> Void)? {
    switch (call.interface, call.member) {
    case (Self.properties, "Get"):
      guard let interface = call.readString(), let name = call.readString(),
        let value = try values(interface).first(where: { $0.name == name })?.value
      else { throw .invalid("There is no such property.") }
      return { $0.appendVariant(value) }
    case (Self.properties, "GetAll"):
      let values = try values(call.readString() ?? "")
      return { $0.append(.dictionary(values)) }
    case (Self.properties, "Set"):
      guard call.readString() == Self.interface, let name = call.readString() else {
        throw .invalid("There is no such property.")
      }
      try set(name, call.readVariant())
    case ("org.freedesktop.DBus.Introspectable", "Introspect"):
      return { $0.append(.string(MediaInterfaces.description)) }
    case (Self.application, "Raise"): break
    case (Self.application, "Quit"): player.perform(.stop)
    case (Self.interface, _):
      guard try control(call) else { return nil }
    default: return nil
    }
    return { _ in }
  }

  private func values(_ interface: String) throws(BusError) -> [BusEntry] {
    switch interface {
    case Self.application: return MediaProperties.application
    case Self.interface:
      let now = current
      return now.player + [BusEntry("Position", .integer(now.position))]
    default: throw .invalid("There is no such interface.")
    }
  }

  private func set(_ name: String, _ value: BusValue?) throws(BusError) {
    switch (name, value) {
    case ("Rate", .double(let rate)):
      let range = Player.rateRange
      if rate == 0 {
        player.perform(.pause)
      } else if range.contains(rate) {
        player.perform(.setRate(rate))
      } else {
        throw .invalid("Rates are \(range.lowerBound) to \(range.upperBound).")
      }
    case ("Volume", .double(let level)) where level.isFinite:
      player.perform(.setVolume(Volume(level: level)))
    case ("LoopStatus", .string(let loop)) where ["None", "Track", "Playlist"].contains(loop):
      player.perform(.setLoopsTrack(loop == "Track"))
      player.perform(.setLoopsList(loop == "Playlist"))
    case ("Shuffle", .bool(let isShuffled)): player.perform(.setShuffled(isShuffled))
    default: throw .invalid("\(name) cannot be set to this value.")
    }
  }

  /// Does what a call asks for; `false` if there is no such method.
  private func control(_ call: BusMessage) throws(BusError) -> Bool {
    switch call.member {
    case "Play":
      stopTime = nil
      player.perform(.play)
    case "Pause": player.perform(.pause)
    case "PlayPause":
      stopTime = nil
      player.perform(.toggle)
    case "Next": player.perform(.skip(1))
    case "Previous": player.perform(.skip(-1))
    case "Stop":
      player.perform(.pause)
      seek(.seek(frame: 0))
      stopTime = SoundMonitor.now
    case "Seek":
      guard let offset = call.readInteger() else { throw .invalid("An offset is missing.") }
      seek(.move(seconds: Double(offset) / 1e6))
    case "SetPosition":
      guard let path = call.readObjectPath(), let position = call.readInteger() else {
        throw .invalid("A track and a position are missing.")
      }
      // Positions outside the track, and in tracks that have ended, mean nothing.
      if let track = player.status.track, path == MediaProperties.path(of: track),
        (0...MediaProperties.length(of: track)).contains(position)
      {
        let frame = Double(position) / 1e6 * Double(track.source.spec.sampleRate)
        seek(.seek(frame: Int(frame.rounded())))
      }
    case "OpenUri": throw .unsupported("Files are named when the program is started.")
    default: return false
    }
    return true
  }

  private func seek(_ command: Player.Command) {
    seekTime = SoundMonitor.now
    player.perform(command)
  }
}

/// The properties of MPRIS's interfaces, by what a player does at a moment.
///
/// Source: the D-Bus interface specification of MPRIS 2.2, `org.mpris.MediaPlayer2` and `.Player`.
struct MediaProperties {
  let status: PlayerStatus
  /// True if playing was stopped: it begins again at the start of the file.
  let isStopped: Bool
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
      BusEntry(
        "LoopStatus",
        .string(status.loopsTrack ? "Track" : status.loopsList ? "Playlist" : "None")),
      BusEntry("Shuffle", .bool(status.isShuffled)),
      BusEntry("Rate", .double(status.rate)),
      BusEntry("MinimumRate", .double(Player.rateRange.lowerBound)),
      BusEntry("MaximumRate", .double(Player.rateRange.upperBound)),
      BusEntry("Metadata", .dictionary(metadata)),
      BusEntry("Volume", .double(status.volume.isMuted ? 0 : status.volume.level)),
      BusEntry("CanGoNext", .bool(status.hasNext)),
      // At the first file, this goes to its start.
      BusEntry("CanGoPrevious", .bool(hasTrack)),
      BusEntry("CanPlay", .bool(hasTrack)), BusEntry("CanPause", .bool(hasTrack)),
      BusEntry("CanSeek", .bool(hasTrack)), BusEntry("CanControl", .bool(true)),
    ]
  }

  private var playbackStatus: String {
    switch status.state {
    // Programs let the position of what is playing run on.
    case .playing: status.isStalled ? "Paused" : "Playing"
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

/// The interfaces of the object on the bus, in the XML of D-Bus's introspection.
enum MediaInterfaces {
  static let description = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
    "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node>
    \(interface("org.freedesktop.DBus.Introspectable", [method("Introspect", [("s", "out")])]))
    \(interface("org.freedesktop.DBus.Properties", [
      method("Get", [("s", "in"), ("s", "in"), ("v", "out")]),
      method("GetAll", [("s", "in"), ("a{sv}", "out")]),
      method("Set", [("s", "in"), ("s", "in"), ("v", "in")]),
      signal("PropertiesChanged", ["s", "a{sv}", "as"]),
    ]))
    \(interface("org.mpris.MediaPlayer2", [method("Raise"), method("Quit")]
      + MediaProperties.application.map { property($0.name, $0.value.signature) }))
    \(interface("org.mpris.MediaPlayer2.Player", [
      method("Next"), method("Previous"), method("Pause"), method("PlayPause"), method("Stop"),
      method("Play"), method("Seek", [("x", "in")]),
      method("SetPosition", [("o", "in"), ("x", "in")]), method("OpenUri", [("s", "in")]),
      signal("Seeked", ["x"]),
      property("Position", "x"),
    ] + properties.map { property($0.name, $0.value.signature) }))
    </node>

    """

  private static let properties = MediaProperties(
    status: PlayerStatus(), isStopped: true, coverPath: nil
  ).player

  private static let settable: Set = ["Rate", "Volume", "LoopStatus", "Shuffle"]

  private static func interface(_ name: String, _ lines: [String]) -> String {
    "<interface name=\"\(name)\">\n" + lines.joined(separator: "\n") + "\n</interface>"
  }

  private static func method(_ name: String, _ arguments: [(String, String)] = []) -> String {
    "<method name=\"\(name)\">"
      + arguments.map { "<arg type=\"\($0.0)\" direction=\"\($0.1)\"/>" }.joined() + "</method>"
  }

  private static func signal(_ name: String, _ types: [String]) -> String {
    "<signal name=\"\(name)\">" + types.map { "<arg type=\"\($0)\"/>" }.joined() + "</signal>"
  }

  private static func property(_ name: String, _ type: String) -> String {
    let access = settable.contains(name) ? "readwrite" : "read"
    return "<property name=\"\(name)\" type=\"\(type)\" access=\"\(access)\"/>"
  }
}
