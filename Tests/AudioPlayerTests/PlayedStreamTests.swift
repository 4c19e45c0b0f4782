import AudioFiles
import AudioIO
import AudioModel
import Foundation
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

  /// Plays a file from its start; after the first block, `change` does something to it.
  private func play(_ path: FilePath, _ change: () throws -> Void) throws -> (
    samples: [Float], error: AudioFileError?
  ) {
    let (stream, _) = try SalvagedStream.open(try InputFile(path: path)) {
      () throws(AudioFileError) in try InputFile(path: path)
    }
    let block = Block(.float32, sampleCount: 4096 * stream.spec.channelCount)
    var samples: [Float] = []
    do {
      while case let count = try stream.read(into: block), count > 0 {
        if samples.isEmpty { try change() }
        samples += block.samples(of: Float.self).prefix(count * stream.spec.channelCount)
      }
    } catch let error as AudioFileError {
      return (samples, error)
    }
    return (samples, nil)
  }

  /// A file that is written over while it plays is not damaged: it has changed.
  @Test(arguments: ["a.wav", "a.flac"]) func aFileThatIsWrittenOverHasChanged(
    _ name: String
  ) throws {
    let (path, other) = (folder.file(name), folder.file("other-" + name))
    for (file, pitch) in [(path, "300"), (other, "2000")] {
      try Tool.run(
        "sox", ["-n", "-r", "48000", "-b", "16", file.string, "synth", "20", "sine", pitch]
      ).succeeded()
    }
    // As `cp` writes: the same file gets other, and fewer, bytes.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: other.string)).prefix(200_000)
    let (_, error) = try play(path) {
      try bytes.write(to: URL(fileURLWithPath: path.string), options: [])
    }
    #expect(error == .changed(path))
  }

  /// The rest of a damaged file is not taken from another one that has its name meanwhile.
  @Test func anotherFileIsNoPartOfADamagedOne() throws {
    let (path, other) = (folder.file("a.flac"), folder.file("b.flac"))
    for (file, volume) in [(path, "0.1"), (other, "0.9")] {
      try Tool.run(
        "sox",
        [
          "-n", "-r", "48000", "-b", "16", file.string, "synth", "20", "pinknoise", "vol", volume,
        ]
      ).succeeded()
    }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path.string))
    let middle = bytes.count / 2
    bytes.replaceSubrange(middle..<middle + 4000, with: Data(repeating: 0x55, count: 4000))
    try bytes.write(to: URL(fileURLWithPath: path.string))
    let whole = try play(path) {}
    let (samples, error) = try play(path) {
      // As `mv` does.
      #expect(rename(other.string, path.string) == 0)
    }
    #expect(error != nil && error == whole.error)
    #expect(samples.allSatisfy { abs($0) < 0.2 })
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
