import Glibc

/// The extremes and levels of one channel within a pixel of a waveform, gathered sample by sample.
///
/// Its record has 14 bytes, little-endian: the lowest and the highest sample (Int16), the RMS (UInt16, 65,535 is full
/// scale), and for each of ``noiseFloors`` a byte: the mean level above that floor, from 0 at the floor to 255 at 0 dB.
struct PixelLevels: Sendable {
  /// The noise floors, in dB, for which means of levels are kept: levels are clipped to the floor before they are
  /// averaged, so that one mean does not give another.
  static let noiseFloors: [Double] = [-40, -50, -60, -70, -80, -90, -100, -120]
  /// The size of a record.
  static let byteCount = 14

  private var low = Int16.max
  private var high = Int16.min
  /// The sum of the squares of the samples, full scale being 32,768.
  private var squares = 0.0
  /// The sum of the levels in dB, for each floor.
  private var levels = SIMD8<Float>.zero
  private(set) var frameCount = 0

  /// A pixel without frames.
  init() {}

  /// The level of each magnitude, 0 to 32,768, in dB for each floor, as ``LevelReducer`` defines it.
  private static let table: [SIMD8<Float>] = {
    var floors = SIMD8<Float>.zero
    for (index, floor) in noiseFloors.enumerated() { floors[index] = Float(floor) }
    return (0...32768).map { (magnitude: Int) -> SIMD8<Float> in
      if magnitude == 0 { return floors }
      let level = Float(min(0, 20 * log10(Double(magnitude) / 32767)))
      return floors.replacing(with: level, where: floors .< SIMD8(repeating: level))
    }
  }()

  /// Adds `count` samples of a channel, `stride` apart.
  mutating func add(_ samples: UnsafePointer<Int16>, count: Int, stride: Int) {
    var (low, high, levels) = (low, high, levels)
    var squares: Int64 = 0
    Self.table.withUnsafeBufferPointer { table in
      for index in 0..<count {
        let sample = samples[index * stride]
        low = min(low, sample)
        high = max(high, sample)
        let value = Int32(sample)
        squares &+= Int64(value &* value)
        levels += table[Int(sample.magnitude)]
      }
    }
    (self.low, self.high, self.levels) = (low, high, levels)
    self.squares += Double(squares)
    frameCount += count
  }

  /// Adds what another pixel holds.
  mutating func add(_ other: PixelLevels) {
    low = min(low, other.low)
    high = max(high, other.high)
    squares += other.squares
    levels += other.levels
    frameCount += other.frameCount
  }

  /// Appends the record; a pixel without frames is silent.
  func append(to bytes: inout [UInt8]) {
    let frames = Double(max(1, frameCount))
    let rms = (squares / frames).squareRoot() / 32768 * 65535
    let (low, high) = frameCount > 0 ? (low, high) : (0, 0)
    for number in [
      UInt16(bitPattern: low), UInt16(bitPattern: high), UInt16(min(65535, rms.rounded())),
    ] {
      bytes.append(UInt8(truncatingIfNeeded: number))
      bytes.append(UInt8(truncatingIfNeeded: number >> 8))
    }
    for (index, floor) in Self.noiseFloors.enumerated() {
      let mean = frameCount > 0 ? Double(levels[index]) / frames : floor
      bytes.append(UInt8(max(0, min(255, ((1 - mean / floor) * 255).rounded()))))
    }
  }
}

/// Gathers the pixels of levels that follow each other, each of ``pixelsPerPixel`` of the level before.
struct PixelGatherer: Sendable {
  /// The pixels of a level that make one of the next.
  static let pixelsPerPixel = 4

  /// The records that were made, for each level.
  private(set) var records: [[UInt8]]
  /// The values of the pixels that were closed on the last level.
  private(set) var sum: [PixelLevels]
  /// The pixel of each level that is being gathered, and how many of the level before it has.
  private var gathering: [[PixelLevels]]
  private var children: [Int]
  private let silent: [PixelLevels]

  /// A gatherer without frames.
  init(levelCount: Int, channelCount: Int) {
    silent = Array(repeating: PixelLevels(), count: channelCount)
    sum = silent
    gathering = Array(repeating: silent, count: levelCount)
    children = Array(repeating: 0, count: levelCount)
    records = Array(repeating: [], count: levelCount)
  }

  /// Adds interleaved frames to pixels of so many frames.
  mutating func append(_ samples: UnsafeBufferPointer<Int16>, framesPerPixel: Int) {
    let channels = silent.count
    guard let base = samples.baseAddress else { return }
    let end = samples.count / channels
    var frame = 0
    while frame < end {
      let count = min(end - frame, framesPerPixel - gathering[0][0].frameCount)
      for channel in 0..<channels {
        gathering[0][channel].add(base + frame * channels + channel, count: count, stride: channels)
      }
      frame += count
      if gathering[0][0].frameCount == framesPerPixel { close(0) }
    }
  }

  /// Adds a pixel of the first level.
  mutating func append(_ pixel: [PixelLevels]) {
    gathering[0] = pixel
    close(0)
  }

  /// Closes the last pixels, which may lack frames.
  mutating func end() {
    for level in gathering.indices where gathering[level][0].frameCount > 0 { close(level) }
  }

  /// Gives up the records that were made.
  mutating func removeRecords() {
    for level in records.indices { records[level].removeAll(keepingCapacity: true) }
  }

  /// Ends the pixel of a level, which becomes a part of one of the next.
  private mutating func close(_ level: Int) {
    let pixel = gathering[level]
    gathering[level] = silent
    for channel in pixel { channel.append(to: &records[level]) }
    guard level + 1 < gathering.count else {
      for channel in pixel.indices { sum[channel].add(pixel[channel]) }
      return
    }
    for channel in pixel.indices { gathering[level + 1][channel].add(pixel[channel]) }
    children[level + 1] += 1
    if children[level + 1] == Self.pixelsPerPixel {
      children[level + 1] = 0
      close(level + 1)
    }
  }
}
