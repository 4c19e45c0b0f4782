import Foundation
import ScaleAudio
import TestSupport
import Testing

@testable import scaleaudio_cli

/// The screen of `play` in real terminals.
@Suite("the screen of play")
struct PlayScreenTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs lines of bash in the terminal of ``PlayTerminal``.
  private func inTerminal(_ script: String, _ variables: String = "") throws {
    try PlayTerminal.run(script, variables: variables, in: folder)
  }

  /// Makes two minutes with chapters.
  private static let tune = """
    sox -n -r 44100 -c 2 -b 16 one.wav synth 120 sine 300:900 vol 0.5
    flac --silent -T TITLE=Tune -T ARTIST=Ann one.wav -o one.flac

    """
  private static let mouse = """
    mouse="$tmux display -p #{mouse_button_flag}#{mouse_sgr_flag}#{cursor_flag}"

    """

  // MARK: - The mouse

  @Test func clicksAndDragsSeek() throws {
    try inTerminal(
      Self.tune + Self.mouse + #"""
        play one.flac
        shows start '^FL'
        prints "$mouse" 111
        press Space '^paused'
        press 0 '^0:00 /'
        row() { $tmux capture-pane -p | grep -n "$1" | tail -1 | cut -d: -f1; }
        sends() { $tmux send-keys -l "$(printf '\033[<%s;%s;%s%s' $1 $2 $3 $4)"; }
        wave=$(row '●')
        # Column 41 of 79 is 40 * 120 / 79 seconds.
        sends 0 41 $wave M; sends 0 41 $wave m
        shows click '^1:00 /'
        sends 0 1 $((wave - 1)) M
        shows press '^0:00 /'
        sends 32 61 2 M
        shows drag '^1:31 /'
        sends 32 300 9 M
        shows 'drag beyond' '^1:58 /'
        sends 0 300 9 m
        # Neither a movement without a press nor a click elsewhere.
        sends 32 20 $wave M; sends 0 20 $(row '^FL') M; sends 2 20 $wave M; sends 64 20 $wave M
        press l 'loop 1:58-'
        shows rest '^1:58 /'
        # Lines that are printed move the waveform.
        press q '^status 0'
        prints "$mouse" 001
        """#)
  }

  @Test func mouseSequences() {
    var keys = PlayKeys()
    #expect(
      keys.keys(in: Array("\u{1b}[<0;12;3M\u{1b}[<32;13;3M\u{1b}[<32;1".utf8)) == [
        .press(column: 12, row: 3), .drag(column: 13),
      ])
    #expect(
      keys.keys(in: Array("4;3M\u{1b}[<32;15;3M\u{1b}[<0;15;3m\u{1b}[7;1R".utf8)) == [
        .drag(column: 15), .release, .cursor(row: 7),
      ])
    #expect(keys.keys(in: Array("\u{1b}[<0;1M\u{1b}[<1;1;1M\u{1b}[<65;1;1M".utf8)) == [])
  }

  // MARK: - Ways out

  @Test(arguments: [
    ("TERM", "143"), ("INT", "130"), ("HUP", "129"), ("QUIT", "131"), ("ABRT", "134"),
    ("SEGV", "139"), ("ILL", "132"), ("TRAP", "133"),
  ])
  func theTerminalIsRestored(_ signal: String, _ status: String) throws {
    try inTerminal(
      Self.tune + Self.mouse + """
        $tmux send-keys 'ulimit -c 0' Enter
        $tmux send-keys "'$scaleaudio' play one.flac -o null & echo \\$! > pid; fg; echo status \\$?" Enter
        shows start '^FL'
        prints "$mouse" 111
        kill -\(signal) $(cat pid)
        shows \(signal) '^status \(status)'
        prints "$mouse" 001
        $tmux send-keys 'stty -a' Enter
        shows stty '[^-]icanon'
        shows stty '[^-]echo '
        if $tmux capture-pane -p | grep -q '^FL'; then $tmux capture-pane -p; exit 1; fi
        """, "SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0:handle_segv=0")
  }

  @Test func stoppingRestoresTheTerminalToo() throws {
    try inTerminal(
      Self.tune + Self.mouse + """
        play one.flac
        shows start '^FL'
        for round in 1 2; do
          $tmux send-keys C-z
          shows C-z 'Stopped'
          prints "$mouse" 001
          $tmux send-keys 'clear; stty -a' Enter
          shows stty '[^-]icanon'
          shows stty '[^-]echo '
          $tmux send-keys 'clear; fg' Enter
          shows fg '^FL'
          prints "$mouse" 111
          press Space '^paused'
          press Space '^playing'
        done
        $tmux send-keys q
        prints "$mouse" 001
        $tmux send-keys 'clear; stty -a' Enter
        shows stty '[^-]icanon'
        """)
  }

  // MARK: - Sizes and kinds of terminals

  @Test(arguments: [40, 80, 200])
  func widths(_ columns: Int) throws {
    try inTerminal(
      """
      sox -n -r 8000 -c 2 -b 16 one.wav synth 60 pinknoise
      mkdir in
      flac --silent -T TITLE='\(String(repeating: "長い題名", count: 36))' one.wav -o in/1.flac
      for name in 2 3 4 5 6; do cp one.wav "in/$name \(String(repeating: "é", count: 60)).wav"; done
      $tmux resize-window -x \(columns) -y 24
      play in
      shows start '^FL'
      $tmux capture-pane -p > screen
      grep -q '^playing  長い題名.*…  1/6$' screen
      grep -q '^next     2 é' screen
      grep -q 'and 2 more$' screen
      # Measured by an implementation of its own.
      python3 -c '
      import sys, unicodedata
      for line in open("screen"):
          wide = sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in line.rstrip())
          assert wide < \(columns), (wide, line)
      '
      press '?' '^left, right'
      shows '?' 'Shift selects|selects text'
      $tmux resize-window -x 30 -y 10
      shows 'a low window' '^playing'
      $tmux resize-window -x \(columns) -y 24
      press '?' '^FL'
      # A narrow line leaves out the rate and the pitch before it cuts off a loop.
      press - 'volume 9'
      press l 'loop 0:[0-9]+-'
      sleep 1
      press l 'loop 0:[0-9]+-0:[0-9]+($| )'
      press q '^status 0'
      """)
  }

  @Test(arguments: [
    ("LC_ALL=C", "^FL  =", "^=*O-+$", #"[^\x00-\x7f]"#),
    ("TERM=linux", "^FL  ▄", "^═*█─+$", "[▁▂▃▅▆▇━●…]"),
    ("TERM=xterm-256color", "^FL  ▆", "^━*●─+$", "[=|]-"),
    ("NO_COLOR=1", "^FL  ▆", "^━*●─+$", #"\x1b\[[0-9;]*m"#),
  ])
  func kindsOfTerminals(
    _ variables: String, _ meter: String, _ line: String, _ unwanted: String
  ) throws {
    try inTerminal(
      """
      sox -n -r 8000 -c 2 -b 16 "Füße.wav" synth 60 pinknoise
      play "Füße.wav"
      shows start '^playing'
      shows start '\(meter)'
      shows start '\(line)'
      $tmux capture-pane -p -e | sed -n '/playing/,$p' > screen
      if grep -P '\(unwanted)' screen; then cat screen; exit 1; fi
      press q '^status 0'
      """, variables)
  }

  @Test func aDumbTerminalGetsLines() throws {
    try inTerminal(
      """
      sox -n -r 8000 -c 2 -b 16 one.wav synth 1 pinknoise
      $tmux send-keys "clear; '$scaleaudio' play one.wav -o null 2>&1 | cat -v; echo done" Enter
      shows end '^done'
      shows line '^playing  one.wav'
      play one.wav
      shows end '^status 0'
      if $tmux capture-pane -p | grep '^FL'; then exit 1; fi
      """, "TERM=dumb")
  }

  // MARK: - Covers

  /// The output of the program to a terminal of a size in characters and pixels.
  private func written(_ size: String, _ variables: String) throws -> String {
    let script = #filePath.replacing("PlayScreenTests.swift", with: "../Support/in-terminal.py")
    let run = try Program.shell(
      """
      [ -e c.flac ] || {
        sox -n -r 8000 -c 1 a.wav synth 4 sine 400
        ffmpeg -v error -f lavfi -i color=0x2060C0:size=64x64 -frames:v 1 c.png
        flac --silent --picture=c.png a.wav -o c.flac
        rm a.wav c.png
      }
      env -u TMUX -u STY TERM=xterm LC_ALL=C.UTF-8 \(variables) python3 '\(script)' \(size) \\
        "$scaleaudio" play c.flac -o null </dev/null
      """, in: folder.path
    ).succeeded()
    return run.outputText
  }

  @Test func kittyCoversAreRemovedAtTheEnd() throws {
    let text = try written("100 30 1000 600", "KITTY_WINDOW_ID=1")
    // 5 rows of 20 pixels; a square is 100 pixels, or 10 columns, wide.
    let start = try #require(text.range(of: "\u{1b}_Ga=T,f=24,s=100,v=100,c=10,r=5,C=1,"))
    let data = try #require(text[start.upperBound...].firstIndex(of: ";"))
    let pixel = try #require(Data(base64Encoded: String(text[data...].dropFirst().prefix(4))))
    #expect(zip(pixel, [0x20, 0x60, 0xC0]).allSatisfy { abs(Int($0) - $1) <= 2 })
    let removal = try #require(text.range(of: "\u{1b}_Ga=d,d=I,", options: .backwards))
    #expect(removal.lowerBound > start.upperBound)
    #expect(text.contains("\u{1b}[12C"))
  }

  @Test(arguments: [
    ("40 30 400 600", "KITTY_WINDOW_ID=1"), ("100 30 1000 600", "KITTY_WINDOW_ID=1 TMUX=x"),
    ("100 30 1000 600", "A=b"), ("100 30 0 0", "TERM=foot"),
  ])
  func noCover(_ size: String, _ variables: String) throws {
    let text = try written(size, variables)
    #expect(!text.contains("\u{1b}_Ga=T") && !text.contains("\u{1b}P"))
    #expect(text.contains("playing  c.flac"))
  }

  @Test func aCoverInSixel() throws {
    let text = try written("100 30 1000 600", "TERM=foot")
    let start = try #require(text.range(of: "\u{1b}7\u{1b}P"))
    #expect(text[start.upperBound...].contains("\u{1b}\\\u{1b}8"))
  }
}
