import Foundation
import ScaleAudio
import TestSupport
import Testing
import Waveforms

@testable import scaleaudio_cli

@Suite("Pictures in the terminal", .tags(.threaded))
struct TerminalPlotTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(["in.wav": Sound.wav]) }

  /// Runs it on a pseudo-terminal of 70 columns and 24 lines, with these variables and no others that matter.
  private func onTerminal(
    _ variables: String..., pixels: (Int, Int) = (0, 0), plot arguments: [String]
  ) throws -> Tool {
    let script = #filePath.replacing("TerminalPlotTests.swift", with: "Support/in-terminal.py")
    let ends = [
      "TERM", "COLORTERM", "NO_COLOR", "CLICOLOR_FORCE", "TERM_PROGRAM", "KITTY_WINDOW_ID",
    ]
    let unset = (ends + ["TMUX", "STY", "COLORFGBG", "COLUMNS"]).flatMap { ["-u", $0] }
    return try Tool.run(
      "python3",
      [script, "70", "24", "\(pixels.0)", "\(pixels.1)", "env"] + unset + variables
        + [Program.path, "plot"] + arguments, in: folder.path)
  }

  private func lines(_ text: String) -> [String] {
    text.replacing(/\u{1b}\[[0-9;]*m/, with: "").split(separator: "\n").map(String.init)
  }

  @Test func aTerminalShowsThePictureInItsWidth() throws {
    let run = try onTerminal("TERM=xterm-256color", plot: ["in.wav"])
    #expect(run.status == 0)
    let shown = lines(run.outputText)
    #expect(shown[0].hasPrefix("in.wav ") && shown[0].hasSuffix("stereo"))
    #expect(shown.map(DisplayWidth.columns).max() == 70)
    #expect(shown.contains { $0.contains("⣿⣿⣿") } && shown.contains { $0.contains("─┬─") })
    #expect(run.outputText.contains("\u{1b}[0;38;5;25m"))
    #expect(try folder.tree() == ["in.wav"])
  }

  /// One picture has the height of the window, less two lines for the prompt; several have the usual one.
  @Test func onePictureFillsTheWindow() throws {
    try folder.write("b.wav", Sound.wav)
    for arguments in [["in.wav"], ["--channels", "merged", "in.wav"]] {
      let run = try onTerminal("TERM=xterm-256color", plot: arguments)
      // Lanes have an even number of lines.
      #expect((18...22).contains(lines(run.outputText).count), "\(run.outputText)")
    }
    let several = try onTerminal(
      "TERM=xterm-256color", plot: ["--channels", "merged", "in.wav", "b.wav"])
    #expect(lines(several.outputText).count == 2 * (1 + 12 + 2))
  }

  @Test func colorsAreThoseOfTheTerminal() throws {
    let full = try onTerminal("TERM=xterm-256color", "COLORTERM=truecolor", plot: ["in.wav"])
    #expect(full.outputText.contains("\u{1b}[0;38;2;0;114;178m"))
    for variables in ["NO_COLOR=1", "A=1"] {
      let plain = try onTerminal(
        variables == "A=1" ? "TERM=dumb" : "TERM=xterm", variables, plot: ["in.wav"])
      #expect(plain.status == 0 && !plain.outputText.contains("\u{1b}"))
      #expect(plain.outputText.contains("⣿⣿"))
    }
  }

  @Test func graphicsAreDrawnIfTheTerminalSupportsThem() throws {
    let kitty = try onTerminal(
      "TERM=xterm-kitty", "KITTY_WINDOW_ID=1", pixels: (640, 480), plot: ["in.wav"])
    #expect(kitty.outputText.hasPrefix("\u{1b}_Ga=T,f=100,q=2,"))
    let content = kitty.outputText.matches(of: /_G[^;]*;([^\u{1b}]*)\u{1b}\\/).map(\.1).joined()
    let png = try #require(Data(base64Encoded: content))
    // The width in pixels follows the header's length and name.
    #expect(Array(png[16..<20]) == [0, 0, 2, 128])
    let foot = try onTerminal("TERM=foot", pixels: (640, 480), plot: ["in.wav"])
    #expect(foot.outputText.hasPrefix("\u{1b}P") && foot.outputText.contains("\"1;1;640;"))
    let tmux = try onTerminal("TERM=tmux-256color", "TMUX=x", "KITTY_WINDOW_ID=1", plot: ["in.wav"])
    #expect(tmux.outputText.contains("⣿⣿⣿") && !tmux.outputText.contains("\u{1b}_G"))
  }

  @Test func picturesFitLowWindows() throws {
    let foot = try onTerminal(
      "TERM=foot", pixels: (640, 240), plot: ["--channels", "split", "in.wav"])
    let size = try #require(foot.outputText.firstMatch(of: /"1;1;640;(\d+)/))
    #expect(try #require(Int(size.1)) <= 240 * 22 / 24)
  }

  @Test("Sixel shows what PNG holds, as another program reads it")
  func sixel() throws {
    try Program.shell(
      """
      $scaleaudio plot --terminal sixel --width 400 --theme light in.wav | sixel2png >sixel.png &&
      $scaleaudio plot --width 400 -q -o picture.png in.wav && python3 -c '
      import numpy as np
      from PIL import Image
      one, two = (np.array(Image.open(name).convert("RGB")).astype(int) for name in ("sixel.png", "picture.png"))
      assert one.shape == two.shape, (one.shape, two.shape)
      assert np.abs(one - two).max() < 40 and np.abs(one - two).mean() < 8, np.abs(one - two).mean()
      '
      """.replacing("\n      ", with: "\n"), in: folder.path
    ).succeeded()
  }

  @Test func pipesGetTextOnly() throws {
    for (mode, sign) in [("blocks", "██"), ("braille", "⣿⣿⣿"), ("auto", "⣿⣿⣿")] {
      let run = try Program.shell(
        "env -u TMUX -u CLICOLOR_FORCE COLUMNS=60 TERM=xterm-256color $scaleaudio plot --terminal \(mode) in.wav in.wav",
        in: folder.path)
      #expect(run.status == 0 && run.outputText.contains(sign), "\(run.errorText)")
      #expect(!run.outputText.contains("\u{1b}"))
      #expect(lines(run.outputText).map(DisplayWidth.columns).max() == 60)
    }
    let wide = try Program.run(
      "plot", "--terminal", "blocks", "--width", "90", "--height", "9", "in.wav", in: folder.path)
    #expect(lines(wide.outputText).map(DisplayWidth.columns).max() == 90)
    #expect(lines(wide.outputText).count <= 9)
  }

  @Test func unreadableFilesAreReportedAndTheRestDrawn() throws {
    try folder.write("bad.wav", Array("RIFF".utf8))
    let run = try Program.run("plot", "--terminal", "blocks", "bad.wav", "in.wav", in: folder.path)
    #expect(run.status != 0 && run.errorText.contains("bad.wav"))
    #expect(run.outputText.hasPrefix("in.wav"))
  }
}

