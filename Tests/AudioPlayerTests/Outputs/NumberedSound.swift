import AudioModel
import Foundation

@testable import AudioPlayer

/// A stereo signal whose frames number themselves, and what became of them.
///
/// After a lead of silence, frame `n` has `n % 4096` on the left and `n / 4096 + 1` on the right, in steps of
/// 2^-15, which 16-bit samples and float hold exactly.
final class NumberedSound: @unchecked Sendable {
  static let spec = AudioSpec(sampleRate: 48_000, layout: .stereo)

  private let lock = NSLock()
  private var leadLeft: Int
  private var nextFrame = 0
  private var endFrame: Int
  private var isEmptyHanded = false
  private var heardEvents: [SoundEvent] = []

  init(lead: Int = 0, end: Int = .max) {
    leadLeft = lead
    endFrame = end
  }

  var next: Int {
    get { lock.withLock { nextFrame } }
    set { lock.withLock { nextFrame = newValue } }
  }

  /// Silent frames to deliver before the next numbered one.
  var lead: Int {
    get { lock.withLock { leadLeft } }
    set { lock.withLock { leadLeft = newValue } }
  }

  /// While it is, nothing is delivered.
  var isEmpty: Bool {
    get { lock.withLock { isEmptyHanded } }
    set { lock.withLock { isEmptyHanded = newValue } }
  }

  var events: [SoundEvent] { lock.withLock { heardEvents } }

  func note(_ event: SoundEvent) { lock.withLock { heardEvents.append(event) } }

  func start(_ output: any SoundOutput) throws {
    let channels = output.spec.channelCount
    try output.start(
      delivering: { self.deliver($0, channels: channels) }, onEvent: { self.note($0) })
  }

  private func deliver(_ buffer: UnsafeMutableBufferPointer<Float>, channels: Int) -> Int {
    lock.withLock {
      if isEmptyHanded { return 0 }
      let room = buffer.count / channels
      var count = 0
      while count < room {
        var (left, right) = (0, 0)
        if leadLeft > 0 {
          leadLeft -= 1
        } else if nextFrame < endFrame {
          (left, right) = (nextFrame % 4096, nextFrame / 4096 + 1)
          nextFrame += 1
        } else {
          break
        }
        for channel in 0..<channels {
          buffer[count * channels + channel] = Float(channel == 0 ? left : right) * 0x1p-15
        }
        count += 1
      }
      return count
    }
  }

  /// The numbers of the frames in a recording of 32-bit floating point in stereo; silence is left out.
  static func numbers(inFloats bytes: [UInt8]) -> [Int] { numbers(steps(inFloats: bytes)) }

  /// True if silence follows a numbered frame and precedes another, in a recording of 32-bit floating point in stereo.
  static func hasGaps(inFloats bytes: [UInt8]) -> Bool {
    let steps = steps(inFloats: bytes)
    let numbered = stride(from: 1, to: steps.count, by: 2).filter { steps[$0] > 0 }
    guard let first = numbered.first, let last = numbered.last else { return false }
    return (last - first) / 2 + 1 > numbered.count
  }

  private static func steps(inFloats bytes: [UInt8]) -> [Int] {
    bytes.withUnsafeBytes { raw in
      stride(from: 0, to: raw.count - 3, by: 4).map {
        let sample = raw.loadUnaligned(fromByteOffset: $0, as: Float.self)
        return Int((sample * 0x1p15).rounded())
      }
    }
  }

  /// The numbers of the frames in a recording of 16-bit samples in stereo; silence is left out.
  static func numbers(inInt16 bytes: [UInt8]) -> [Int] {
    bytes.withUnsafeBytes { raw in
      var samples: [Int] = []
      for offset in stride(from: 0, to: raw.count - 1, by: 2) {
        samples.append(Int(raw.loadUnaligned(fromByteOffset: offset, as: Int16.self)))
      }
      return numbers(samples)
    }
  }

  private static func numbers(_ samples: [Int]) -> [Int] {
    var numbers: [Int] = []
    for left in stride(from: 0, to: samples.count - 1, by: 2) where samples[left + 1] > 0 {
      numbers.append(samples[left] + 4096 * (samples[left + 1] - 1))
    }
    return numbers
  }
}
