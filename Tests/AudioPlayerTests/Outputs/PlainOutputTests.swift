import AudioModel
import Foundation
import TestSupport
import Testing

@testable import AudioPlayer

@Suite("Outputs without a device", .tags(.threaded))
struct PlainOutputTests {
  /// A file holds every frame once, as other programs read it.
  @Test func aFileHoldsWhatWasDelivered() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("heard.wav")
    let sound = NumberedSound(end: 100_000)
    let output = try SoundOutputs.open(.file(path), spec: NumberedSound.spec)
    try sound.start(output)
    try output.drain()
    output.close()
    #expect(try folder.names() == ["heard.wav"])
    let decoded = try Tool.run(
      "ffmpeg", ["-v", "error", "-i", path.string, "-f", "f32le", "-"])
    #expect(decoded.errorText == "")
    #expect(NumberedSound.numbers(inFloats: decoded.output) == Array(0..<100_000))
    #expect(sound.events == [])
  }

  /// Samples after a pause follow without a gap, and closing suffices.
  @Test func aFileContinuesAfterAPause() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("heard.wav")
    let sound = NumberedSound(end: 50_000)
    let output = try SoundOutputs.open(.file(path), spec: NumberedSound.spec)
    try sound.start(output)
    try output.pause()
    let next = sound.next
    usleep(20_000)
    #expect(sound.next == next)
    try output.resume()
    #expect(eventually { sound.next == 50_000 })
    output.close()
    let decoded = try Tool.run(
      "ffmpeg", ["-v", "error", "-i", path.string, "-f", "f32le", "-"])
    #expect(NumberedSound.numbers(inFloats: decoded.output) == Array(0..<50_000))
  }

  @Test func existingFilesAreReplacedOnlyOnRequest() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("heard.wav")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path.string))
    let error = #expect(throws: SoundError.self) {
      try SoundOutputs.open(.file(path), spec: NumberedSound.spec)
    }
    #expect(error?.message == "\(path.string): already exists")
    #expect(error?.remedy == .replaceOrSkip)
    let output = try SoundOutputs.open(.file(path, replacing: true), spec: NumberedSound.spec)
    try NumberedSound(end: 10).start(output)
    try output.drain()
    output.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path.string)).starts(with: Data("RIFF".utf8)))
  }

  @Test func aFolderThatIsMissingIsNamedAtOnce() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("none").appending("heard.wav")
    let error = #expect(throws: SoundError.self) {
      try SoundOutputs.open(.file(path), spec: NumberedSound.spec)
    }
    #expect(error?.message.contains("cannot be written") == true)
  }

  /// The clock runs neither ahead of real time nor waits: the time it took shows in the frames.
  @Test func theClockConsumesFramesInRealTime() throws {
    let sound = NumberedSound()
    let output = try SoundOutputs.open(.null, spec: NumberedSound.spec, latency: 0.05)
    let begin = SoundMonitor.now
    try sound.start(output)
    #expect(eventually { sound.next > 24_000 })
    let (taken, queued) = (sound.next, output.queuedFrames)
    let elapsed = (SoundMonitor.now - begin) * 48_000
    output.close()
    #expect(queued <= 2_400)
    #expect(Double(taken) <= elapsed + 2_400)
  }

  /// Discarded and heard frames add up to what was delivered.
  @Test func theClockKeepsCount() throws {
    let sound = NumberedSound()
    let output = try SoundOutputs.open(.null, spec: NumberedSound.spec, latency: 0.05)
    try sound.start(output)
    #expect(eventually { sound.next > 9_600 })
    try output.pause()
    let paused = output.queuedFrames
    usleep(30_000)
    #expect(output.queuedFrames == paused)
    #expect(try output.discard() == paused)
    #expect(output.queuedFrames == 0)
    let next = sound.next
    try output.resume()
    #expect(eventually { sound.next > next + 4_800 })
    output.close()
    #expect(output.underrunCount == 0)
  }

  @Test func theClockCountsWhatItMissed() throws {
    let sound = NumberedSound()
    let output = try SoundOutputs.open(.null, spec: NumberedSound.spec, latency: 0.04)
    try sound.start(output)
    #expect(eventually { sound.next > 0 })
    sound.isEmpty = true
    #expect(eventually { output.underrunCount > 0 })
    usleep(30_000)
    sound.isEmpty = false
    let next = sound.next
    #expect(eventually { sound.next > next + 4_800 })
    output.close()
    #expect(output.underrunCount == 1)
  }

  @Test func theClockDrains() throws {
    let sound = NumberedSound(end: 5_000)
    let output = try SoundOutputs.open(.null, spec: NumberedSound.spec, latency: 0.04)
    let begin = SoundMonitor.now
    try sound.start(output)
    try output.drain()
    #expect(SoundMonitor.now - begin > 5_000.0 / 48_000)
    #expect(sound.next == 5_000)
    #expect(output.queuedFrames == 0)
    #expect(output.underrunCount == 0)
    output.close()
  }
}
