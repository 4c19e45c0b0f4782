import Foundation
import ScaleAudio
import TestSupport
import Testing

@testable import scaleaudio_cli

/// `play --follow` of files that other programs made, written piece by piece.
@Suite("following a file that grows")
struct PlayFollowTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes a file in pieces that end within blocks, plays it meanwhile, and compares with `expected` samples.
  ///
  /// `head` is Python that changes the bytes `d` before they are written.
  private func follow(_ name: String, head: String = "", expected: String) throws {
    try Program.shell(
      """
      set -e
      status=0
      sox -R -n -r 44100 -c 2 -b 16 a.wav synth 3 pinknoise
      # Without counts, as where the output cannot be gone back in.
      case \(name) in *.mp3) options='-write_xing 0';; esac
      [ -e \(name) ] || ffmpeg -v error -i a.wav $options \(name)
      : > grow-\(name)
      "$scaleaudio" play --follow grow-\(name) --json -o heard.wav > events &
      python3 -c '
      import os, time
      d = bytearray(open("\(name)", "rb").read())
      \(head)
      step = len(d) // 5 + 13
      with open("grow-\(name)", "ab", 0) as f:
          for start in range(0, len(d), step):
              f.write(d[start : start + step])
              time.sleep(0.6)
              # The player begins while the file grows, also on a busy machine.
              for wait in range(200 if start == 0 else 0):
                  if "started" in open("events").read(): break
                  time.sleep(0.1)
      '
      \(expected)
      # What is heard grows until nothing is missing, or only what the decoder keeps back until the end.
      last=0 same=0
      for try in $(seq 200); do
        now=$(stat -c %s heard.wav)
        if [ $now -ge $(($(stat -c %s expected) + 44)) ] || [ $same -ge 50 ]; then break; fi
        if [ $now = $last ]; then same=$((same + 1)); else same=0; fi
        last=$now
        sleep 0.1
      done
      sleep 1
      kill %1
      wait %1 || status=$?
      echo "status $status"; cat events
      [ "$status" = 143 ]
      ffmpeg -v error -i heard.wav -f f32le - | cmp - expected
      grep -q '"event":"continued"' events
      if grep -q '"event":"failed"' events; then exit 1; fi
      tail -1 events | grep -q ended
      """, in: folder.path
    ).succeeded()
  }

  @Test(arguments: ["a.wav", "a.flac"]) func losslessFiles(_ name: String) throws {
    try follow(name, expected: "ffmpeg -v error -i \(name) -f f32le expected")
  }

  /// The header of a recording counts nothing, or what was there a while ago.
  @Test(arguments: [0, 40_000]) func headersThatDeclareLess(_ size: Int) throws {
    try follow(
      "a.wav",
      head: """
        i = d.find(b"data"); d[4:8] = (\(size) + 36 if \(size) else 0).to_bytes(4, "little"); \
        d[i + 4 : i + 8] = (\(size)).to_bytes(4, "little")
        """, expected: "ffmpeg -v error -i a.wav -f f32le expected")
  }

  /// Lossy files: the same as the whole file.
  @Test(arguments: ["a.mp3", "a.ogg", "a.opus", "a.aac"]) func lossyFiles(_ name: String) throws {
    try follow(
      name,
      expected: """
        "$scaleaudio" play -q \(name) -o whole.wav
        ffmpeg -v error -i whole.wav -f f32le expected
        """)
  }

  @Test func replacedAndShortened() throws {
    let script = #"""
      sox -n -r 44100 -c 1 -b 16 a.wav synth 3 sine 300
      sox -n -r 8000 -c 1 -b 16 b.wav synth 1 sine 300
      sox -n -r 44100 -c 1 -b 16 c.wav synth 60 sine 300
      cp a.wav rec.wav
      play --follow rec.wav
      shows start ' rec.wav'
      shows end ' waiting'
      shows end '^time 0:03[.]0'
      shows end ' of 0:03'
      mv b.wav rec.wav
      shows another 'rec.wav: replaced; playing the new file'
      shows another '^time 0:01[.]0'
      mv c.wav rec.wav
      shows third ' of 1:00'
      head -c 500000 rec.wav > cut
      cat cut > rec.wav
      shows shorter 'rec.wav: became shorter; playing from its start'
      shows shorter ' of 0:0[56]'
      press End ' waiting'
      press Space ' paused'
      press 0 '^time 0:00[.]00'
      press Space '^time 0:00[.][1-9]$'
      press q '^status 0'
      """#
    try PlayTerminal.run(script, in: folder)
  }

  @Test(arguments: [["a.wav", "b.wav"], ["-"], ["--files-from", "list"]])
  func moreThanOneFile(_ inputs: [String]) throws {
    let refusal = try #require(Program.refusal(of: ["play", "--follow"] + inputs))
    #expect(refusal.status == 64)
    #expect(refusal.message.contains("--follow plays one file"))
  }

  @Test func otherFilesAreRefused() throws {
    try folder.write("text.wav", Array(repeating: 0x41, count: 1 << 17))
    for name in ["text.wav", "missing.wav"] {
      let run = try Program.run("play", "--follow", name, "-o", "null", in: folder.path)
      #expect(run.status != 0)
      #expect(run.errorText.contains(name))
    }
  }
}
