import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Reports about levels; `ScaleAudioTests` tests the samples.
@Suite("Options about levels")
struct LevelOptionTests {
  let bench: Workbench

  init() throws { bench = try Workbench() }

  /// A square wave at full scale, at which band-limited interpolation overshoots by about 2 dB.
  private static let square = (0..<3000).map { $0 / 50 % 2 == 0 ? 1.0 : -1 }

  /// The peak of the source, options, what is printed, and the sign of the gain in the record; `nil` for no gain.
  @Test(
    arguments: [
      (1, [], "samples clipped by up to 1.9 dB; --guard lowers", nil),
      (1, ["--guard"], "lowered by", -1),
      (1, ["--normalize=-30"], "lowered by", -1),
      (1, ["--loudness", "-60"], "to -60.0 LUFS (true peak", -1),
      (1, ["--guard", "--method", "linear"], "level not changed", 0),
      (0.1, ["--normalize=-6"], "raised by", 1),
    ] as [(Double, [String], String, Int?)])
  func whatIsPrinted(peak: Double, options: [String], text: String, gain: Int?) throws {
    try bench.make(
      "in.wav", (Self.square + Self.square + Self.square).map { $0 * peak }, codec: "pcm_s16le")
    let run = try bench.convert(
      ["-f", "3", "--method", "sinc"] + options + ["in.wav", "-o", "out.wav"])
    #expect(run.reported.contains(text), "\(run.reported)")
    let found = run.record["gainDecibels"] as? Double
    #expect(found.map { $0 == 0 ? 0 : $0 < 0 ? -1 : 1 } == gain)
    let clipped = try #require(run.record["clippedSamples"] as? Int)
    #expect((clipped > 0) == options.isEmpty)
    #expect((run.record["clippedDecibels"] != nil) == options.isEmpty)
    let isMeasured = options.first == "--loudness"
    #expect((run.record["outputIntegratedLUFS"] != nil) == isMeasured)
    #expect((run.record["outputTruePeakDecibels"] != nil) == isMeasured)
  }

  /// Samples whose squares are no numbers: sentences say so, and records are written.
  @Test func hugeSamplesAreNamed() throws {
    for (name, peak) in [("big.wav", 1e200), ("loud.wav", 1e30)] {
      try bench.make(
        name, (0..<48_000).map { peak * sin(Double($0) / 17) }, codec: "pcm_f64le")
    }
    func run(_ options: [String]) throws -> (text: String, record: [String: Any]) {
      let run = try bench.convert(options + ["--bits", "f64", "--overwrite", "-o", "out.wav"])
      return (run.reported, run.record)
    }
    let big = try run(["--loudness=-16", "big.wav"])
    #expect(big.text.contains("its loudness cannot be measured: its samples are too large"))
    #expect(big.record["outputFrames"] as? Int == 48_000)
    // 600 dB above full scale, less 13 dB for the target.
    let loud = try run(["--loudness=-16", "loud.wav"])
    #expect(loud.text.contains("to -16.0 LUFS"), "\(loud.text)")
    let limited = try run(["--limit", "big.wav"])
    #expect(!limited.text.contains("inf"), "\(limited.text)")
    #expect((limited.record["limitedDecibels"] as? Double).map { $0 > 192 && $0 < 194 } == true)
    let info = try Program.shell("$scaleaudio info --levels --json big.wav", in: bench.folder.path)
    let fields =
      try JSONSerialization.jsonObject(with: Data(info.outputText.utf8)) as? [String: Any]
    #expect(((fields?["levels"] as? [String: Any])?["overall"] as? [String: Any])?["rms"] is NSNull)
    let shown = try Program.shell("$scaleaudio info --levels big.wav", in: bench.folder.path)
    #expect(shown.outputText.contains("cannot be measured: the samples are too large"))
  }

