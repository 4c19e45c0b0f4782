import Foundation
import ScaleAudio
import TestSupport
import Testing

@testable import scaleaudio_cli

/// `play` of what comes through a pipe, which is heard while it comes.
@Suite("playing a pipe")
struct PlayPipeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes `a.EXTENSION` of 3 s of noise, and runs a script of bash that may write pipes slowly.
  private func run(_ script: String) throws {
    try Program.shell(
      #"""
      set -e
      sox -R -n -r 44100 -c 2 -b 16 a.wav synth 3 pinknoise
      # A file of another program, and what it decodes of it, which is what `play` decodes for lossy codecs.
      make() {
        ffmpeg -v error -y -i a.wav $2 $1
        case $1 in
          *.wav | *.flac | *.aiff | *.au | *.caf | *.w64) ffmpeg -v error -i $1 -f f32le expected ;;
          *) "$scaleaudio" play -q $1 -o whole.wav; ffmpeg -v error -i whole.wav -f f32le expected ;;
        esac
      }
      # Writes a part of a file, waits until it is heard, and writes the rest.
      cat > slowly.py <<'END'
      import os, sys, time
      name, heard = sys.argv[1:3]
      data = open(name, "rb").read()
      middle = len(data) * 2 // 3 + 1
      sys.stdout.buffer.write(data[:middle])
      sys.stdout.buffer.flush()
      end = time.monotonic() + 60
      while not (os.path.exists(heard) and os.path.getsize(heard) > 100_000):
          if time.monotonic() > end:
              sys.exit("nothing was heard before the pipe ended")
          time.sleep(0.02)
      sys.stdout.buffer.write(data[middle:])
      END
      sounds() { ffmpeg -v error -i $1 -f f32le - | cmp - $2; }

      """# + script, in: folder.path
    ).succeeded()
  }

  @Test(arguments: [
    "a.wav", "a.flac", "a.aiff", "a.au", "a.caf", "a.w64", "a.mp3", "a.ogg", "a.opus", "a.aac",
  ])
  func playsWhileThePipeDelivers(_ name: String) throws {
    try run(
      """
      [ \(name) = a.wav ] && ffmpeg -v error -i a.wav -f f32le expected || make \(name)
      python3 slowly.py \(name) heard.wav | "$scaleaudio" play - -o heard.wav
      sounds heard.wav expected
      """)
  }

  /// Formats that count their frames at the end, and conversions that need the length, play once the input is whole.
  @Test(arguments: ["a.m4a", "a.wv", "a.mka"])
  func formatsThatWaitPlayTheSame(_ name: String) throws {
    try run(
      """
      make \(name)
      cat \(name) | "$scaleaudio" play - -o heard.wav
      sounds heard.wav expected
      cat \(name) | "$scaleaudio" play - --duration 2 -o heard.wav --overwrite
      "$scaleaudio" play \(name) --duration 2 -o file.wav
      cmp heard.wav file.wav
      """)
  }

  @Test func namedPipesAmongFiles() throws {
    try run(
      """
      mkfifo one two
      flac --silent a.wav
      sox a.wav b.wav reverse
      python3 slowly.py a.flac heard.wav > one &
      # The second one comes late: not before everything before it was heard.
      (while [ "$(stat -c %s heard.wav 2> /dev/null || echo 0)" -lt 3175244 ]; do sleep 0.02; done; cat b.wav > two) &
      "$scaleaudio" play one b.wav a.wav two - -o heard.wav < a.flac
      for file in a b a b a; do ffmpeg -v error -i $file.wav -f f32le -; done > expected
      sounds heard.wav expected
      """)
  }

  @Test func aMissingEndIsReported() throws {
    try run(
      #"""
      flac --silent a.wav
      for name in a.wav a.flac; do
        head -c 200000 $name | "$scaleaudio" play - -o $name.heard.wav 2> errors && exit 1 || [ $? = 1 ]
        grep -- '^scaleaudio: -: ' errors
        [ $(stat -c %s $name.heard.wav) -gt 200000 ]
        ffmpeg -v error -y -i $name.heard.wav -f f32le heard
        ffmpeg -v error -y -i a.wav -f f32le expected
        cmp -n $(stat -c %s heard) heard expected
      done
      # Nothing, and what is no audio.
      "$scaleaudio" play - -o null < /dev/null 2> errors && exit 1 || [ $? = 1 ]
      grep 'the file is empty' errors
      if grep waiting errors; then exit 1; fi
      echo text | "$scaleaudio" play - -o null 2> errors && exit 1 || [ $? = 1 ]
      grep 'not a recognized audio file' errors
      """#)
  }

  @Test func loopsRepeatTheWhole() throws {
    try run(
      """
      ffmpeg -v error -i a.wav -f f32le once
      cat once once once > expected
      "$scaleaudio" play --loop 3 - -o heard.wav < <(python3 slowly.py a.wav heard.wav)
      sounds heard.wav expected
      """)
  }

  @Test func seeksBackAndForth() throws {
    let script = #"""
      sox -n -r 44100 -c 2 -b 16 a.wav synth 60 sine 300
      mkfifo pipe
      exec 3<>pipe
      play pipe
      head -c 3600000 a.wav >&3
      shows start '  pipe$'
      press Up '^time 0:20[.]'
      shows end ' waiting'
      press Space ' paused'
      press 0 '^time 0:00[.]00'
      press S-Right '^time 0:01[.]00'
      press 9 '^time 0:18[.]'
      press Space ' waiting'
      tail -c +3600001 a.wav >&3
      exec 3>&-
      shows whole ' of 1:00'
      press Space ' paused'
      press 9 '^time 0:54[.]00'
      press s 'input from a pipe is not written'
      press Space '^time 0:54[.][0-9]$'
      shows status '^status 0'
      """#
    try PlayTerminal.run(script, in: folder)
  }
}
