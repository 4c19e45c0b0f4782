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
        shows start 'all keys'
        prints "$mouse" 110
        press Space ' paused'
        press 0 '^time 0:00[.]00'
        row() { $tmux capture-pane -p | grep -n "$1" | tail -1 | cut -d: -f1; }
        sends() { $tmux send-keys -l "$(printf '\033[<%s;%s;%s%s' $1 $2 $3 $4)"; }
        ruler=$(row '╵0:0[0-9]')
        wave=$((ruler - 3))
        # 0.2 s in a column, from the third column of the window on.
        sends 0 13 $wave M; sends 0 13 $wave m
        shows click '^time 0:02[.]00'
        sends 0 3 $wave M
        shows press '^time 0:00[.]00'
        sends 32 23 2 M
        shows drag '^time 0:04[.]00'
        sends 0 23 9 m
        # Neither a movement without a press nor a click elsewhere.
        sends 32 30 $wave M; sends 0 20 1 M; sends 2 20 $wave M; sends 64 20 $wave M
        press l 'A 0:04.00'
        # The line of the whole: 76 columns are 120 s.
        sends 0 41 $((ruler + 1)) M; sends 0 41 $((ruler + 1)) m
        shows whole '^time 1:00[.]00'
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
        .drag(column: 15), .release,
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
        shows start 'all keys'
        prints "$mouse" 110
        kill -\(signal) $(cat pid)
        shows \(signal) '^status \(status)'
        prints "$mouse" 001
        $tmux send-keys 'stty -a' Enter
        shows stty '[^-]icanon'
        shows stty '[^-]echo '
        if $tmux capture-pane -p | grep -q 'all keys'; then $tmux capture-pane -p; exit 1; fi
        """, "SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0:handle_segv=0")
  }

  @Test func stoppingRestoresTheTerminalToo() throws {
    try inTerminal(
      Self.tune + Self.mouse + """
        play one.flac
        shows start 'all keys'
        for round in 1 2; do
          $tmux send-keys C-z
          shows C-z 'Stopped'
          prints "$mouse" 001
          $tmux send-keys 'clear; stty -a' Enter
          shows stty '[^-]icanon'
          shows stty '[^-]echo '
          $tmux send-keys 'clear; fg' Enter
          shows fg 'all keys'
          prints "$mouse" 110
          press Space ' paused'
          press Space '^time [0-9:]+[.][0-9]$'
        done
        $tmux send-keys q
        prints "$mouse" 001
        $tmux send-keys 'clear; stty -a' Enter
        shows stty '[^-]icanon'
        """)
  }

  // MARK: - Sizes and kinds of terminals

  /// Nothing is wider than the window, and what counts is there at every size.
  @Test(arguments: [(120, 36), (80, 24), (60, 16), (40, 12), (30, 8), (20, 5), (12, 3), (5, 2)])
  func sizes(_ columns: Int, _ rows: Int) throws {
    try inTerminal(
      """
      sox -n -r 8000 -c 2 -b 16 one.wav synth 60 pinknoise
      mkdir in
      flac --silent -T TITLE='\(String(repeating: "長い題名", count: 36))' one.wav -o in/1.flac
      for name in 2 3 4 5 6; do cp one.wav "in/$name \(String(repeating: "é", count: 60)).wav"; done
      $tmux resize-window -x \(columns) -y \(rows)
      play in
      fits() {
        $tmux capture-pane -p > screen
        # Measured by an implementation of its own.
        python3 -c '
      import sys, unicodedata
      for line in open("screen"):
          wide = sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in line.rstrip())
          assert wide <= \(columns), (wide, line)
      '
      }
      shows start '長い|0:0[0-9]'
      press Space 'paused|0:[0-9]|▁|━|█'
      fits
      $tmux send-keys l Right l
      sleep 0.5
      fits
      $tmux send-keys '?'
      sleep 0.5
      fits
      $tmux send-keys '?' / é
      sleep 0.5
      fits
      $tmux send-keys Escape z z Z f ] .
      sleep 0.5
      fits
      # Redrawn whole in another size, and back.
      $tmux resize-window -x 100 -y 30
      shows 'a larger window' 'all keys'
      $tmux resize-window -x \(columns) -y \(rows)
      sleep 0.5
      fits
      # The status has room.
      $tmux resize-window -x 80 -y 24
      press q '^status 0'
      """)
  }

  /// Five sizes from the largest to the smallest show where it is, the loop, and how fast it is.
  @Test func fiveSizes() throws {
    try inTerminal(
      Self.tune + #"""
        play one.flac
        shows start 'all keys'
        press Space ' paused'
        press 1 '^time 0:12[.]00'
        press l 'A 0:12[.]00'
        press S-Right '^time 0:13[.]00'
        press l 'A 0:12[.]00.*B 0:13[.]00'
        press [ '  95 %'
        for size in 120x36 80x24 60x18 40x12 20x8; do
          $tmux resize-window -x ${size%x*} -y ${size#*x}
          loop='A 0:12[.]00'
          case $size in
            120x36|80x24|60x18) time='^time 0:12[.]00'; speed='95 %  same pitch';;
            40x12) time='0:12'; speed='95 %';;
            20x8) time='0:12'; speed=''; loop='0:12[.]00.*0:13[.]00';;
          esac
          shows $size "$time"
          shows $size "$loop"
          shows $size "$speed"
          shows $size '█|▄|▀'
        done
        $tmux resize-window -x 80 -y 24
        press q '^status 0'
        """#)
  }

  /// After the window has changed its size, nothing of it is left at the end.
  @Test func nothingIsLeftOfAChangedWindow() throws {
    try inTerminal(
      Self.tune + """
        $tmux resize-window -x 20 -y 10
        play one.flac
        shows start '█'
        for size in '14 -y 5' '100 -y 8' '40 -y 12'; do
          $tmux resize-window -x $size
          sleep 1
        done
        shows wave '█'
        press q '^status 0'
        ! screen | grep -q '[█▌╵]'
        """)
  }

  @Test func helpScrolls() throws {
    try inTerminal(
      Self.tune + """
        $tmux resize-window -x 40 -y 12
        play one.flac
        shows start '█'
        press '?' 'pause or resume'
        press NPage 'the file'
        press Down 'scroll'
        for n in 1 2 3 4 5 6 7 8 9; do $tmux send-keys NPage; done
        shows end 'selects text|Shift'
        press '?' '╵0:0'
        press q '^status 0'
        """)
  }

  @Test(arguments: [
    ("LC_ALL=C", "=", "[#:]{5}", #"[^\x00-\x7f]"#),
    ("TERM=linux", "▄|█", "╔═╗", "[▁▂▃▅▆▇━●…┃]"),
    ("TERM=xterm-256color", "█", "38;5;", "38;2;"),
    ("COLORTERM=truecolor", "█", "38;2;", "38;5;"),
    ("NO_COLOR=1", "█", "░", #"\x1b\[[0-9;]*m"#),
  ])
  func kindsOfTerminals(
    _ variables: String, _ meter: String, _ wanted: String, _ unwanted: String
  ) throws {
    try inTerminal(
      """
      sox -n -r 8000 -c 2 -b 16 "Füße.wav" synth 60 pinknoise
      play "Füße.wav"
      shows start 'all keys'
      shows start '\(meter)'
      sleep 1
      $tmux capture-pane -p -e | sed -n '/F.*e.wav/,$p' > picture
      grep -qP '\(wanted)' picture
      if grep -P '\(unwanted)' picture; then exit 1; fi
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
      if $tmux capture-pane -p | grep 'all keys'; then exit 1; fi
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
    // 5 rows of 20 pixels; a square is 100 pixels, or 10 columns, wide. It ends before the margin.
    let start = try #require(text.range(of: "\u{1b}_Ga=T,f=24,s=100,v=100,c=10,r=5,C=1,"))
    let data = try #require(text[start.upperBound...].firstIndex(of: ";"))
    let pixel = try #require(Data(base64Encoded: String(text[data...].dropFirst().prefix(4))))
    #expect(zip(pixel, [0x20, 0x60, 0xC0]).allSatisfy { abs(Int($0) - $1) <= 2 })
    let removal = try #require(text.range(of: "\u{1b}_Ga=d,d=I,", options: .backwards))
    #expect(removal.lowerBound > start.upperBound)
    #expect(text[..<start.lowerBound].hasSuffix("\u{1b}[2;89H"))
  }

  @Test(arguments: [
    ("40 30 400 600", "KITTY_WINDOW_ID=1"), ("100 30 1000 600", "KITTY_WINDOW_ID=1 TMUX=x"),
    ("100 30 1000 600", "A=b"), ("100 30 0 0", "TERM=foot"),
  ])
  func noCover(_ size: String, _ variables: String) throws {
    let text = try written(size, variables)
    #expect(!text.contains("\u{1b}_Ga=T") && !text.contains("\u{1b}P"))
    #expect(text.contains("c.flac"))
  }

  @Test func aCoverInSixel() throws {
    let text = try written("100 30 1000 600", "TERM=foot")
    let start = try #require(text.range(of: "\u{1b}7\u{1b}P"))
    #expect(text[start.upperBound...].contains("\u{1b}\\\u{1b}8"))
  }
}
