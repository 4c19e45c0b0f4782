import AudioIO
import AudioModel
import Foundation
import ScaleAudio
import TestSupport

@testable import AudioPlayer

/// A device whose time passes only on a test's request.
final class FakeOutput: SoundOutput, @unchecked Sendable {
  let spec: AudioSpec
  let name = "fake"
  var underrunCount: Int { lock.withLock { underruns } }
  /// The frames that it holds before they are heard.
  var latency: Int { lock.withLock { heldFrames } }
  /// Holds more without a break; `nil` if only another output can, `false` if it refuses later.
  private let growth: Bool?
  private let lock = NSLock()
  private var heldFrames: Int
  private var deliver: (@Sendable (UnsafeMutableBufferPointer<Float>) -> Int)?
  private var onEvent: (@Sendable (SoundEvent) -> Void)?
  private var sound: [Float] = []
  private var queued = 0
  private var isPaused = false
  private var isClosed = false
  private var underruns = 0

  /// Lets the device have nothing to play for a moment.
  func breakOff() { lock.withLock { underruns += 1 } }

  init(_ spec: AudioSpec, latency: Int = 0, growth: Bool? = nil) {
    self.spec = spec
    self.growth = growth
    heldFrames = latency
  }

  func grow() -> Bool {
    guard let growth else { return false }
    if growth {
      lock.withLock { heldFrames *= 2 }
    } else {
      send(.cannotGrow)
    }
    return true
  }

  /// The samples that were heard, interleaved.
  var heard: [Float] {
    lock.withLock { Array(sound.dropLast(queued * spec.channelCount)) }
  }
  var hasClosed: Bool { lock.withLock { isClosed } }
  var hasStarted: Bool { lock.withLock { deliver != nil } }
  var queuedFrames: Int { lock.withLock { queued } }

  func start(
    delivering deliver: @escaping @Sendable (UnsafeMutableBufferPointer<Float>) -> Int,
    onEvent: @escaping @Sendable (SoundEvent) -> Void
  ) {
    lock.withLock { (self.deliver, self.onEvent) = (deliver, onEvent) }
  }

  /// Milliseconds without a frame after which nothing is expected any more; sanitizers are slow.
  private static let patience = Sanitizer.inUse == nil ? 400 : 10_000

  /// Lets as many frames be taken, waiting for the player to make them; fewer at its end.
  func pull(_ frames: Int) {
    var missing = frames
    var idle = 0
    while missing > 0, idle < Self.patience, !hasClosed {
      let made = lock.withLock { () -> Int in
        guard let deliver, !isPaused, !isClosed else { return 0 }
        var block = [Float](repeating: 9, count: min(missing, 100) * spec.channelCount)
        let made = block.withUnsafeMutableBufferPointer { deliver($0) }
        sound += block.prefix(made * spec.channelCount)
        queued = min(queued + made, heldFrames)
        return made
      }
      missing -= made
      idle = made == 0 ? idle + 1 : 0
      if made == 0 { usleep(1000) }
    }
  }

  func send(_ event: SoundEvent) { lock.withLock { onEvent }?(event) }
  func pause() { lock.withLock { isPaused = true } }
  func resume() { lock.withLock { isPaused = false } }
  func discard() -> Int {
    lock.withLock {
      let count = queued
      sound.removeLast(count * spec.channelCount)
      queued = 0
      return count
    }
  }
  func drain() { lock.withLock { queued = 0 } }
  func close() { lock.withLock { isClosed = true } }
}

/// A player with fake outputs, and what it reported.
final class Deck: @unchecked Sendable {
  let player: Player
  let cancellation = Cancellation()
  private let lock = NSLock()
  private var opened: [FakeOutput] = []
  private let log: EventLog
  private let latency: Int
  private let fixed: AudioSpec?

  /// Plays files to outputs that take what they are asked for, or only `fixed`.
  convenience init(
    _ files: [FilePath], _ settings: PlayerSettings = PlayerSettings(), latency: Int = 0,
    fixed: AudioSpec? = nil
  ) {
    self.init(files.map { PlayItem(.file($0)) }, settings, latency: latency, fixed: fixed)
  }

  /// Plays files with other settings than the usual ones.
  convenience init(
    _ files: [FilePath], _ change: (inout PlayerSettings) -> Void, fixed: AudioSpec? = nil
  ) {
    var settings = PlayerSettings()
    change(&settings)
    self.init(files, settings, fixed: fixed)
  }

  init(
    _ items: [PlayItem], _ settings: PlayerSettings = PlayerSettings(), latency: Int = 0,
    fixed: AudioSpec? = nil, firstGrowth: Int = 1, mostGrowth: Int = 1, growth: Bool? = nil
  ) {
    let log = EventLog()
    self.log = log
    self.latency = latency
    self.fixed = fixed
    player = Player { log.add($0) }
    let output = PlayerOutput(
      isFixed: fixed != nil, firstGrowth: firstGrowth, mostGrowth: mostGrowth
    ) {
      [unowned self] (spec, times) in
      let output = FakeOutput(fixed ?? spec, latency: latency * times, growth: growth)
      lock.withLock { opened.append(output) }
      return output
    }
    player.start(items, settings, to: output, cancellation: cancellation)
  }

