internal import AudioModel
internal import CSndFile
internal import SystemPackage

/// Reads what libsndfile reads.
final class SndFileReader: AudioFileReader {
  var source: SourceDescription { opened.description }
  private(set) var clippedSamples = 0
  private let path: FilePath
  private let opened: SndFileSource
  private var framesLeft: Int
  private var shorts: [Int16] = []
  private var ints: [Int32] = []
  private var floats: [Float] = []

  init(
    _ input: borrowing InputFile, format: AudioFormat, salvaging: Bool
  ) throws(AudioFileError) {
    path = input.path
    opened = try SndFileSource(input, format: format, salvaging: salvaging)
    framesLeft = opened.description.frameCount
  }

  func read<Sample: PCMSample>(into buffer: inout MutableSpan<Sample>) throws(AudioFileError) -> Int
  {
    let channels = source.spec.channelCount
    let wanted = min(buffer.count / channels, framesLeft)
    if wanted == 0 { return 0 }
    let got =
      switch opened.encoding.delivery {
      case .short: readShorts(wanted, channels, into: &buffer)
      case .int: readInts(wanted, channels, into: &buffer)
      case .float: readFloats(wanted, channels, into: &buffer)
      }
    guard got > 0 else { throw shortage }
    framesLeft -= got
    return got
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

  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  private func readShorts<Sample: PCMSample>(
    _ frames: Int, _ channels: Int, into buffer: inout MutableSpan<Sample>
  ) -> Int {
    let count = frames * channels
    if shorts.count < count { shorts = Array(repeating: 0, count: count) }
    let got = Int(sf_readf_short(opened.handle.pointer, &shorts, sf_count_t(frames)))
    guard got > 0 else { return got }
    let samples = shorts
    for i in 0..<got * channels { buffer[i] = Sample(integer: Int32(samples[i]), bitDepth: 16) }
    return got
  }

  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  private func readInts<Sample: PCMSample>(
    _ frames: Int, _ channels: Int, into buffer: inout MutableSpan<Sample>
  ) -> Int {
    let count = frames * channels
    if ints.count < count { ints = Array(repeating: 0, count: count) }
    let got = Int(sf_readf_int(opened.handle.pointer, &ints, sf_count_t(frames)))
    guard got > 0 else { return got }
    let samples = ints
    for i in 0..<got * channels { buffer[i] = Sample(integer: samples[i], bitDepth: 32) }
    return got
  }

  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  private func readFloats<Sample: PCMSample>(
    _ frames: Int, _ channels: Int, into buffer: inout MutableSpan<Sample>
  ) -> Int {
    let count = frames * channels
    if floats.count < count { floats = Array(repeating: 0, count: count) }
    let got = Int(sf_readf_float(opened.handle.pointer, &floats, sf_count_t(frames)))
    guard got > 0 else { return got }
    let samples = floats
    var clipped = 0
    for i in 0..<got * channels {
      buffer[i] = Sample(normalized: Double(samples[i]), clipped: &clipped)
    }
    clippedSamples += clipped
    return got
  }
}
