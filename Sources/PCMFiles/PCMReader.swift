internal import AudioIO
internal import AudioModel
internal import SystemPackage

/// A reader of samples that are stored one by one.
final class PCMReader: FrameStream {
  let source: SourceDescription
  private(set) var clipping = Clipping()
  private(set) var nonFiniteSamples = 0
  var seeking: Seeking { .direct }
  private let path: FilePath
  private let encoding: RawPCM.Encoding
  /// The ranges of bytes that hold the samples, in order.
  private let audio: [Range<Int>]
  /// The index of the range that is being read.
  private var range = 0
  private let bytesPerFrame: Int
  private let input: InputCursor
  private var framesLeft: Int
  /// Stored samples that are to be converted.
  private var stored: [UInt8] = []

  /// Bytes to convert at a time, which fit into the processor's caches.
  private static let blockBytes = 1 << 16

  init(_ input: borrowing InputFile, _ file: PCMSource) throws(AudioFileError) {
    path = input.path
    source = file.description
    encoding = file.encoding
    audio = file.audio
    bytesPerFrame = file.encoding.bytesPerSample * file.description.spec.channelCount
    framesLeft = file.description.frameCount
    self.input = try InputCursor(input)
    try seek(toFrame: 0)
  }

  func seek(toFrame frame: Int) throws(AudioFileError) {
    framesLeft = max(0, source.frameCount - frame)
    var bytes = (source.frameCount - framesLeft) * bytesPerFrame
    range = 0
    while range < audio.count - 1, bytes >= audio[range].count {
      bytes -= audio[range].count
      range += 1
    }
    // The header of an empty file may place its audio anywhere.
    guard input.seek(to: audio[range].lowerBound + bytes) || framesLeft == 0 else { throw shortage }
  }

  func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    let channels = source.spec.channelCount
    let wanted = min(buffer.sampleCount / channels, framesLeft)
    // After a failure, the place in the file may be inside of a frame.
    if wanted > 0, input.failure != nil { throw shortage }
    var done = 0
    while done < wanted {
      let left = buffer.extracting(done * channels..<wanted * channels)
      let got = readBlock(into: left)
      if got == 0 { break }
      done += got
      framesLeft -= got
    }
    if done == 0, wanted > 0 { throw shortage }
    return done
  }

  /// Reads up to a full `buffer`; returns the number of whole frames.
  private func readBlock(into buffer: FrameBuffer) -> Int {
    if isStored(as: buffer.format) {
      let frames = read(into: buffer.memory)
      let memory = buffer.extracting(0..<frames * source.spec.channelCount).memory
      encoding.exchangeBytes(of: memory)
      switch buffer.format {
      case .float32: silence(memory.assumingMemoryBound(to: Float.self), from: .infinity)
      case .float64: silence(memory.assumingMemoryBound(to: Double.self), from: 0x1p1000)
      default: break
      }
      return frames
    }
    let channels = source.spec.channelCount
    let frames = min(
      buffer.sampleCount / channels, max(1, Self.blockBytes / bytesPerFrame))
    if stored.count < frames * bytesPerFrame {
      stored = [UInt8](repeating: 0, count: frames * bytesPerFrame)
    }
    return stored.withUnsafeMutableBytes { all in
      let memory = UnsafeMutableRawBufferPointer(rebasing: all[..<(frames * bytesPerFrame)])
      let got = read(into: memory)
      encoding.exchangeBytes(of: memory)
      let samples = buffer.extracting(0..<got * channels)
      func convert<Sample: PCMSample>(_: Sample.Type) {
        decode(
          UnsafeRawBufferPointer(memory), into: samples.memory.bindMemory(to: Sample.self))
      }
      convert(buffer.format.sampleType)
      return got
    }
  }

  /// Reads until `memory` is full, the file ends, or reading fails; returns the number of whole frames.
  private func read(into memory: UnsafeMutableRawBufferPointer) -> Int {
    var done = 0
    while done < memory.count {
      var wanted = memory[done...]
      if range < audio.count - 1 {
        wanted = wanted.prefix(audio[range].upperBound - input.position)
      }
      if wanted.isEmpty {
        range += 1
        guard input.seek(to: audio[range].lowerBound) else { break }
        continue
      }
      guard let got = input.read(into: UnsafeMutableRawBufferPointer(rebasing: wanted)), got > 0
      else { break }
      done += got
    }
    return done / bytesPerFrame
  }

  /// True if stored samples are those of memory, but for the order of their bytes.
  private func isStored(as format: SampleFormat) -> Bool {
    encoding.sampleFormat == format && encoding != .u8 && format != .int24
  }

  /// Makes NaN, infinity and values of at least a magnitude silence, and counts them.
  ///
  /// These are the values that ``PCMSample/init(decoded:clipping:nonFinite:)`` does not take.
  private func silence<Value: BinaryFloatingPoint>(
    _ values: UnsafeMutableBufferPointer<Value>, from magnitude: Value
  ) {
    for index in values.indices where !(values[index].magnitude < magnitude) {
      values[index] = 0
      nonFiniteSamples += 1
    }
  }

  /// Converts stored samples, whose bytes are in the order of the processor, until `samples` is full.
  @specialized(where Sample == Int8)
  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  private func decode<Sample: PCMSample>(
    _ bytes: UnsafeRawBufferPointer, into samples: UnsafeMutableBufferPointer<Sample>
  ) {
    var (clipping, nonFinite) = (clipping, nonFiniteSamples)
    @inline(__always) func fill(_ sample: (Int) -> Sample) {
      for index in 0..<samples.count { samples[index] = sample(index) }
    }
    @inline(__always) func value<Stored: BitwiseCopyable>(_ index: Int, _: Stored.Type) -> Stored {
      bytes.loadUnaligned(fromByteOffset: index * MemoryLayout<Stored>.size, as: Stored.self)
    }
    switch encoding {
    case .s8: fill { Sample(integer: Int32(value($0, Int8.self)), bitDepth: 8) }
    case .u8: fill { Sample(integer: Int32(bytes[$0]) - 128, bitDepth: 8) }
    case .s16le, .s16be: fill { Sample(integer: Int32(value($0, Int16.self)), bitDepth: 16) }
    case .s24le, .s24be:
      fill {
        let low = Int32(bytes[3 * $0]) | Int32(bytes[3 * $0 + 1]) << 8
        let high = Int32(Int8(bitPattern: bytes[3 * $0 + 2])) << 16
        return Sample(integer: high | low, bitDepth: 24)
      }
    case .s32le, .s32be: fill { Sample(integer: value($0, Int32.self), bitDepth: 32) }
    case .f32le, .f32be:
      fill {
        Sample(
          decoded: Double(value($0, Float.self)), clipping: &clipping, nonFinite: &nonFinite)
      }
    case .f64le, .f64be:
      fill {
        Sample(decoded: value($0, Double.self), clipping: &clipping, nonFinite: &nonFinite)
      }
    case .alaw: fill { Sample(integer: G711.alaw[Int(bytes[$0])], bitDepth: 16) }
    case .ulaw: fill { Sample(integer: G711.ulaw[Int(bytes[$0])], bitDepth: 16) }
    }
    (self.clipping, nonFiniteSamples) = (clipping, nonFinite)
  }

  /// The error for a file that ends before its declared length, or cannot be read.
  private var shortage: AudioFileError {
    if let cause = input.failure { return .cannotRead(path, cause) }
    return .truncated(path, expected: source.frameCount, found: source.frameCount - framesLeft)
  }
}

