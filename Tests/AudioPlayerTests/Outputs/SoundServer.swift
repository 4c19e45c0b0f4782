#if os(Linux)
  import AudioModel
  import Foundation
  import TestSupport

  @testable import AudioPlayer

  /// A PulseAudio server of its own, with two sinks that play nowhere; it ends with the last reference.
  final class SoundServer {
    let folder: TemporaryFolder
    let address: String
    /// Of the programs that belong to it.
    let environment: [String]
    private let process: BackgroundProgram

    struct DoesNotStart: Error {}

    init() throws {
      folder = try TemporaryFolder()
      let socket = folder.file("native").string
      address = "unix:\(socket)"
      environment = [
        "HOME=\(folder.path.string)", "XDG_RUNTIME_DIR=\(folder.path.string)",
        "PATH=/usr/bin:/bin", "PULSE_COOKIE=\(folder.file("cookie").string)",
      ]
      // A sink that takes back what it has rendered loses or repeats a few frames in recordings, each time it does.
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

    func stop() { process.stop() }

    /// Runs `pactl`.
    @discardableResult func control(_ arguments: String...) throws -> Tool {
      try Tool.run("pactl", ["-s", address] + arguments)
    }

    /// Unloads a sink.
    func unload(_ sink: String) throws {
      let modules = try control("list", "short", "modules").outputText.split(separator: "\n")
      for module in modules where module.contains("sink_name=\(sink) ") {
        try control("unload-module", String(module.prefix { $0 != "\t" }))
      }
    }

    func record(_ sink: String) throws -> SoundRecorder {
      try SoundRecorder(self, sink)
    }

    func open(_ device: String? = nil, latency: Double = SoundOutputs.defaultLatency) throws
      -> PulseOutput
    {
      try PulseOutput(
        device: device, server: address, spec: NumberedSound.spec, latency: latency)
    }
  }

  /// A program that runs until it is stopped.
  final class BackgroundProgram {
    private var identifier: pid_t = 0
    private var isRunning = true

    struct DoesNotStart: Error {}

    /// Starts a program with its arguments; its output goes to a file, or nowhere.
    init(_ arguments: [String], environment: [String], output: String = "/dev/null") throws {
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
      let words = arguments.map { strdup($0) } + [nil]
      let variables = environment.map { strdup($0) } + [nil]
      defer { (words + variables).forEach { free($0) } }
      guard posix_spawn(&identifier, arguments[0], &actions, nil, words, variables) == 0 else {
        throw DoesNotStart()
      }
    }

    deinit { stop() }

    func stop() {
      guard isRunning else { return }
      isRunning = false
      // It inherits a mask that blocks other signals.
      kill(identifier, SIGKILL)
      waitpid(identifier, nil, 0)
    }
  }

  /// A program that records what a sink plays.
  final class SoundRecorder {
    private let process: BackgroundProgram
    private let path: String

    struct RecordsNothing: Error {}

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

    func stop() { process.stop() }

    func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

    /// The numbers of the frames so far.
    func numbers() throws -> [Int] { NumberedSound.numbers(inFloats: try bytes()) }

    /// The numbers of the frames when a last one has arrived, or after some seconds.
    func numbers(upTo last: Int) throws -> [Int] {
      _ = try eventually(within: 5) { try (numbers().last ?? -1) >= last }
      return try numbers()
    }
  }

  /// Where a list of numbers does not go on by one: index, last, next.
  func breaks(_ numbers: [Int]) -> [String] {
    zip(numbers, numbers.dropFirst()).enumerated().compactMap { index, pair in
      pair.1 == pair.0 + 1 ? nil : "\(pair.0) -> \(pair.1)"
    }
  }
#endif
