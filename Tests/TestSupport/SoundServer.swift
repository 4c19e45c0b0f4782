#if os(Linux)
  import Foundation

  /// A PulseAudio server of its own, with two sinks that play nowhere; it ends with the last reference.
  public final class SoundServer {
    /// Its own files.
    public let folder: TemporaryFolder
    /// Where programs reach it.
    public let address: String
    /// Of the programs that belong to it.
    public let environment: [String]
    /// What programs need to reach it.
    public var client: [String: String] {
      ["PULSE_SERVER": address, "PULSE_COOKIE": folder.file("cookie").string]
    }
    private let process: BackgroundProgram

    /// It does not answer.
    public struct DoesNotStart: Error {}

    /// Starts it and waits until it answers.
    public init() throws {
      folder = try TemporaryFolder()
      let socket = folder.file("native").string
      address = "unix:\(socket)"
      environment = [
        "HOME=\(folder.path.string)", "XDG_RUNTIME_DIR=\(folder.path.string)",
        "PATH=/usr/bin:/bin", "PULSE_COOKIE=\(folder.file("cookie").string)",
      ]
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
      setenv("PULSE_COOKIE", folder.file("cookie").string, 1)
      process = try BackgroundProgram(
        [
          "/usr/bin/pulseaudio", "-n", "-F", script, "--daemonize=no", "--exit-idle-time=-1",
          "--use-pid-file=no", "--disable-shm=yes", "--realtime=no", "--high-priority=no",
          "--log-target=null",
        ],
        environment: environment)
      guard try eventually({ try control("info").status == 0 }) else { throw DoesNotStart() }
    }

    deinit { stop() }

    /// Ends it at once.
    public func stop() { process.stop() }

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

    /// What was recorded so far, in stereo of 32-bit floating point at 48 kHz.
    public func bytes() throws -> [UInt8] {
      Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
  }
#endif
