import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Files, folders, streams, statuses, and reports about damaged files.
@Suite("scaleaudio info: runs")
struct InfoRunTests {
  let bench: InfoBench

  init() throws { bench = try InfoBench() }

  private func info(_ arguments: String..., input: [UInt8] = []) throws -> Tool {
    try Tool.run(Program.path, ["info"] + arguments, in: bench.folder.path, input: input)
  }

  @Test func text() throws {
    try bench.folder.write("x.wav", Sound.wav)
    let run = try info("x.wav")
    #expect(run.status == 0)
    #expect(run.errorText.isEmpty)
    #expect(
      run.outputText == """
        x.wav
          Container    WAV, 88,244 bytes (88.2 KB)
          Codec        PCM 16-bit, lossless
          Sample rate  44,100 Hz
          Channels     2: stereo (FL FR)
          Depth        16 bits
          Length       0.500 s, 22,050 frames (exact)
          Bit rate     1411 kb/s, constant
          Becomes      WAV, 16-bit, stereo

        """)
  }

  /// The predicted output is the one that convert makes.
  @Test(arguments: [["-f", "3/2"], ["--speed", "1.25"], ["--duration", "0:02"]])
  func output(length: [String]) throws {
    try bench.folder.write("x.flac", Sound.flac)
    let run = try Tool.run(
      Program.path, ["info", "--json"] + length + ["x.flac"], in: bench.folder.path)
    let facts = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
    let output = try #require(facts?["planned"] as? [String: Any])
    let made = try Tool.run(Program.path, ["--json"] + length + ["x.flac"], in: bench.folder.path)
    let record = try #require(
      try JSONSerialization.jsonObject(with: Data(made.output)) as? [String: Any])
    #expect(output["output"] as? String == record["output"] as? String)
    #expect(output["outputFrames"] as? Int == record["outputFrames"] as? Int)
    #expect(output["factor"] as? Double == record["factor"] as? Double)
    #expect(output["outputSampleFormat"] as? String == record["outputSampleFormat"] as? String)
    #expect(output["outputLayout"] as? String == record["outputLayout"] as? String)
    #expect(output["outputFormat"] as? String == "flac")
    let text = try Tool.run(Program.path, ["info"] + length + ["x.flac"], in: bench.folder.path)
    #expect(
      text.outputText.contains("Becomes      \(record["output"] ?? ""): FLAC, 16-bit, stereo\n"))
  }

  @Test func severalFilesAndFolders() throws {
    try bench.folder.write("music/b.wav", Sound.wav)
    try bench.folder.write("music/a/c.flac", Sound.flac)
    try bench.folder.write("music/notes.txt", Array("nothing".utf8))
    try bench.folder.write("broken.wav", Array("no audio".utf8))
    let run = try info("broken.wav", "music", "missing.wav")
    #expect(run.status == 1)
    let blocks = run.outputText.components(separatedBy: "\n\n")
    #expect(blocks.map { $0.prefix { $0 != "\n" } } == ["music/a/c.flac", "music/b.wav"])
    #expect(
      run.errorText == """
        scaleaudio: broken.wav: not a recognized audio file; scaleaudio formats lists readable formats; \
        for headerless audio, add --raw
        scaleaudio: missing.wav: cannot be opened: no such file or directory

        """)
    let flat = try info("--no-recursive", "--json", "music")
    #expect(flat.status == 0)
    #expect(flat.outputText.split(separator: "\n").count == 1)
    let json = try info("--json", "broken.wav", "music")
    #expect(json.status == 1)
    #expect(
      json.outputText.split(separator: "\n").map { $0.contains("\"status\":\"ok\"") }
        == [false, true, true])
  }

  @Test func standardInput() throws {
    let run = try info("--json", "-", input: Sound.flac)
    #expect(run.status == 0)
    let facts = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
    #expect(facts["input"] as? String == "-")
    #expect(facts["inputFrames"] as? Int == 22050)
  }

  @Test func statuses() throws {
    #expect(try info("missing.wav").status == 66)
    #expect(try info().status == 64)
    #expect(try info("-f", "2", "--speed", "2", "x.wav").status == 64)
    #expect(try info("--track", "0", "x.wav").status == 64)
    try bench.folder.write("empty/readme.txt", [65])
    let nothing = try info("empty")
    #expect(nothing.status == 66)
    #expect(
      nothing.errorText
        == "scaleaudio: no audio files found in empty; scaleaudio formats lists readable formats\n")
    #expect(nothing.outputText.isEmpty)
  }

  /// The rest is reported, and so is the damage; a cut FLAC is detected without decoding.
  @Test(arguments: ["x.wav", "x.flac", "x.mp3", "x.ogg", "x.aiff", "x.opus"])
  func cutFiles(name: String) throws {
    // A page of Ogg holds up to a second.
    let isInOgg = name == "x.ogg" || name == "x.opus"
    try bench.folder.write("in.wav", isInOgg ? Sound.long : Sound.wav)
    try bench.run(
      name == "x.opus"
        ? "opusenc --quiet in.wav x.opus"
        : name == "x.mp3" ? "lame --quiet in.wav x.mp3" : "sox in.wav \(name)")
    let whole = try bench.info(name)
    #expect(whole["status"] as? String == "ok")
    let bytes = try bench.bytes(name)
    try bench.folder.write(name, Array(bytes.prefix(bytes.count * 2 / 3)))
    let facts = try bench.info(name, status: 1)
    #expect(facts["status"] as? String == "damaged")
    #expect(facts["errorClass"] as? String == "truncated")
    #expect((facts["error"] as? String)?.hasPrefix("\(name): the audio ends early") == true)
    #expect(facts["inputSampleRate"] as? Int == whole["inputSampleRate"] as? Int)
    let left = try #require(facts["inputFrames"] as? Int)
    let all = try #require(whole["inputFrames"] as? Int)
    #expect(left > all / 3 && left < all, "\(left) of \(all)")
    let text = try info(name, "--levels")
    #expect(text.status == 1)
    #expect(text.errorText.contains("the audio ends early"))
    #expect(text.outputText.contains("Loudness"))
  }

  /// The last bytes of FLAC are enough to be missed, and what follows it is not.
  @Test func endOfFLAC() throws {
    try bench.folder.write("x.flac", Sound.flac)
    try bench.folder.write("y.flac", Array(Sound.flac.dropLast(3)))
    #expect(try bench.info("y.flac", status: 1)["errorClass"] as? String == "truncated")
    var tag = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
    tag[3] = 65
    try bench.folder.write("z.flac", Sound.flac + tag)
    #expect(try bench.info("z.flac")["status"] as? String == "ok")
    // Frames of silence are shorter than the header of a frame may be.
    try bench.run(
      "head -c 52428 /dev/zero | flac -s --force-raw-format --endian=little --sign=signed "
        + "--channels=1 --bps=16 --sample-rate=8000 -o silent.flac -")
    #expect(try bench.info("silent.flac")["status"] as? String == "ok")
    try bench.folder.write("cut.flac", Array(try bench.bytes("silent.flac").dropLast(1)))
    #expect(try bench.info("cut.flac", status: 1)["errorClass"] as? String == "truncated")
    // A variable block size, and frames of unknown size.
    try bench.run("ffmpeg -v error -i x.flac -f flac - | cat > pipe.flac")
    #expect(try bench.info("pipe.flac")["framesAre"] as? String == "counted")
  }

  /// Flipped bytes anywhere end as facts or as an error, never as a crash.
  @Test(arguments: ["x.wav", "x.flac", "x.mp3", "x.ogg", "x.oga", "x.caf"])
  func flippedBytes(name: String) throws {
    try bench.folder.write("in.wav", Array(Sound.wav.prefix(30_044)))
    try bench.run(
      name == "x.mp3"
        ? "lame --quiet in.wav x.mp3"
        : name == "x.oga" ? "flac -s --ogg in.wav -o x.oga" : "ffmpeg -v error -i in.wav \(name)")
    let bytes = try bench.bytes(name)
    var generator = Numbers(state: 7)
    for round in 0..<24 {
      var broken = bytes
      for _ in 0..<4 {
        // Half of them in the headers.
        let reach = round % 2 == 0 ? min(200, bytes.count) : bytes.count
        broken[generator.next() % reach] = UInt8(generator.next() % 256)
      }
      if round % 5 == 0 { broken.removeLast(generator.next() % (bytes.count / 2)) }
      try bench.folder.write("b\(round).bin", broken)
    }
    let run = try bench.run(
      "'\(Program.path)' info --levels --json b*.bin 2>errors; echo \"status=$?\"")
    let lines = run.outputText.split(separator: "\n")
    #expect(lines.count == 25)
    #expect(["status=0", "status=1"].contains(lines.last ?? ""))
  }

  /// A linear congruential generator (Knuth's MMIX numbers).
  private struct Numbers {
    var state: UInt64
    mutating func next() -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33)
    }
  }
}
