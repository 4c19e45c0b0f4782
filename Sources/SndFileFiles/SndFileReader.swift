internal import AudioContainers
package import AudioIO
package import AudioModel
internal import CSndFile
internal import SystemPackage

/// A reader of the formats that libsndfile decodes.
package final class SndFileReader: FrameStream {
  package var source: SourceDescription { opened.description }
  package private(set) var clipping = Clipping()
  package private(set) var nonFiniteSamples = 0
  private let path: FilePath
  private let opened: SndFileSource
  /// The whole file, for the parts after the first.
  private let whole: InputFile
  private var handle: SndFileHandle
  private var part = 0
  /// Frames of this part that are still to come.
  private var framesLeft: Int
  private var shorts: [Int16] = []
  private var ints: [Int32] = []
  private var floats: [Float] = []
  private var doubles: [Double] = []

  package init(
    _ input: borrowing InputFile, format: AudioFormat, _ options: ReadingOptions
  ) throws(AudioFileError) {
    path = input.path
    opened = try SndFileSource(input, format: format, options)
    whole = try InputFile(input, bytes: 0..<input.size)
    handle = opened.handle
    framesLeft = opened.parts.first?.audio.count ?? 0
  }

  package var seeking: Seeking {
    opened.hasEntries || opened.parts.allSatisfy(\.hasEntries) ? .direct : .decoding
  }

  package func seek(toFrame frame: Int) throws(AudioFileError) {
    var (index, offset) = (0, frame)
    while index + 1 < opened.parts.count, offset >= opened.parts[index].audio.count {
      offset -= opened.parts[index].audio.count
      index += 1
    }
    let wanted = opened.parts[index]
    offset = min(offset, wanted.audio.count)
    var missing = 0
    if var start = opened.entry(before: offset) {
      let current = wanted.audio.count - framesLeft
      if start == offset || !(start...offset).contains(current) {
        if start == 0, !opened.encoding.hasPositions {
          // After seeking to the start, libsndfile decodes other frames of Opus than in the first pass.
          handle = try wanted.view.open(whole)
        } else if sf_seek(handle.pointer, sf_count_t(start), Int32(SEEK_SET)) != start {
          if let cause = handle.stream.failure { throw .cannotRead(path, cause) }
          guard opened.seeksNearby else {
            throw .malformed(path, reason: "libsndfile does not find frame \(frame)")
          }
          handle = try wanted.view.open(whole)
          start = 0
        }
        missing = handle.skip(frames: offset - start)
      } else {
        missing = handle.skip(frames: offset - current)
      }
    } else {
      let target = wanted.audio.lowerBound + offset
      let current = wanted.audio.upperBound - framesLeft
      let (view, start) = wanted.entry(before: target)
      if index == part, (start...target).contains(current) {
        missing = handle.skip(frames: target - current)
      } else {
        handle = try view.open(whole)
        missing = handle.skip(frames: target - start)
      }
    }
    part = index
    framesLeft = wanted.audio.count - offset
    if missing > 0 {
      if source.lengthBasis == .estimated, handle.stream.failure == nil {
        framesLeft = 0
      } else {
        framesLeft += missing
        throw shortage
      }
    }
  }

  package func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    func read<Sample: PCMSample>(_: Sample.Type) throws(AudioFileError) -> Int {
      try buffer.withSamples(of: Sample.self) { (samples) throws(AudioFileError) in
        try decode(into: &samples)
      }
    }
    return try read(buffer.format.sampleType)
  }

  @specialized(where Sample == Int8)
  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  private func decode<Sample: PCMSample>(
    into buffer: inout MutableSpan<Sample>
  ) throws(AudioFileError) -> Int {
    while framesLeft == 0, part + 1 < opened.parts.count {
      part += 1
      handle = try opened.parts[part].open(whole)
      framesLeft = opened.parts[part].audio.count
    }
    var wanted = min(buffer.count / source.spec.channelCount, framesLeft)
    if wanted == 0 { return 0 }
    if opened.encoding.isInPackets, wanted < framesLeft {
      wanted = max(1, min(wanted, framesLeft - SampleEncoding.maximumPacketFrames))
    }
    let got =
      switch opened.encoding.delivery {
      case .short: read(wanted, through: &shorts, into: &buffer)
      case .int: read(wanted, through: &ints, into: &buffer)
      case .float: read(wanted, through: &floats, into: &buffer)
      case .double: read(wanted, through: &doubles, into: &buffer)
      }
    guard got > 0 else {
      if source.lengthBasis == .estimated, handle.stream.failure == nil {
        framesLeft = 0
        return 0
      }
      throw shortage
    }
    framesLeft -= got
    return got
  }

  /// Reads up to `frames` frames as `Delivered` samples and converts them to the requested type.
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
    samples.baseAddress.map { Delivered.read(handle.pointer, $0, frames: frames) } ?? 0
  }

  /// The error for a file that ends before its declared length.
  private var shortage: AudioFileError {
    if let cause = handle.stream.failure { return .cannotRead(path, cause) }
    let expected = source.frameCount
    let later = opened.parts.dropFirst(part + 1).reduce(0) { $0 + $1.audio.count }
    let found = expected - framesLeft - later
    if let complaint = handle.complaint {
      return .malformed(
        path, reason: "only \(found) of its \(expected) frames can be decoded: \(complaint)")
    }
    return .truncated(path, expected: expected, found: found)
  }
}
