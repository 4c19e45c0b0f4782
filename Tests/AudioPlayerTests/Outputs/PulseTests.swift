import AudioModel
import Foundation
import TestSupport
import Testing

@testable import AudioPlayer

/// Playing through a real server, whose sinks are recorded: numbered frames show what was lost, and what was
/// heard twice.
@Suite("Sound through PulseAudio", .serialized)
struct PulseTests {
  private static let lead = 9_600
  let server: SoundServer

  init() throws { server = try SoundServer() }

  /// A sound on its way to a sink.
  private struct Playback {
    let recorder: SoundRecorder
    let output: PulseOutput
    let sound: NumberedSound
  }

  /// Plays a sound on the first sink, which is recorded, and waits until a frame was delivered.
  private func play(upTo frame: Int = 0, end: Int = .max) throws -> Playback {
    let recorder = try server.record("one")
    let output = try server.open()
    let sound = NumberedSound(lead: Self.lead, end: end)
    try sound.start(output)
    #expect(eventually { sound.next > frame })
    return Playback(recorder: recorder, output: output, sound: sound)
  }

  @Test func everyFrameIsHeardOnce() throws {
    let playback = try play(end: 48_000)
    let (output, sound) = (playback.output, playback.sound)
    #expect(output.spec == NumberedSound.spec)
    #expect(output.name == "First")
    try output.drain()
    #expect(sound.next == 48_000)
    let numbers = try playback.recorder.numbers(upTo: 47_999)
    #expect(breaks(numbers) == [])
    #expect(numbers.first == 0 && numbers.last == 47_999)
    // A machine that is late has underruns, and silence between frames is one.
    #expect(try output.underrunCount > 0 || !playback.recorder.hasGaps())
    #expect(sound.events == [])
    output.close()
  }

  @Test func pausingLosesNothing() throws {
    let playback = try play()
    let (output, sound) = (playback.output, playback.sound)
    for round in 1...5 {
      #expect(eventually { sound.next > round * 9_600 })
      try output.pause()
      usleep(60_000)
      let next = sound.next
      usleep(60_000)
      #expect(sound.next == next)
      try output.resume()
    }
    let numbers = try playback.recorder.numbers(upTo: 60_000)
    #expect(breaks(numbers) == [])
    #expect(numbers.first == 0)
    output.close()
  }

  /// After discarding, a player that goes on at the frame that was not heard repeats and skips nothing.
  @Test func discardingCountsToTheFrame() throws {
    let playback = try play()
    let (output, sound) = (playback.output, playback.sound)
    var unheard: [Int] = []
    for round in 1...5 {
      #expect(eventually { sound.next > round * 9_600 })
      try output.pause()
      let count = try output.discard()
      #expect(output.queuedFrames == 0)
      unheard.append(count)
      sound.next -= count
      try output.resume()
    }
    #expect(unheard.allSatisfy { $0 > 0 })
    let numbers = try playback.recorder.numbers(upTo: 60_000)
    #expect(breaks(numbers) == [])
    output.close()
  }

  /// While the sound runs, as many frames are missing as were discarded, at one place.
  @Test func discardingWhileRunning() throws {
    let playback = try play()
    let (output, sound) = (playback.output, playback.sound)
    var unheard: [Int] = []
    for round in 1...4 {
      #expect(eventually { sound.next > round * 9_600 })
      unheard.append(try output.discard())
    }
    let numbers = try playback.recorder.numbers(upTo: 60_000)
    let gaps = zip(numbers, numbers.dropFirst()).map { $1 - $0 - 1 }.filter { $0 != 0 }
    #expect(gaps == unheard)
    output.close()
  }

  /// The sound goes on from another sink when its own goes.
  @Test func aStreamMoves() throws {
    let playback = try play(upTo: 24_000)
    let (output, sound) = (playback.output, playback.sound)
    try server.unload("one")
    #expect(eventually { sound.events == [.moved("Second")] })
    let next = sound.next
    #expect(eventually { sound.next > next + 24_000 })
    #expect(output.name == "Second")
    // The server moves the recorder too: it hears the one sink, then the other.
    let heard = try playback.recorder.numbers(upTo: next + 12_000)
    let steps = zip(heard, heard.dropFirst()).map { $1 - $0 }
    #expect(steps.allSatisfy { $0 > 0 })
    #expect(steps.filter { $0 != 1 }.count <= 1)
    #expect(steps.allSatisfy { $0 < 9_600 })
    output.close()
  }

  /// Without another sink the device is lost, and the frames that may have been heard are not counted as unheard.
  @Test func aStreamIsLost() throws {
    try server.unload("two")
    let playback = try play(upTo: 24_000)
    let (output, sound) = (playback.output, playback.sound)
    try server.unload("one")
    #expect(eventually { sound.events == [.lost("First")] })
    let next = sound.next
    let unheard = try output.discard()
    usleep(100_000)
    #expect(sound.next == next)
    let last = try #require(try playback.recorder.numbers().last)
    #expect(next - unheard > last)
    #expect(next - unheard - last < 4_800)
    #expect(throws: SoundError.self) { try output.resume() }
    output.close()
  }

  @Test func aServerDies() throws {
    let playback = try play(upTo: 9_600)
    let (output, sound) = (playback.output, playback.sound)
    server.stop()
    #expect(eventually { sound.events == [.lost("First")] })
    let error = #expect(throws: SoundError.self) { try output.drain() }
    #expect(error?.message == "First: the sound device is gone")
    output.close()
  }

