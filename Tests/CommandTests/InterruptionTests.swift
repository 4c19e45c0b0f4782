import AudioIO
import Foundation
import ScaleAudio
import TestSupport
import Testing

@Suite("Interruption", .slow)
struct InterruptionTests {
  /// Only whole outputs may remain.
  private func expectOnlyWholeOutputs(_ folder: TemporaryFolder) throws {
    for name in try folder.tree() where !name.hasSuffix("/") && !name.hasPrefix("in/") {
      #expect(!name.contains("/."), "a temporary file was left: \(name)")
      try Tool.run("flac", ["-t", "-s", folder.file(name).string]).succeeded()
    }
    for name in ["in/0.wav", "in/1.wav", "in/2.wav"] {
      #expect(try folder.bytes(name) == Sound.long)
    }
  }

  private func start(_ folder: TemporaryFolder) throws -> RunningProgram {
    for number in 0..<3 { try folder.write("in/\(number).wav", Sound.long) }
    return try RunningProgram(
      ["-f", "3", "-j", "2", "--format", "flac", "in"], in: folder.path)
  }

  /// The progress of the program when it is disturbed.
  enum Moment: CaseIterable {
    case begun, encoding, firstOutput

    /// True if the program has come this far in converting to the folder `in-x3`.
    func hasCome(_ program: RunningProgram, in folder: TemporaryFolder) -> Bool {
      switch self {
      case .begun: folder.exists("in-x3")
      case .encoding: program.bytesWritten > 200_000
      case .firstOutput: (0..<3).contains { folder.exists("in-x3/\($0).flac") }
      }
    }
  }

  /// Waits for a moment, or for the end of the program.
  private func wait(for moment: Moment, _ program: RunningProgram, in folder: TemporaryFolder) {
    while program.isRunning && !moment.hasCome(program, in: folder) { usleep(1000) }
  }

  /// One handler serves all three signals, so each is sent at another moment.
  @Test(arguments: zip([SIGINT, SIGTERM, SIGHUP], Moment.allCases))
  func signalsLeaveNoPartialFiles(signal: Int32, moment: Moment) throws {
    let folder = try TemporaryFolder()
    let program = try start(folder)
    wait(for: moment, program, in: folder)
    program.send(signal)
    let status = program.wait()
    // Behind the first output a fast machine may have done the others already.
    #expect(status == 128 + signal || moment == .firstOutput && status == 0)
    try expectOnlyWholeOutputs(folder)
    if !folder.exists("in-x3/0.flac") && !folder.exists("in-x3/1.flac") && status != 0 {
      #expect(!folder.exists("in-x3"), "an empty folder was left")
    }
  }

  @Test(arguments: Moment.allCases)
  func killingLeavesNoPartialFiles(moment: Moment) throws {
    let folder = try TemporaryFolder()
    let program = try start(folder)
    wait(for: moment, program, in: folder)
    program.send(SIGKILL)
    #expect([-SIGKILL, 0].contains(program.wait()))
    try expectOnlyWholeOutputs(folder)
    try Program.run(
      "-f", "3", "--format", "flac", "--resume", "in", in: folder.path
    ).succeeded()
    #expect(try folder.tree().count { $0.hasPrefix("in-x3/") && $0.hasSuffix(".flac") } == 3)
    #expect(try Tool.run("flac", ["-t", folder.file("in-x3/2.flac").string]).status == 0)
  }

  @Test func twoSignalsEndItAtOnce() throws {
    let folder = try TemporaryFolder()
    let program = try start(folder)
    wait(for: .encoding, program, in: folder)
    program.send(SIGINT)
    program.send(SIGTERM)
    #expect([130, 143].contains(program.wait()))
    try expectOnlyWholeOutputs(folder)
  }

  @Test func waitingForAPipeCanBeInterrupted() throws {
    let folder = try TemporaryFolder()
    #expect(try Tool.run("mkfifo", ["pipe.wav"], in: folder.path).status == 0)
    let program = try RunningProgram(["-f", "2", "pipe.wav"], in: folder.path)
    // Opening the pipe for writing succeeds once it has a reader.
    var writer: Int32 = -1
    while writer < 0 {
      writer = open(folder.file("pipe.wav").string, O_WRONLY | O_NONBLOCK)
      usleep(2000)
    }
    program.send(SIGINT)
    #expect(program.wait() == 130)
    close(writer)
    #expect(try folder.names() == ["pipe.wav"])
  }

  @Test func anIgnoredSignalStaysIgnored() throws {
    let folder = try TemporaryFolder(["in.wav": Sound.wav])
    // The shell can open the pipe for writing once the program has opened it for reading.
    try Program.shell(
      "mkfifo p.wav; (trap '' INT; exec $scaleaudio -f 2 p.wav) & exec 3> p.wav; kill -INT $!; "
        + "cat in.wav >&3; exec 3>&-; wait $!", in: folder.path
    ).succeeded()
    #expect(folder.exists("p-x2.wav"))
  }

  @Test(arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)])
  func aBlockedSignalInterruptsToo(signal: String, status: Int32) throws {
    let folder = try TemporaryFolder()
    let run = try Program.shell(
      """
      mkfifo p.wav
      python3 -c 'import os, signal, sys
      signal.signal(signal.SIG\(signal), signal.SIG_DFL)
      signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIG\(signal)])
      os.execv(sys.argv[1], sys.argv[1:])' $scaleaudio -f 2 p.wav &
      exec 3> p.wav; kill -\(signal) $!; wait $!
      """, in: folder.path)
    #expect(run.status == status, "\(run.errorText)")
    #expect(try folder.names() == ["p.wav"])
  }

  @Test func leftoversOfDeadProcessesAreSwept() throws {
    let folder = try TemporaryFolder(["in.wav": Sound.wav])
    // No process has a number beyond the kernel's limit of 2^22.
    try folder.write(".scaleaudio-99999999-1-\(HiddenFiles.origin).tmp", [1])
    let kept = [
      ".scaleaudio-\(getpid())-1-\(HiddenFiles.origin).tmp", ".scaleaudio-99999999-1-1-1-x.tmp",
      ".scaleaudio-x-1.tmp",
    ]
    for name in kept { try folder.write(name, [1]) }
    #expect(try Program.run("-f", "2", "in.wav", in: folder.path).status == 0)
    #expect(try Set(folder.names()) == Set(kept + ["in-x2.wav", "in.wav"]))
  }
}
