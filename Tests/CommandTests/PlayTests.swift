import Foundation
import ScaleAudio
import TestSupport
import Testing

@testable import scaleaudio_cli

@Suite("play")
struct PlayTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The events of a run, and its exit status.
  private func events(_ arguments: String...) throws -> (status: Int32, [[String: Any]]) {
    let run = try Tool.run(Program.path, ["play", "--json"] + arguments, in: folder.path)
    let lines = run.outputText.split(separator: "\n")
    return (
      run.status,
      try lines.compactMap {
        try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
    )
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    try Tool.run(
      "ffmpeg", ["-v", "error", "-i", name, "-f", "f32le", "-"], in: folder.path
    ).output
  }

  @Test func aFileOutputHoldsWhatIsHeard() throws {
    try folder.write("in/a.flac", Sound.flac)
    try folder.write("in/b.wav", Sound.wav)
    let run = try Program.run("play", "in", "-o", "heard.wav", in: folder.path)
    #expect(run.status == 0)
    #expect(try bytes("heard.wav") == bytes("in/a.flac") + bytes("in/b.wav"))
    #expect(run.errorText == "playing  in/a.flac (0:01)\nplaying  in/b.wav (0:01)\n")
    let again = try Program.run("play", "in/a.flac", "-o", "heard.wav", in: folder.path)
    #expect(again.status == 1)
    #expect(again.errorText.contains("already exists; --overwrite replaces it"))
  }

  @Test func aPipeAndAStartTime() throws {
    let run = try Tool.run(
      Program.path, ["play", "-", "--from", "10000f", "-o", "heard.wav", "-q"], in: folder.path,
      input: Sound.wav)
    #expect(run.status == 0)
    #expect(run.errorText.isEmpty)
    try folder.write("a.wav", Sound.wav)
    #expect(try bytes("heard.wav") == Array(bytes("a.wav").dropFirst(10_000 * 8)))
  }

  /// What is heard is what `convert` writes with the same options.
  @Test(arguments: [
    ["-f", "1.37"], ["--speed", "1.7", "--method", "linear"], ["--duration", "777ms"],
    ["-f", "0.61", "--method", "sinc"], ["-f", "2.5", "--method", "sinc", "--quality", "fast"],
    ["--single-channel"], ["-f", "1.3", "--mono", "--method", "linear"],
    ["--from", "25%", "--to", "-100f", "-f", "1.5"], ["--from", "5000f", "--to", "9000f"],
    ["--preset", "tape", "--speed", "1.25"],
  ])
  func hearsWhatConvertWrites(_ options: [String]) throws {
    try folder.write("a.wav", Sound.wav)
    try folder.write("b.flac", Sound.flac)
    let run = try Tool.run(
      Program.path, ["play", "a.wav", "b.flac", "-o", "heard.wav"] + options, in: folder.path)
    #expect(run.status == 0, "\(run.errorText)")
    let preset = options.contains("--preset")
    #expect(run.errorText.contains("preset tape: play leaves out --guard") == preset)
    let isSinc = options.contains("sinc") || preset
    let kind = isSinc ? ["--bits", "f32"] : []
    var written: [UInt8] = []
    for name in ["a.wav", "b.flac"] {
      let run = try Tool.run(
        Program.path,
        ["convert", name, "-o", "\(name).out.wav", "--dither", "none"] + kind
          + options, in: folder.path)
      #expect(run.status == 0, "\(run.errorText)")
      written += try bytes("\(name).out.wav")
    }
    let heard = try bytes("heard.wav")
    #expect(heard.count == written.count)
    #expect(heard == written)
  }

  /// The live engine gives files the lengths that `convert` gives them.
  @Test(
    .enabled(if: ScalingMethod.stretches),
    arguments: [
      ["--duration", "777ms"], ["--duration", "1.9", "--pitch", "3"],
      ["--duration", "600ms", "--from", "25%", "--to", "-100f"], ["--map", "map.txt"],
      ["--map", "map.txt", "--single-channel"], ["--duration", "22050f"],
    ])
  func lengthsAreThoseOfConvert(_ options: [String]) throws {
    try folder.write("a.wav", Sound.wav)
    try folder.write("b.flac", Sound.flac)
    try folder.write("map.txt", Array("0.25 0.125\n0.5 0.7\n5 4\n".utf8))
    var (heard, frames) = ([Int](), [Int]())
    for name in ["a.wav", "b.flac"] {
      for arguments in [
        ["play", "-q", name, "-o", "\(name).heard.wav"],
        ["convert", "-q", name, "-o", "\(name).out.wav"],
      ] {
        let run = try Tool.run(
          Program.path, arguments + options + ["--method", "stretch"], in: folder.path)
        #expect(run.status == 0, "\(run.errorText)")
      }
      heard.append(try frameCount("\(name).heard.wav"))
      frames.append(try frameCount("\(name).out.wav"))
    }
    #expect(heard == frames)
    // One after the other, too: what the first one ends with does not move the second.
    let run = try Tool.run(
      Program.path,
      ["play", "-q", "a.wav", "b.flac", "-o", "both.wav", "--method", "stretch"] + options,
      in: folder.path)
    #expect(run.status == 0, "\(run.errorText)")
    #expect(try frameCount("both.wav") == frames.reduce(0, +))
  }

  /// The vocoder plays in every build, in the length that `convert` writes.
  @Test(arguments: [["--speed", "1.3"], ["--factor", "1.7", "--pitch", "2"], ["--pitch", "-3"]])
  func qualityFastIsTheVocoder(_ options: [String]) throws {
    try folder.write("a.flac", Sound.flac)
    let fast = options + ["--method", "stretch", "--quality", "fast"]
    for (command, name) in [("play", "heard.wav"), ("convert", "out.wav")] {
      let run = try Tool.run(
        Program.path, [command, "-q", "a.flac", "-o", name] + fast, in: folder.path)
      #expect(run.status == 0, "\(run.errorText)")
    }
    // Of a speed, `convert` truncates the length and `play` rounds it.
    #expect(try abs(frameCount("heard.wav") - frameCount("out.wav")) <= 1)
    // Keys change the rate by it too: the option needs no method, and alone it changes nothing.
    for (options, name) in [(["--quality", "fast"], "plain.wav"), ([], "same.wav")] {
      let run = try Tool.run(
        Program.path, ["play", "-q", "a.flac", "-o", name] + options, in: folder.path)
      #expect(run.status == 0, "\(run.errorText)")
    }
    #expect(try bytes("plain.wav") == bytes("same.wav"))
    guard ScalingMethod.stretches else { return }
    let run = try Tool.run(
      Program.path, ["play", "-q", "a.flac", "-o", "high.wav", "--method", "stretch"] + options,
      in: folder.path)
    #expect(run.status == 0)
    #expect(try frameCount("high.wav") == frameCount("heard.wav"))
    #expect(try bytes("high.wav") != bytes("heard.wav"))
  }

  private func frameCount(_ name: String) throws -> Int {
    let run = try Tool.run("soxi", ["-s", name], in: folder.path)
    return try #require(Int(run.outputText.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  @Test(.enabled(if: ScalingMethod.stretches)) func mapsThatCannotBeHeard() throws {
    try folder.write("a.wav", Sound.wav)
    try folder.write("bad.txt", Array("0.5\n".utf8))
    try folder.write("fast.txt", Array("0.5 0.05\n5 2\n".utf8))
    for (map, message) in [
      ("bad.txt", "bad.txt"), ("missing.txt", "missing.txt"),
      ("fast.txt", "it would play at a rate of 10"),
    ] {
      let run = try Program.run("play", "a.wav", "--map", map, "-o", "null", in: folder.path)
      #expect(run.status != 0)
      #expect(run.errorText.contains(message), "\(run.errorText)")
    }
  }

  @Test func chaptersLimitWhatIsHeard() throws {
    let script = """
      sox -n -r 8000 -c 1 -b 16 one.wav synth 4 sine 300
      flac --silent -T CHAPTER001=00:00:00.000 -T CHAPTER001NAME=a \
        -T CHAPTER002=00:00:01.500 -T CHAPTER002NAME=b one.wav
      "$scaleaudio" play -q one.flac --from chapter:b -o b.wav
      "$scaleaudio" play -q one.flac --from chapter:3 -o c.wav; echo $?
      """
    let run = try Program.shell(script, in: folder.path)
    #expect(run.outputText == "1\n")
    #expect(run.errorText.contains("it has no chapter 3; its chapters are 1 a, 2 b"))
    #expect(try bytes("b.wav") == Array(bytes("one.wav").dropFirst(12_000 * 4)))
  }

  @Test func badFilesAreNamedAndTheNextFollows() throws {
    try folder.write("cut.flac", Array(Sound.flac.dropLast(2000)))
    try folder.write("text.wav", Array("no audio".utf8))
    try folder.write("good.wav", Sound.wav)
    let (status, events) = try events(
      "cut.flac", "text.wav", "missing.wav", "good.wav", "-o", "null")
    #expect(status == 1)
    let failures = events.filter { $0["event"] as? String == "failed" }
    #expect(
      failures.compactMap { $0["input"] as? String } == ["cut.flac", "text.wav", "missing.wav"])
    #expect(
      failures.compactMap { $0["errorClass"] as? String }
        == ["truncated", "not-audio", "cannot-open"])
    let started = events.filter { $0["event"] as? String == "started" }
    #expect(started.compactMap { $0["input"] as? String } == ["cut.flac", "good.wav"])
    #expect(events.last?["event"] as? String == "ended")
  }

  @Test func nothingToPlay() throws {
    #expect(try Program.run("play", "missing.wav", "-o", "null", in: folder.path).status == 66)
    #expect(try Program.run("play", ".", "-o", "null", in: folder.path).status == 66)
  }

  #if RubberBand
    private static let rates = [
      (["--method", "stretch", "--speed", "5"], "0.25 to 4"), (["--pitch", "13"], "12 semitones"),
      (["--map", "a.txt", "--method", "linear"], "--map"),
      (["--map", "a.txt", "--follow"], "--follow plays a file as it is"),
      (["--pitch", "2", "--formants", "preserve"], "--formants: the live engine"),
      (["--method", "stretch", "--duration", "10", "--follow"], "--follow plays a file as it is"),
    ]
  #else
    private static let rates = [
      (["--method", "stretch"], "without Rubber Band"), (["--pitch", "1"], "without Rubber Band"),
    ]
  #endif

  @Test(
    arguments: rates + [
      (["--volume", "101"], "0 to 100"), (["-o", "a.mp3"], ".wav"),
      (["--from", "x"], "a time is"), (["--from", "2", "--to", "1"], "later than --from"),
      (["--guard"], "--guard scans a whole file first"),
      (["--normalize", "-1"], "--normalize scans"), (["--loudness", "-16"], "--loudness scans"),
      (["--rate", "8k"], "--rate"), (["--only", "1-2"], "--only"),
      (["-f", "0.9,1.1"], "one length"), (["--downmix", "itu"], "--single-channel"),
      (["-f", "2", "--speed", "2"], "exclude each other"), (["--latency", "5"], "10 to 1000"),
    ])
  func optionsOutOfRange(_ options: [String], _ message: String) throws {
    let refusal = try #require(Program.refusal(of: ["play", "a.wav"] + options))
    #expect(refusal.status == 64)
    #expect(refusal.message.contains(message))
  }

  @Test func playlists() throws {
    let m3u = Playlist(
      Array(
        "\u{feff}#EXTM3U\r\n#EXTINF:5,A title\r\nsub/a b.flac\r\n\r\n/abs.wav\nhttp://x/y\n".utf8),
      isPLS: false, folder: "lists")
    #expect(
      m3u.entries == [
        Playlist.Entry(path: "lists/sub/a b.flac", title: "A title"),
        Playlist.Entry(path: "/abs.wav", title: nil),
      ])
    #expect(m3u.addresses == ["http://x/y"])
    let pls = Playlist(
      Array(
        "[playlist]\nFile2=b.wav\nTitle1=One\nFile1=file:///x/%C3%A4%20a.wav\nLength1=3\n".utf8),
      isPLS: true, folder: "lists")
    #expect(
      pls.entries == [
        Playlist.Entry(path: "/x/\u{e4} a.wav", title: "One"),
        Playlist.Entry(path: "lists/b.wav", title: nil),
      ])
  }

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

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func signalsEndIt(_ signal: Int32, _ status: Int32) throws {
    try folder.write("long.wav", Sound.long)
    let program = try RunningProgram(["play", "long.wav", "-o", "null"], in: folder.path)
    usleep(700_000)
    program.send(signal)
    #expect(program.wait() == status)
  }

  /// Starts a terminal of 80 columns in `tmux`; `shows` waits for what a pattern matches on its screen.
  ///
  /// The tests block signals, and what is left of their descriptors would keep them waiting.
  static let terminal = #"""
    set -e
    export LC_ALL=C.UTF-8
    tmux="tmux -u -L play-$$ -f /dev/null"
    fresh="import os, signal, sys; signal.pthread_sigmask(signal.SIG_SETMASK, [])"
    fresh="$fresh; os.closerange(3, 256); os.execvp(sys.argv[1], sys.argv[1:])"
    python3 -c "$fresh" $tmux new-session -d -x 80 -y 24 \
      "env -u NO_COLOR TERM=screen SCALEAUDIO_CONFIG= $variables bash --norc"
    trap '$tmux kill-server' EXIT
    shows() {
      for try in $(seq 200); do
        if $tmux capture-pane -p | grep -qE -- "$2"; then return; fi
        sleep 0.05
      done
      echo "after $1: no $2 in"; $tmux capture-pane -p; exit 1
    }
    press() { $tmux send-keys "$1"; shows "$1" "$2"; }
    # Waits until a command prints a text.
    prints() {
      for try in $(seq 200); do
        if [ "$($1)" = "$2" ]; then return; fi
        sleep 0.05
      done
      echo "$1: $($1) for $2"; $tmux capture-pane -p; exit 1
    }
    play() { $tmux send-keys "clear; '$scaleaudio' play $* -o null; echo status \$?" Enter; }

    """#

  /// Runs lines of bash in that terminal.
  static func inTerminal(
    _ script: String, variables: String = "", in folder: TemporaryFolder,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let run = try Program.shell("variables='\(variables)'\n" + terminal + script, in: folder.path)
    #expect(run.status == 0, "\(run.outputText)\(run.errorText)", sourceLocation: location)
  }

  /// Presses every key in a terminal, and looks for what the screen then shows.
  @Test(.enabled(if: ScalingMethod.stretches)) func everyKey() throws {
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
    try Self.inTerminal(script, in: folder)
  }

  @Test(.enabled(if: ScalingMethod.stretches)) func comparingAndWriting() throws {
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
    try Self.inTerminal(script, in: folder)
  }

  @Test(.enabled(if: ScalingMethod.stretches)) func quittingAsksAndLeavesNothing() throws {
    let script = """
      sox -n -r 44100 -c 2 -b 16 one.wav synth 900 sine 300:900 vol 0.5
      $tmux send-keys "clear; '$scaleaudio' play one.wav -o null; echo status \\$?" Enter
      shows start '^FL'
      press s 'nothing to write'
      press . '  [+]1 st'
      press s '  writing one.* [0-9]+%'
      press q 'q again stops that'
      press q '^status 0'
      shows q '^stopped writing'
      [ "$(ls -A)" = one.wav ]
      """
    try Self.inTerminal(script, in: folder)
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
    try Self.inTerminal(script, in: folder)
  }
}
