import Foundation
import ScaleAudio
import TestSupport
import Testing
import Waveforms

/// The pictures as other programs read them.
@Suite("How pictures look")
struct PlotLookTests {
  private let bench: Workbench

  init() throws { bench = try Workbench(["in.wav": Sound.wav]) }

  private func run(_ program: String, _ arguments: String...) throws -> String {
    let run = try Tool.run(program, arguments, in: bench.folder.path).succeeded()
    return run.outputText
  }

  /// Draws a file in the format of the output's extension.
  private func draw(
    _ input: String = "in.wav", to output: String, _ settings: PlotSettings = PlotSettings()
  ) throws {
    var settings = settings
    settings.existing = .replace
    let file = bench.folder.file(output)
    let format = try #require(file.extension.flatMap { PlotFormat(fileExtension: $0) })
    _ = try Plot(
      input: .file(bench.folder.file(input)), output: .file(file), format: format,
      settings: settings
    ).run()
  }

  private func pdfText(_ name: String) throws -> String {
    try run("pdftotext", "-layout", name, "-")
  }

  @Test(
    "librsvg and poppler draw the SVG and the PDF as the PNG is",
    arguments: [WaveformStyle.bars, .envelope])
  func formatsLookAlike(style: WaveformStyle) throws {
    for name in ["a.png", "a.svg", "a.pdf"] {
      try draw(
        to: name,
        PlotSettings(picture: PictureSettings(style: style, width: 400, theme: .dark)))
    }
    _ = try run("rsvg-convert", "a.svg", "-o", "svg.png")
    _ = try run("pdftoppm", "-r", "72", "-png", "-singlefile", "a.pdf", "pdf")
    let script = """
      import numpy, sys
      from PIL import Image
      png, svg, pdf = (numpy.asarray(Image.open(name).convert("RGB"), dtype=float)
                       for name in ("a.png", "svg.png", "pdf.png"))
      # Only edges are drawn by another rule; a part that is elsewhere is further away.
      for other in (svg, pdf):
          print(png.shape == other.shape, abs(png - other).mean() < 3,
                (abs(png - other).max(axis=2) > 96).mean() < 0.01)
      """
    #expect(try run("python3", "-c", script) == "True True True\nTrue True True\n")
    // Text is text, with a title and a description, as an XML parser reads it.
    let parsed = try run(
      "python3", "-c",
      """
      import xml.etree.ElementTree as ET
      root = ET.parse("a.svg").getroot()
      n = "{http://www.w3.org/2000/svg}"
      print(root.findtext(n + "title"), "|", root.findtext(n + "desc"))
      print([t.text for t in root.iter(n + "text")][0], root.find(n + "g[@font-family]").get("font-family"))
      """)
    #expect(parsed.hasPrefix("in.wav | "), "\(parsed)")
    #expect(parsed.contains(" of in.wav, 0.5 s, 44.1 kHz, stereo\n"), "\(parsed)")
    #expect(parsed.hasSuffix("in.wav DejaVu Sans, Verdana, Arial, sans-serif\n"), "\(parsed)")
    #expect(try run("pdfinfo", "a.pdf").contains(/Title: +in\.wav\n/))
    #expect(try run("pdftotext", "a.pdf", "-").hasPrefix("in.wav\n"))
  }

  /// DejaVu Sans, which pictures are set in, has none of these, and draws equal boxes.
  @Test func otherScriptsHaveTheirFonts() throws {
    var pictures: Set<[UInt8]> = []
    for name in ["日本", "中文", "한국"] {
      try bench.folder.write("\(name).wav", Sound.wav)
      try draw("\(name).wav", to: "\(name).png")
      #expect(pictures.insert(try bench.bytes("\(name).png")).inserted)
      try draw("\(name).wav", to: "\(name).pdf")
      #expect(try run("pdftotext", "\(name).pdf", "-").contains("\(name).wav\n"))
    }
  }

  /// The lanes alone, without axes.
  private func lanes(_ channels: PlotChannels) throws -> [UInt8] {
    let picture = PictureSettings(height: 100, isBare: true)
    try draw("two.wav", to: "lanes.png", PlotSettings(picture: picture, channels: channels))
    return try bench.bytes("lanes.png")
  }

  @Test func channels() throws {
    try bench.shell("sox -n -r 8000 -c 2 two.wav synth 0.5 sine 300 remix 1 0")
    let (first, second, split) = (
      try lanes(.channel(1)), try lanes(.channel(2)), try lanes(.split)
    )
    #expect(first != second && split != first)
    #expect(try lanes(.merged) != split)
    let error = #expect(throws: PlotError.self) { try lanes(.channel(3)) }
    #expect(error?.message.contains("there is no channel 3, only 2") == true)
  }

