import Foundation
import ScaleAudio
import TestSupport
import Testing

@Suite("scaleaudio plot", .tags(.threaded))
struct PlotTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("in.wav", Sound.wav)
  }

  private func plot(_ arguments: String...) throws -> Tool {
    try Tool.run(Program.path, ["plot"] + arguments, in: folder.path)
  }

  /// Runs what must succeed.
  private func draw(_ arguments: String...) throws {
    let run = try Tool.run(Program.path, ["plot"] + arguments, in: folder.path)
    #expect(run.status == 0, "\(arguments): \(run.errorText)")
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
    let run = try Tool.run("python3", ["-c", script, name], in: folder.path)
    try #require(run.status == 0, "\(run.errorText)")
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
    let run = try Program.shell("$scaleaudio plot - -o - < in.wav > out.png", in: folder.path)
    #expect(run.status == 0, "\(run.errorText)")
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
      let run = try Tool.run(Program.path, ["plot"] + base + options, in: folder.path)
      #expect(run.status == 0, "\(run.errorText)")
      #expect(seen.insert(run.output).inserted, "\(options)")
    }
  }

  @Test func channels() throws {
    let made = try Tool.run(
      "sox",
      ["-n", "-r", "8000", "-c", "2", "two.wav", "synth", "0.5", "sine", "300", "remix", "1", "0"],
      in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
    func bytes(_ channels: String) throws -> [UInt8] {
      let run = try plot(
        "two.wav", "-o", "-", "--bare", "--height", "100", "--channels", channels)
      #expect(run.status == 0, "\(run.errorText)")
      return run.output
    }
    let (first, second, split) = (try bytes("1"), try bytes("2"), try bytes("split"))
    #expect(first != second && split != first)
    #expect(try bytes("merged") != split)
    let none = try plot("two.wav", "-o", "x.png", "--channels", "3")
    #expect(none.status == 1 && none.errorText.contains("there is no channel 3, only 2"))
  }

  @Test func badValuesAreOneLine() throws {
    for options in [
      ["--width", "0"], ["--width", "1000000"], ["--height", "-3"], ["--scale", "9"],
      ["--bar-width", "0"], ["--noise-floor", "3"], ["--range", "3-1"], ["--range", "x"],
      ["--colors", "blue"], ["--channels", "0"],
    ] {
      let run = try Tool.run(
        Program.path, ["plot", "in.wav", "--format", "png"] + options, in: folder.path)
      #expect(run.status == 64, "\(options)")
      let reported = run.errorText.split(separator: "\n").filter { $0.hasPrefix("Error: ") }
      #expect(reported.count == 1, "\(run.errorText)")
    }
    let late = try plot("in.wav", "-o", "x.png", "--range", "9-")
    #expect(late.status == 1 && late.errorText.contains("begins at 9.000 s"))
    let large = try plot("in.wav", "-o", "x.png", "--width", "20000", "--scale", "4")
    #expect(large.status == 1 && large.errorText.contains("too large"))
    #expect(try plot("missing.wav", "-o", "x.png").status == 66)
    #expect(try folder.names() == ["in.wav"])
  }

  // MARK: - Audio of all kinds

  @Test func silenceAndEmptyFiles() throws {
    for (name, length) in [("silent.wav", "0.3"), ("empty.wav", "0")] {
      let made = try Tool.run(
        "sox", ["-n", "-r", "8000", "-b", "16", name, "trim", "0", length], in: folder.path)
      try #require(made.status == 0, "\(made.errorText)")
      for style in ["bars", "envelope"] {
        try draw(name, "-o", "x.png", "--overwrite", "--style", style)
        // Narrow bars have square corners.
        try draw(
          name, "-o", "y.png", "--overwrite", "--style", style, "--bare", "--bar-width", "2")
        // The ground and a line.
        #expect(try image("y.png").colors == 2)
      }
    }
  }

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
    let run = try Tool.run("python3", ["-c", script, Program.path], in: folder.path)
    try #require(run.status == 0, "\(run.errorText)")
    let kilobytes = run.outputText.split(separator: "\n").compactMap { Int($0) }
    // The longer one's samples alone take 19 MB.
    #expect(kilobytes.count == 2 && kilobytes[1] - kilobytes[0] < 4096, "\(kilobytes)")
  }

  @Test("options of spectrograms change them, and are refused elsewhere")
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
    for (options, reported) in [
      (["--fft", "256"], "--fft needs a spectrogram"),
      (["--style", "both", "--fft", "1000"], "--fft 1000 is not a power of two"),
      (["--style", "both", "--max-frequency", "0"], "a frequency is at least 1 Hz"),
      (["--style", "loudness", "--channels", "split"], "leave out --channels"),
    ] {
      let run = try Tool.run(
        Program.path, ["plot", "in.wav", "-o", "x.png"] + options, in: folder.path)
      #expect(run.status == 64 && run.errorText.contains(reported), "\(run.errorText)")
    }
  }

  @Test("the loudness in the key is what ffmpeg measures")
  func loudness() throws {
    let made = try Tool.run(
      "sox",
      [
        "-n", "-r", "48000", "-c", "2", "-b", "16", "noise.wav", "synth", "8", "pinknoise", "vol",
        "0.4",
      ],
      in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
    try draw("noise.wav", "--style", "loudness", "-o", "a.pdf")
    let text = try Tool.run("pdftotext", ["-layout", "a.pdf", "-"], in: folder.path).outputText
    let shown = try #require(text.firstMatch(of: /integrated \u{2212}([0-9.]+) LUFS/)?.1)
    let measured = try Tool.run(
      "ffmpeg", ["-nostats", "-i", "noise.wav", "-af", "ebur128", "-f", "null", "-"],
      in: folder.path
    ).errorText
    let own = try #require(measured.matches(of: /I: +-([0-9.]+) LUFS/).last?.1)
    let difference = try #require(Double(shown)) - #require(Double(own))
    #expect(abs(difference) <= 0.11, "\(shown) \(own)")
    for part in ["momentary", "short-term", "\u{2212}16", "\u{2212}23", "LUFS"] {
      #expect(text.contains(part), "\(text)")
    }
  }

  @Test("a range is in the header, and the end has its label in every style")
  func rangesAndEnds() throws {
    try folder.write("long.wav", Sound.long)
    for style in ["envelope", "bars", "spectrogram", "both", "loudness"] {
      try draw(
        "long.wav", "--range", "1-4.5", "--style", style, "-o", "a.pdf", "--overwrite")
      let text = try Tool.run("pdftotext", ["-layout", "a.pdf", "-"], in: folder.path).outputText
      #expect(text.contains("0:01–0:04.5 of "), "\(text)")
      #expect(text.contains(/0:04\.5\s*$/), "\(style): \(text)")
    }
  }

  @Test("chapters that are too dense for names have numbers")
  func denseChapters() throws {
    var chapters = ";FFMETADATA1\n"
    for index in 0..<40 {
      chapters += "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(index * 200)\nEND=\(index * 200 + 200)\n"
      chapters += "title=The chapter of the name \(index)\n"
    }
    try folder.write("chapters.txt", Array(chapters.utf8))
    let made = try Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "sine=d=8", "-i", "chapters.txt", "-map_chapters", "1",
        "-c:a", "aac", "in.m4a",
      ], in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
    try draw("in.m4a", "-o", "a.pdf", "--width", "600")
    let text = try Tool.run("pdftotext", ["-layout", "a.pdf", "-"], in: folder.path).outputText
    #expect(text.contains(/1 +5 +10 +15 +20 +25 +30 +35 +40/) && !text.contains("The"), "\(text)")
  }

  // MARK: - Conversions

  @Test func conversionsWithTheirPicture() throws {
    let run = try Program.run("-f", "1.5", "in.wav", "--plot", "--json", in: folder.path)
    #expect(run.status == 0, "\(run.errorText)")
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

  /// The source takes two thirds of the width, in the one color, and the result all of it, in the other.
  @Test func sourceAndResultShareTheirTime() throws {
    let run = try Program.run("-f", "1.5", "in.wav", "--plot", in: folder.path)
    #expect(run.status == 0, "\(run.errorText)")
    let script = """
      from PIL import Image
      image = Image.open("in-x1.5.png").convert("RGB")
      for color in ((0x00, 0x72, 0xb2), (0xc4, 0x55, 0x00)):
          columns = [x for x in range(image.width)
                     if any(image.getpixel((x, y)) == color for y in range(image.height))]
          print(columns[0], columns[-1])
      """
    let found = try Tool.run("python3", ["-c", script], in: folder.path)
    let ends = found.outputText.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    try #require(ends.count == 4, "\(found.errorText)")
    #expect(ends[0] == ends[2])
    #expect(abs((ends[3] - ends[2]) / (ends[1] - ends[0]) - 1.5) < 0.02)
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
}
