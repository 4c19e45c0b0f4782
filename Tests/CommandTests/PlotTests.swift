import Foundation
import ScaleAudio
import TestSupport
import Testing

@Suite("scaleaudio plot", .tags(.threaded))
struct PlotTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(["in.wav": Sound.wav]) }

  private func plot(_ arguments: String...) throws -> Tool {
    try Tool.run(Program.path, ["plot"] + arguments, in: folder.path)
  }

  /// Runs what must succeed.
  private func draw(_ arguments: String...) throws {
    try Tool.run(Program.path, ["plot"] + arguments, in: folder.path).succeeded()
  }

  /// `1200x284 RGB` for a picture, and the number of its colors.
  private func image(_ name: String) throws -> (size: String, colors: Int) {
    let script = """
      import sys
      from PIL import Image
      image = Image.open(sys.argv[1])
      image.load()
      print("%dx%d" % image.size, len(image.convert("RGB").getcolors(1 << 24)))
      """
    let run = try Tool.run("python3", ["-c", script, name], in: folder.path).succeeded()
    let words = run.outputText.split(whereSeparator: \.isWhitespace)
    return (String(words[0]), try #require(Int(words[1])))
  }

  // MARK: - Formats and names

  @Test func formatsByExtension() throws {
    for name in ["a.png", "b.svg", "c.pdf", "d.PNG"] { try draw("in.wav", "-o", name) }
    #expect(try folder.bytes("a.png").starts(with: [0x89] + Array("PNG".utf8)))
    #expect(String(decoding: try folder.bytes("b.svg"), as: UTF8.self).contains("</svg>"))
    #expect(try folder.bytes("c.pdf").starts(with: "%PDF-".utf8))
    #expect(try folder.bytes("d.PNG") == folder.bytes("a.png"))
    #expect(try image("a.png").size.hasPrefix("1200x"))
    let bad = try plot("in.wav", "-o", "e.gif")
    #expect(bad.status == 64 && bad.errorText.contains("e.gif"))
    #expect(bad.errorText.split(separator: "\n").count == 1)
    try draw("in.wav", "-o", "e.gif", "--format", "png")
  }

  @Test func picturesGoBesideTheirFiles() throws {
    try draw("--format", "svg", "in.wav")
    #expect(try folder.names() == ["in.svg", "in.wav"])
  }

  @Test func foldersKeepTheirShape() throws {
    try folder.write("Music/one.wav", Sound.wav)
    try folder.write("Music/disc/one.wav", Sound.wav)
    try folder.write("Music/disc/one.flac", Sound.flac)
    try folder.write("Music/broken.wav", Array("no audio".utf8))
    let run = try plot("Music", "-o", "pictures")
    #expect(
      run.status == 1 && run.errorText.contains("Music/broken.wav: not a recognized audio file"))
    // Those of one name keep what distinguishes them.
    #expect(
      try folder.tree().filter { $0.hasPrefix("pictures") } == [
        "pictures/", "pictures/disc/", "pictures/disc/one.flac.png", "pictures/disc/one.wav.png",
        "pictures/one.png",
      ])
  }

  @Test func throughPipes() throws {
    try Program.shell("$scaleaudio plot - -o - < in.wav > out.png", in: folder.path).succeeded()
    #expect(try image("out.png").size.hasPrefix("1200x"))
    #expect(try plot("-").status == 64)
  }

  @Test func existingPicturesStay() throws {
    try draw("in.wav", "-o", "a.png")
    let before = try folder.bytes("a.png")
    let refused = try plot("in.wav", "-o", "a.png", "--theme", "dark")
    #expect(refused.status == 1 && refused.errorText.contains("--overwrite replaces it"))
    #expect(try plot("in.wav", "-o", "a.png", "--theme", "dark", "--skip-existing").status == 0)
    #expect(try folder.bytes("a.png") == before)
    try draw("in.wav", "-o", "a.png", "--theme", "dark", "--overwrite")
    #expect(try folder.bytes("a.png") != before)
    // Audio under a picture's name.
    try folder.write("song.png", Sound.wav)
    let own = try plot("song.png", "--format", "png", "--overwrite")
    #expect(own.status == 1 && own.errorText.contains("would replace the input itself"))
    #expect(try folder.bytes("song.png") == Sound.wav)
  }

  // MARK: - Options

  @Test func everyOptionChangesThePicture() throws {
    try folder.write("long.wav", Sound.long)
    let base = ["long.wav", "-o", "-", "--style", "bars"]
    var seen: Set<[UInt8]> = []
    for options in [
      [], ["--style", "envelope"], ["--width", "600"], ["--height", "500"], ["--scale", "2"],
      ["--bar-width", "6"], ["--bar-spacing", "5"], ["--colors", "#a00"],
      ["--theme", "dark"], ["--bare"], ["--range", "0:02-5.5"], ["--noise-floor", "-40"],
      ["--no-antialias"], ["--fit"], ["--format", "svg"], ["--format", "pdf"],
    ] {
      let run = try Tool.run(Program.path, ["plot"] + base + options, in: folder.path).succeeded()
      #expect(seen.insert(run.output).inserted, "\(options)")
    }
  }

  @Test func badValuesAreOneLine() throws {
    for options in [
      ["--width", "0"], ["--width", "1000000"], ["--height", "-3"], ["--scale", "9"],
      ["--bar-width", "0"], ["--noise-floor", "3"], ["--range", "3-1"], ["--range", "x"],
      ["--colors", "blue"], ["--channels", "0"],
    ] {
      let refusal = try #require(
        Program.refusal(of: ["plot", "in.wav", "--format", "png"] + options), "\(options)")
      #expect(refusal.status == 64, "\(options)")
      let reported = refusal.message.split(separator: "\n").filter { $0.hasPrefix("Error: ") }
      #expect(reported.count == 1, "\(refusal.message)")
    }
    let none = try plot("in.wav", "-o", "x.png", "--channels", "3")
    #expect(none.status == 1 && none.errorText.contains("there is no channel 3, only 2"))
    let late = try plot("in.wav", "-o", "x.png", "--range", "9-")
    #expect(late.status == 1 && late.errorText.contains("begins at 9.000 s"))
    let large = try plot("in.wav", "-o", "x.png", "--width", "20000", "--scale", "4")
    #expect(large.status == 1 && large.errorText.contains("too large"))
    #expect(try plot("missing.wav", "-o", "x.png").status == 66)
    #expect(try folder.names() == ["in.wav"])
  }

  // MARK: - Audio of all kinds

  /// Ten times as much audio takes no more memory. Sanitizers keep what was freed.
  @Test(.unsanitized) func memoryDoesNotGrowWithLength() throws {
    let script = """
      import resource, struct, subprocess, sys
      for minutes in (2, 20):
          size = minutes * 60 * 8000 * 2
          with open("long.wav", "wb") as file:
              file.write(b"RIFF" + struct.pack("<I", 36 + size) + b"WAVEfmt "
                         + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 16000, 2, 16)
                         + b"data" + struct.pack("<I", size))
              file.truncate(44 + size)
          for style in ("bars", "envelope"):
              subprocess.run([sys.argv[1], "plot", "-q", "--overwrite", "--style", style, "long.wav",
                              "-o", "long.png"], check=True)
          print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
      """
    let run = try Tool.run("python3", ["-c", script, Program.path], in: folder.path).succeeded()
    let kilobytes = run.outputText.split(separator: "\n").compactMap { Int($0) }
    // The longer one's samples alone take 19 MB.
    #expect(kilobytes.count == 2 && kilobytes[1] - kilobytes[0] < 4096, "\(kilobytes)")
  }

  @Test("options of spectrograms change them")
  func spectrogramOptions() throws {
    var seen: Set<[UInt8]> = []
    for options in [
      [], ["--frequency", "log"], ["--frequency", "mel"], ["--fft", "256"],
      ["--max-frequency", "2000"],
    ] {
      let run = try Tool.run(
        Program.path, ["plot", "in.wav", "-o", "-", "--style", "spectrogram"] + options,
        in: folder.path)
      #expect(run.status == 0 && seen.insert(run.output).inserted, "\(run.errorText)")
    }
  }

  // MARK: - Conversions

  @Test func conversionsWithTheirPicture() throws {
    let run = try Program.run("-f", "1.5", "in.wav", "--plot", "--json", in: folder.path)
      .succeeded()
    #expect(run.outputText.contains("\"picture\":\"in-x1.5.png\""))
    #expect(try folder.names() == ["in-x1.5.png", "in-x1.5.wav", "in.wav"])
    #expect(try image("in-x1.5.png").size.hasPrefix("1200x"))
    // The audio comes first; a picture that is there is not replaced without being asked.
    try folder.write("in-x2.png", [1])
    let second = try Program.run("-f", "2", "in.wav", "--plot", in: folder.path)
    #expect(second.status == 0 && second.errorText.contains("picture in-x2.png exists and is kept"))
    #expect(try folder.bytes("in-x2.png") == [1])
    #expect(try Program.run("-f", "2", "in.wav", "--plot", "-o", "-", in: folder.path).status == 64)
  }

  /// Cairo takes longer to load than a short file to convert.
  @Test func onlyPicturesLoadCairo() throws {
    func loaded(_ arguments: [String]) throws -> Bool {
      let run = try Tool.run(
        Program.path, arguments, in: folder.path, environment: ["LD_DEBUG": "files"])
      return run.errorText.contains("libcairo")
    }
    #expect(try !loaded(["-f", "2", "in.wav"]))
    #expect(try loaded(["plot", "in.wav", "-o", "in.png"]))
  }

  @Test func missingCairoIsReported() throws {
    try folder.write("libcairo.so.2", [])
    let run = try Tool.run(
      Program.path, ["plot", "in.wav", "-o", "in.png"], in: folder.path,
      environment: ["LD_LIBRARY_PATH": folder.path.string])
    #expect(run.status == 1 && run.errorText.contains("install libcairo2"))
    #expect(run.errorText.split(separator: "\n").count == 1)
  }

  @Test func samplesOfAPixel() throws {
    let run = try Program.run(
      "plot", "in.wav", "--samples-per-pixel", "256", "--format", "json", "-o", "-",
      in: folder.path)
    let record = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
    // 22,050 frames: 86 pixels of 256, and one of 34.
    #expect(record["samples_per_pixel"] as? Int == 256 && record["length"] as? Int == 87)
    for arguments in [
      ["--samples-per-pixel", "1"], ["--samples-per-pixel", "9", "--pixels-per-second", "9"],
    ] {
      let run = try Tool.run(
        Program.path, ["plot", "in.wav", "-o", "a.json"] + arguments, in: folder.path)
      #expect(run.status == 64 && run.errorText.contains("--samples-per-pixel"))
    }
  }

  @Test func waveformDataOnStandardOutput() throws {
    let run = try Program.run(
      "plot", "in.wav", "--range", "0.1-0.3", "--channels", "split", "--bits", "8",
      "--pixels-per-second", "50", "--format", "json", "-o", "-", in: folder.path)
    let record = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
    #expect(record["channels"] as? Int == 2 && record["bits"] as? Int == 8)
    #expect(record["samples_per_pixel"] as? Int == 882 && record["length"] as? Int == 10)
    // The lowest and the highest of each pixel and channel, rounded toward zero to 8 bits.
    let source = try Sound.samples(folder.file("in.wav"))
    let expected = (0..<10).flatMap { pixel in
      (0..<2).flatMap { channel in
        let own = (0..<882).map { Int(source[2 * (4410 + pixel * 882 + $0) + channel]) / 256 }
        return [own.min(), own.max()]
      }
    }
    #expect(record["data"] as? [Int] == expected)
  }
}
