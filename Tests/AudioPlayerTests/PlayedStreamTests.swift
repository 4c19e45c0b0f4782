import AudioFiles
import AudioIO
import AudioModel
import ScaleAudio
import TestSupport
import Testing

@testable import AudioPlayer

/// The streams that only the player has keep the contract of ``FrameStream``.
struct PlayedStreamTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ path: FilePath) throws -> any FrameStream {
    try AudioFile.reader(for: try InputFile(path: path), salvaging: false)
  }

  @Test(arguments: [ChannelLayout.mono, .stereo], [SampleFormat.float32, .float64])
  func otherChannelsKeepTheContract(_ layout: ChannelLayout, _ format: SampleFormat) throws {
    let path = folder.file("a.wav")
    var numbers = SeededNumbers(seed: 3)
    let channels = layout == .mono ? 2 : 1
    let samples = (0..<20_000 * channels).map { _ in Float.random(in: -1...1, using: &numbers) }
    try WAV.write(path, floats: samples, channels: channels)
    let result = try StreamContract(as: format) { try file(path).mapped(to: layout) }.check()
    #expect(result.violations == [])
    #expect(result.checked > 50)
  }

  @Test func aMeasuredFileKeepsTheContract() throws {
    let path = try folder.numbered("a.wav", frames: 20_000)
    let result = try StreamContract(as: .float32) {
      MeasuredStream(try file(path), Measurement(PlayItem(.file(path)), Cancellation()))
    }.check()
    #expect(result.violations == [])
  }

  @Test func damageFollowsTheLastFrame() throws {
    let path = try folder.numbered("a.wav", frames: 1000)
    let damage = AudioFileError.truncated(path, expected: 2000, found: 1000)
    let stream = DamagedStream(try file(path), damage)
    for _ in 0..<2 {
      let block = Block(.float32, sampleCount: 600 * stream.spec.channelCount)
      var count = 0
      while count < 1000 { count += try stream.read(into: block) }
      #expect(throws: damage) { try stream.read(into: block) }
      try stream.seek(toFrame: 0)
    }
  }
}
