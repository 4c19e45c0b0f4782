import ScaleAudio
import TestSupport
import Testing
import Waveforms

/// Waveform data for peaks.js and wavesurfer.js, read by a script that knows the format's documentation.
@Suite("Waveform data of real files")
struct WaveformDataTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private func script(_ arguments: String...) throws -> Tool {
    let path = #filePath.replacing("WaveformDataTests.swift", with: "Support/waveform-data.py")
    return try Tool.run("python3", [path] + arguments, in: bench.folder.path)
  }

  private func sound(channels: Int, frames: Int) throws {
    let made = try script("make", "in.wav", "\(channels)", "\(frames)")
    try #require(made.status == 0, "\(made.errorText)")
  }

  private func plot(
    _ name: String, _ format: WaveformDataFormat, _ settings: PlotSettings
  ) throws {
    var settings = settings
    settings.existing = .replace
    _ = try Plot(
      input: .file(bench.folder.file("in.wav")), output: .file(bench.folder.file(name)),
      format: .data(format), settings: settings
    ).run()
  }

  @Test(
    "what is written is what numpy works out",
    arguments: [
      (1, 44_100, 100, 16), (2, 30_001, 20, 8), (2, 220, 100, 16), (6, 10_000, 441, 8),
      (3, 1, 1, 16),
    ])
  func values(channels: Int, frames: Int, pixels: Int, bits: Int) throws {
    try sound(channels: channels, frames: frames)
    let depth = try #require(WaveformDataSettings.Depth(rawValue: bits))
    for format in WaveformDataFormat.allCases {
      for shown in [nil, PlotChannels.split] {
        let name = "out.\(format.rawValue)"
        let data = WaveformDataSettings(pixelsPerSecond: pixels, depth: depth)
        try plot(name, format, PlotSettings(data: data, channels: shown))
        let check = try script(
          "check", "in.wav", name, "\(pixels)", "\(bits)", shown == nil ? "" : "split")
        #expect(check.status == 0, "\(name): \(check.errorText)")
      }
    }
  }

  @Test func tooManyPixels() throws {
    try sound(channels: 1, frames: 1000)
    let error = #expect(throws: PlotError.self) {
      try plot("a.json", .json, PlotSettings(data: WaveformDataSettings(pixelsPerSecond: 30_000)))
    }
    #expect(error?.message.contains("fewer than 2 of 44100 frames") == true)
    #expect(try bench.folder.tree() == ["in.wav"])
  }
}