  @Test func silenceAndEmptyFiles() throws {
    for (name, length) in [("silent.wav", "0.3"), ("empty.wav", "0")] {
      try bench.shell("sox -n -r 8000 -b 16 \(name) trim 0 \(length)")
      for style in [WaveformStyle.bars, .envelope] {
        try draw(name, to: "x.png", PlotSettings(picture: PictureSettings(style: style)))
        // Narrow bars have square corners.
        let bare = PictureSettings(style: style, barWidth: 2, isBare: true)
        try draw(name, to: "y.png", PlotSettings(picture: bare))
        let colors = try run(
          "python3", "-c",
          "from PIL import Image; print(len(Image.open('y.png').convert('RGB').getcolors(1 << 24)))"
        )
        // The ground and a line.
        #expect(colors == "2\n")
      }
    }
  }

  @Test("the loudness in the key is what ffmpeg measures")
  func loudness() throws {
    try bench.shell("sox -n -r 48000 -c 2 -b 16 noise.wav synth 8 pinknoise vol 0.4")
    try draw("noise.wav", to: "a.pdf", PlotSettings(picture: PictureSettings(style: .loudness)))
    let text = try pdfText("a.pdf")
    let shown = try #require(text.firstMatch(of: /integrated \u{2212}([0-9.]+) LUFS/)?.1)
    let measured = try Tool.run(
      "ffmpeg", ["-nostats", "-i", "noise.wav", "-af", "ebur128", "-f", "null", "-"],
      in: bench.folder.path
    ).errorText
    let own = try #require(measured.matches(of: /I: +-([0-9.]+) LUFS/).last?.1)
    let difference = try #require(Double(shown)) - #require(Double(own))
    #expect(abs(difference) <= 0.11, "\(shown) \(own)")
    for part in ["momentary", "short-term", "\u{2212}16", "\u{2212}23", "LUFS"] {
      #expect(text.contains(part), "\(text)")
    }
  }

  @Test(
    "a range is in the header, and the end has its label in every style",
    arguments: [WaveformStyle.envelope, .bars, .spectrogram, .both, .loudness])
  func rangesAndEnds(style: WaveformStyle) throws {
    try bench.folder.write("long.wav", Sound.long)
    let range = try #require(TimeRange("1-4.5"))
    try draw(
      "long.wav", to: "a.pdf",
      PlotSettings(picture: PictureSettings(style: style), range: range))
    let text = try pdfText("a.pdf")
    #expect(text.contains("0:01–0:04.5 of "), "\(text)")
    #expect(text.contains(/0:04\.5\s*$/), "\(style): \(text)")
  }

  @Test("chapters that are too dense for names have numbers")
  func denseChapters() throws {
    var chapters = ";FFMETADATA1\n"
    for index in 0..<40 {
      chapters += "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(index * 200)\nEND=\(index * 200 + 200)\n"
      chapters += "title=The chapter of the name \(index)\n"
    }
    try bench.folder.write("chapters.txt", Array(chapters.utf8))
    try bench.shell(
      "ffmpeg -v error -f lavfi -i sine=d=8 -i chapters.txt -map_chapters 1 -c:a aac in.m4a")
    try draw("in.m4a", to: "a.pdf", PlotSettings(picture: PictureSettings(width: 600)))
    let text = try pdfText("a.pdf")
    #expect(text.contains(/1 +5 +10 +15 +20 +25 +30 +35 +40/) && !text.contains("The"), "\(text)")
  }

  /// The source takes two thirds of the width, in the one color, and the result all of it, in the other.
  @Test func sourceAndResultShareTheirTime() throws {
    try bench.convert("in.wav", .by(1.5), files: FilePolicy(drawsPicture: true))
    let script = """
      from PIL import Image
      image = Image.open("in-x1.5.png").convert("RGB")
      for color in ((0x00, 0x72, 0xb2), (0xc4, 0x55, 0x00)):
          columns = [x for x in range(image.width)
                     if any(image.getpixel((x, y)) == color for y in range(image.height))]
          print(columns[0], columns[-1])
      """
    let found = try Tool.run("python3", ["-c", script], in: bench.folder.path)
    let ends = found.outputText.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    try #require(ends.count == 4, "\(found.errorText)")
    #expect(ends[0] == ends[2])
    #expect(abs((ends[3] - ends[2]) / (ends[1] - ends[0]) - 1.5) < 0.02)
  }
}
