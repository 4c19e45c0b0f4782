import Foundation
import ScaleAudio
import TestSupport
import Testing

@testable import scaleaudio_cli

@Suite("play with keys", .tags(.packageTraits))
struct PlayKeyTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func keySequences() {
    var keys = PlayKeys()
    #expect(
      keys.keys(in: Array("\u{1b}[C\u{1b}[1;2D q".utf8)) == [.move(10), .move(-1), .toggle, .quit])
    #expect(keys.keys(in: Array("\u{1b}[".utf8)) == [])
    #expect(
      keys.keys(in: Array("5~\u{1b}OH\u{1b}[4~7".utf8)) == [
        .chapter(1), .tenth(0), .tenth(10), .tenth(7),
      ])
    #expect(keys.keys(in: [0x1B, UInt8(ascii: "L")]) == [.loopTrack])
  }

  /// Presses every key in a terminal, and looks for what the screen then shows.
  @Test func everyKey() throws {
    let script = """
      sox -n -r 44100 -c 2 -b 16 one.wav synth 120 sine 300:900 vol 0.5
      flac --silent -T TITLE=Tune -T ARTIST=Ann -T CHAPTER001=00:00:00.000 -T CHAPTER001NAME=a \\
        -T CHAPTER002=00:00:30.000 -T CHAPTER002NAME=b one.wav -o one.flac
      sox -n -r 48000 -c 1 -b 16 two.wav synth 60 pinknoise
      $tmux send-keys "clear; '$scaleaudio' play one.flac two.wav -o null; echo status \\$?" Enter
      shows start '^playing  Ann - Tune  1/2'
      shows start '^FL  (▆)+.* dB  peak +-[0-9]'
      plain='/ 2:00  1[.]00x  0 st  [?] help'
      press Space '^paused   Ann - Tune'
      press 0 '^0:00 / 2:00'
      press Right '^0:10 / 2:00'
      press Up '^1:10 /'
      press Down '^0:10 /'
      press S-Right '^0:11 /'
      press S-Left '^0:10 /'
      press Left '^0:00 /'
      press PPage '^0:30 /'
      press Up '^1:30 /'
      press NPage '^0:30 /'
      for tenth in 1:0:12 2:0:24 3:0:36 4:0:48 6:1:12 7:1:24 8:1:36 9:1:48 5:1:00; do
        press ${tenth%%:*} "^${tenth#*:} /"
      done
      press l 'loop 1:00-'
      press Right '^1:10 /'
      press l 'loop 1:00-1:10'
      shows l '^━+┻━+A─+B─+$'
      press l "$plain"
      press L '  repeat'
      press L "$plain"
      press ']' '  1[.]05x'
      press '}' '  2[.]10x'
      press '{' '  1[.]05x'
      press '[' "$plain"
      press . '  [+]1 st'
      press , "$plain"
      press , '  -1 st'
      press BSpace "$plain"
      press - '  volume 95%'
      press = "$plain"
      press M '  muted'
      press M "$plain"
      press t '^-1:00 / 2:00'
      press t '^1:00 / 2:00'
      press '?' '^Home, End, 0-9'
      press '?' '^FR  '
      press '>' '^paused   two.wav  2/2'
      press Space '^playing  two.wav'
      shows Space '^FC  (▆)+'
      press Home '^0:0[0-9] / 1:00'
      press '<' '^playing  Ann - Tune'
      $tmux resize-window -x 40 -y 24
      shows resizing '^.{36,39}$'
      # A frame that was drawn while the window changed may have wrapped, and lie above the next one.
      block() { $tmux capture-pane -p | tac | sed '/^playing/q'; }
      for try in $(seq 100); do
        block | grep -qE '^.{40}' || break
        sleep 0.1
      done
      if block | grep -qE '^.{40}'; then echo too wide; block; exit 1; fi
      press End 'two.wav  2/2'
      press q '^status 0'
      $tmux send-keys 'stty -a' Enter
      shows stty '[^-]icanon'
      """
    try PlayTerminal.run(script, in: folder)
  }

  @Test func comparingAndWriting() throws {
    let script = """
      sox -n -r 44100 -c 2 -b 16 one.wav synth 60 sine 300:900 vol 0.5
      $tmux send-keys "clear; '$scaleaudio' play one.wav --method linear --speed 1.25 -o null; echo status \\$?" Enter
      shows start '^FL'
      press Space '^paused'
      press c '/ 1:00  source'
      press c '/ 0:48  1[.]00x'
      press s '^written  one.wav -> one-speed1.25-linear.wav'
      press ] '  1[.]05x'
      press s 'a rate on top of --method linear is only heard'
      press BSpace '/ 0:48  1[.]00x'
      press s 'one-speed1.25-linear.wav: already exists'
      press q '^status 1'
      "$scaleaudio" -q --method linear --speed 1.25 one.wav -o by-convert.wav
      cmp one-speed1.25-linear.wav by-convert.wav
      """
    try PlayTerminal.run(script, in: folder)
  }

  @Test func quittingAsksAndLeavesNothing() throws {
    let script = """
      sox -n -r 44100 -c 2 -b 16 one.wav synth 900 sine 300:900 vol 0.5
      $tmux send-keys "clear; '$scaleaudio' play one.wav -o null; echo status \\$?" Enter
      shows start '^FL'
      press s 'nothing to write'
      press . '  [+]1 st'
      press s '  writing one.* [0-9]+%'
      press q 'q again stops it'
      press q '^status 0'
      shows q '^stopped writing'
      [ "$(ls -A)" = one.wav ]
      """
    try PlayTerminal.run(script, in: folder)
  }

  @Test func aTerminalIsRestoredAfterSIGTERM() throws {
    let script = """
      sox -n -r 44100 -c 2 -b 16 one.wav synth 20 sine 300
      $tmux send-keys "'$scaleaudio' play one.wav -o null & echo \\$! > pid; fg; echo status \\$?" Enter
      shows start '^FL'
      kill -TERM $(cat pid)
      shows SIGTERM '^status 143'
      $tmux send-keys 'stty -a' Enter
      shows stty '[^-]icanon'
      shows stty '[^-]echo '
      """
    try PlayTerminal.run(script, in: folder)
  }
}