  /// A call requests silence, and withdraws the request.
  @Test func anotherProgramRequestsAPause() throws {
    let playback = try play(upTo: 9_600)
    let (output, sound) = (playback.output, playback.sound)
    try Programs.require("pacat")
    let call = try BackgroundProgram(
      [
        "/usr/bin/pacat", "-s", server.address, "--playback", "--raw",
        "--property=media.role=phone", "/dev/zero",
      ], environment: server.environment)
    #expect(eventually { sound.events == [.corked(true)] })
    try output.pause()
    call.stop()
    #expect(eventually { sound.events == [.corked(true), .corked(false)] })
    output.close()
  }

  @Test func aSinkSleeps() throws {
    let playback = try play(upTo: 9_600)
    let (output, sound) = (playback.output, playback.sound)
    try server.control("suspend-sink", "one", "1")
    #expect(eventually { sound.events == [.suspended(true)] })
    try server.control("suspend-sink", "one", "0")
    #expect(eventually { sound.events == [.suspended(true), .suspended(false)] })
    let next = sound.next
    #expect(eventually { sound.next > next + 9_600 })
    output.close()
  }

  /// Late samples are heard late, and nothing is skipped.
  @Test func aGapIsCounted() throws {
    let playback = try play(upTo: 9_600)
    let (output, sound) = (playback.output, playback.sound)
    sound.isEmpty = true
    usleep(200_000)
    sound.isEmpty = false
    let numbers = try playback.recorder.numbers(upTo: 30_000)
    #expect(breaks(numbers) == [])
    #expect(output.underrunCount >= 1)
    output.close()
  }

  @Test(arguments: [0.04, 0.1]) func theLatencyIsTheRequestedOne(_ latency: Double) throws {
    let output = try server.open(latency: latency)
    let sound = NumberedSound()
    try sound.start(output)
    #expect(eventually { sound.next > 24_000 })
    let queued = (0..<20).map { _ in
      usleep(10_000)
      return output.queuedFrames
    }
    #expect(queued.contains { $0 > 0 })
    #expect(queued.allSatisfy { $0 < Int(latency * 48_000 * 1.5) })
    output.close()
  }

  /// The server holds twice as much, and the sound goes on without a hole. On a machine that is late, the sound may break off
  /// in one attempt, but not in each.
  @Test(arguments: SoundServer.Kind.allCases)
  func theBufferGrows(_ kind: SoundServer.Kind) throws {
    for _ in 1...5 {
      if try growsWithoutABreak(kind) { return }
    }
    Issue.record("the sound broke off each time that the buffer grew")
  }

  /// Plays and lets the buffer grow; returns whether no sound was missing from then on.
  private func growsWithoutABreak(_ kind: SoundServer.Kind) throws -> Bool {
    let server = try SoundServer(kind)
    let recorder = try server.record("one")
    let output = try server.open(latency: 0.1)
    let sound = NumberedSound(lead: Self.lead)
    try sound.start(output)
    #expect(eventually { sound.next > 24_000 })
    /// The most frames within some periods of the server.
    func queued() -> Int {
      (0..<40).map { _ in
        usleep(5_000)
        return output.queuedFrames
      }.max() ?? 0
    }
    let before = queued()
    let underrunCount = output.underrunCount
    #expect(output.grow())
    // PipeWire takes periods of 2048 frames out of what it holds.
    #expect(eventually { queued() > before + before / 3 })
    #expect(eventually { sound.next > 72_000 })
    let numbers = try recorder.numbers(upTo: 60_000)
    #expect(breaks(numbers) == [])
    #expect(sound.events == [])
    let isWhole = try output.underrunCount == underrunCount && !recorder.hasGaps()
    output.close()
    return isWhole
  }

  @Test func devicesAreNamed() throws {
    let connection = try PulseConnection(server: server.address)
    let (sinks, defaultName) = connection.withLock { connection.sinks() }
    #expect(sinks.map(\.name) == ["one", "two"])
    #expect(sinks.map(\.description) == ["First", "Second"])
    #expect(defaultName == "one")
    let output = try server.open("two")
    #expect(output.name == "Second")
    output.close()
    let error = #expect(throws: SoundError.self) { try server.open("three") }
    #expect(error?.message == "no sound device has the name three")
    #expect(error?.remedy == .act("use one of these: one, two"))
  }

  /// Six channels are sent as two to a sink of two, and one as one.
  @Test func layoutsFollowTheSink() throws {
    for (asked, sent) in [("5.1", ChannelLayout.stereo), ("mono", .mono), ("stereo", .stereo)] {
      let layout = try #require(ChannelLayout.named.first { $0.description == asked })
      let output = try PulseOutput(
        device: nil, server: server.address,
        spec: AudioSpec(sampleRate: 44_100, layout: layout), latency: 0.06)
      #expect(output.spec == AudioSpec(sampleRate: 44_100, layout: sent))
      output.close()
    }
  }

  @Test func aMissingServerIsAnError() {
    let error = #expect(throws: SoundError.self) {
      try PulseConnection(server: "unix:/nowhere/native")
    }
    #expect(error?.message == "no sound server answers: connection refused")
    #expect(error?.remedy != nil)
  }
}
