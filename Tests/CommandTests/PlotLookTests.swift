import Foundation
import ScaleAudio
import TestSupport
import Testing

/// The pictures as other programs read them.
@Suite("How pictures look")
struct PlotLookTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("in.wav", Sound.wav)
  }

  private func run(_ program: String, _ arguments: String...) throws -> String {
    let run = try Tool.run(program, arguments, in: folder.path)
    try #require(run.status == 0, "\(program): \(run.errorText)")
    return run.outputText
  }

  @Test(
    "librsvg and poppler draw the SVG and the PDF as the PNG is", arguments: ["bars", "envelope"])
  func formatsLookAlike(style: String) throws {
    for name in ["a.png", "a.svg", "a.pdf"] {
      _ = try run(
        Program.path, "plot", "in.wav", "-o", name, "--style", style, "--width", "400", "--theme",
        "dark")
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
      try folder.write("\(name).wav", Sound.wav)
      _ = try run(Program.path, "plot", "\(name).wav", "--format", "png")
      #expect(pictures.insert(try folder.bytes("\(name).png")).inserted)
      _ = try run(Program.path, "plot", "\(name).wav", "--format", "pdf")
      #expect(try run("pdftotext", "\(name).pdf", "-").contains("\(name).wav\n"))
    }
  }
}
