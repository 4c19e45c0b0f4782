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
    #expect(keys.keys(in: [0x1B, UInt8(ascii: "L")]) == [.repeat])
    // Letters begin with a key and end with Enter or Escape, also while the keys before them wait.
    #expect(
      keys.keys(in: Array("n/c \r q".utf8)) == [
        .phrase(1), .search, .text("c"), .text(" "), .enter, .toggle, .quit,
      ])
    #expect(
      keys.keys(in: Array("kM\nM".utf8)) == [.keep, .text("M"), .enter, .mute])
    #expect(keys.keys(in: Array("/M\u{1b}".utf8)) == [.search, .text("M")])
    #expect(keys.keys(in: []) == [.escape])
    #expect(keys.keys(in: Array("M".utf8)) == [.mute])
    // If no name is asked for, its letters are keys, up to its end.
    func afterRefusal(_ text: String) -> [PlayKey] {
      keys.takesText = false
      return keys.withoutText(Array(keys.keys(in: Array("k\(text)".utf8)).dropFirst()))
    }
    #expect(afterRefusal("]\u{7f}éM") == [.rate(1), .resetRate, .mute])
    #expect(!keys.takesText)
    #expect(afterRefusal("]/a]") == [.rate(1), .search, .text("a"), .text("]")])
    #expect(keys.takesText)
    #expect(afterRefusal("]\n]/a") == [.rate(1), .enter, .rate(1), .search, .text("a")])
    #expect(keys.takesText)
    keys.takesText = false
    // Places that no window has.
    for number in [Int.min, -1, Int.max] {
      #expect(keys.keys(in: Array("\u{1b}[<0;\(number);5M".utf8)) == [])
      #expect(keys.keys(in: Array("\u{1b}[<32;5;\(number)M".utf8)) == [])
    }
  }

  /// Presses every key in a terminal, and looks for what the screen then shows.
  @Test func everyKey() throws {
    let script = """
      sox -n -r 44100 -c 2 -b 16 one.wav synth 120 sine 300:900 vol 0.5
      flac --silent -T TITLE=Tune -T ARTIST=Ann -T CHAPTER001=00:00:00.000 -T CHAPTER001NAME=a \\
        -T CHAPTER002=00:00:30.000 -T CHAPTER002NAME=b one.wav -o one.flac
      sox -n -r 48000 -c 1 -b 16 two.wav synth 60 pinknoise
      $tmux send-keys "clear; '$scaleaudio' play one.flac two.wav -o null; echo status \\$?" Enter
      shows start ' Tune  .* 1 of 2$'
      shows start '^ +of 2:00|of 2:00'
      shows start ' Ann$'
      # The name of the mark, the whole, the list, and the keys.
      shows start '│a$'
      shows start '^[> ] 1  0:00  a .* 0:30 '
      shows start 'space pause   ← → 10 s   l loop   [[] []] speed   c original   [?] all keys'
      # Nothing that says nothing.
      plain() { shows "$1 at rest" '[?] all keys'; ! screen | grep -qE '%|key [+-]|result|repeat|volume|muted'; }
      plain start
      press Space ' paused'
      press 0 '^time 0:00[.]00'
      press Right '^time 0:10[.]00'
      press Up '^time 1:10[.]00'
      press Down '^time 0:10[.]00'
      press S-Right '^time 0:11[.]00'
      press S-Left '^time 0:10[.]00'
      press Left '^time 0:00[.]00'
      press PPage '^time 0:30[.]00'
      press Up '^time 1:30[.]00'
      press NPage '^time 0:30[.]00'
      for tenth in 1:0:12 2:0:24 3:0:36 4:0:48 6:1:12 7:1:24 8:1:36 9:1:48 5:1:00; do
        press ${tenth%%:*} "^time ${tenth#*:}[.]00"
      done
      press l 'A 1:00.00'
      press Right '^time 1:10[.]00'
      press l '[|]A 1:00.00|A 1:00.00.*B 1:10.00'
      press l 'all keys'
      ! screen | grep -q 'A 1:00'
      # Without a loop, no name follows.
      $tmux send-keys -l 'k]'
      shows 'k]' '  105 %'
      press '[' ' paused'
      press L '  repeat$'
      press L '  repeat list$'
      press L ' paused'
      sleep 0.3
      plain L
      press S '  shuffle$'
      press S ' paused'
      sleep 0.3
      plain S
      press ']' 'result.*  105 %  same pitch'
      press '}' '  210 %  same pitch'
      press '{' '  105 %  same pitch'
      press '[' ' paused'
      sleep 0.3
      plain '['
      press . '  key [+]1'
      press , ' paused'
      press , '  key -1'
      press BSpace ' paused'
      sleep 0.3
      plain BSpace
      press - ' volume 95 %'
      press = ' paused'
      press M ' muted'
      press M ' paused'
      sleep 0.3
      plain M
      press t '1:00 left'
      press t 'of 2:00'
      # 0.2 s in a column, then 0.1 s.
      shows zoom "╵1:02 "
      press z "╵1:01 "
      press Z "╵1:02 "
      for n in 1 2 3 4 5; do $tmux send-keys Z; done
      shows Z '╵1:00 '
      press f 'the waveform stays'
      press f 'the waveform follows'
      press '?' 'Home, End, 0-9'
      press '?' 'all keys'
      press / '^ */ '
      press x 'nothing has that name'
      press BSpace ' two.wav'
      press b '^> *2  0:30  b|^ *2  0:30  b'
      ! screen | grep -q '  a  '
      press Enter '^time 0:30[.]00'
      press / '^ */ '
      press w 'two.wav'
      press Escape 'all keys'
      press '>' ' two.wav  .* 2 of 2$'
      press Space '^time 0:0[0-9][.][0-9]$'
      press Home '^time 0:0[0-9]'
      press '<' ' Tune  .* 1 of 2$'
      $tmux resize-window -x 40 -y 12
      shows resizing ' Tune  .* 1/2$'
      press End ' two.wav  .* 2/2$'
      press q '^status 0'
      $tmux send-keys 'stty -a' Enter
      shows stty '[^-]icanon'
      """
    try PlayTerminal.run(script, in: folder)
  }

  /// Presses the keys for practicing, twice: what was kept is there again, under another name of the file.
  @Test func practicing() throws {
    let script = #"""
      # Two seconds of sound, one of silence, again and again.
      sox -n -r 44100 -c 2 -b 16 a.wav synth 2 sine 300:900 vol 0.5
      sox a.wav b.wav pad 0 1
      sox b.wav b.wav b.wav b.wav b.wav b.wav b.wav b.wav b.wav b.wav one.wav
      play one.wav
      shows start 'all keys'
      press Space ' paused'
      # Times to hundredths; A and B by 10 ms.
      press 2 '^time 0:06[.]00'
      press l 'A 0:06[.]00'
      press S-Right '^time 0:07[.]00'
      press l 'A 0:06[.]00.*B 0:07[.]00'
      press A 'A 0:06[.]01.*B 0:07[.]00'
      press a 'A 0:06[.]00.*B 0:07[.]00'
      press b 'A 0:06[.]00.*B 0:06[.]99'
      press B 'A 0:06[.]00.*B 0:07[.]00'
      press ')' '  101 %'
      press '(' ' paused'
      press '\;' '  key -0.05'
      press "'" ' paused'
      press [ '  95 %'
      # Kept under a name, with a mark.
      press k 'name of the loop: '
      $tmux send-keys -l 'Hard bar é'
      press Enter 'A-B  0:06[.]00  Hard bar é +0:01'
      press m 'mark 1 at 0:0[67][.]'
      shows m ' mark 1'
      # The start of the sentence, and the next.
      press l ' paused'
      # In one write: the second key acts where the first went.
      $tmux send-keys -l 2n
      shows n '^time 0:08[.]9'
      # A little later, between two drawings.
      for try in 1 2 3 4; do
        press 0 '^time 0:00[.]00'
        $tmux send-keys 2
        sleep 0.05
        press n '^time 0:08[.]9'
      done
      press n '^time 0:11[.]9[0-9]'
      press p '^time 0:08[.]9[0-9]'
      # A loop of the sentence, with a pause; then the one before.
      press P 'A 0:08[.]9[0-9].*B 0:11[.]0[0-9]'
      shows P 'with a pause|pause [0-9]'
      press p 'A 0:05[.]9[0-9].*B 0:08[.]0[0-9]'
      press n 'A 0:08[.]9[0-9].*B 0:11[.]0[0-9]'
      press r 'nothing between the rounds'
      # What happens between rounds.
      press / '^ */ '
      $tmux send-keys -l 'hard'
      press Enter 'A 0:06[.]00.*B 0:07[.]00'
      press z '╵0:06[.]6'
      press r 'a pause as long as the loop after each round'
      shows r 'with a pause'
      press T 'trainer: 1 % faster every second round, up to 100 %'
      press Space 'pause [01][.][0-9] s'
      shows rounds 'round [3-9]'
      shows trainer '  9[6-9] %'
      press r 'nothing between the rounds'
      # No tempo in a sine: it is tapped.
      press i 'no beat yet'
      for tap in 1 2 3 4; do $tmux send-keys y; sleep 0.3; done
      shows taps ' BPM'
      press i '4 clicks count in each round'
      shows i 'counted in|pause'
      press e 'written  one.labels.txt; written  one.marks.cue'
      press q '^status 0'
      grep -qP '^6.000000\t7.000000\tHard bar é$' one.labels.txt
      grep -q 'INDEX 01 00:06:00' one.marks.cue
      ls .state/scaleaudio/files/*.json
      # Another name, other tags, another container.
      flac --silent -T TITLE=Moved one.wav -o moved.flac
      play moved.flac
      shows again ' Moved'
      shows again '  9[6-9] %  |  100 %'
      shows again 'A-B  0:06[.]00  Hard bar é'
      press / '^ */ '
      $tmux send-keys -l 'hard'
      shows hard 'Hard bar'
      press DC 'nothing has that name'
      press Escape 'all keys'
      ! screen | grep -q 'Hard bar'
      press q '^status 0'
      play --no-state moved.flac
      shows none ' Moved'
      press m 'nothing is kept with --no-state'
      ! screen | grep -q 'mark 1'
      press q '^status 0'
      # A file of a later version stays.
      for file in .state/scaleaudio/files/*; do echo '{"version": 9}' > $file; done
      play moved.flac
      shows later 'later version'
      press m 'later version'
      press q '^status 0'
      [ "$(cat .state/scaleaudio/files/*)" = '{"version": 9}' ]
      """#
    try PlayTerminal.run(script, in: folder)
  }

  @Test func comparingAndWriting() throws {
    let script = """
      sox -n -r 44100 -c 2 -b 16 one.wav synth 60 sine 300:900 vol 0.5
      $tmux send-keys "clear; '$scaleaudio' play one.wav --method linear --speed 1.25 -o null; echo status \\$?" Enter
      shows start 'all keys'
      press Space ' paused'
      shows start 'result.?  125 %  like tape [+]3.9 st'
      press c 'of 1:00'
      press c 'of 0:48'
      press s 'written  one.wav -> one-speed1.25-linear.wav'
      press ] '  131.2 %'
      press s 'a rate on top of --method linear is only heard'
      press BSpace '  125 %  like tape'
      press s 'one-speed1.25-linear.wav: already exists'
      press q '^status 1'
      "$scaleaudio" -q --method linear --speed 1.25 one.wav -o by-convert.wav
      cmp one-speed1.25-linear.wav by-convert.wav
      """
    try PlayTerminal.run(script, in: folder)
  }

  /// A book goes on where it was left, also under another name; at its start nothing is left.
  @Test func booksGoOn() throws {
    let script = #"""
      sox -n -r 8000 -c 1 -b 16 one.wav synth 1500 sine 300 vol 0.5
      flac --silent -T CHAPTER001=00:00:00.000 -T CHAPTER001NAME=a -T CHAPTER002=00:10:00.000 \
        -T CHAPTER002NAME=b one.wav -o book.flac
      play book.flac
      shows start 'all keys'
      press Space ' paused'
      press 5 '^time 12:30[.]00'
      # Until the audio of the file is known.
      for try in $(seq 100); do
        $tmux send-keys m
        sleep 0.3
        if ls .state/scaleaudio/files/*.json; then break; fi
      done
      press q '^status 0'
      mv book.flac other.flac
      play other.flac
      shows again 'continued at 12:30; Home goes to the start'
      shows again '^time 12:3'
      press Home '^time 0:0'
      press q '^status 0'
      python3 -c 'import json, sys; assert "position" not in json.load(open(sys.argv[1]))' \
        .state/scaleaudio/files/*.json
      play --no-state other.flac
      shows none '^time 0:0'
      press q '^status 0'
      """#
    try PlayTerminal.run(script, in: folder)
  }

  /// A place belongs to the file in which it was left, also when another one is chosen.
  @Test func placesStayWithTheirFiles() throws {
    let script = #"""
      sox -n -r 8000 -c 1 -b 16 one.wav synth 1500 sine 300 vol 0.5
      sox -n -r 8000 -c 1 -b 16 two.wav synth 1400 sine 500 vol 0.5
      for name in one two; do
        flac --silent -T CHAPTER001=00:00:00.000 -T CHAPTER001NAME=a -T CHAPTER002=00:10:00.000           -T CHAPTER002NAME=b $name.wav -o $name.flac
      done
      play one.flac two.flac
      shows start ' 1 of 2$'
      press Space ' paused'
      press 5 '^time 12:30[.]00'
      for try in $(seq 100); do
        $tmux send-keys m
        sleep 0.3
        if ls .state/scaleaudio/files/*.json; then break; fi
      done
      press '>' ' 2 of 2$'
      shows two '^time 0:0'
      press '<' ' 1 of 2$'
      shows one 'continued at 12:30'
      shows one '^time 12:3'
      press q '^status 0'
      # Only the first has a place.
      python3 - .state/scaleaudio/files/*.json <<'END'
      import json, sys
      all = [json.load(open(path)) for path in sys.argv[1:]]
      places = {notes["name"]: notes.get("position") for notes in all}
      assert 750 <= places["one.flac"] < 800, places
      assert places.get("two.flac") is None, places
      END
      """#
    try PlayTerminal.run(script, in: folder)
  }

  /// More of practicing: names and removing of loops, pauses at other speeds, the same sentence twice, Ctrl-Z.
  @Test func loopsAndPauses() throws {
    let script = #"""
      sox -n -r 44100 -c 2 -b 16 a.wav synth 2 sine 300:900 vol 0.5
      sox a.wav b.wav pad 0 1
      sox b.wav b.wav b.wav b.wav b.wav b.wav b.wav b.wav b.wav b.wav one.wav
      play one.wav
      shows start 'all keys'
      press Space ' paused'
      press 2 '^time 0:06[.]00'
      press l 'A 0:06[.]00'
      press S-Right '^time 0:07[.]00'
      press l 'A 0:06[.]00.*B 0:07[.]00'
      # Without a name, a number that is free; the same name again is the same loop.
      press k 'name of the loop: '
      press Enter 'A-B  0:06[.]00  loop 1'
      press k 'name of the loop: '
      press Escape 'all keys|kept'
      press B 'B 0:07[.]01'
      press k 'name of the loop: '
      press Enter 'A-B  0:06[.]00  loop 2'
      press k 'name of the loop: '
      $tmux send-keys -l 'loop 2'
      press Enter 'kept: loop 2'
      [ $(screen | grep -c 'A-B .*loop 2') = 1 ]
      press / '^ */ '
      $tmux send-keys -l 'loop 1'
      shows search '> *A-B  0:06[.]00  loop 1|A-B  0:06[.]00  loop 1'
      press DC 'nothing has that name'
      press Escape 'A-B  0:06[.]00  loop 2'
      ! screen | grep -q 'loop 1'
      # At half the speed, a pause for a second is two seconds long, and counts down from there.
      press b 'B 0:07[.]00'
      press '{' '  50 %'
      press r 'a pause as long as the loop after each round'
      press Space '^time 0:0[67]'
      shows countdown 'pause 1[.][5-9] s'
      shows countdown 'pause 0[.][0-4] s'
      ! screen | grep -q 'pause -'
      # It ends with its loop.
      shows again 'pause 1[.][5-9] s'
      press l 'all keys'
      shows going '^time 0:0[789]'
      press Space ' paused'
      # The same sentence twice is the same loop.
      $tmux send-keys -l 4P
      shows P 'A 0:11[.]9[0-9].*B 0:14[.]0[0-9]'
      # In a list, with those around it.
      shows list '^ *0:08[.]9 .* 2[.]1 s$'
      shows list '^[> ]*0:11[.]9 .* 2[.]1 s$'
      # A stroke for each sentence.
      shows strokes '━━━━'
      shows strokes 'p n sentence'
      press P 'A 0:11[.]9[0-9].*B 0:14[.]0[0-9]'
      shows P 'with a pause|pause [0-9]'
      # Stopped, and back: the window is whole, and the shell had its own.
      $tmux send-keys C-z
      shows C-z 'Stopped'
      ! screen | grep -q 'all keys'
      $tmux send-keys 'clear; fg' Enter
      shows fg 'A 0:11[.]9[0-9].*B 0:14[.]0[0-9]'
      shows fg 'all keys'
      press '>' 'all keys'
      # The shell has printed the status of the program that was stopped.
      press q '^bash'
      ! screen | grep -q 'all keys'
      """#
    try PlayTerminal.run(script, in: folder)
  }

  /// Keys that wait for a place, here before anything has arrived, hold back no quitting.
  @Test func quittingWaitsForNoKey() throws {
    let script = #"""
      mkfifo pipe
      sleep 600 > pipe &
      $tmux send-keys "clear; echo 'now'; '$scaleaudio' play pipe -o null; echo status \$?" Enter
      shows start '^now'
      waits() { stty -F "$($tmux display-message -p '#{pane_tty}')" -a | grep -o '[-]echo '; }
      prints waits '-echo '
      # 2 s for each would be ten minutes.
      $tmux send-keys -l "]$(printf 'n%.0s' $(seq 300))"
      press q '^status 0'
      kill %1
      """#
    try PlayTerminal.run(script, in: folder)
  }

  /// Keys that wait for a place, here that of a pipe from which nothing arrives, hold back those behind them for 2 s in all.
  @Test func waitingKeysShareOneLimit() throws {
    let script = #"""
      mkfifo pipe
      sleep 600 > pipe &
      sox -n -r 44100 -c 2 -b 16 one.wav synth 120 sine 300:900 vol 0.5
      play one.wav pipe
      shows start 'all keys'
      # 2 s for each would be ten minutes.
      $tmux send-keys -l ">$(printf 'n%.0s' $(seq 300))?"
      shows '?' 'Home, End, 0-9'
      press Escape 'all keys'
      press q '^status 0'
      kill %1
      """#
    try PlayTerminal.run(script, in: folder)
  }

  /// The rounds of a loop with trainer and pauses, each at its speed, as long as arithmetic says.
  @Test func writingRounds() throws {
    let script = #"""
      sox -n -r 44100 -c 2 -b 16 one.wav synth 60 sine 440 vol 0.5
      play one.wav
      shows start 'all keys'
      press Space ' paused'
      press 1 '^time 0:06[.]00'
      press l 'A 0:06[.]00'
      press S-Right '^time 0:07[.]00'
      press l 'A 0:06[.]00.*B 0:07[.]00'
      press '(' '  99 %'
      press '(' '  98 %'
      press T 'trainer: 1 % faster'
      press r 'a pause as long'
      press s 'written  one.wav -> one-rounds.wav'
      press s 'already exists'
      press q '^status 0'
      # Two rounds at 98, 99 and 100 %, with 5 pauses of their lengths.
      python3 - $(soxi -s one-rounds.wav) <<'END'
      import sys
      rounds = [44100 / r for r in (0.98, 0.98, 0.99, 0.99, 1, 1)]
      wanted = sum(rounds) + sum(rounds[:5])
      assert abs(int(sys.argv[1]) - wanted) < 12, (sys.argv, wanted)
      END
      # Sound and silence in turn.
      level() { sox one-rounds.wav -n trim $1 0.8 stat 2>&1 | sed -n 's/^RMS .*amplitude: *//p'; }
      [ "$(level 0.1)" '>' 0.3 ]; [ "$(level 1.12)" = 0.000000 ]
      [ "$(level 2.15)" '>' 0.3 ]; [ "$(level 10.2)" '>' 0.3 ]
      ls /tmp/scaleaudio-rounds-* && exit 1
      true
      """#
    try PlayTerminal.run(script, in: folder)
  }

  @Test func quittingAsksAndLeavesNothing() throws {
    let script = """
      sox -n -r 44100 -c 2 -b 16 one.wav synth 900 sine 300:900 vol 0.5
      $tmux send-keys "clear; '$scaleaudio' play one.wav -o null; echo status \\$?" Enter
      shows start 'all keys'
      press s 'nothing to write'
      press . '  key [+]1'
      press s 'writing one.* [0-9]+%'
      press q 'q again stops it'
      press q '^status 0'
      shows q '^stopped writing'
      [ "$(ls -A | grep -vx .state)" = one.wav ]
      """
    try PlayTerminal.run(script, in: folder)
  }

  @Test func aTerminalIsRestoredAfterSIGTERM() throws {
    let script = """
      sox -n -r 44100 -c 2 -b 16 one.wav synth 20 sine 300
      $tmux send-keys "'$scaleaudio' play one.wav -o null & echo \\$! > pid; fg; echo status \\$?" Enter
      shows start 'all keys'
      kill -TERM $(cat pid)
      shows SIGTERM '^status 143'
      $tmux send-keys 'stty -a' Enter
      shows stty '[^-]icanon'
      shows stty '[^-]echo '
      """
    try PlayTerminal.run(script, in: folder)
  }
}
