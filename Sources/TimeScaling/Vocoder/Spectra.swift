internal import CKernels

/// The spectra of real blocks under a periodic Hann window, and blocks from spectra.
///
/// A spectrum has ``binCount`` bins in two planes. Every processor computes the same bits.
package final class Spectra {
  /// The number of samples of a block, a power of two from 128 to 2^20.
  package let size: Int
  /// The number of bins: `size / 2 + 1`.
  package var binCount: Int { size / 2 + 1 }

  private let tables: OpaquePointer
  /// The instruction set of this and of what computes with the spectra.
  let level: scaleaudio_kernel_level

  /// The sizes of blocks; of these, powers of two.
  package static let sizes = 128...1 << 20

  /// - Parameter isPortable: True to avoid vector instructions that some processors lack.
  /// - Throws: ``ScalingError/failed(_:)`` for another size, or without memory.
  package init(size: Int, isPortable: Bool = false) throws(ScalingError) {
    guard let tables = scaleaudio_spectra_create(Int32(clamping: size)) else {
      throw .failed("there is no transform of \(size) samples")
    }
    self.tables = tables
    self.size = size
    level = Self.level(isPortable: isPortable)
  }

  /// The instruction set to use.
  static func level(isPortable: Bool) -> scaleaudio_kernel_level {
    isPortable ? SCALEAUDIO_KERNEL_PORTABLE : scaleaudio_kernel_best_level()
  }

  deinit { scaleaudio_spectra_destroy(tables) }

  /// Writes the spectrum of a block.
  package func analyze(
    _ block: UnsafePointer<Float>, real: UnsafeMutablePointer<Float>,
    imaginary: UnsafeMutablePointer<Float>
  ) {
    scaleaudio_spectra_analyze(level, tables, block, real, imaginary)
  }

  /// Adds the block of a spectrum, windowed once more and times `gain`, to `sum`.
  package func synthesize(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>, gain: Float,
    addingTo sum: UnsafeMutablePointer<Float>
  ) {
    scaleaudio_spectra_synthesize(level, tables, real, imaginary, gain, sum)
  }

  /// Writes a channel of interleaved frames, from frame `first` on, as the nearest `Float`s whose energies neither
  /// overflow nor become subnormal. NaN becomes silence.
  static func take(
    _ channel: Int, of channelCount: Int, from first: Int, count: Int, in input: Span<Double>,
    into plane: UnsafeMutablePointer<Float>, level: scaleaudio_kernel_level
  ) {
    guard count > 0 else { return }
    let range = first * channelCount + channel..<(first + count) * channelCount
    input.extracting(range).withUnsafeBufferPointer { frames in
      if let base = frames.baseAddress {
        scaleaudio_plane_take(
          level, base, Int32(clamping: channelCount), Int32(clamping: count), plane)
      }
    }
  }
}

/// The cosine and the sine of every part of a turn, the same on every processor.
package struct Turns {
  /// One for each part.
  package let cosines, sines: [Double]

  /// - Parameter whole: The number of parts, a power of two of at least 4.
  package init(_ whole: Int) {
    var (cosines, sines) = (
      [Double](repeating: 0, count: whole), [Double](repeating: 0, count: whole)
    )
    scaleaudio_turns(Int64(whole), &cosines, &sines)
    (self.cosines, self.sines) = (cosines, sines)
  }
}