extension RawPCM.Encoding {
  /// Exchanges the bytes of whole samples if they are big-endian: to and from the order of the processor. All supported
  /// processors are little-endian.
  func exchangeBytes(of memory: UnsafeMutableRawBufferPointer) {
    guard isBigEndian else { return }
    switch bytesPerSample {
    case 2: Self.exchange(memory, UInt16.self)
    case 4: Self.exchange(memory, UInt32.self)
    case 8: Self.exchange(memory, UInt64.self)
    default:
      for start in stride(from: 0, to: memory.count - 2, by: 3) { memory.swapAt(start, start + 2) }
    }
  }

  private static func exchange<Word: FixedWidthInteger & BitwiseCopyable>(
    _ memory: UnsafeMutableRawBufferPointer, _: Word.Type
  ) {
    let size = MemoryLayout<Word>.size
    for index in 0..<memory.count / size {
      let word = memory.loadUnaligned(fromByteOffset: index * size, as: Word.self)
      memory.storeBytes(of: word.byteSwapped, toByteOffset: index * size, as: Word.self)
    }
  }
}

/// The samples of 16 bits that the codes of ITU-T G.711 stand for.
private enum G711 {
  /// Codes have a sign, three bits of exponent and four of mantissa; every other bit is inverted.
  static let alaw: [Int32] = (0..<256).map { code in
    let bits = Int32(code ^ 0x55)
    let exponent = bits >> 4 & 7
    let mantissa = (bits & 15) << 4 + 8
    let magnitude = exponent == 0 ? mantissa : (mantissa + 0x100) << (exponent - 1)
    return bits & 0x80 != 0 ? magnitude : -magnitude
  }

  /// Codes have a sign, three bits of exponent and four of mantissa, all inverted.
  static let ulaw: [Int32] = (0..<256).map { code in
    let bits = Int32(code ^ 0xFF)
    let magnitude = ((bits & 15) << 3 + 0x84) << (bits >> 4 & 7) - 0x84
    return bits & 0x80 != 0 ? -magnitude : magnitude
  }
}
