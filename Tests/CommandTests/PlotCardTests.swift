import Foundation
import TestSupport
import Testing

/// Cards for sharing, as other programs see them.
@Suite("Cards")
struct PlotCardTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("in.wav", Sound.wav)
  }

  private func run(_ program: String, _ arguments: [String]) throws -> String {
    let run = try Tool.run(program, arguments, in: folder.path)
    try #require(run.status == 0, "\(program): \(run.errorText)")
    return run.outputText
  }

  /// Makes a FLAC file with a cover of one color as ffmpeg encodes it, and tags.
  private func tag(_ cover: String?, _ tags: [String], as format: String = "yuvj420p") throws {
    _ = try run("flac", ["-s", "-f", "in.wav", "-o", "in.flac"] + tags.map { "--tag=\($0)" })
    guard let cover else { return }
    _ = try run(
      "ffmpeg",
      [
        "-v", "error", "-y", "-f", "lavfi", "-i", "color=0x3366CC:size=301x301", "-frames:v", "1",
        "-pix_fmt", format, cover,
      ])
    _ = try run("metaflac", ["--import-picture-from=\(cover)", "in.flac"])
  }

  /// What Pillow finds: size, the color at the middle of the cover, and how many pixels of the margins are unlike
  /// the background.
  private func look(_ name: String, margin: Int = 40) throws -> String {
    try run(
      "python3",
      [
        "-c",
        """
        import numpy, sys
        from PIL import Image
        a = numpy.asarray(Image.open(sys.argv[1]).convert("RGB"), dtype=int)
        m = int(sys.argv[2])
        inner = numpy.zeros(a.shape[:2], dtype=bool)
        inner[m:-m, m:-m] = True
        drawn = abs(a - a[0, 0]).max(axis=2) > 8
        cover = abs(a[176, 176] - [0x33, 0x66, 0xCC]).max() < 12
        print(a.shape[1], a.shape[0], cover, (drawn & ~inner).sum())
        """, name, "\(margin)",
      ])
  }

  @Test(arguments: [
    ("cover.jpg", "yuvj420p"), ("cover.jpg", "yuvj444p"), ("cover.png", "rgb24"),
    ("cover.png", "rgba"), ("cover.png", "rgb48be"),
  ])
  func showTheCover(cover: String, format: String) throws {
    let tags = ["TITLE=Song & <Dance>", "ARTIST=The Band", "ALBUM=One", "DATE=1999-03"]
    try tag(cover, tags, as: format)
    _ = try run(Program.path, ["plot", "--card", "in.flac"])
    #expect(try look("in.png") == "1200 630 True 0\n")
    _ = try run(Program.path, ["plot", "--card", "in.flac", "-o", "in.svg", "--theme", "dark"])
    _ = try run("rsvg-convert", ["in.svg", "-o", "svg.png"])
    #expect(try look("svg.png") == "1200 630 True 0\n")
    let svg = String(decoding: try folder.bytes("in.svg"), as: UTF8.self)
    for text in ["Song &amp; &lt;Dance&gt;", "The Band", "One  ·  1999", "0.5 s  ·"] {
      #expect(svg.contains(">\(text)"), "\(text)")
    }
  }

  @Test(arguments: ["wav", "flac"])
  func needNoCoverAndNoTags(form: String) throws {
    try tag(nil, [])
    _ = try run(Program.path, ["plot", "--card", "in.\(form)", "-o", "a.svg"])
    let svg = String(decoding: try folder.bytes("a.svg"), as: UTF8.self)
    #expect(svg.contains(">in.\(form)</text>") && !svg.contains("<image"))
  }

  @Test(arguments: [
    String(repeating: "A very long title ", count: 20), String(repeating: "W", count: 300),
    String(repeating: "長い曲名", count: 60), String(repeating: "שם ארוך ", count: 40),
    "e" + String(repeating: "\u{301}", count: 500),
  ])
  func longTextsStayInside(text: String) throws {
    try tag("cover.jpg", ["TITLE=\(text)", "ARTIST=\(text)", "ALBUM=\(text)"])
    for (width, height) in [(1200, 630), (400, 400), (300, 900)] {
      _ = try run(
        Program.path,
        [
          "plot", "--card", "in.flac", "--overwrite", "--width", "\(width)", "--height",
          "\(height)",
        ])
      let found = try look("in.png", margin: min(width, height) / 30).split(separator: " ")
      #expect(found.prefix(2) == ["\(width)", "\(height)"])
      #expect(found.last == "0\n", "\(width) x \(height)")
    }
    _ = try run(Program.path, ["plot", "--card", "in.flac", "-o", "a.svg"])
    let svg = String(decoding: try folder.bytes("a.svg"), as: UTF8.self)
    #expect(svg.contains("…</text>") || text.count < 10)
  }

  @Test func damagedCoversAreLeftOut() throws {
    try tag("cover.jpg", [])
    try folder.write("bad.jpg", Array(try folder.bytes("cover.jpg").prefix(30)))
    _ = try run("metaflac", ["--remove", "--block-type=PICTURE", "in.flac"])
    _ = try run("metaflac", ["--import-picture-from=3|image/jpeg||301x301x24|bad.jpg", "in.flac"])
    _ = try run(Program.path, ["plot", "--card", "in.flac"])
    #expect(try look("in.png").hasPrefix("1200 630 False"))
  }

  @Test(arguments: [
    (["--sheet", "-o", "a.png"], "--sheet and --card"), (["-o", "a.json"], "json and dat"),
    (["--bare"], "--card and --bare"), (["--terminal", "blocks"], "--terminal and --card"),
  ])
  func optionsThatExcludeCards(options: [String], message: String) throws {
    let run = try Tool.run(
      Program.path, ["plot", "--card", "in.wav"] + options, in: folder.path)
    #expect(run.status == 64 && run.errorText.contains(message), "\(run.errorText)")
  }
}
