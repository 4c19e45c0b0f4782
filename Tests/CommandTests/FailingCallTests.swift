import Foundation
import ScaleAudio
import TestSupport
import Testing

/// The program while the file system refuses single calls; see `Support/failing-calls.c`.
@Suite("Calls that fail", .disabled(if: Sanitizer.inUse != nil, "Its runtime comes first"))
struct FailingCallTests {
  /// A command line, and the files that exist before.
  struct Work: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let line: String
    /// The names of which an error may be about.
    let names: [String]

    init(_ name: String, _ line: String, naming names: String...) {
      (testDescription, self.line, self.names) = (name, line, names)
    }
  }

  private static let works = [
    Work("a file", "-f 1.5 a.wav -o new/b/a.flac", naming: "a.wav", "new"),
    Work(
      "a folder", "-j1 -f 1.5 --sidecars in -o out/x/ --manifest m/n.jsonl",
      naming: "in", "out", "m"),
    Work("replacing", "-f 1.5 --overwrite a.wav -o old.wav", naming: "a.wav", "old.wav"),
    Work("resuming", "-j1 -f 1.5 --resume in", naming: "in"),
    Work("standard input", "-f 1.5 - -o out.opus < a.wav", naming: "-", "out.opus"),
    Work("MP3", "-f 1.5 a.mp3 -o out.ogg", naming: "a.mp3", "out.ogg"),
    Work("AAC", "-f 1.5 a.m4a -o out.m4a", naming: "a.m4a", "out.m4a"),
    Work("Opus", "-f 1.5 a.opus -o out.wav", naming: "a.opus", "out.wav"),
    Work("plot", "plot a.wav -o p/q/out.png", naming: "a.wav", "p", "picture"),
    Work("play", "play list.m3u -o heard.wav", naming: "a.wav", "list.m3u", "heard.wav"),
    Work("plan", "plan in --run run --shards 2 -f 1.5 -o out/", naming: "in", "run", "out"),
    Work("a shard", "convert --run planned --shard 1/2", naming: "planned", "in", "planned-out"),
    Work("merge", "merge done --write jsonl=all.jsonl", naming: "done", "all.jsonl"),
  ]

  private static let calls = [
    "open", "read", "write", "truncate", "sync", "flock", "times", "duplicate", "fcntl", "stat",
    "mkdir", "link", "rename", "unlink", "opendir", "readdir",
  ]

  private static let errors = [
    ENOENT, EIO, ESTALE, EACCES, ENOSPC, EDQUOT, EMFILE, EINTR, ENAMETOOLONG, EROFS,
  ]

  /// The library, and the folder in which every run begins.
  private struct Bench: Sendable {
    let folder: TemporaryFolder
    let shim: String
    let files: [String: [UInt8]]

    init() throws {
      folder = try TemporaryFolder()
      let source = FilePath(#filePath).removingLastComponent()
        .appending("Support").appending("failing-calls.c")
      shim = folder.file("failing-calls.so").string
      try Tool.run(
        "clang", ["-shared", "-fPIC", "-fno-builtin", "-o", shim, source.string]
      ).succeeded()
      try Program.shell(
        """
        set -e; mkdir -p start/in/sub && cd start
        sox -R -n -r 8000 -c 1 -b 16 a.wav synth 0.2 pinknoise
        cp a.wav old.wav; cp a.wav in/a.wav; cp a.wav in/sub/b.wav
        printf '0.05\\t0.1\\tlabel\\n' > in/a.txt; printf 'a.wav\\n' > list.m3u
        ffmpeg -v error -i a.wav a.mp3; ffmpeg -v error -i a.wav a.m4a
        ffmpeg -v error -i a.wav -c:a libopus a.opus
        $scaleaudio plan -q in --run planned --shards 2 -f 1.5 -o planned-out/
        $scaleaudio plan -q in --run done --shards 2 -f 1.5 -o done-out/
        for shard in 1 2; do $scaleaudio convert -q --run done --shard $shard/2; done
        """, in: folder.path
      ).succeeded()
      files = try Self.content(of: folder.file("start"))
    }

    /// The content of each file below a folder.
    static func content(of folder: FilePath) throws -> [String: [UInt8]] {
      var files: [String: [UInt8]] = [:]
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder.string) {
        guard let data = FileManager.default.contents(atPath: folder.appending(name).string) else {
          continue
        }
        files[name] = Array(data)
      }
      return files
    }
  }

  private static let bench = Result { try Bench() }

  /// The outcome of a run.
  private struct Outcome {
    let run: Tool
    /// The files afterwards, and the names of those in the folder for temporary ones.
    let files: [String: [UInt8]]
    let temporary: [String]
    /// How often each kind of call was made.
    let counts: [String: Int]
  }

  private func outcome(_ work: Work, _ variables: [String: String] = [:]) throws -> Outcome {
    let bench = try Self.bench.get()
    let folder = try TemporaryFolder()
    var variables = variables
    variables["FAILING_COUNTS"] = folder.file("counts").string
    let settings = variables.map { "\($0)='\($1)'" }.joined(separator: " ")
    // The program alone loads the library. One that hangs is ended.
    let run = try Program.shell(
      """
      mkdir tmp; cp -a \(bench.folder.file("start").string) run; cd run
      timeout -s KILL 120 env LD_PRELOAD=\(bench.shim) TMPDIR=../tmp \(settings) \
        $scaleaudio \(work.line)
      """, in: folder.path)
    let counts = String(decoding: (try? folder.bytes("counts")) ?? [], as: UTF8.self)
    return Outcome(
      run: run, files: try Bench.content(of: folder.file("run")),
      temporary: try FileManager.default.contentsOfDirectory(atPath: folder.file("tmp").string),
      counts: Dictionary(
        uniqueKeysWithValues: counts.split(separator: "\n").map { line in
          let words = line.split(separator: " ")
          return (String(words[0]), Int(words[1]) ?? 0)
        }))
  }

  /// True for files that hold times.
  private func varies(_ name: String) -> Bool {
    name.hasSuffix(".scaleaudio.jsonl") || name.contains("/records/")
      || name.hasSuffix("/written.json")
  }

  /// True for what a run that failed may leave: a whole WAV file with the sound up to the error, and a whole plan of the
  /// folders that can be read.
  private func isShorter(_ name: String, _ wanted: [UInt8], _ outcome: Outcome) -> Bool {
    if outcome.run.status == 0 { return false }
    if name == "heard.wav" { return isStart(outcome.files[name] ?? [], of: wanted) }
    let lines = outcome.files.filter { $0.key.hasPrefix("run/shards/") }.values
      .map { $0.count { $0 == 10 } }.reduce(0, +)
    let plan = try? JSONDecoder().decode(
      PlannedLines.self, from: Data(outcome.files["run/plan.json"] ?? []))
    return name.hasPrefix("run/") && lines > 0 && plan?.lines == lines
  }

  private struct PlannedLines: Decodable {
    let lines: Int
  }

  /// True if a WAV file of 32-bit samples has the size that its header declares, and begins like another.
  private func isStart(_ file: [UInt8], of wanted: [UInt8]) -> Bool {
    func audio(_ file: [UInt8]) -> ArraySlice<UInt8>? {
      guard let start = file.firstRange(of: Array("data".utf8))?.upperBound, file.count > start + 4
      else { return nil }
      func number(_ offset: Int) -> Int {
        file[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
      }
      guard number(4) == file.count - 8, number(start) == file.count - start - 4 else { return nil }
      return file[(start + 4)...]
    }
    guard let part = audio(file), let whole = audio(wanted) else { return false }
    return whole.starts(with: part)
  }

  /// The fault of a run in which a call failed; `nil` if there is none.
  private func fault(
    _ work: Work, _ call: String, _ error: Int32, _ outcome: Outcome, _ whole: Outcome
  )
    throws -> String?
  {
    let start = try Self.bench.get().files
    let reported = outcome.run.errorText
    // Statuses of signals are above 128.
    if outcome.run.status > 128 || outcome.run.status == 124 { return "ended by a signal" }
    if error == EINTR, outcome.run.status != 0 { return "not tried again: \(reported)" }
    for (name, bytes) in start where outcome.files[name] != bytes {
      let isReplaced = outcome.files[name] != nil && outcome.files[name] == whole.files[name]
      if !isReplaced, !varies(name) { return "\(name) has changed" }
    }
    for (name, bytes) in outcome.files where start[name] == nil && !varies(name) {
      guard let wanted = whole.files[name] else {
        if call == "unlink" { continue }
        return "\(name) is left"
      }
      // The files of a plan mean nothing without the plan itself, which comes last.
      if name.hasPrefix("run/shards/"), outcome.files["run/plan.json"] == nil { continue }
      // A manifest has a line for each output that is done.
      let isPart =
        name.hasSuffix(".jsonl")
        && Set(bytes.split(separator: 10)).isSubset(of: Set(wanted.split(separator: 10)))
      if bytes != wanted, !isPart, !isShorter(name, wanted, outcome) {
        return "\(name) is not whole"
      }
    }
    if !outcome.temporary.isEmpty, call != "unlink" { return "\(outcome.temporary) is left" }
    if outcome.run.status == 0 {
      let missing = whole.files.keys.first { outcome.files[$0] == nil && !varies($0) }
      // A sidecar that is not written is a warning.
      guard let missing, !reported.contains(": sidecar ") else { return nil }
      return "\(missing) is missing without a word: \(reported)"
    }
    // The report of a merge, on standard output, names what is missing.
    let said = reported + outcome.run.outputText
    let isNamed = (work.names + ["tmp", "temporary file", "standard output"]).contains {
      said.contains($0)
    }
    return isNamed ? nil : "no sentence with the file's name: \(said)"
  }

  private func expectGood(
    _ work: Work, _ call: String, number: Int, _ error: Int32, ever: Bool, _ whole: Outcome
  ) throws {
    let outcome = try outcome(
      work,
      [
        "FAILING_CALL": call, "FAILING_NUMBER": "\(number)", "FAILING_ERRNO": "\(error)",
        "FAILING_EVER": ever ? "1" : "0",
      ])
    let fault = try fault(work, call, error, outcome, whole)
    #expect(
      fault == nil,
      "\(work.line): \(call) \(number)\(ever ? " and later" : ""): \(String(cString: strerror(error)))"
    )
  }

  /// Each kind of call once, at a place and with an error that differ from one to the next.
  @Test(arguments: works) func oneOfEachKind(_ work: Work) throws {
    let whole = try outcome(work)
    try whole.run.succeeded()
    var round = work.line.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
    var tried = 0
    for call in Self.calls {
      guard let count = whole.counts[call], count > 0 else { continue }
      let error = Self.errors[round % Self.errors.count]
      try expectGood(
        work, call, number: 1 + round % count, error, ever: error != EINTR && round % 3 == 0, whole)
      tried += 1
      round += 7
    }
    // Every work at least looks at files, opens them and reads or writes.
    #expect(tried >= 4)
  }

  /// An input that seems to be missing when the run is planned, and is there when it is read, gets the named format. A
  /// folder that cannot be listed may have sidecars.
  @Test(arguments: [("a file", "stat", ENOENT), ("a folder", "opendir", EACCES)])
  func everyPlace(name: String, call: String, error: Int32) throws {
    let work = try #require(Self.works.first { $0.testDescription == name })
    let whole = try outcome(work)
    let count = try #require(whole.counts[call])
    #expect(count > 3)
    for number in 1...count {
      try expectGood(work, call, number: number, error, ever: false, whole)
    }
  }

  /// Every kind of call at up to a dozen places, with every error.
  @Test(.slow, arguments: works) func all(_ work: Work) throws {
    let whole = try outcome(work)
    try whole.run.succeeded()
    for call in Self.calls {
      guard let count = whole.counts[call], count > 0 else { continue }
      let numbers = Set((0..<12).map { 1 + $0 * (count - 1) / 11 })
      for error in Self.errors {
        for number in numbers.sorted() {
          try expectGood(work, call, number: number, error, ever: false, whole)
        }
        if error != EINTR { try expectGood(work, call, number: 1, error, ever: true, whole) }
      }
    }
  }

  /// Folders that exist and take nothing: in /proc, and one that was removed while it is open.
  @Test(arguments: [
    ("-f 1.5 \"$from/a.wav\" -o /proc/x/", "/proc/x"),
    ("-f 1.5 \"$from/a.wav\" -o out/", "out"),
    ("-f 1.5 \"$from/a.wav\" -o out/b/c/", "out/b/c"),
    ("plot \"$from/a.wav\" -o p/q.png", "p"),
    ("-f 1.5 \"$from/a.wav\" -o \"$from/b.wav\" --manifest m/n.jsonl", "m"),
    ("plan \"$from/a.wav\" --run r --shards 1 -f 1.5 -o \"$from\"", "r"),
  ])
  func aFolderThatTakesNothing(line: String, name: String) throws {
    let folder = try TemporaryFolder(["a.wav": Sound.wav])
    let run = try Program.shell(
      "from=$PWD; mkdir gone; cd gone; rmdir ../gone; $scaleaudio \(line)", in: folder.path)
    #expect((1...100).contains(run.status), "\(run.status) \(run.errorText)")
    #expect(run.errorText.contains("\(name)"))
    let remedy =
      /cannot be written: .*; (choose another --(output|manifest)|name another run folder)/
    #expect(run.errorText.contains(remedy), "\(run.errorText)")
    #expect(try folder.names().filter { $0 != "b.wav" } == ["a.wav"])
  }
}
