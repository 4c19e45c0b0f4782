import Foundation
import ScaleAudio
import TestSupport
import Testing

/// plan, convert --run and merge, as tasks of a cluster use them.
@Suite("Runs in shards")
struct RunTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder([
      "in/a.wav": Sound.wav, "in/sub/b.flac": Sound.flac, "in/sub/c.wav": Sound.wav,
    ])
  }

  private func run(_ arguments: String..., input: [UInt8] = []) throws -> Tool {
    try Tool.run(Program.path, arguments, in: folder.path, input: input)
  }

  private func plan(_ options: String..., shards: Int = 2) throws -> Tool {
    try Tool.run(
      Program.path,
      ["plan", "--shards", "\(shards)", "-o", "out/", "--run", "run", "--speed", "0.9,1.1"]
        + options,
      in: folder.path)
  }

  private func convertAll(shards: Int = 2) throws -> [Int32] {
    try (1...shards).map { try run("convert", "--run", "run", "--shard", "\($0)").status }
  }

  private func lines(_ name: String) throws -> [[String: Any]] {
    try folder.bytes(name).split(separator: UInt8(ascii: "\n")).map {
      try #require(try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any])
    }
  }

  private func records() throws -> [String] {
    try folder.tree().filter { $0.hasPrefix("run/records/") && $0.hasSuffix(".jsonl") }
  }

  @Test func outputsAreThoseOfOneProcess() throws {
    #expect(try run("--speed", "0.9,1.1", "-o", "one/", "in").status == 0)
    let planned = try plan("in")
    try #require(planned.status == 0, "\(planned.errorText)")
    #expect(planned.outputText.contains("3 inputs, 6 outputs"))
    #expect(planned.outputText.contains("floor: "))
    #expect(try convertAll() == [0, 0])
    let merged = try run("merge", "run", "--check")
    #expect(merged.status == 0, "\(merged.outputText)")
    #expect(merged.outputText.contains("complete: 6 done, of 6 outputs in 2 shards"))
    try Program.shell("diff -r one out", in: folder.path).succeeded()
  }

  @Test func optionsAreFrozenWithPresetsAndDefaults() throws {
    try folder.write("config.toml", Array("[convert]\nmethod = \"sinc\"\nthreads = 1\n".utf8))
    try Tool.run(
      Program.path,
      [
        "plan", "--shards", "1", "-oout/", "--run=run", "-f1.5", "--mono", "--preset", "dataset",
        "in",
      ],
      in: folder.path, environment: ["SCALEAUDIO_CONFIG": folder.file("config.toml").string]
    ).succeeded()
    let plan = try #require(
      try JSONSerialization.jsonObject(with: Data(try folder.bytes("run/plan.json")))
        as? [String: Any])
    let options = try #require(plan["options"] as? [String])
    #expect(options.contains("--factor=1.5") && options.contains("--mono"), "\(options)")
    #expect(options.contains("--method=sinc"), "\(options)")
    #expect(
      !options.contains { $0.hasPrefix("--output") || $0.hasPrefix("--preset") }, "\(options)")
    // Another configuration changes nothing.
    try folder.write("config.toml", Array("[convert]\nmethod = \"linear\"\n".utf8))
    try Tool.run(
      Program.path, ["--run", "run", "--shard", "1/1"], in: folder.path,
      environment: ["SCALEAUDIO_CONFIG": folder.file("config.toml").string]
    ).succeeded()
    let one = try run(
      "-f", "1.5", "--mono", "--method", "sinc", "--preset", "dataset", "-o", "one/", "in")
    #expect(one.status == 0, "\(one.errorText)")
    #expect(try Program.shell("diff -r one out", in: folder.path).status == 0)
  }

  @Test(arguments: [
    ["-f", "2"], ["--speed", "0.9,1.1"], ["-o", "other"], ["--overwrite"], ["--resume"], ["--mono"],
    ["--manifest", "m.csv"],
  ])
  func otherOptionsWithARunAreRefused(options: [String]) throws {
    #expect(try plan("in").status == 0)
    let refused = try Tool.run(
      Program.path, ["convert", "--run", "run", "--shard", "1"] + options, in: folder.path)
    #expect(refused.status == 64)
    #expect(refused.errorText.contains("set by the plan"), "\(refused.errorText)")
    #expect(!folder.exists("out"))
  }

  @Test(arguments: [
    ["convert", "--run", "run"], ["convert", "--shard", "1"],
    ["convert", "--run", "run", "--shard", "0"],
    ["merge"], ["plan", "in"],
    ["plan", "--shards", "0", "--run", "r", "-o", "o", "-f", "2", "in"],
    ["plan", "--shards", "2", "--run", "r", "-f", "2", "in"],
    ["plan", "--shards", "2", "--run", "r", "-o", "o", "in"],
    ["plan", "--shards", "2", "--run", "r", "-o", "o", "-f", "2", "--resume", "in"],
  ])
  func meaninglessArgumentsAreRefused(arguments: [String]) {
    let refusal = Program.refusal(of: arguments)
    #expect(refusal?.status == 64)
    #expect(refusal?.message.isEmpty == false)
  }

  @Test func meaninglessRunsAreRefused() throws {
    #expect(try plan("in").status == 0)
    let before = try folder.tree()
    for arguments in [
      ["convert", "--run", "run", "--shard", "3"], ["convert", "--run", "run", "--shard", "auto"],
      ["convert", "--run", "run", "--shard", "1", "in"], ["merge", "none"],
      ["plan", "--shards", "2", "--run", "run", "-o", "o", "-f", "2", "in"],
    ] {
      let refused = try Tool.run(Program.path, arguments, in: folder.path)
      #expect(refused.status == 64, "\(arguments): \(refused.errorText)")
      #expect(!refused.errors.isEmpty)
    }
    #expect(try folder.tree() == before)
  }

  @Test func schedulersSetTheShard() throws {
    #expect(try plan("in").status == 0)
    func status(_ variables: [String: String], _ options: String...) throws -> Int32 {
      try Tool.run(
        Program.path, ["--run", "run", "--shard", "auto"] + options, in: folder.path,
        environment: variables
      ).status
    }
    #expect(try status(["SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_COUNT": "1"]) == 0)
    #expect(try run("merge", "run").outputText.contains("run again: --shard 2"))
    #expect(try status(["JOB_COMPLETION_INDEX": "1"]) == 0)
    #expect(try run("merge", "run").status == 0)
    #expect(try status(["JOB_COMPLETION_INDEX": "2"]) == 64)
    #expect(try status(["SLURM_ARRAY_TASK_ID": "1"], "--shard-offset", "1") == 0)
  }

  @Test func failuresAreRecordedAndMergedAsSuch() throws {
    try folder.write("in/bad.wav", Array("no sound".utf8))
    try folder.write("list", Array("in/a.wav\nin/bad.wav\nin/none.wav\n".utf8))
    #expect(try plan("--files-from", "list", shards: 1).status == 0)
    #expect(try convertAll(shards: 1) == [1])
    let merged = try run("merge", "run", "--retry", "todo.jsonl")
    #expect(merged.status == 1)
    #expect(
      merged.outputText.contains("failed  in/bad.wav: not a recognized audio file"),
      "\(merged.outputText)")
    #expect(merged.outputText.contains("failed  in/none.wav: cannot be opened"))
    #expect(merged.outputText.contains("complete: 2 done, 4 failed"))
    #expect(
      try lines("todo.jsonl").compactMap { $0["input"] as? String } == [
        "in/bad.wav", "in/none.wav",
      ])
    // Repaired inputs are converted in a separate run, under the same names.
    try folder.write("in/bad.wav", Sound.wav)
    try folder.write("in/none.wav", Sound.wav)
    let second = try run(
      "plan", "--shards", "1", "--run", "run2", "-o", "out/", "--speed", "0.9,1.1", "todo.jsonl")
    #expect(second.status == 0, "\(second.errorText)")
    #expect(try run("--run", "run2", "--shard", "1").status == 0)
    #expect(try run("merge", "run2").outputText.contains("complete: 4 done"))
    #expect(folder.exists("out/bad-speed0.9.wav") && folder.exists("out/none-speed1.1.wav"))
  }

  /// A file that is not what merge wrote there is never replaced; what it wrote is.
  @Test func mergeReplacesOnlyItsOwnFiles() throws {
    #expect(
      try run("plan", "--shards", "1", "--speed", "2", "-o", "o/", "--run", "own", "in").status == 0
    )
    _ = try run("convert", "--run", "own", "--shard", "1", "-q")
    for _ in 0..<2 {
      let merged = try run("merge", "own", "--write", "csv=own.csv", "--retry", "own.todo")
      #expect(merged.status == 0, "\(merged.errorText)")
    }
    for (name, option) in [
      ("own.csv", "--write=csv="), ("own.todo", "--retry="), ("x", "--retry="),
    ] {
      try folder.write(name, Array("mine".utf8))
      let refused = try run("merge", "own", option + name)
      #expect(refused.status == 64)
      #expect(refused.errorText.contains("\(name): already exists"), "\(refused.errorText)")
      #expect(try folder.bytes(name) == Array("mine".utf8))
    }
    try folder.write("k/wav.scp", Array("mine".utf8))
    #expect(try run("merge", "own", "--write", "kaldi=k").status == 64)
    #expect(!folder.exists("k/utt2dur"))
  }

  @Test func mergeNamesWhatIsWrong() throws {
    #expect(try plan("in", shards: 1).status == 0)
    #expect(try convertAll(shards: 1) == [0])
    let record = try #require(try records().first)
    try folder.write(record, try folder.bytes(record) + Array("{\"at\":1,\"li".utf8))
    try folder.remove("out/speed0.9/a.wav")
    try folder.write("out/speed1.1/a.wav", Array(try folder.bytes("out/speed1.1/a.wav").dropLast()))
    try folder.write("out/speed0.9/other.wav", Sound.wav)
    try folder.write("out/.scaleaudio-7-123-elsewhere.tmp", [1])
    let merged = try run("merge", "run")
    #expect(merged.status == 75)
    let lines = merged.outputText.split(separator: "\n").map(String.init)
    for line in [
      "missing  in/a.wav -> out/speed0.9/a.wav: recorded, but it does not exist (shard 1)",
      "changed  in/a.wav -> out/speed1.1/a.wav: differs from its record (shard 1)",
      "torn  \(record), line 8: incomplete; ignored",
      "stray  out/speed0.9/other.wav: not made by this run",
      "half-written  out/.scaleaudio-7-123-elsewhere.tmp: left by a stopped attempt, or still being written",
      "incomplete: 4 done, 2 missing, of 6 outputs in 1 shard", "run again: --shard 1",
    ] {
      #expect(lines.contains(line), "\(merged.outputText)")
    }
  }
}
