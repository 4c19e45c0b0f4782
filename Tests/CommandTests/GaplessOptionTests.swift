import Foundation
import TestSupport
import Testing

/// `--gapless`, and words about outputs that are named twice or limited without an aim.
@Suite("Gapless option")
struct GaplessOptionTests {
  private let bench: Workbench

  init() throws {
    bench = try Workbench()
    try bench.shell(
      """
      mkdir in && sox -D -R -n -r 8000 -c 1 -b 16 w.wav synth 11 sine 441.7 vol 0.5
      sox -D w.wav in/1.wav trim 0 5.5 && sox -D w.wav in/2.wav trim 5.5
      """)
  }

  private func run(_ line: String) throws -> Tool {
    try Program.shell("$scaleaudio " + line, in: bench.folder.path)
  }

  private func lines(_ options: String) throws -> [String] {
    try run("\(options) --overwrite -j 1 -o out in").succeeded().errorText
      .split(separator: "\n").map(String.init).filter { $0.hasPrefix("done") }
  }

  @Test func isSaidAndSwitchedOff() throws {
    #expect(try lines("--tempo 0.9").allSatisfy { $0.hasSuffix(", same pitch, gapless") })
    #expect(try lines("--tempo 0.9 --no-gapless").allSatisfy { $0.hasSuffix(", same pitch") })
    // The length of each is that of the other options, and copies have no joints.
    #expect(try lines("--duration 2 --method linear").allSatisfy { !$0.contains("gapless") })
    #expect(try lines("--format flac").allSatisfy { !$0.contains("gapless") })
    // A manifest is about files, not albums.
    #expect(try lines("--tempo 0.9 --manifest all.jsonl").allSatisfy { !$0.contains("gapless") })
    let listed = try lines("--tempo 0.9 --manifest all.jsonl --gapless")
    #expect(listed.allSatisfy { $0.hasSuffix(", gapless") })
    let data = try run("--speed 1.1 --preset dataset -o data in").succeeded()
    #expect(!(data.errorText + data.outputText).contains("gapless"))
    let records = try run("--tempo 0.9 --json --overwrite -o out in").outputText
    #expect(records.contains("\"gaplessTrack\":2") && records.contains("\"gaplessTracks\":2"))
  }

  @Test(arguments: [
    "--duration 3", "--bpm 100", "-f 2 --from 0.1", "-f 2 --only 0.1-0.2",
  ])
  func lengthsOfSingleFilesAreRefused(options: String) throws {
    let run = try run("\(options) --gapless -o out in")
    #expect(
      run.status == 64 && run.errorText.contains("Error: --gapless scales whole files by one"))
  }

  /// An album of 300 tracks, whose samples take 38 MB, needs hardly more memory than one of 10.
  @Test(.tags(.threaded)) func memoryDoesNotGrowWithTheAlbum() throws {
    let script = """
      import math, os, resource, struct, subprocess, sys, wave
      for tracks in (10, 300):
          os.mkdir(f"album{tracks}")
          for track in range(tracks):
              with wave.open(f"album{tracks}/{track + 1:03}.wav", "wb") as file:
                  file.setparams((1, 2, 8000, 0, "NONE", ""))
                  file.writeframes(b"".join(struct.pack("<h", int(9000 * math.sin(n / 7))) for n in range(16000)))
          done = subprocess.run([sys.argv[1], "--speed", "0.8", "--gapless", "--no-sync", "-o", f"out{tracks}",
                                 f"album{tracks}"], check=True, capture_output=True, text=True)
          assert f"{tracks} done" in done.stderr and "gapless" in done.stderr, done.stderr
          print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
      """
    let run = try Tool.run("python3", ["-c", script, Program.path], in: bench.folder.path)
      .succeeded()
    let kilobytes = run.outputText.split(separator: "\n").compactMap { Int($0) }
    #expect(kilobytes.count == 2 && kilobytes[1] - kilobytes[0] < 8192, "\(kilobytes)")
  }

  @Test func namesOfOneOutputAreRefused() throws {
    for option in ["--name '{stem}.{ext}'", "--suffix=-a", "--keep-extension"] {
      let named = try run("-f 2 \(option) -o x.wav w.wav")
      #expect(
        named.status == 64 && named.errorText.contains("--output x.wav names the output itself"))
      #expect(try run("-f 2 \(option) -o - w.wav").status == 64)
      #expect(try run("-f 2 \(option) -o folder/ w.wav").status == 0)
    }
    #expect(!bench.folder.exists("x.wav"))
  }

  @Test func albumsNeedALevel() throws {
    let limited = try run("--limit --album -o out in")
    #expect(limited.status == 64 && limited.errorText.contains("so --album does nothing"))
    #expect(try run("-f 2 --preset tape --limit -o out in").status == 0)
  }

  @Test func temposStandInNamesAndManifests() throws {
    try run("--bpm 100:120 --name '{stem}_{bpm}bpm' --manifest all.csv -o out in").succeeded()
    #expect(bench.folder.exists("out/1_120bpm.wav"))
    let rows = try bench.text("all.csv").split(whereSeparator: \.isNewline)
    try #require(rows.count == 3)
    #expect(rows[0].hasSuffix(",inputBPM,outputBPM"))
    #expect(rows[1].hasSuffix(",100,120"))
    let other = try run("-f 2 --name '{stem}_{bpm}' -o other in")
    #expect(other.status == 64 && other.errorText.contains("a tempo in beats per minute"))
  }
}
