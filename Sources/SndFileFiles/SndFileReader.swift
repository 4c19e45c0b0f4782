internal import AudioContainers
package import AudioIO
package import AudioModel
internal import CSndFile
internal import SystemPackage

/// Reads what libsndfile reads.
package final class SndFileReader: AudioFileReader {
  package var source: SourceDescription { opened.description }
  package private(set) var clipping = Clipping()
  package private(set) var nonFiniteSamples = 0
  private let path: FilePath
  private let opened: SndFileSource
  private var framesLeft: Int
  private var shorts: [Int16] = []
  private var ints: [Int32] = []
  private var floats: [Float] = []
  private var doubles: [Double] = []

  package init(
    _ input: borrowing InputFile, format: AudioFormat, salvaging: Bool
  ) throws(AudioFileError) {
    path = input.path
    opened = try SndFileSource(input, format: format, salvaging: salvaging)
    framesLeft = opened.description.frameCount
  }

  @specialized(where Sample == Int8)
  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  package func read<Sample: PCMSample>(into buffer: inout MutableSpan<Sample>)
    throws(AudioFileError) -> Int
  {
    let wanted = min(buffer.count / source.spec.channelCount, framesLeft)
    if wanted == 0 { return 0 }
    let got =
      switch opened.encoding.delivery {
      case .short: read(wanted, through: &shorts, into: &buffer)
      case .int: read(wanted, through: &ints, into: &buffer)
      case .float: read(wanted, through: &floats, into: &buffer)
      case .double: read(wanted, through: &doubles, into: &buffer)
      }
    guard got > 0 else { throw shortage }
    framesLeft -= got
    return got
  }

  /// Reads up to so many frames as libsndfile delivers them, and turns them into what is asked for.
  private func read<Delivered: SndFileSample, Sample: PCMSample>(
    _ frames: Int, through scratch: inout [Delivered], into buffer: inout MutableSpan<Sample>
  ) -> Int {
    if Sample.self == Delivered.self, Delivered.isAlwaysUsable {
      return buffer.withUnsafeMutableBytes { bytes in
        bytes.withMemoryRebound(to: Delivered.self) { read(frames, into: $0) }
      }
    }
    let channels = source.spec.channelCount
    if scratch.count < frames * channels {
      scratch = Array(repeating: .silence, count: frames * channels)
    }
    let got = scratch.withUnsafeMutableBufferPointer { read(frames, into: $0) }
    let samples = scratch.span
    var (clipping, nonFinite) = (clipping, nonFiniteSamples)
    for i in 0..<max(0, got) * channels {
      buffer[i] = samples[i].sample(clipping: &clipping, nonFinite: &nonFinite)
    }
    (self.clipping, nonFiniteSamples) = (clipping, nonFinite)
    return got
  }

  private func read<Delivered: SndFileSample>(
    _ frames: Int, into samples: UnsafeMutableBufferPointer<Delivered>
  ) -> Int {
    samples.baseAddress.map { Delivered.read(opened.handle.pointer, $0, frames: frames) } ?? 0
  }

  /// Why the file gave no more frames although it promised some.
  private var shortage: AudioFileError {
    if let cause = opened.handle.stream.failure { return .cannotRead(path, cause) }
    let expected = source.frameCount
    let found = expected - framesLeft
    if let complaint = opened.handle.complaint {
      return .malformed(
        path, reason: "only \(found) of its \(expected) frames can be decoded: \(complaint)")
    }
    return .truncated(path, expected: expected, found: found)
  }

  package func storage(
    of input: borrowing InputFile, countsPackets: Bool
  ) throws(AudioFileError) -> StorageDescription {
    let format = source.format
    switch format.container {
    case .ogg: return try OggStorage.describe(of: input, sampleRate: source.spec.sampleRate)
    case .mpegAudio: return try MPEGStorage.describe(of: input, format: format)
    default:
      var facts = StorageDescription(container: format.containerName)
      if try !ContainerStorage.add(to: &facts, input, format: format) {
        try SndFileStorage.add(to: &facts, input, source: source)
      }
      return facts
    }
  }
}
