import Foundation
import ScaleAudio
import TestSupport
import Testing

@Suite("Manifests")
struct ManifestTests {
  let folder: TemporaryFolder

  /// Two speakers with an utterance of WAV and one of FLAC, each of 16 kHz.
  init() throws {
    folder = try TemporaryFolder()
    try Program.shell(
      """
      mkdir -p in/s1 in/s2
      sox -R -n -r 16000 -b 16 in/s1/u1.wav synth 0.6543 pinknoise
      sox -R -n -r 16000 -b 16 'in/s2/u 2.flac' synth 0.5 pinknoise
      """, in: folder.path
    ).succeeded()
  }

  private func run(_ arguments: String) throws -> Tool {
    try Program.shell("$scaleaudio -q --method sinc \(arguments)", in: folder.path)
  }

  private func records(_ name: String) throws -> [[String: Any]] {
    try folder.bytes(name).split(separator: UInt8(ascii: "\n")).map {
      try #require(try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any])
    }
  }

  @Test func recordsAgreeWithOtherPrograms() throws {
    let run = try run("--speed 0.9,1.0,1.1 -o out --manifest out/m.jsonl --manifest-hash in")
    #expect(run.status == 0, "\(run.errorText)")
    let records = try records("out/m.jsonl")
    #expect(
      records.compactMap { $0["output"] as? String } == [
        "out/speed0.9-sinc/s1/u1.wav", "out/speed1-sinc/s1/u1.wav", "out/speed1.1-sinc/s1/u1.wav",
        "out/speed0.9-sinc/s2/u 2.flac", "out/speed1-sinc/s2/u 2.flac",
        "out/speed1.1-sinc/s2/u 2.flac",
      ])
    #expect(records.compactMap { $0["speed"] as? Double } == [0.9, 1, 1.1, 0.9, 1, 1.1])
    for record in records {
      let name = try #require(record["output"] as? String)
      let frames = try Tool.run("soxi", ["-s", name], in: folder.path).outputText
      #expect("\(record["outputFrames"] ?? "")\n" == frames)
      let hash = try Tool.run(
        "ffmpeg", ["-v", "error", "-i", name, "-f", "hash", "-hash", "sha256", "-"],
        in: folder.path
      ).outputText
      #expect("SHA256=\(record["outputSHA256"] ?? "")\n" == hash, "\(name)")
    }
  }

  /// The manifest does not depend on the number of jobs, nor on how many runs it took.
  @Test func everyRunMakesTheSameManifest() throws {
    let options = "-f 0.9,1.5 --manifest-hash -o out in --manifest"
    #expect(try run("-j1 \(options) one").status == 0)
    #expect(try run("-j4 --overwrite \(options) two").status == 0)
    _ = try Program.shell("rm -r out/x0.9-sinc/s1", in: folder.path)
    #expect(try run("--resume \(options) three").status == 0)
    #expect(try run("--resume \(options) three").status == 0)
    #expect(try run("--skip-existing \(options) four").status == 0)
    let one = try folder.bytes("one")
    #expect(try records("one").count == 4)
    for name in ["two", "three", "four"] { #expect(try folder.bytes(name) == one, "\(name)") }
  }

  @Test func aFailureIsNotListed() throws {
    try folder.write("in/bad.wav", Array("junk".utf8))
    #expect(try run("-f 2 -o out in --manifest m").status == 1)
    #expect(try records("m").compactMap { $0["output"] as? String }.count == 2)
  }

  @Test func anInterruptedRunListsWhatExists() throws {
    for number in 0..<6 { try folder.write("long/\(number).wav", Sound.long) }
    let program = try RunningProgram(
      ["-f", "3", "-j", "1", "--format", "flac", "-o", "out", "--manifest", "m", "long"],
      in: folder.path)
    while program.isRunning && !folder.exists("out/0.flac") { usleep(1000) }
    program.send(SIGINT)
    _ = program.wait()
    let listed = try records("m").compactMap { $0["output"] as? String }
    #expect(!listed.isEmpty)
    #expect(listed == (0..<6).map { "out/\($0).flac" }.filter(folder.exists))
  }

  /// lhotse and kaldiio read every file with the number of samples that the manifests promise.
  @Test func dataSetToolsReadThem() throws {
    let formats = ["lhotse": "m.lhotse.jsonl.gz", "kaldi": "m.kaldi", "nemo": "m.nemo"]
    for (format, path) in formats {
      let run = try run(
        "--resume --speed 0.9,1.0,1.1 -o out in --manifest \(path) --manifest-format \(format)")
      #expect(run.status == 0, "\(run.errorText)")
    }
    let support = FilePath(#filePath).removingLastComponent().appending("Support").string
    let read = try Tool.run(
      "python3", ["\(support)/read-manifests.py"], in: folder.path,
      environment: ["PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": support]
    ).succeeded()
    // 10,469 and 8,000 frames, truncated after dividing by the speed.
    let frames = [("u1", 11632, 10469, 9517), ("u_2", 8888, 8000, 7272)]
    var expected: [String] = []
    for (name, slow, same, fast) in frames {
      for (mark, count) in [("0.9", slow), ("", same), ("1.1", fast)] {
        let isChanged = !mark.isEmpty
        expected.append("lhotse \(name)\(isChanged ? "_sp" + mark : "") 16000 \(count)")
        for reader in ["kaldi", "kaldiio"] {
          expected.append("\(reader) \(isChanged ? "sp\(mark)-" : "")\(name) 16000 \(count)")
        }
      }
      let file = name == "u1" ? "u1.wav" : "u 2.flac"
      for count in [slow, same, fast] { expected.append("nemo \(file) 16000 \(count)") }
    }
    #expect(
      read.outputText.split(separator: "\n").map(String.init).sorted() == expected.sorted())
    let uniq = try String(decoding: folder.bytes("m.kaldi/utt2uniq"), as: UTF8.self)
    #expect(
      uniq == "sp0.9-u1 u1\nsp0.9-u_2 u_2\nsp1.1-u1 u1\nsp1.1-u_2 u_2\nu1 u1\nu_2 u_2\n")
  }

  /// Names that become one id, or that are the id of another at a speed, would not lead back to their sources.
  @Test(arguments: [["a b.wav", "a_b.wav"], ["a.wav", "sp0.9-a.wav"]])
  func collidingKaldiNamesAreRefused(names: [String]) throws {
    let sound = Signal.wav(Signal.noise(frames: 900, channels: 1, seed: 5))
    for name in names { try folder.write("same/" + name, sound) }
    let refused = try run(
      "--speed 0.9,1.0 -o out.same same --manifest m.same --manifest-format kaldi")
    #expect(refused.status == 64)
    #expect(names.allSatisfy { refused.errorText.contains("same/" + $0) }, "\(refused.errorText)")
    #expect(!folder.exists("out.same") && !folder.exists("m.same"))
    // In different folders, the folders keep them apart.
    try folder.write("apart/1/a b.wav", sound)
    try folder.write("apart/2/a_b.wav", sound)
    #expect(
      try run("--speed 0.9 -o out.apart apart --manifest m.apart --manifest-format kaldi").status
        == 0)
    #expect(
      try String(decoding: folder.bytes("m.apart/utt2uniq"), as: UTF8.self)
        == "sp0.9-1-a_b 1-a_b\nsp0.9-2-a_b 2-a_b\n")
  }

  /// Samples without a header can be read again, by checksums and by Kaldi's commands.
  @Test(arguments: [
    ("raw", "s16le"), ("s16be", "s16be"), ("s24be", "s24be"), ("f32le", "f32le"), ("s8", "s8"),
  ])
  func rawOutputsAreDescribed(format: String, encoding: String) throws {
    let output = "out.\(format == "raw" ? "pcm" : format)"
    let options = "-f 1.5 in/s1/u1.wav --format \(format) -o \(output) --resume"
    for name in ["first", "again"] {
      let run = try run("\(options) --manifest \(name) --manifest-hash")
      #expect(run.status == 0, "\(run.errorText)")
    }
    let record = try #require(try records("first").first)
    #expect(record["outputRaw"] as? String == "\(encoding):16000:mono")
    // The checksum is of signed, little-endian samples.
    let stored = encoding.replacing("be", with: "le")
    let hash = try Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-f", encoding, "-ar", "16000", "-ac", "1", "-i", output, "-c:a",
        "pcm_\(stored)", "-f", "hash", "-hash", "sha256", "-",
      ], in: folder.path
    ).outputText
    #expect("SHA256=\(record["outputSHA256"] ?? "")\n" == hash)
    #expect(try folder.bytes("again") == folder.bytes("first"))
    #expect(try run("\(options) --manifest kaldi --manifest-format kaldi").status == 0)
    let read = try Tool.run(
      "python3",
      [
        "-c",
        "import kaldiio; print(*((r, len(a)) for r, a in kaldiio.load_scp('kaldi/wav.scp').values()))",
      ],
      in: folder.path)
    #expect(read.outputText == "(16000, \(record["outputFrames"] ?? ""))\n", "\(read.errorText)")
  }

  /// Names stay unique where sources have one stem, or where only the pitch differs.
  @Test(arguments: [
    ("-f 1 in", ["s1-u", "s2-u"]),
    ("--pitch -2.0,2.0 in/s1/u.wav", ["u-pitch-2", "u-pitch2"]),
    (
      "-f 2 --format wav --keep-extension in/s1/u.wav in/s1/u.flac",
      ["u-x2_sp0.5", "u-x2.flac_sp0.5"]
    ),
  ])
  func namesDiffer(arguments: String, names: [String]) throws {
    _ = try Program.shell(
      "mv in/s1/u1.wav in/s1/u.wav; mv in/s2/*.flac in/s2/u.flac", in: folder.path)
    if arguments.contains("u.flac") {
      _ = try Program.shell("cp in/s2/u.flac in/s1/u.flac", in: folder.path)
    }
    let run = try Program.shell(
      "$scaleaudio -q \(arguments) --manifest - --manifest-format lhotse", in: folder.path
    ).succeeded()
    let ids = try run.output.split(separator: UInt8(ascii: "\n")).map {
      try (JSONSerialization.jsonObject(with: Data($0)) as? [String: Any])?["id"] as? String ?? ""
    }
    #expect(ids == names)
  }

  /// Names that are not UTF-8 come back in Python from every format.
  @Test func namesOfAnyBytesComeBack() throws {
    let line = """
      mv in/s1/u1.wav $'in/s1/a\\'b \\xff,"c:1.wav'
      for format in jsonl csv nemo lhotse kaldi; do
        $scaleaudio -q --resume -f 2 -o out in/s1 --manifest $format --manifest-format $format || exit 1
      done
      python3 -c '
      import base64, csv, json, os, subprocess
      name = [b"out/" + n for n in os.listdir(b"out") if n.endswith(b".wav")][0]
      assert base64.b64decode(json.load(open("jsonl"))["outputBase64"]) == name
      table = csv.DictReader(open("csv", encoding="utf-8", errors="surrogateescape", newline=""))
      assert os.fsencode(next(table)["output"]) == name
      assert os.fsencode(json.load(open("nemo"))["audio_filepath"]) == name
      assert os.fsencode(json.load(open("lhotse"))["sources"][0]["source"]) == name
      command = open("kaldi/wav.scp", "rb").read().split(b" ", 1)[1].rstrip(b"\\n")
      assert command.endswith(b"|"), command
      assert subprocess.check_output(["sh", "-c", command[:-1]]) == open(name, "rb").read()
      '
      """
    try Program.shell(line, in: folder.path).succeeded()
  }

  @Test func dryRunsWriteNone() throws {
    #expect(try run("-n -f 2 in --manifest m").status == 0)
    #expect(!folder.exists("m"))
  }

  @Test func otherFilesAreNotReplaced() throws {
    try folder.write("list", Array("in/s1/u1.wav\n".utf8))
    try folder.write("old", Array("mine".utf8))
    for (arguments, cause) in [
      ("in/s1/u1.wav --overwrite --manifest in/s1/u1.wav", "would replace an input"),
      ("in/s1/u1.wav -o x.wav --manifest ./x.wav", "would be an output"),
      ("--files-from list --overwrite --manifest list", "would replace an input"),
      ("in -o out --resume --manifest out/.scaleaudio.jsonl", "journal"),
      ("in --manifest old", "--overwrite"), ("in --manifest in", "directory"),
      ("in --manifest old/m", "directory"),
    ] {
      let run = try run("-f 2 \(arguments)")
      #expect(run.status == 64, "\(arguments)")
      #expect(run.errorText.lowercased().contains(cause), "\(arguments): \(run.errorText)")
    }
    #expect(try folder.tree().filter { !$0.hasPrefix("in") } == ["list", "old"])
    // Hashes are of records, too.
    let hashed = try run("-f 2 --json --manifest-hash -o hashed in")
    let records = hashed.outputText.split(separator: "\n")
    #expect(!records.isEmpty && records.allSatisfy { $0.contains("\"outputSHA256\":") })
    for arguments in [
      ["--manifest", "-", "--json"], ["--manifest", "-", "--manifest-format", "kaldi"],
      ["--manifest", "m", "-o", "-"], ["--manifest-hash"], ["--manifest-format", "csv"],
    ] {
      #expect(Program.refusal(of: ["-f", "2", "in.wav"] + arguments)?.status == 64)
    }
  }
}
