import Foundation
import ScaleAudio
import TestSupport
import Testing

/// plan, convert --run and merge, as tasks of a cluster use them.
@Suite("Runs in shards")
struct RunTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("in/a.wav", Sound.wav)
    try folder.write("in/sub/b.flac", Sound.flac)
    try folder.write("in/sub/c.wav", Sound.wav)
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
    let same = try Program.shell("diff -r one out", in: folder.path)
    #expect(same.status == 0, "\(same.outputText)")
  }

  @Test func aListWithoutFoldersAndWithABase() throws {
    let list = Array("in/a.wav\nin/sub/b.flac\nin/sub/c.wav\n".utf8)
    for options in [[], ["--base", "in"]] {
      let names = options + ["--speed", "0.9,1.1", "--files-from", "-"]
      let one = try Tool.run(Program.path, names + ["-o", "one/"], in: folder.path, input: list)
      #expect(one.status == 0, "\(one.errorText)")
      let planned = try Tool.run(
        Program.path, ["plan", "--shards", "3", "--run", "run", "-o", "out/"] + names,
        in: folder.path, input: list)
      #expect(planned.status == 0, "\(planned.errorText)")
      #expect(try convertAll(shards: 3) == [0, 0, 0])
      #expect(try run("merge", "run").status == 0)
      let same = try Program.shell("diff -r one out && rm -r one out run", in: folder.path)
      #expect(same.status == 0, "\(same.outputText)")
    }
  }

  @Test func thePlanIsTheSameEveryTime() throws {
    #expect(try plan("in").status == 0)
    #expect(try Program.shell("mv run first", in: folder.path).status == 0)
    #expect(try plan("in").status == 0)
    let same = try Program.shell("diff -r first run", in: folder.path)
    #expect(same.status == 0, "\(same.outputText)")
  }

  @Test func everyInputIsInOneShard() throws {
    #expect(try plan("in", shards: 5).status == 0)
    let found = try (1...5).flatMap { try lines("run/shards/000\($0).jsonl") }
    #expect(found.compactMap { $0["line"] as? Int }.sorted() == [1, 2, 3])
    let plan = try #require(
      try JSONSerialization.jsonObject(with: Data(try folder.bytes("run/plan.json")))
        as? [String: Any])
    #expect(plan["lines"] as? Int == 3)
    #expect(plan["shards"] as? Int == 5)
    #expect(plan["options"] as? [String] == ["--speed=0.9,1.1"])
    let sizes = try ["in/a.wav", "in/sub/b.flac", "in/sub/c.wav"].map { try folder.bytes($0).count }
    #expect(plan["total"] as? Int == sizes.reduce(0, +))
    #expect((plan["longest"] as? [String: Any])?["weight"] as? Int == sizes.max())
    // A shard without lines is done at once.
    #expect(try convertAll(shards: 5) == [0, 0, 0, 0, 0])
    #expect(try run("merge", "run").status == 0)
  }

  @Test func optionsAreFrozenWithPresetsAndDefaults() throws {
    try folder.write("config.toml", Array("[convert]\nmethod = \"sinc\"\nthreads = 1\n".utf8))
    let planned = try Tool.run(
      Program.path,
      [
        "plan", "--shards", "1", "-oout/", "--run=run", "-f1.5", "--mono", "--preset", "dataset",
        "in",
      ],
      in: folder.path, environment: ["SCALEAUDIO_CONFIG": folder.file("config.toml").string])
    try #require(planned.status == 0, "\(planned.errorText)")
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
    let done = try Tool.run(
      Program.path, ["--run", "run", "--shard", "1/1"], in: folder.path,
      environment: ["SCALEAUDIO_CONFIG": folder.file("config.toml").string])
    #expect(done.status == 0, "\(done.errorText)")
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
    ["convert", "--run", "run", "--shard", "3"], ["convert", "--run", "run", "--shard", "1/3"],
    ["convert", "--run", "run", "--shard", "auto"], ["convert", "--run", "none", "--shard", "1"],
    ["convert", "--run", "run", "--shard", "1", "in"],
    ["convert", "--run", "run", "--shard", "1", "--shard-offset", "2"],
    ["merge", "none"], ["merge"], ["plan", "in"],
    ["plan", "--shards", "0", "--run", "r", "-o", "o", "-f", "2", "in"],
    ["plan", "--shards", "2", "--run", "r", "-f", "2", "in"],
    ["plan", "--shards", "2", "--run", "r", "-o", "o", "in"],
    ["plan", "--shards", "2", "--run", "run", "-o", "o", "-f", "2", "in"],
    ["plan", "--shards", "2", "--run", "r", "-o", "o", "-f", "2", "--resume", "in"],
    ["plan", "--shards", "2", "--run", "r", "-o", "in/a.wav", "-f", "2", "in"],
  ])
  func meaninglessPlansAreRefused(arguments: [String]) throws {
    #expect(try plan("in").status == 0)
    let before = try folder.tree()
    let refused = try Tool.run(Program.path, arguments, in: folder.path)
    #expect(refused.status == 64, "\(refused.errorText)")
    #expect(!refused.errors.isEmpty)
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

  @Test func collisionsAcrossTheRunAreRefused() throws {
    try folder.write("two/a.wav", Sound.wav)
    let refused = try plan("in/a.wav", "two/a.wav", shards: 2)
    #expect(refused.status == 64)
    #expect(
      refused.errorText.contains("in/a.wav and two/a.wav would both become"), "\(refused.errorText)"
    )
    #expect(!folder.exists("run/plan.json"))
    // The same file again is not a conflict.
    let again = try plan("in/a.wav", "in/../in/a.wav")
    #expect(again.status == 0, "\(again.errorText)")
    #expect(again.outputText.contains("1 input, 2 outputs"))
    #expect(again.outputText.contains("1 input named more than once"))
  }

  @Test func anOutputThatIsAnInputIsRefused() throws {
    try folder.write("in/a-speed0.9.wav", Sound.wav)
    let refused = try run(
      "plan", "--shards", "1", "--run", "run", "--overwrite", "-o", "in", "--speed", "0.9",
      "in/a.wav",
      "in/a-speed0.9.wav")
    #expect(refused.status == 64)
    #expect(refused.errorText.contains("which is the input"), "\(refused.errorText)")
  }

  @Test func existingOutputsAreRefused() throws {
    try folder.write("out/a-speed1.1.wav", [1, 2, 3])
    let refused = try plan("in/a.wav")
    #expect(refused.status == 64)
    #expect(
      refused.errorText.contains("out/a-speed1.1.wav: already exists"), "\(refused.errorText)")
    #expect(try plan("--overwrite", "in/a.wav", shards: 1).status == 0)
    #expect(try convertAll(shards: 1) == [0])
    #expect(try folder.bytes("out/a-speed1.1.wav").count > 1000)
  }

  @Test func recordedOutputsAreSkippedAndTheRestIsDone() throws {
    #expect(try plan("in", shards: 1).status == 0)
    #expect(try convertAll(shards: 1) == [0])
    let before = try Program.shell(
      "find out -type f -printf '%p %i %T@\\n' | sort", in: folder.path
    ).outputText
    let again = try run("convert", "--run", "run", "--shard", "1")
    #expect(again.errorText.contains("0 done, 6 skipped"), "\(again.errorText)")
    #expect(
      try Program.shell("find out -type f -printf '%p %i %T@\\n' | sort", in: folder.path)
        .outputText == before)
    #expect(try records().count == 1)
    // An output that only looks newer is as recorded; one that was changed, or is gone, is made again.
    _ = try Program.shell(
      "touch out/speed0.9/a.wav; rm out/speed0.9/sub/c.wav; printf x | dd of=out/speed1.1/a.wav bs=1 seek=99 conv=notrunc",
      in: folder.path)
    let mended = try run("convert", "--run", "run", "--shard", "1")
    #expect(mended.errorText.contains("2 done, 4 skipped"), "\(mended.errorText)")
    #expect(try run("merge", "run", "--check").status == 0)
    // An output that nobody recorded is made again.
    let record = try #require(try records().first)
    try folder.write(
      record,
      Array(try folder.bytes(record).split(separator: 10).prefix(3).joined(separator: [10])) + [10])
    for other in try records().dropFirst() {
      try FileManager.default.removeItem(atPath: folder.file(other).string)
    }
    #expect(try run("merge", "run").status == 75)
    #expect(try run("convert", "--run", "run", "--shard", "1").status == 0)
    #expect(try run("merge", "run", "--check").status == 0)
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

  @Test func mergeListsMissingAndStrayOutputs() throws {
    #expect(try plan("in", shards: 1).status == 0)
    #expect(try convertAll(shards: 1) == [0])
    let record = try #require(try records().first)
    let all = try folder.bytes(record).split(separator: 10).map(Array.init)
    let shard = try folder.bytes("run/shards/0001.jsonl").split(separator: 10).map(Array.init)
    func write(_ name: String, _ lines: [[UInt8]]) throws {
      try folder.write(name, lines.flatMap { $0 + [10] })
    }
    /// Each record that is deleted is named by its output, and put back.
    for index in 1..<all.count {
      try write(record, all.enumerated().filter { $0.offset != index }.map(\.element))
      let gone = try #require(
        try JSONSerialization.jsonObject(with: Data(all[index])) as? [String: Any])
      let line = try #require(
        try lines("run/shards/0001.jsonl").first { $0["line"] as? Int == gone["line"] as? Int })
      let output = try #require((line["outputs"] as? [String])?[gone["variant"] as? Int ?? 9])
      let merged = try run("merge", "run")
      #expect(merged.status == 75)
      #expect(merged.outputText.contains("-> \(output): not recorded"), "\(merged.outputText)")
      #expect(merged.outputText.contains("5 done, 1 missing"))
    }
    try write(record, all)
    for index in shard.indices {
      try write(
        "run/shards/0001.jsonl", shard.enumerated().filter { $0.offset != index }.map(\.element))
      let merged = try run("merge", "run")
      #expect(merged.status == 75)
      #expect(
        merged.outputText.contains("input \(index + 1) of the plan is in no shard"),
        "\(merged.outputText)")
    }
    try write("run/shards/0001.jsonl", shard)
    let output = try folder.bytes("out/speed0.9/a.wav")
    try FileManager.default.removeItem(atPath: folder.file("out/speed0.9/a.wav").string)
    var merged = try run("merge", "run")
    #expect(merged.status == 75)
    #expect(
      merged.outputText.contains("in/a.wav -> out/speed0.9/a.wav: recorded, but it does not exist"))
    try folder.write("out/speed0.9/a.wav", output.dropLast() + [output.last.map { $0 ^ 1 } ?? 0])
    merged = try run("merge", "run")
    #expect(merged.status == 75)
    #expect(merged.outputText.contains("changed  in/a.wav -> out/speed0.9/a.wav"))
    try folder.write("out/speed0.9/a.wav", output)
    // Half a record, a stray file, and what a killed attempt leaves where files need names.
    try folder.write(record, try folder.bytes(record) + Array("{\"at\":1,\"li".utf8))
    try folder.write("out/speed0.9/other.wav", Sound.wav)
    try folder.write("out/.scaleaudio-7-123-elsewhere.tmp", [1])
    merged = try run("merge", "run")
    #expect(merged.status == 0, "\(merged.outputText)")
    #expect(merged.outputText.contains("torn  \(record), line 8"), "\(merged.outputText)")
    #expect(merged.outputText.contains("stray  out/speed0.9/other.wav"))
    #expect(merged.outputText.contains("half-written  out/.scaleaudio-7-123-elsewhere.tmp"))
  }

  @Test func recordsOfAnotherPlanAreRefused() throws {
    #expect(try plan("in", shards: 1).status == 0)
    #expect(try convertAll(shards: 1) == [0])
    _ = try Program.shell("rm run/plan.json; rm -r out", in: folder.path)
    #expect(try plan("in/sub", shards: 1).status == 0)
    for arguments in [["merge", "run"], ["--run", "run", "--shard", "1"]] {
      let refused = try Tool.run(Program.path, arguments, in: folder.path)
      #expect(refused.status == 64)
      #expect(refused.errorText.contains("belongs to another plan"), "\(refused.errorText)")
    }
  }

  @Test func anotherVersionIsRefused() throws {
    #expect(try plan("in", shards: 1).status == 0)
    _ = try Program.shell(#"sed -i 's/"version" : "/&9/' run/plan.json"#, in: folder.path)
    let refused = try run("--run", "run", "--shard", "1")
    #expect(refused.status == 64)
    #expect(refused.errorText.contains("planned by version 9"), "\(refused.errorText)")
  }
}
