public import AudioModel

/// Memory for interleaved samples of one type, which the caller of a ``FrameStream`` owns.
///
/// A buffer is a view: its owner, such as a ``Block``, keeps the memory alive while a stream fills it.
package struct FrameBuffer {
  /// The type of the samples.
  package let format: SampleFormat
  /// The whole memory, aligned for any type of sample.
  package let memory: UnsafeMutableRawBufferPointer

  /// A view of memory for samples of a type.
  package init(_ memory: UnsafeMutableRawBufferPointer, of format: SampleFormat) {
    self.memory = memory
    self.format = format
  }

  /// The number of samples that fit, over all channels.
  package var sampleCount: Int { memory.count / format.byteCount }

  /// A part of the buffer, in samples over all channels.
  package func extracting(_ samples: Range<Int>) -> FrameBuffer {
    let width = format.byteCount
    return FrameBuffer(
      UnsafeMutableRawBufferPointer(
        rebasing: memory[samples.lowerBound * width..<samples.upperBound * width]),
      of: format)
  }

  /// Fills samples with silence, which is zero in every type.
  package func silence(_ samples: Range<Int>) {
    extracting(samples).memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  /// Calls `body` with the samples. Their type must match ``format``.
  package func withSamples<Sample: PCMSample, Result, Failure: Error>(
    of _: Sample.Type, _ body: (inout MutableSpan<Sample>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(Sample.format == format, "samples of another type")
    let samples = UnsafeMutableBufferPointer(
      start: memory.baseAddress?.assumingMemoryBound(to: Sample.self), count: sampleCount)
    var span = samples.mutableSpan
    return try body(&span)
  }
}

extension FrameBuffer {
  /// Stores samples of a block from index `start` on, rounded to the type of the buffer and clamped to its range.
  package func store(_ block: Block, from first: Int, count: Int, at start: Int) {
    if block.format == format {
      extracting(start..<start + count).memory.copyMemory(
        from: UnsafeRawBufferPointer(block.buffer.extracting(first..<first + count).memory))
      return
    }
    func store<From: PCMSample>(_ source: From.Type) {
      let samples = block.samples(of: source)
      self.store(samples.span.extracting(first..<first + count), at: start)
    }
    store(block.format.sampleType)
  }

  /// Stores samples from index `start` on, rounded to the type of the buffer and clamped to its range.
  package func store<From: PCMSample>(_ samples: Span<From>, at start: Int) {
    func store<To: PCMSample>(_: To.Type) {
      withSamples(of: To.self) { target in
        Self.convert(samples, into: &target, at: start)
      }
    }
    store(format.sampleType)
  }

  @specialized(where From == Int16, To == Double)
  @specialized(where From == Int16, To == Float)
  @specialized(where From == Double, To == Float)
  @specialized(where From == Float, To == Double)
  private static func convert<From: PCMSample, To: PCMSample>(
    _ samples: Span<From>, into target: inout MutableSpan<To>, at start: Int
  ) {
    var clipping = Clipping()
    for index in 0..<samples.count {
      target[start + index] = To(normalized: samples[index].normalized, clipping: &clipping)
    }
  }
}

extension SampleFormat {
  /// The type of such samples in memory.
  package var sampleType: any PCMSample.Type {
    switch self {
    case .int8: Int8.self
    case .int16: Int16.self
    case .int24: Int24.self
    case .int32: Int32.self
    case .float32: Float.self
    case .float64: Double.self
    }
  }

  /// Bytes that a sample takes in memory.
  package var byteCount: Int {
    func stride<Sample: PCMSample>(_: Sample.Type) -> Int { MemoryLayout<Sample>.stride }
    return stride(sampleType)
  }
}

/// Interleaved frames in memory that is reused.
///
/// A block knows the type of its samples, so that code that only moves blocks needs no generics. One thread at a time
/// uses a block.
package final class Block: @unchecked Sendable {
  /// The type of the samples.
  package let format: SampleFormat
  /// The number of frames in the block, from the start of its memory.
  package var frameCount = 0
  private var memory: UnsafeMutableRawBufferPointer

  /// A block for this number of samples over all channels, all of them silence.
  package init(_ format: SampleFormat, sampleCount: Int) {
    self.format = format
    memory = .allocate(byteCount: max(1, sampleCount) * format.byteCount, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { memory.deallocate() }

  /// The whole memory, to be filled; valid until the block is filled anew.
  package var buffer: FrameBuffer { FrameBuffer(memory, of: format) }

  /// Exchanges memory and frames with another block of the same type.
  func exchange(_ other: Block) {
    swap(&memory, &other.memory)
    swap(&frameCount, &other.frameCount)
  }

  /// The whole memory as samples of the block's type; valid until the block is filled anew.
  package func samples<Sample: PCMSample>(of _: Sample.Type) -> UnsafeMutableBufferPointer<Sample> {
    UnsafeMutableBufferPointer(
      start: memory.baseAddress?.assumingMemoryBound(to: Sample.self),
      count: memory.count / MemoryLayout<Sample>.stride)
  }
}
