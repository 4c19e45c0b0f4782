import ScaleAudio
import TestSupport
import Testing

/// What `plot` writes for peaks.js and wavesurfer.js, read by a script that knows the format's documentation.
@Suite("Waveform data of real files")
struct WaveformDataTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func script(_ arguments: String...) throws -> Tool {
    let path = #filePath.replacing("WaveformDataTests.swift", with: "Support/waveform-data.py")
    return try Tool.run("python3", [path] + arguments, in: folder.path)
  }

  private func sound(channels: Int, frames: Int) throws {
    let made = try script("make", "in.wav", "\(channels)", "\(frames)")
    try #require(made.status == 0, "\(made.errorText)")
  }

  private func plot(_ arguments: [String]) throws -> Tool {
    try Tool.run(Program.path, ["plot", "in.wav"] + arguments, in: folder.path)
  }

  @Test(
    "what is written is what numpy works out",
    arguments: [
      (1, 44_100, 100, 16), (2, 30_001, 20, 8), (2, 220, 100, 16), (6, 10_000, 441, 8),
      (3, 1, 1, 16),
    ])
  func values(channels: Int, frames: Int, pixels: Int, bits: Int) throws {
    try sound(channels: channels, frames: frames)
    for name in ["out.json", "out.dat"] {
      for split in [[], ["--split-channels"]] {
        let run = try plot(
          ["-o", name, "--overwrite", "--pixels-per-second", "\(pixels)", "--bits", "\(bits)"]
            + split)
        try #require(run.status == 0, "\(run.errorText)")
        let check = try script(
          "check", "in.wav", name, "\(pixels)", "\(bits)", split.isEmpty ? "" : "split")
        #expect(check.status == 0, "\(name) \(split): \(check.errorText)")
      }
    }
  }

  @Test func usualValuesRangesAndStandardOutput() throws {
    try sound(channels: 2, frames: 50_000)
    let run = try Program.shell(
      "$scaleaudio plot in.wav --range 0.25-0.75 --channels split --format dat -o - >part.dat",
      in: folder.path)
    #expect(run.status == 0, "\(run.errorText)")
    let check = try script("check", "in.wav", "part.dat", "100", "16", "split", "11025", "33075")
    #expect(check.status == 0, "\(check.errorText)")
  }

  @Test func meaninglessOptionsAreErrors() throws {
    try sound(channels: 1, frames: 1000)
    for (arguments, reported) in [
      (["-o", "a.png", "--bits", "8"], "--bits needs waveform data"),
      (["-o", "a.json", "--bits", "12"], "12"),
      (["-o", "a.json", "--pixels-per-second", "0"], "--pixels-per-second 0 is not within"),
      (["-o", "a.json", "--split-channels", "--channels", "1"], "exclude each other"),
    ] {
      let run = try plot(arguments)
      #expect(
        run.status == 64 && run.errorText.contains(reported), "\(arguments): \(run.errorText)")
    }
    let run = try plot(["-o", "a.json", "--pixels-per-second", "30000"])
    #expect(run.status != 0 && run.errorText.contains("fewer than 2 of 44100 frames"))
    #expect(try folder.tree() == ["in.wav"])
  }
}
