// Debian has both encoders.
#if FFmpeg
  import Foundation
  import SystemPackage
  import TestSupport
  import Testing

  /// Speech as phones record it, encoded by the codecs' own encoders.
  @Suite("Speech of phones")
  struct SpeechFormatTests {
    let folder: TemporaryFolder
    private static let tone = 440.0
    private static let seconds = 2

    init() throws {
      folder = try TemporaryFolder()
      // AMR at its lowest and its highest rate, by sox and opencore-amr.
      for mode in [0, 7] {
        try run(
          "sox",
          "-n -r 8000 -c 1 -C \(mode) -t amr-nb narrow\(mode).amr synth \(Self.seconds) sine \(Self.tone)"
        )
      }
      try run("python3", "\(Self.wideEncoder) \(Self.seconds) \(Self.tone) wide.awb")
      try run("ffmpeg", "-v error -i narrow7.amr -c copy narrow.3gp")
      try run("ffmpeg", "-v error -i wide.awb -c copy wide.3gp")
    }

    /// A few lines of Python that call vo-amrwbenc, which has no program.
    private static let wideEncoder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Support/encode-amrwb.py").path

    private func run(_ program: String, _ arguments: String) throws {
      let run = try Tool.run(
        program, arguments.split(separator: " ").map(String.init), in: folder.path)
      try #require(run.status == 0, "\(run.errorText)")
    }

    @Test(arguments: [
      ("narrow0.amr", 8000), ("narrow7.amr", 8000), ("narrow.3gp", 8000), ("wide.awb", 16000),
      ("wide.3gp", 16000),
    ])
    func isConvertedExactly(name: String, rate: Int) throws {
      let wave = try Program.run(
        "-f", "1.5", "--method", "linear", "--format", "wav", "-o", "out.wav", name,
        in: folder.path)
      #expect(wave.status == 0, "\(wave.errorText)")
      let samples = try Sound.samples(folder.file("out.wav"))
      #expect(samples.count == Self.seconds * rate * 3 / 2)
      // The tone is there, as low as it must be: each of its waves goes up through zero once.
      let middle = samples[samples.count / 4..<samples.count * 3 / 4]
      let rises = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
      let expected = Self.tone / 1.5 * Double(middle.count) / Double(rate)
      #expect(abs(Double(rises) - expected) <= 3, "\(rises) waves, not \(expected)")
    }

    @Test(arguments: ["narrow0.amr", "narrow.3gp", "wide.awb", "wide.3gp"])
    func isConvertedByNameAlone(name: String) throws {
      let made = try Program.run("-f", "1.5", name, in: folder.path)
      #expect(made.status == 0, "\(made.errorText)")
      let stem = name.prefix { $0 != "." }
      let reported = try Tool.run(
        "ffprobe",
        ["-v", "error", "-show_entries", "stream=codec_name,duration", "-of", "csv=p=0"]
          + ["\(stem)-x1.5.m4a"], in: folder.path)
      #expect(reported.output.map { Character(Unicode.Scalar($0)) }.starts(with: "aac,3.000000"))
    }
  }
#endif
