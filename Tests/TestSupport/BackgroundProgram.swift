import Foundation

/// Waits until something is so, for at most `seconds`; returns whether it came to be.
public func eventually(within seconds: Double = 10, _ isSo: () throws -> Bool) rethrows -> Bool {
  let end = Date(timeIntervalSinceNow: seconds)
  while Date() < end {
    if try isSo() { return true }
    usleep(5_000)
  }
  return try isSo()
}

/// A program that runs until it is stopped.
public final class BackgroundProgram {
  private var identifier: pid_t = 0
  private var isRunning = true

  /// The system does not start it.
  public struct DoesNotStart: Error {}

  /// Starts a program with its arguments; its output goes to a file, or nowhere.
  public init(_ arguments: [String], environment: [String], output: String = "/dev/null") throws {
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

  /// Sends it a signal.
  public func send(_ signal: Int32) { if isRunning { kill(identifier, signal) } }

  /// Ends it at once.
  public func stop() {
    guard isRunning else { return }
    isRunning = false
    // It inherits a mask that blocks other signals.
    kill(identifier, SIGKILL)
    waitpid(identifier, nil, 0)
  }
}
