import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Other programs control `play` on the session bus.
@Suite("Media controls")
struct MediaControlTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("run/x", [])
    try Tool.run(
      "bash",
      [
        "-ec",
        """
        rm run/x
        sox -n -r 44100 -c 2 -b 16 one.wav synth 120 sine 300:900 vol 0.5
        ffmpeg -v error -f lavfi -i color=red:size=32x24 -frames:v 1 cover.png
        flac --silent -T TITLE=Tune -T ARTIST=Ann -T ARTIST=Bob -T ALBUM=Disc --picture=cover.png \\
          one.wav -o one.flac
        sox -n -r 48000 -c 1 -b 16 'two & b.wav' synth 60 pinknoise
        """,
      ], in: folder.path
    ).succeeded()
  }

  /// Starts `play` in a session of its own; `becomes` waits for what a command prints.
  private static let start = #"""
    export XDG_RUNTIME_DIR=$PWD/run
    dbus-monitor --session "member='PropertiesChanged'" "member='Seeked'" > signals &
    "$scaleaudio" play one.flac 'two & b.wav' -o null --json > events &
    player=$!
    becomes() {
      for try in $(seq 200); do
        got=$("${@:2}" 2>&1) || true
        if [[ $got == $1 ]]; then return; fi
        sleep 0.05
      done
      echo "${*:2}: $got is not $1"; kill $player; exit 1
    }
    control() { playerctl -p scaleaudio "$@"; }
    object() {
      dbus-send --session --print-reply=literal --dest=org.mpris.MediaPlayer2.scaleaudio \
        /org/mpris/MediaPlayer2 "$@"
    }
    property() {
      object org.freedesktop.DBus.Properties."$1" string:org.mpris.MediaPlayer2.Player string:"${@:2}"
    }
    becomes Playing control status

    """#

  /// Runs a script on a session bus of its own.
  ///
  /// The tests block signals, without which the bus would not end.
  private func run(_ script: String, environment: [String: String] = [:]) throws -> Tool {
    try folder.write("script", Array((Self.start + script).utf8))
    let fresh = """
      import os, signal, sys
      signal.pthread_sigmask(signal.SIG_SETMASK, [])
      os.execvp(sys.argv[1], sys.argv[1:])
      """
    return try Tool.run(
      "python3",
      ["-c", fresh, "timeout", "100", "dbus-run-session", "--", "bash", "-e", "script"],
      in: folder.path, environment: ["scaleaudio": Program.path].merging(environment) { $1 })
  }

  @Test func playerctlControlsIt() throws {
    let run = try run(
      #"""
      control pause
      becomes Paused control status
      control position 30
      becomes 30.000000 control position
      control position 5+
      becomes 35.000000 control position
      control position 10-
      becomes 25.000000 control position
      control loop Track
      becomes Track control loop
      control loop None
      becomes None control loop
      control volume 0.4
      becomes 0.400000 control volume
      control play-pause
      becomes Playing control status
      # Time passes.
      becomes '2[6-9].*' control position
      control next
      becomes 'two & b.wav' control metadata xesam:title
      becomes 60000000 control metadata mpris:length
      control previous
      becomes Tune control metadata xesam:title
      control loop Playlist
      becomes Playlist control loop
      # The first file follows the last.
      control next
      becomes 'two & b.wav' control metadata xesam:title
      becomes '*true' property Get CanGoNext
      control next
      becomes Tune control metadata xesam:title
      control loop None
      becomes None control loop
      control shuffle On
      becomes On control shuffle
      control shuffle Off
      becomes Off control shuffle
      control stop
      becomes Stopped control status
      becomes 0.000000 control position
      control play
      becomes Playing control status
      object org.mpris.MediaPlayer2.Quit
      wait $player
      """#)
    #expect(run.status == 0, "\(run.outputText)\(run.errorText)")
    let events = String(decoding: try folder.bytes("events"), as: UTF8.self)
    #expect(events.contains(#""event":"ended""#))
    let signals = String(decoding: try folder.bytes("signals"), as: UTF8.self)
    for name in ["PlaybackStatus", "LoopStatus", "Volume", "Metadata", "CanGoNext"] {
      #expect(signals.contains("string \"\(name)\""), "\(name)")
    }
    for position in [30, 35, 25] {
      #expect(
        signals.count(of: "member=Seeked\n   int64 \(position)000000\n") == 1, "\(signals)")
    }
  }

  @Test func metadataAndCover() throws {
    let run = try run(
      #"""
      control metadata > metadata
      cover=$(echo run/scaleaudio-cover-*.png)
      cmp "$cover" cover.png
      stat -c %a "$cover"
      becomes "file://$PWD/$cover" control metadata mpris:artUrl
      kill -TERM $player
      wait $player || echo status $?
      ls run
      """#)
    #expect(run.outputText == "600\nstatus 143\n", "\(run.outputText)\(run.errorText)")
    let lines = String(decoding: try folder.bytes("metadata"), as: UTF8.self)
      .split(separator: "\n").map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
    #expect(
      lines.dropLast() == [
        "mpris:trackid '/org/scaleaudio/track/1'", "mpris:length 120000000", "xesam:title Tune",
        "xesam:artist Ann", "xesam:artist Bob", "xesam:album Disc",
        "xesam:url file://\(folder.file("one.flac"))",
      ])
  }

  /// A player that was killed leaves its cover, which the next one removes; that of one that lives stays.
  @Test func coversOfKilledPlayers() throws {
    let run = try run(
      #"""
      covers() { ls run | grep -c cover; }
      becomes 1 covers
      left=$(echo run/scaleaudio-cover-*.png)
      kill -KILL $player
      wait $player || true
      touch -d '1 minute ago' "$left"
      "$scaleaudio" play one.flac -o null -q &
      player=$!
      becomes Playing control status
      removed() { [ ! -e "$left" ] && ls run | grep -c cover; }
      becomes 1 removed
      kept=$(echo run/scaleaudio-cover-*.png)
      touch -d '1 minute ago' "$kept"
      "$scaleaudio" play one.flac -o null -q &
      second=$!
      becomes 2 covers
      [ -e "$kept" ]
      kill $second $player
      """#)
    #expect(run.status == 0, "\(run.outputText)\(run.errorText)")
  }

  @Test func rates() throws {
    let run = try run(
      #"""
      # While it plays, an unoptimized stretcher keeps the player busy.
      control pause
      becomes Paused control status
      property Set Rate variant:double:1.5
      becomes '*double 1.5' property Get Rate
      property Set Rate variant:double:9 && exit 1
      property Set LoopStatus variant:string:Often && exit 1
      property Get Nothing && exit 1
      property Set Rate variant:double:0
      becomes '*double 1.5' property Get Rate
      # Another track, and a position beyond the end, are left alone.
      for place in "/org/scaleaudio/track/2 5000000" "/org/scaleaudio/track/1 500000000"; do
        object org.mpris.MediaPlayer2.Player.SetPosition objpath:${place% *} int64:${place#* }
      done
      object org.mpris.MediaPlayer2.Player.SetPosition objpath:/org/scaleaudio/track/1 int64:7500000
      becomes 7.500000 control position
      # A second player has a name of its own.
      "$scaleaudio" play one.flac -o null -q &
      second=$!
      becomes "*scaleaudio.instance$second*" playerctl -l
      kill $second $player
      """#)
    #expect(run.status == 0, "\(run.outputText)\(run.errorText)")
  }

  /// Without a bus, or systemd's library, everything is as it is with them.
  @Test func withoutABus() throws {
    try folder.write("a.wav", Sound.wav)
    try folder.write("broken/libsystemd.so.0", [])
    for environment in [
      ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"],
      ["LD_LIBRARY_PATH": folder.file("broken").string],
    ] {
      let run = try Tool.run(
        Program.path, ["play", "a.wav", "-o", "null"], in: folder.path, environment: environment
      ).succeeded()
      #expect(run.errorText == "playing  a.wav (0:01)\n")
    }
  }
}

extension String {
  /// The number of times that a text occurs in it.
  fileprivate func count(of text: String) -> Int { components(separatedBy: text).count - 1 }
}
