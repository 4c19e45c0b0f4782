package import AudioIO
package import AudioModel

/// The contract of ``FrameStream``, checked on streams of one kind.
package struct StreamContract {
  /// The comparison of frames after a seek with those of a read from the start.
  package enum AfterSeek: Sendable {
    case equal
    /// They differ by at most this part of full scale.
    case within(Double)
    /// The stream begins anew, so only their number and their repeatability are checked.
    case anew
  }

  /// Makes another stream of the same frames, at its first frame.
  private let make: () throws -> any FrameStream
  private let format: SampleFormat
  private let afterSeek: AfterSeek

  /// - Parameters:
  ///   - format: The type in which samples are read.
  ///   - make: Makes another stream of the same frames, at its first frame.
  package init(
    as format: SampleFormat, afterSeek: AfterSeek = .equal,
    _ make: @escaping () throws -> any FrameStream
  ) {
    (self.format, self.afterSeek, self.make) = (format, afterSeek, make)
  }

  /// The number of comparisons that were made, and what violates the contract.
  package func check() throws -> (checked: Int, violations: [String]) {
    var (checked, violations) = (0, [String]())
    func expect(_ condition: Bool, _ violation: @autoclosure () -> String) {
      checked += 1
      if !condition { violations.append(violation()) }
    }
    let stream = try make()
    let (count, channels) = (stream.source.frameCount, stream.spec.channelCount)
    let whole = try read(stream, in: [4096])
    expect(whole.count == count * channels, "\(whole.count / channels) frames of \(count)")
    for _ in 0..<2 {
      let more = try read(stream, in: [100])
      expect(more.isEmpty, "\(more.count / channels) frames after the end")
    }
    for sizes in [[1], [7], [1000], [65_536], [3, 4096, 1, 511]] {
      let limit = sizes == [1] ? min(count, 5000) : .max
      let other = try read(try make(), in: sizes, limit: limit)
      expect(other.elementsEqual(whole.prefix(other.count)), "other frames in blocks of \(sizes)")
      expect(
        other.count == min(count, limit) * channels,
        "\(other.count / channels) frames in blocks of \(sizes)")
    }
    for frames in [500, 4096, 9000] {
      // A stream may exchange the memory of the block.
      let (stream, block) = (try make(), Block(format, sampleCount: frames * channels))
      var samples: [Double] = []
      while try stream.read(into: block) > 0 {
        append(block, block.frameCount * channels, format.sampleType, to: &samples)
        expect(
          block.buffer.sampleCount >= block.frameCount * channels, "a block that is too small")
      }
      expect(samples == whole, "other frames in whole blocks of \(frames)")
      expect(
        block.buffer.sampleCount == frames * channels,
        "a block of \(frames) frames came back with room for \(block.buffer.sampleCount / channels)"
      )
    }
    var numbers = SeededNumbers(seed: 43)
    let anywhere = (0..<8).map { _ in Int.random(in: 0...count, using: &numbers) }
    let places = [count / 2, 0, max(0, count - 1), count, min(1, count)] + anywhere
    // A stream that has not been read yet, and one that has been read to its end.
    for stream in [try make(), stream] {
      for place in places {
        try stream.seek(toFrame: place)
        let part = try read(stream, in: [400, 33], limit: 1500)
        expect(
          part.count == min(1500, count - place) * channels,
          "\(part.count / channels) frames from \(place)")
        let expected = whole.dropFirst(place * channels)
        let worst = zip(part, expected).map { abs($0 - $1) }.max() ?? 0
        switch afterSeek {
        case .equal: expect(worst == 0, "from \(place), frames differ by \(worst)")
        case .within(let limit): expect(worst <= limit, "from \(place), frames differ by \(worst)")
        case .anew: expect(place != 0 || worst == 0, "from 0, frames differ by \(worst)")
        }
        try stream.seek(toFrame: place)
        let again = try read(stream, in: [1000], limit: 1500)
        expect(again == part, "from \(place), a second read differs")
      }
    }
    return (checked, violations)
  }

  /// Reads up to `limit` frames in blocks of some sizes, in turn; full scale is 1.
  private func read(
    _ stream: any FrameStream, in sizes: [Int], limit: Int = .max
  ) throws -> [Double] {
    let channels = stream.spec.channelCount
    var samples: [Double] = []
    let blocks = sizes.map { Block(format, sampleCount: $0 * channels) }
    var turn = 0
    while samples.count / channels < limit {
      let block = blocks[turn % blocks.count]
      turn += 1
      let wanted = min(block.buffer.sampleCount / channels, limit - samples.count / channels)
      let count = try stream.read(into: block.buffer.extracting(0..<wanted * channels))
      if count == 0 { break }
      append(block, count * channels, block.format.sampleType, to: &samples)
    }
    return samples
  }

  private func append<Sample: PCMSample>(
    _ block: Block, _ count: Int, _ type: Sample.Type, to samples: inout [Double]
  ) {
    samples += block.samples(of: type).prefix(count).lazy.map(\.normalized)
  }
}
