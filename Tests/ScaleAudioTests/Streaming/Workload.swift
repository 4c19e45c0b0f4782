import AudioFiles
import AudioModel
import Dispatch
import Foundation
import SystemPackage
import TestSupport
import TimeScaling

@testable import AudioIO
@testable import ScaleAudio

/// A pipeline over a made-up source, with failures where they are asked for.
final class Workload: BlockReader, BlockWriter, @unchecked Sendable {
  // The state of a stage is used by no other; shared state is `Locked`.

  static let channels = 2
  static let blockFrames = 100
  static let queueLength = 4
  static let source = (0..<6300 * channels).map { Int16(truncatingIfNeeded: $0 &* 7919) }
  static let outputFrames = 9451

  /// The expected output, computed independently of the code under test.
  static let expected: [Int16] = {
    let frames = source.count / channels
    var output = [Int16](repeating: 0, count: outputFrames * channels)
    for channel in 0..<channels {
      let one = (0..<frames).map { source[$0 * channels + channel] }
      let scaled = ReferenceArithmetic.scale(one, to: outputFrames, smoothstep: false)
      for (index, sample) in scaled.enumerated() { output[index * channels + channel] = sample }
    }
    return output
  }()

  /// Blocks at which the stages fail, counted from 0.
  var readingFails: Int?
  var scalingFails: Int?
  var writingFails: Int?
  /// Called before each block of the stages, with its number.
  var onRead: (Int) -> Void = { _ in }
  var onWrite: (Int) -> Void = { _ in }

  let clipping = Clipping()
  private(set) var output: [Int16] = []
  private(set) var blocksRead = 0
  private(set) var blocksWritten = 0

  /// Runs it with so many cores; returns what went wrong.
  func run(
    cores: Int, onBlock: (Int) throws(ConversionError) -> Void = { _ in }
  ) -> ConversionError? {
    let budget = CoreBudget(cores: cores)
    budget.occupy()
    defer { budget.release() }
    let bytes = Self.blockFrames * Self.channels * 2
    let source = BlockQueue(capacity: Self.queueLength, bytesInBlock: bytes)
    let made = BlockQueue(capacity: Self.queueLength, bytesInBlock: bytes)
    let scaler = FailingScaler(
      InterpolatingScaler<Int16>(
        points: ControlPoints(
          inputFrames: Self.source.count / Self.channels, outputFrames: Self.outputFrames,
          interpolation: .linear), channelCount: Self.channels), atCall: scalingFails)
    let pipeline = Pipeline(
      [
        ReadingStage(self, into: source),
        ScalingStage(SampleScaler(scaler), from: source, into: made, path: "scaled"),
        WritingStage(self, from: made),
      ], isShort: false, budget: budget)
    do throws(ConversionError) {
      try pipeline.run(onBlock: onBlock)
      return nil
    } catch {
      return error
    }
  }

  /// Reads blocks of several sizes.
  func read(into block: Block) throws(AudioFileError) -> Int {
    let buffer = block.samples(of: Int16.self)
    onRead(blocksRead)
    if blocksRead == readingFails { throw .truncated("read", expected: nil, found: blocksRead) }
    let start = framesRead * Self.channels
    let wanted = min(Self.blockFrames - blocksRead % 17, Self.source.count / Self.channels)
    let frames = min(wanted, Self.source.count / Self.channels - framesRead)
    for index in 0..<frames * Self.channels { buffer[index] = Self.source[start + index] }
    framesRead += frames
    blocksRead += 1
    return frames
  }
  private var framesRead = 0

  func write(_ block: Block) throws(AudioFileError) {
    onWrite(blocksWritten)
    if blocksWritten == writingFails { throw .cannotWrite("written", .noSpace) }
    output += block.samples(of: Int16.self).prefix(block.frameCount * Self.channels)
    blocksWritten += 1
  }
}

/// A scaler that fails at one of its calls.
struct FailingScaler: TimeScaler {
  private var scaler: InterpolatingScaler<Int16>
  private let failure: Int?
  private var calls = 0

  init(_ scaler: InterpolatingScaler<Int16>, atCall failure: Int?) {
    self.scaler = scaler
    self.failure = failure
  }

  var channelCount: Int { scaler.channelCount }

  mutating func process(
    _ input: Span<Int16>, into output: inout MutableSpan<Int16>
  ) throws(ScalingError) -> ScalingProgress {
    calls += 1
    if calls - 1 == failure { throw .failed("asked for") }
    return scaler.process(input, into: &output)
  }

  mutating func finish(into output: inout MutableSpan<Int16>) throws(ScalingError) -> Int {
    scaler.finish(into: &output)
  }

  mutating func reset() { scaler.reset() }
}
