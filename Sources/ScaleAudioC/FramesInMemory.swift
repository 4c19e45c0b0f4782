internal import AudioModel
internal import CScaleAudio
internal import TimeScaling

/// A type in which a scaler computes.
protocol WorkingSample: PCMSample {
  /// A sample as readers deliver it: one that is not finite, or too large, is silence.
  init<Stored: PCMSample>(stored sample: Stored)
  /// Stores samples in the type of the caller.
  static func store<Stored: PCMSample>(
    _ samples: Span<Self>, by quantizer: inout Quantizer<Stored>,
    into output: inout MutableSpan<Stored>)
}

extension Float: WorkingSample {
  @inline(__always)
  init<Stored: PCMSample>(stored sample: Stored) {
    let value = Float(sample.normalized)
    self = value.isFinite ? value : 0
  }

  @inline(__always)
  static func store<Stored: PCMSample>(
    _ samples: Span<Float>, by quantizer: inout Quantizer<Stored>,
    into output: inout MutableSpan<Stored>
  ) {
    quantizer.quantize(samples, into: &output)
  }
}

extension Double: WorkingSample {
  @inline(__always)
  init<Stored: PCMSample>(stored sample: Stored) {
    let value = sample.normalized
    self = value.magnitude < 0x1p1000 ? value : 0
  }

  @inline(__always)
  static func store<Stored: PCMSample>(
    _ samples: Span<Double>, by quantizer: inout Quantizer<Stored>,
    into output: inout MutableSpan<Stored>
  ) {
    quantizer.quantize(samples, into: &output)
  }
}

extension Int16: WorkingSample {
  @inline(__always)
  init<Stored: PCMSample>(stored sample: Stored) { self.init(nearest: sample.doubleValue) }

  /// Stores samples as they are: only 16-bit samples are scaled as such.
  @inline(__always)
  static func store<Stored: PCMSample>(
    _ samples: Span<Int16>, by quantizer: inout Quantizer<Stored>,
    into output: inout MutableSpan<Stored>
  ) {
    for index in 0..<samples.count { output[index] = Stored(nearest: samples[index].doubleValue) }
  }
}

/// Frames in memory that belongs to a caller, interleaved or with each channel apart.
struct FramesInMemory<Sample: PCMSample> {
  /// One place of the first sample of all channels, or one of each channel.
  private let places: [UnsafeMutablePointer<Sample>]
  private let channelCount: Int

  /// The frames at an address of C; `nil` if it is NULL where frames are announced.
  init?(_ address: UnsafeRawPointer?, frameCount: Int, _ settings: ScalerSettings) {
    channelCount = settings.channelCount
    if frameCount == 0 {
      places = []
      return
    }
    guard let address else { return nil }
    if settings.isPlanar {
      let channels = address.assumingMemoryBound(to: UnsafeMutablePointer<Sample>?.self)
      let found = (0..<channelCount).compactMap { channels[$0] }
      guard found.count == channelCount else { return nil }
      places = found
    } else {
      places = [UnsafeMutablePointer(mutating: address.assumingMemoryBound(to: Sample.self))]
    }
  }

  /// The interleaved frames at an address.
  init(_ address: UnsafePointer<Sample>, channelCount: Int) {
    (places, self.channelCount) = ([UnsafeMutablePointer(mutating: address)], channelCount)
  }

  private var isPlanar: Bool { places.count > 1 }

  /// Reads frames into the start of `samples`, interleaved.
  @inline(__always)
  func read<Working: WorkingSample>(
    from first: Int, count: Int, into samples: inout MutableSpan<Working>
  ) {
    if isPlanar {
      for (channel, place) in places.enumerated() {
        for frame in 0..<count {
          samples[frame * channelCount + channel] = Working(stored: place[first + frame])
        }
      }
    } else if let place = places.first {
      for index in 0..<count * channelCount {
        samples[index] = Working(stored: place[first * channelCount + index])
      }
    }
  }

  /// Appends frames to interleaved ones.
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  @specialized(where Sample == Int16)
  func append(count: Int, to samples: inout [Sample]) {
    if isPlanar {
      for frame in 0..<count { for place in places { samples.append(place[frame]) } }
    } else if let place = places.first {
      samples.append(contentsOf: UnsafeBufferPointer(start: place, count: count * channelCount))
    }
  }

  /// Writes the first frames of `samples`, which are interleaved, to frame `first` and on.
  func write(_ samples: Span<Sample>, count: Int, at first: Int) {
    if isPlanar {
      for (channel, place) in places.enumerated() {
        for frame in 0..<count { place[first + frame] = samples[frame * channelCount + channel] }
      }
    } else if let place = places.first {
      for index in 0..<count * channelCount { place[first * channelCount + index] = samples[index] }
    }
  }
}