@Suite("Abilities of terminals from their environment")
struct TerminalAbilitiesTests {
  private func abilities(_ variables: [String: String], isTerminal: Bool = true)
    -> TerminalAbilities
  {
    TerminalAbilities(isTerminal: isTerminal) { variables[$0] }
  }

  @Test func colors() {
    for (variables, colors) in [
      (["TERM": "xterm"], TextColors.basic), (["TERM": "xterm-256color"], .palette),
      (["TERM": "xterm", "COLORTERM": "24bit"], .full), (["TERM": "xterm-direct"], .full),
      (["TERM": "dumb", "COLORTERM": "truecolor"], .none), ([:], .none),
      (["TERM": "xterm", "NO_COLOR": ""], .basic), (["TERM": "xterm", "NO_COLOR": "0"], .none),
      (["TERM": "xterm", "NO_COLOR": "1", "CLICOLOR_FORCE": "1"], .none),
    ] as [([String: String], TextColors)] {
      #expect(abilities(variables).colors == colors, "\(variables)")
    }
    #expect(abilities(["TERM": "xterm"], isTerminal: false).colors == .none)
    #expect(
      abilities(["TERM": "xterm", "CLICOLOR_FORCE": "1"], isTerminal: false).colors == .basic)
    #expect(abilities(["TERM": "xterm", "CLICOLOR_FORCE": "0"], isTerminal: false).colors == .none)
  }

  @Test func graphics() {
    for (variables, graphics) in [
      (["TERM": "xterm-256color"], nil), (["TERM": "xterm-kitty"], .kitty),
      (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "3"], .kitty), (["TERM": "foot"], .sixel),
      (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], .sixel),
      (["TERM": "xterm-ghostty", "TERM_PROGRAM": "ghostty"], .kitty),
      (["TERM": "screen.xterm-256color", "KITTY_WINDOW_ID": "3"], nil),
      (["TERM": "xterm-kitty", "TMUX": "/tmp/x,1,0"], nil), (["TERM": "dumb"], nil), ([:], nil),
    ] as [([String: String], TerminalGraphics?)] {
      #expect(abilities(variables).graphics == graphics, "\(variables)")
    }
  }

  @Test func backgroundsAreGuessed() {
    for (colors, isLight) in [
      ("15;0", false), ("0;15", true), ("0;default;15", true), ("7;8", false), ("0;7", true),
      ("x", nil),
    ] as [(String, Bool?)] {
      #expect(abilities(["COLORFGBG": colors]).isLight == isLight, "\(colors)")
    }
    #expect(abilities([:]).isLight == nil)
  }
}
