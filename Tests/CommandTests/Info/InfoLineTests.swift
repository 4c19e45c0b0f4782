import TestSupport
import Testing

@testable import scaleaudio_cli

@Suite("info in one line")
struct InfoLineTests {
  @Test func valuesEqualThoseOfSox() throws {
    let folder = try TemporaryFolder(["a, b.wav": Sound.wav, "c.flac": Sound.flac])
    let run = try Program.run(
      "info", "--get", "duration,rate,channels,path", "a, b.wav", "c.flac", in: folder.path
    ).succeeded()
    #expect(run.outputText == "0.500000\t44100\t2\ta, b.wav\n0.500000\t44100\t2\tc.flac\n")
    for name in ["a, b.wav", "c.flac"] {
      let frames = try Tool.run("soxi", ["-s", name], in: folder.path).outputText
      #expect(
        try Program.run("info", "--get", "frames", name, in: folder.path).outputText == frames)
    }
  }

  /// Python's reader of CSV gets what was meant.
  @Test func csvIsReadBack() throws {
    let folder = try TemporaryFolder()
    try folder.write("a, \"b\".wav", Sound.wav)
    let run = try Program.run("info", "--csv", "a, \"b\".wav", in: folder.path).succeeded()
    let script =
      "import csv,sys;[print(r['input'],r['inputFrames'],r['inputLayout'],r['inputBits'],sep='|') for r in csv.DictReader(sys.stdin,strict=True)]"
    let read = try Tool.run("python3", ["-c", script], input: run.output)
    #expect(read.outputText == "a, \"b\".wav|22050|stereo|16\n", "\(read.errorText)")
    let some = try Program.run(
      "info", "--csv", "--get", "rate,bytes", "a, \"b\".wav", in: folder.path)
    #expect(try some.outputText == "inputSampleRate,bytes\r\n44100,\(Sound.wav.count)\r\n")
  }

  /// Each file has a row, so that rows can be matched to files.
  @Test(arguments: [["--csv", "--get", "rate,path"], ["--get", "rate,path"]])
  func unreadableFilesHaveRows(options: [String]) throws {
    let folder = try TemporaryFolder(["a.wav": Sound.wav])
    try folder.write("bad.wav", Array("not audio".utf8))
    let run = try Tool.run(
      Program.path, ["info"] + options + ["bad.wav", "a.wav", "none.wav"], in: folder.path)
    #expect(run.status != 0)
    let rows = run.outputText.split(whereSeparator: \.isNewline).suffix(3)
    let between = options.count == 3 ? "," : "\t"
    #expect(Array(rows) == ["\(between)bad.wav", "44100\(between)a.wav", "\(between)none.wav"])
  }

  /// A codec has one name, whichever container holds it and whichever library reads that.
  @Test(arguments: [
    "libmp3lame mp3 mkv mp4 wav", "flac flac ogg mkv caf", "libopus opus webm mp4",
    "libvorbis ogg mkv",
    "pcm_s16le wav mkv mov caf", "pcm_f32le wav mkv caf", "pcm_mulaw wav au mov", "mp2 mp2 mkv",
    "adpcm_ms wav mkv", "alac m4a caf mkv", "aac m4a mkv aac",
  ])
  func codecsHaveOneName(line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let folder = try TemporaryFolder()
    var names: Set<String> = []
    for ending in words.dropFirst() {
      let name = "codec.\(words[0]).\(ending)"
      _ = try Tool.run(
        "ffmpeg",
        ["-v", "error", "-f", "lavfi", "-i", "sine=d=0.2:r=48000", "-c:a", words[0], name],
        in: folder.path
      ).succeeded()
      names.insert(try Program.run("info", "--get", "codec", name, in: folder.path).outputText)
    }
    #expect(names.count == 1, "\(names)")
  }

  /// Values have one name and one meaning in JSON, in tables and for `--get`; short names are others for them.
  @Test func valuesAreThoseOfJSON() throws {
    let folder = try TemporaryFolder(["a.wav": Sound.wav, "c.flac": Sound.flac])
    let script = """
      for name in a.wav c.flac; do
        $scaleaudio info --json $name > json; $scaleaudio info --csv $name > csv
        $scaleaudio info --csv --get \
          path,format,container,codec,lossless,rate,channels,layout,bits,frames,duration,bitrate,bytes \
          $name | cmp - csv || exit 1
        python3 -c '
      import csv, json
      record = json.load(open("json"))
      for name, value in next(csv.DictReader(open("csv", newline=""), strict=True)).items():
          known = record[name]
          text = json.dumps(known) if isinstance(known, bool) else str(known)
          assert float(value) == known if name == "inputSeconds" else value == text, (name, value)
      ' || exit 1
      done
      """
    try Program.shell(script, in: folder.path).succeeded()
  }

  @Test func shortIsOneLine() throws {
    let folder = try TemporaryFolder(["a.wav": Sound.wav, "bad.wav": Array("junk".utf8)])
    let run = try Program.run("info", "--short", "a.wav", "bad.wav", in: folder.path)
    #expect(run.status == 1)
    #expect(
      run.outputText == "a.wav  PCM 16-bit 44100 Hz stereo, 0.500 s, 1411 kb/s, 88.2 KB\n")
    #expect(run.errorText.contains("bad.wav: "))
  }

  @Test func formsExcludeEachOther() throws {
    #expect(Program.refusal(of: ["info", "--json", "--short", "a.wav"])?.status == 64)
    #expect(Program.refusal(of: ["info", "--csv", "--get", "rate", "a.wav"]) == nil)
    let unknown = try #require(Program.refusal(of: ["info", "--get", "length", "a.wav"]))
    #expect(unknown.message.contains("duration"))
  }

  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 KB"), (343_270, "343 KB"),
    (999_499, "999 KB"), (999_500, "1.0 MB"), (1_440_000, "1.4 MB"), (5_000_000_000_000, "5.0 TB"),
  ])
  func sizes(bytes: Int, text: String) {
    #expect(Quantities.size(bytes) == text)
  }
}
