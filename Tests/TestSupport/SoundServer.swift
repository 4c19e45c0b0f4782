import Foundation

/// A sound server of its own, with two sinks that play nowhere; it ends with the last reference.
public final class SoundServer {
  /// The programs that serve.
  public enum Kind: Sendable, CaseIterable { case pulseAudio, pipeWire }

  /// Its own files.
  public let folder: TemporaryFolder
  /// The address at which programs reach it.
  public let address: String
  /// The identifiers of its programs.
  public let environment: [String]
  /// The environment with which programs reach it.
  public var client: [String: String] {
    ["PULSE_SERVER": address, "PULSE_COOKIE": folder.file("cookie").string]
  }
  private var processes: [BackgroundProgram] = []

  /// It does not answer.
  public struct DoesNotStart: Error {}

  /// Starts it and waits until it answers.
  public init(_ kind: Kind = .pulseAudio) throws {
    try Programs.require("pactl", "parec")
    switch kind {
    case .pulseAudio: try Programs.require("pulseaudio")
    case .pipeWire:
      try Programs.require("dbus-daemon", "pipewire", "wireplumber", "pipewire-pulse")
    }
    folder = try TemporaryFolder()
    let socket = folder.file(kind == .pulseAudio ? "native" : "pulse/native").string
    address = "unix:\(socket)"
    environment = [
      "HOME=\(folder.path.string)", "XDG_RUNTIME_DIR=\(folder.path.string)",
      "PATH=/usr/bin:/bin", "PULSE_COOKIE=\(folder.file("cookie").string)",
      "DBUS_SESSION_BUS_ADDRESS=unix:path=\(folder.file("bus"))",
    ]
    setenv("PULSE_COOKIE", folder.file("cookie").string, 1)
    switch kind {
    case .pulseAudio: try startPulseAudio(socket)
    case .pipeWire: try startPipeWire()
    }
  }

  private func startPulseAudio(_ socket: String) throws {
    // Without `norewinds`, a pause repeats frames in the recording and loses others, though the stream goes on at the
    // next frame. The cause is the monitor: it delivers what its sink renders, also what the sink takes back later
    // to put silence, or the sound again, in its place. Shown by a client in C that only corks and uncorks, never
    // flushes, and writes each frame once, by the recording of `parec` and the server's log (PulseAudio 16.1): in 14
    // of 14 pauses, uncorking lost as many frames as the log says it rewound (23 to 699), and corking repeated as
    // many as it rewound (9 to 710), less what the monitor still held back. With `norewinds`, 8 of 8 were whole.
    let script = folder.file("server.pa").string
    try """
    load-module module-null-sink sink_name=one rate=48000 format=float32le channels=2 norewinds=1 \
    sink_properties=device.description=First
    load-module module-null-sink sink_name=two rate=48000 format=float32le channels=2 norewinds=1 \
    sink_properties=device.description=Second
    load-module module-rescue-streams
    load-module module-role-cork
    load-module module-native-protocol-unix socket=\(socket) auth-anonymous=1
    set-default-sink one
    """.write(toFile: script, atomically: true, encoding: .utf8)
    try start([
      "/usr/bin/pulseaudio", "-n", "-F", script, "--daemonize=no", "--exit-idle-time=-1",
      "--use-pid-file=no", "--disable-shm=yes", "--realtime=no", "--high-priority=no",
      "--log-target=null",
    ])
    guard try eventually({ try control("info").status == 0 }) else { throw DoesNotStart() }
  }

  /// PipeWire with what serves clients of PulseAudio. The session manager connects streams with sinks; it needs a
  /// bus.
  private func startPipeWire() throws {
    // A machine that does not run for 10 ms, as virtual ones do, must not cost the recording a period. By default,
    // the latency of the recorder sets it: 512 frames.
    let properties = "default.clock.quantum = 2048 default.clock.min-quantum = 2048"
    let settings = folder.file(".config/pipewire/pipewire.conf.d")
    try FileManager.default.createDirectory(
      atPath: settings.string, withIntermediateDirectories: true)
    try "context.properties = { \(properties) }\n".write(
      toFile: settings.appending("period.conf").string, atomically: true, encoding: .utf8)
    try start([
      "/usr/bin/dbus-daemon", "--session", "--nofork",
      "--address=unix:path=\(folder.file("bus"))",
    ])
    try start(["/usr/bin/pipewire"])
    let socket = folder.file("pipewire-0").string
    guard eventually({ FileManager.default.fileExists(atPath: socket) }) else {
      throw DoesNotStart()
    }
    try start(["/usr/bin/wireplumber"])
    try start(["/usr/bin/pipewire-pulse"])
    guard try eventually({ try control("info").status == 0 }) else { throw DoesNotStart() }
    for (name, description) in [("one", "First"), ("two", "Second")] {
      try control(
        "load-module", "module-null-sink", "sink_name=\(name)", "rate=48000", "channels=2",
        "sink_properties=device.description=\(description)")
    }
    // The session manager makes a sink known once it has taken it over.
    guard
      try eventually({
        try control("set-default-sink", "one").status == 0
          && control("get-default-sink").outputText == "one\n"
      })
    else { throw DoesNotStart() }
  }

  private func start(_ command: [String]) throws {
    processes.append(try BackgroundProgram(command, environment: environment))
  }

  deinit { stop() }

  /// Ends it at once.
  public func stop() { processes.reversed().forEach { $0.stop() } }

  /// Sends it a signal.
  public func send(_ signal: Int32) { processes.forEach { $0.send(signal) } }

  /// Runs `pactl`.
  @discardableResult public func control(_ arguments: String...) throws -> Tool {
    try Tool.run("pactl", ["-s", address] + arguments)
  }

  /// Unloads a sink.
  public func unload(_ sink: String) throws {
    let modules = try control("list", "short", "modules").outputText.split(separator: "\n")
    for module in modules where module.contains("sink_name=\(sink) ") {
      try control("unload-module", String(module.prefix { $0 != "\t" }))
    }
  }

  /// Begins to record what a sink plays.
  public func record(_ sink: String) throws -> SoundRecorder {
    try SoundRecorder(self, sink)
  }
}

/// A program that records what a sink plays.
public final class SoundRecorder {
  private let process: BackgroundProgram
  private let path: String

  /// Nothing arrives.
  public struct RecordsNothing: Error {}

  init(_ server: SoundServer, _ sink: String) throws {
    path = server.folder.file("\(sink)-\(UUID().uuidString).raw").string
    process = try BackgroundProgram(
      [
        "/usr/bin/parec", "-s", server.address, "-d", "\(sink).monitor", "--raw",
        "--format=float32le", "--rate=48000", "--channels=2", "--latency-msec=20",
      ], environment: server.environment, output: path)
    guard try eventually({ try bytes().count > 0 }) else { throw RecordsNothing() }
  }

  deinit { stop() }

  /// Ends the recording.
  public func stop() { process.stop() }

  /// The recording so far, in stereo of 32-bit floating point at 48 kHz.
  public func bytes() throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }
}
