// Debian has both encoders.
#if FFmpeg
  import Foundation
  import ScaleAudio
  import TestSupport
  import Testing

  /// Speech as phones record it, encoded by the codecs' own encoders.
  @Suite("Speech of phones")
  struct SpeechFormatTests {
    let bench: Workbench
    private static let tone = 440.0
    private static let seconds = 2

    init() throws {
      bench = try Workbench()
      // AMR at its lowest and its highest rate, by sox and opencore-amr.
      for mode in [0, 7] {
        try bench.shell(
          "sox -n -r 8000 -c 1 -C \(mode) -t amr-nb narrow\(mode).amr "
            + "synth \(Self.seconds) sine \(Self.tone)")
      }
      try bench.run("python3", Self.wideEncoder, "\(Self.seconds)", "\(Self.tone)", "wide.awb")
      try bench.shell("ffmpeg -v error -i narrow7.amr -c copy narrow.3gp")
      try bench.shell("ffmpeg -v error -i wide.awb -c copy wide.3gp")
    }

    /// A few lines of Python that call vo-amrwbenc, which has no program.
    private static let wideEncoder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Support/encode-amrwb.py").path

    @Test(arguments: [
      ("narrow0.amr", 8000), ("narrow7.amr", 8000), ("narrow.3gp", 8000), ("wide.awb", 16000),
      ("wide.3gp", 16000),
    ])
    func isConvertedExactly(name: String, rate: Int) throws {
      try bench.convert(name, to: "out.wav", .by(1.5), .linear)
      let samples = try bench.int16("out.wav")
      #expect(samples.count == Self.seconds * rate * 3 / 2)
      // The tone is there, as low as it must be: each of its waves goes up through zero once.
      let middle = samples[samples.count / 4..<samples.count * 3 / 4]
      let rises = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
      let expected = Self.tone / 1.5 * Double(middle.count) / Double(rate)
      #expect(abs(Double(rises) - expected) <= 3, "\(rises) waves, not \(expected)")
    }

    @Test(arguments: ["narrow0.amr", "narrow.3gp", "wide.awb", "wide.3gp"])
    func isConvertedByNameAlone(name: String) throws {
      try bench.convert(name, .by(1.5))
      let stem = name.prefix { $0 != "." }
      let reported = try bench.entries("stream=codec_name,duration", of: "\(stem)-x1.5.m4a")
      #expect(reported.hasPrefix("aac,3.000000"))
    }
  }
#endif
