import Foundation
import ScaleAudio
import TestSupport
import Testing

@testable import scaleaudio_cli

@Suite("play", .tags(.packageTraits))
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

  @Test func fileOutputHoldsThePlayedSamples() throws {
    try folder.write("in/a.flac", Sound.flac)
    try folder.write("in/b.wav", Sound.wav)
    let run = try Program.run("play", "in", "-o", "heard.wav", in: folder.path).succeeded()
    #expect(try bytes("heard.wav") == bytes("in/a.flac") + bytes("in/b.wav"))
    #expect(run.errorText == "playing  in/a.flac (0:01)\nplaying  in/b.wav (0:01)\n")
    let again = try Program.run("play", "in/a.flac", "-o", "heard.wav", in: folder.path)
    #expect(again.status == 1)
    #expect(again.errorText.contains("already exists; --overwrite replaces it"))
  }

  /// Levels by tags of Vorbis comments, of Opus and of ID3, as sox measures what is heard.
  @Test func gainsByTags() throws {
    let script = #"""
      sox -n -r 48000 -c 2 -b 16 a.wav synth 2 sine 300 vol 0.4
      flac --silent -T 'REPLAYGAIN_TRACK_GAIN=-6.02 dB' -T 'REPLAYGAIN_ALBUM_GAIN=-12.04 dB' a.wav
      opusenc --quiet --comment R128_TRACK_GAIN=-2821 a.wav a.opus
      ffmpeg -v error -i a.wav -metadata REPLAYGAIN_TRACK_GAIN='3.01 dB' a.mp3
      level() { sox "$1" -n stats 2>/dev/null; sox "$1" -n stats 2>&1 | awk '/RMS lev/ {print $4}'; }
      for case in "off flac 0" "track flac -6.02" "album flac -12.04" "track opus -6.02" \
        "album opus -6.02" "track mp3 3.01" "track wav 0"; do
        set -- $case
        "$scaleaudio" play -q --gain $1 -o heard.wav --overwrite a.$2
        "$scaleaudio" play -q -o plain.wav --overwrite a.$2
        python3 -c "import sys; a, b, c = map(float, sys.argv[1:]); assert abs(a - b - c) < 0.03, sys.argv" \
          "$(level heard.wav)" "$(level plain.wav)" "$3"
      done
      # Without tags, and by default, the samples stay.
      "$scaleaudio" play -q -o plain.wav --overwrite a.wav
      "$scaleaudio" play -q --gain track -o heard.wav --overwrite a.wav
      cmp plain.wav heard.wav
      """#
    try Program.shell(script, in: folder.path).succeeded()
  }

  @Test func aPipeAndAStartTime() throws {
    let run = try Tool.run(
      Program.path, ["play", "-", "--from", "10000f", "-o", "heard.wav", "-q"], in: folder.path,
      input: Sound.wav
    ).succeeded()
    #expect(run.errorText.isEmpty)
    try folder.write("a.wav", Sound.wav)
    #expect(try bytes("heard.wav") == Array(bytes("a.wav").dropFirst(10_000 * 8)))
  }

  @Test func chaptersLimitThePart() throws {
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

  @Test func badFilesAreReportedAndTheNextFollows() throws {
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

  /// The rounds of a loop follow each other bit for bit, each file as often as asked.
  @Test func aLoopEndsInAFile() throws {
    try folder.write("a.wav", Sound.wav)
    try folder.write("b.flac", Sound.flac)
    try Program.run("play", "--loop", "3", "a.wav", "b.flac", "-o", "heard.wav", in: folder.path)
      .succeeded()
    let (a, b) = (try bytes("a.wav"), try bytes("b.flac"))
    #expect(try bytes("heard.wav") == a + a + a + b + b + b)
    try Program.run(
      "play", "--loop=2", "a.wav", "--from", "10000f", "-o", "part.wav", in: folder.path
    ).succeeded()
    let part = Array(a.dropFirst(10_000 * 8))
    #expect(try bytes("part.wav") == part + part)
  }

  /// More rounds than the disk has room for are refused before anything is written: a round has 176 kB.
  @Test(arguments: ["99999999999", "\(Int.max - 1)"])
  func roundsThatDoNotFit(_ rounds: String) throws {
    try folder.write("a.wav", Sound.wav)
    let run = try Program.run("play", "--loop", rounds, "a.wav", "-o", "heard.wav", in: folder.path)
    #expect(run.status == 75)
    #expect(run.errorText.contains("heard.wav: needs "))
    #expect(run.errorText.contains(" GB are free; free some disk space"))
    #expect(run.errorText.count { $0 == "\n" } == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.file("heard.wav").string))
  }

  /// In a terminal too, the refusal of a later file is an error: what is written cannot be resumed. 1000 rounds of it have
  /// 8.6 TB.
  @Test func roundsOfALaterFileThatDoNotFit() throws {
    let script = #"""
      sox -n -r 8000 -c 1 -b 16 a.wav trim 0 101s
      python3 - <<'END'
      import struct
      count = 2**31 - 100
      header = struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8)
      with open("b.wav", "wb") as file:
          file.write(b"RIFF" + struct.pack("<I", count + 36) + b"WAVEfmt " + header)
          file.write(b"data" + struct.pack("<I", count))
          file.truncate(44 + count)
      END
      $tmux send-keys "clear; '$scaleaudio' play --loop 1000 a.wav b.wav -o heard.wav; echo status \$?" Enter
      shows status '^status 75'
      shows reason 'heard.wav: needs [0-9,]+ GB'
      ! screen | grep -q 'press space'
      """#
    try PlayTerminal.run(script, in: folder)
  }

  /// A number behind --loop belongs to it; anything else is a file.
  @Test(arguments: [
    (["--loop", "a.wav"], Int.max, ["a.wav"]), (["--loop", "4", "a.wav"], 4, ["a.wav"]),
    (["a.wav", "--loop"], Int.max, ["a.wav"]), (["--loop=2", "5.wav"], 2, ["5.wav"]),
    (["a.wav"], 1, ["a.wav"]),
  ])
  func loopTakesANumber(_ arguments: [String], rounds: Int, paths: [String]) throws {
    let command = try #require(
      try ScaleAudioCommand.parseAsRoot(["play"] + arguments) as? PlayCommand)
    #expect(command.settings.rounds == rounds)
    #expect(command.input.paths == paths)
  }

  /// Ten keys in one write count ten times.
  @Test func keysThatComeTogetherCount() throws {
    let script = """
      sox -n -r 44100 -c 2 -b 16 one.wav synth 60 sine 300 vol 0.5
      play one.wav
      shows start 'all keys'
      $tmux send-keys -l -- '----------'
      shows volume '  volume 50 %'
      $tmux send-keys -l -- ',,,LLL'
      shows pitch '  key -3 .*  repeat'
      press q '^status 0'
      """
    try PlayTerminal.run(script, in: folder)
  }

  @Test func nothingToPlay() throws {
    #expect(try Program.run("play", "missing.wav", "-o", "null", in: folder.path).status == 66)
    #expect(try Program.run("play", ".", "-o", "null", in: folder.path).status == 66)
  }

  private static let rates = [
    (["--method", "stretch", "--speed", "5"], "0.25 to 4"), (["--pitch", "13"], "12 semitones"),
    (["--map", "a.txt", "--method", "linear"], "--map"),
    (["--map", "a.txt", "--follow"], "--follow plays a file as it is"),
    (["--pitch", "2", "--formants", "preserve"], "--formants does not apply to what plays live"),
    (["--method", "stretch", "--duration", "10", "--follow"], "--follow plays a file as it is"),
  ]

  @Test(
    arguments: rates + [
      (["--volume", "101"], "0 to 100"), (["-o", "a.mp3"], ".wav"),
      (["--from", "x"], "a time is"), (["--from", "2", "--to", "1"], "later than --from"),
      (["--guard"], "--guard needs a scan of the whole file"),
      (["--normalize", "-1"], "--normalize needs a scan"),
      (["--loudness", "-16"], "--loudness needs a scan"),
      (["--rate", "8k"], "--rate"), (["--only", "1-2"], "--only"),
      (["-f", "0.9,1.1"], "one length"), (["--downmix", "itu"], "--single-channel"),
      (["-f", "2", "--speed", "2"], "exclude each other"), (["--latency", "5"], "10 to 1000"),
      (["--loop", "-o", "a.wav"], "such as --loop 2"), (["--loop", "0"], "not above 0"),
    ])
  func optionsOutOfRange(_ options: [String], _ message: String) throws {
    let refusal = try #require(Program.refusal(of: ["play", "a.wav"] + options))
    #expect(refusal.status == 64)
    #expect(refusal.message.contains(message))
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func signalsEndPlaying(_ signal: Int32, _ status: Int32) throws {
    try folder.write("long.wav", Sound.long)
    let program = try RunningProgram(["play", "long.wav", "-o", "null"], in: folder.path)
    usleep(700_000)
    program.send(signal)
    #expect(program.wait() == status)
  }

  /// A list that repeats ends after a round without sound.
  @Test func silentListsEnd() throws {
    let run = try Program.shell(
      """
      sox -n -r 8000 -b 16 empty.wav trim 0 0
      cp empty.wav other.wav
      timeout 20 "$scaleaudio" play --loop-list empty.wav other.wav -o null -q; echo $?
      """, in: folder.path)
    #expect(run.outputText == "0\n", "\(run.errorText)")
  }
}
