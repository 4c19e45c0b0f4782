internal import AudioIO
import Glibc

/// A player as an object on the session bus, `org.mpris.MediaPlayer2.scaleaudio`.
final class MediaService {
  private static let path = "/org/mpris/MediaPlayer2"
  private static let application = "org.mpris.MediaPlayer2"
  private static let interface = "org.mpris.MediaPlayer2.Player"
  private static let properties = "org.freedesktop.DBus.Properties"

  private let player: Player
  private let fileCount: Int
  /// `nil` only while this is made.
  private var bus: SessionBus?
  private var isStopped = false
  private var cover: (track: Int, file: PrivateFile?)?
  /// The properties as last announced, by name.
  private var announced: [String: BusValue] = [:]
  private var lastPosition: (track: Int?, position: Int64, time: Double, rate: Double)?
  /// When a program asked for another position that is not announced yet.
  private var seekTime: Double?
  /// How long the player may take to go to a position.
  private static let seekSeconds = 0.03

  /// Offers a player of as many files; `nil` if there is no bus.
  init?(_ player: Player, fileCount: Int) {
    self.player = player
    self.fileCount = fileCount
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
    // By then the player is where it was asked to go.
    let isSettled = seekTime.map { SoundMonitor.now - $0 > Self.seekSeconds } ?? true
    if isSettled, status.state == .playing || status.frame > 0 { isStopped = false }
    if let track = status.track, cover?.track != track.index {
      cover = (track.index, PrivateFile(coverOf: track.source.metadata.pictures))
    }
    return MediaProperties(
      status: status, isStopped: isStopped, fileCount: fileCount, coverPath: cover?.file?.path)
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
    if isSought || hasJumped(now, time) {
      seekTime = nil
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
    case ("LoopStatus", .string("None")): player.perform(.setLoopsTrack(false))
    case ("LoopStatus", .string("Track")): player.perform(.setLoopsTrack(true))
    case ("LoopStatus", .string("Playlist")):
      throw .unsupported("Only single files are repeated.")
    default: throw .invalid("\(name) cannot be set to this value.")
    }
  }

  /// Does what a call asks for; `false` if there is no such method.
  private func control(_ call: BusMessage) throws(BusError) -> Bool {
    switch call.member {
    case "Play": player.perform(.play)
    case "Pause": player.perform(.pause)
    case "PlayPause": player.perform(.toggle)
    case "Next": player.perform(.skip(1))
    case "Previous": player.perform(.skip(-1))
    case "Stop":
      player.perform(.pause)
      seek(.seek(frame: 0))
      isStopped = true
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