  /// Short loud bursts in quiet noise are limited, in a run and in its manifests.
  @Test func limitingIsReported() throws {
    try bench.shell(
      """
      sox -R -n -r 44100 -c 1 -b 24 bed.wav synth 3 pinknoise vol 0.5 tremolo 3 60 && \
        sox -R -n -r 44100 -c 1 -b 24 hit.wav synth 0.004 sine 700 vol 0.6 pad 0 0.496 repeat 5 && \
        sox -m -v 1 bed.wav -v 1 hit.wav in.wav && sox in.wav -r 8000 quiet.wav vol 0.1
      """)
    let run = try bench.convert(["-f", "1.2", "--loudness", "-14", "in.wav", "-o", "out.wav"])
    #expect(run.reported.contains("dB and limited by up to "), "\(run.reported)")
    #expect(run.reported.contains(" s to -1"))
    let decibels = try #require(run.record["limitedDecibels"] as? Double)
    let seconds = try #require(run.record["limitedSeconds"] as? Double)
    // The release between two bursts is longer than the time between them.
    #expect(decibels > 0.5 && decibels < 20 && seconds > 0.1 && seconds <= 3.6)
    let plain = try bench.convert(
      ["-f", "1.2", "--loudness", "-14", "--no-limit", "in.wav", "-o", "plain.wav"])
    #expect(plain.record["limitedDecibels"] == nil)
    #expect(plain.reported.contains("only limiting peaks could make it louder"))
    let alone = try bench.convert(["--limit", "--true-peak=-3", "in.wav", "-o", "alone.wav"])
    #expect(alone.reported.contains("same length, limited by up to"), "\(alone.reported)")
    #expect(alone.record["gainDecibels"] as? Double == 0)
    let part = try #require(alone.record["limitedSeconds"] as? Double)
    #expect(part > 0.1 && part < 2)
    try Program.shell(
      "$scaleaudio -q --no-sync --limit --true-peak -6 -o out in.wav quiet.wav --manifest m.jsonl"
        + " && $scaleaudio -q --no-sync --limit --true-peak -6 -o again in.wav quiet.wav --manifest m.csv",
      in: bench.folder.path
    ).succeeded()
    let lines = try bench.text("m.jsonl").split(separator: "\n")
    #expect(lines.map { $0.contains("\"limitedDecibels\":") } == [true, false])
    #expect(lines.map { $0.contains("\"limitedSeconds\":") } == [true, false])
    let rows = try bench.text("m.csv").split(whereSeparator: \.isNewline)
    #expect(rows.first?.hasSuffix(",limitedDecibels,limitedSeconds") == true)
    #expect(rows.last?.hasSuffix(",,") == true)
  }

  @Test(
    arguments: [
      ("--limit --normalize=-1", "--normalize sets the highest peak by gain"),
      ("--true-peak=-1", "--true-peak needs --loudness or --limit"),
      ("--limit --only 0-1 -f 2", "leave out --limit"),
      ("--album -f 2", "--album needs --guard, --normalize or --loudness"),
    ])
  func refusedOptions(options: String, text: String) throws {
    try bench.make("in.wav", Self.square, codec: "pcm_s16le")
    let run = try Program.shell("$scaleaudio \(options) in.wav", in: bench.folder.path)
    #expect(run.status == 64 && run.errorText.contains(text), "\(run.errorText)")
  }

  @Test func aPipeIsScannedToo() throws {
    try bench.make("in.wav", Self.square.map { $0 * 0.1 }, codec: "pcm_s16le")
    try Program.shell(
      "cat in.wav | $scaleaudio -f 2 --method sinc --normalize -3dB - -o - > out.wav",
      in: bench.folder.path
    ).succeeded()
    let peak = try #require(try bench.samples("out.wav").map(\.magnitude).max())
    #expect(abs(peak - pow(10, -3.0 / 20)) < 2 / 32768)
  }

  /// Samples kept from the first pass equal those of scaling again, to the last bit. Without a folder to keep them
  /// in, the source is scaled again.
  @Test(arguments: ["stretch", "stretch --pitch 3", "sinc", "sinc --quality fast"])
  func spooledSamplesEqualThoseScaledAgain(method: String) throws {
    try bench.make(
      "in.wav", (0..<600_000).map { sin(Double($0 * $0 % 100_003)) * 1.7 }, codec: "pcm_f32le",
      channels: 2)
    let options = "-q --overwrite --no-sync -f 0.8 --method \(method) in.wav -o"
    for (level, kind) in [("--guard --bits 24", "wav"), ("--normalize -6", "flac")] {
      try Program.shell(
        """
        TMPDIR=. $scaleaudio \(level) \(options) kept.\(kind) &&
          TMPDIR=nowhere $scaleaudio \(level) \(options) again.\(kind) && cmp kept.\(kind) again.\(kind)
        """, in: bench.folder.path
      ).succeeded()
    }
  }

  /// Kept samples, samples scaled again, and one thread or more make the same bytes.
  @Test func limitedOutputsAreTheSameInEveryRun() throws {
    try bench.shell(
      "sox -R -n -r 44100 -c 2 -b 24 in.wav synth 4 pinknoise vol 0.5 tremolo 2 90")
    for method in ["linear", "sinc"] {
      try Program.shell(
        """
        options="-q --no-sync -f 1.1 --loudness -8 --method \(method) --bits 24 in.wav -o"
        TMPDIR=. $scaleaudio $options a.wav && TMPDIR=nowhere $scaleaudio $options b.wav &&
          $scaleaudio --threads 1 $options c.wav && cmp a.wav b.wav && cmp a.wav c.wav && rm ?.wav
        """, in: bench.folder.path
      ).succeeded()
    }
  }

  @Test func theSummaryCountsClippedSamples() throws {
    for name in ["a.wav", "b.wav"] {
      try bench.make(name, Self.square, codec: "pcm_s16le")
    }
    let run = try Program.run(
      "-f", "1.5", "--method", "sinc", "a.wav", "b.wav", in: bench.folder.path)
    let lines = run.errorText.split(separator: "\n")
    let count = try #require(
      lines.first { $0.hasPrefix("warning: a.wav: ") }?.split(separator: " ").dropFirst(2).first
        .flatMap { Int($0) })
    #expect(lines.last == "  \(2 * count) samples clipped by up to 1.9 dB in 2 files")
  }
}