  deinit {
    player.perform(.stop)
    wait { log.hasEnded }
  }

  var outputs: [FakeOutput] { lock.withLock { opened } }
  var failures: [AudioFileError] { log.failures }
  var hasEnded: Bool { log.hasEnded }
  var startedFiles: [Int] { log.started }
  /// The stalls (true) and their ends that were reported.
  var stalls: [Bool] { log.stalls }
  /// The pauses (true) and their ends that were reported.
  var pauses: [Bool] { log.pauses }

  /// The output of this number, once it takes frames.
  func output(_ index: Int = 0) -> FakeOutput {
    wait { outputs.count > index && outputs[index].hasStarted }
    return outputs[index]
  }

  /// Waits until something holds, for 10 s.
  @discardableResult
  func wait(_ condition: () -> Bool) -> Bool {
    for _ in 0..<10_000 {
      if condition() { return true }
      usleep(1000)
    }
    return false
  }

  /// Lets everything be heard, on all outputs.
  func playToEnd() {
    wait {
      for output in outputs { output.pull(1000) }
      return log.hasEnded
    }
  }
}

/// The reports of the player, read under the lock: the thread sanitizer does not see that a copy
/// of the array, once released, lets `append` write in place.
private final class EventLog: @unchecked Sendable {
  private let lock = NSLock()
  private var events: [PlayerEvent] = []

  func add(_ event: PlayerEvent) { lock.withLock { events.append(event) } }
  var failures: [AudioFileError] {
    lock.withLock {
      events.compactMap { if case .failed(_, let error) = $0 { error } else { nil } }
    }
  }
  var started: [Int] {
    lock.withLock {
      events.compactMap { if case .started(let track) = $0 { track.index } else { nil } }
    }
  }
  var pauses: [Bool] {
    lock.withLock {
      events.compactMap {
        switch $0 {
        case .paused: true
        case .resumed: false
        default: nil
        }
      }
    }
  }
  var stalls: [Bool] {
    lock.withLock {
      events.compactMap {
        switch $0 {
        case .stalled: true
        case .continued: false
        default: nil
        }
      }
    }
  }
  var hasEnded: Bool {
    lock.withLock { events.contains { if case .ended = $0 { true } else { false } } }
  }
}

/// Frames that number themselves: the left channel is `n` mod 4096, the right one `n` / 4096.
enum Numbered {
  /// A 16-bit stereo WAV file of frames numbered from `first`.
  static func write(_ path: FilePath, frames: Int, from first: Int = 0, rate: Int = 48_000) throws {
    let samples = (first..<first + frames).flatMap { [Int16($0 % 4096), Int16($0 / 4096)] }
    try WAV.write(path, bits: 16, channels: 2, rate: rate, samples.withUnsafeBytes { Array($0) })
  }

  /// The numbers of frames.
  static func numbers(_ samples: [Float]) -> [Int] {
    stride(from: 0, to: samples.count - 1, by: 2).map {
      Int(samples[$0] * 32768) + 4096 * Int(samples[$0 + 1] * 32768)
    }
  }
}

/// The frames of a fade at 48 kHz: 5 ms.
let fadeFrames = 240

/// Values with 0 in place of those of the fades that begin at these places.
func besidesFades<Value: ExpressibleByIntegerLiteral>(
  _ values: [Value], at places: [Int], count: Int = fadeFrames
) -> [Value] {
  var values = values
  for place in places {
    for index in place..<max(place, min(place + count, values.count)) { values[index] = 0 }
  }
  return values
}

extension TemporaryFolder {
  /// A 16-bit stereo WAV file of frames numbered from `first`.
  func numbered(
    _ name: String, frames: Int, from first: Int = 0, rate: Int = 48_000
  ) throws -> FilePath {
    let path = file(name)
    try Numbered.write(path, frames: frames, from: first, rate: rate)
    return path
  }
}

enum WAV {
  /// A file of these samples; 32 bits are floating point.
  static func write(
    _ path: FilePath, bits: Int, channels: Int, rate: Int, mask: UInt32? = nil, _ data: [UInt8]
  ) throws {
    func number(_ value: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let kind = bits == 32 ? 3 : 1
    var format =
      number(mask == nil ? kind : 0xFFFE, 2) + number(channels, 2) + number(rate, 4)
      + number(rate * channels * bits / 8, 4) + number(channels * bits / 8, 2) + number(bits, 2)
    if let mask {
      format += number(22, 2) + number(bits, 2) + number(Int(mask), 4) + number(kind, 2)
      format += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    let body =
      Array("WAVEfmt ".utf8) + number(format.count, 4) + format + Array("data".utf8)
      + number(data.count, 4) + data
    let bytes = Array("RIFF".utf8) + number(body.count, 4) + body
    try Data(bytes).write(to: URL(fileURLWithPath: path.string))
  }

  static func write(
    _ path: FilePath, floats: [Float], channels: Int, rate: Int = 48_000, mask: UInt32? = nil
  ) throws {
    try write(
      path, bits: 32, channels: channels, rate: rate, mask: mask,
      floats.withUnsafeBytes { Array($0) })
  }
}
