internal import CKernels

/// Keeps the formants of frames in place where resampling shifts the pitch afterwards.
///
/// The envelope around the lowest band's last frame, of all channels together, serves all bands: shorter windows see
/// the pulses of a voice one by one, and those of that band blur what a voice says. It lies on the partials and varies
/// as slowly over frequency as ``seconds`` allow.
final class FormantEnvelope {
  private var work = scaleaudio_formants()
  private let level: scaleaudio_kernel_level
  private let spectra: Spectra
  private let real, imaginary: UnsafeMutablePointer<Float>
  private let group: Int
  private let cosines, weights, envelope, scratch: UnsafeMutablePointer<Float>
  private let energies, found: UnsafeMutablePointer<Float>
  /// The gain that keeps the energy of the last frame.
  private var balance: Float = 1

  /// The longest delay in the cepstrum of an envelope; that of pitch is longer except for the highest voices.
  private static let seconds = 0.0025
  /// Energy below -80 dB counts as that.
  private static let quietest: Float = 1e-8

  /// - Parameters:
  ///   - ratio: The shift of the pitch, in the output / in the source.
  ///   - size: The frames of a window that holds the partials of a voice apart.
  ///   - longest: Those of the longest windows of a band.
  init(
    ratio: Double, size: Int, longest: Int, sampleRate: Int, isPortable: Bool
  ) throws(ScalingError) {
    spectra = try Spectra(size: size, isPortable: isPortable)
    level = spectra.level
    group = max(1, size / 512)
    let points = size / 2 / group
    let row = (points + 1 + 7) / 8 * 8
    let order = min(points, max(2, Int(Self.seconds * Double(sampleRate))))
    func zeros(_ count: Int) -> UnsafeMutablePointer<Float> {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
      memory.initialize(repeating: 0, count: count)
      return memory
    }
    (cosines, weights) = (zeros(order * row), zeros(order))
    (envelope, scratch) = (zeros(row), zeros(2 * row))
    (energies, found) = (zeros(longest / 2 + 1), zeros(longest / 2 + 1))
    (real, imaginary) = (zeros(spectra.binCount), zeros(spectra.binCount))
    let turns = Turns(2 * points)
    for coefficient in 0..<order {
      for point in 0...points {
        cosines[coefficient * row + point] = Float(
          turns.cosines[coefficient * point % (2 * points)])
      }
      weights[coefficient] =
        (coefficient == 0 || coefficient == order - 1 ? 1 : 2) / Float(points)
    }
    (work.points, work.row) = (Int32(clamping: points), Int32(clamping: row))
    (work.order, work.ratio) = (Int32(clamping: order), Float(ratio))
    (work.cosines, work.weights) = (UnsafePointer(cosines), UnsafePointer(weights))
    (work.envelope, work.scratch) = (envelope, scratch)
  }

  deinit {
    for memory in [cosines, weights, envelope, scratch, energies, found, real, imaginary] {
      memory.deallocate()
    }
  }

  /// Finds the envelope of the source around a frame; `block` gives source frames of a channel from a frame on.
  func find(
    around middle: Int, channelCount: Int, block: (Int, Int) -> UnsafePointer<Float>
  ) {
    let bins = spectra.binCount
    energies.update(repeating: 0, count: bins)
    for channel in 0..<channelCount {
      spectra.analyze(
        block(channel, middle - spectra.size / 2), real: real, imaginary: imaginary)
      scaleaudio_phases_add_energies(level, real, imaginary, Int32(clamping: bins), energies)
    }
    // The square of a Hann window has a mean of 3/8.
    let floor = Self.quietest * 0.375 * Float(spectra.size) * Float(channelCount)
    scaleaudio_formants_find(level, &work, energies, Int32(clamping: group), floor)
  }

  /// Balances the gains for a frame of the lowest band: moved formants meet other partials, and would be louder or
  /// softer.
  ///
  /// - Parameters:
  ///   - spectrum: The planes of real parts of all channels, `plane` numbers each, then those of imaginary parts.
  ///   - size: The frames of its window.
  func keepLevel(
    of spectrum: UnsafePointer<Float>, plane: Int, channelCount: Int, size: Int
  ) {
    let bins = size / 2 + 1
    energies.update(repeating: 0, count: bins)
    for channel in 0..<channelCount {
      let real = spectrum + channel * plane
      scaleaudio_phases_add_energies(
        level, real, real + channelCount * plane, Int32(clamping: bins), energies)
    }
    find(0..<bins, size: size)
    var (before, after) = (0.0, 0.0)
    for bin in 0..<bins {
      before += Double(energies[bin])
      after += Double(energies[bin] * found[bin] * found[bin])
    }
    if before > 0, after > 0 { balance = Float((before / after).squareRoot()) }
  }

  /// The gains that move formants back for bins of a band with windows of `size` frames, and keep the level; valid
  /// until the next call.
  func gains(of bins: Range<Int>, size: Int) -> UnsafePointer<Float> {
    find(bins, size: size)
    for bin in bins { found[bin] *= balance }
    return UnsafePointer(found)
  }

  private func find(_ bins: Range<Int>, size: Int) {
    scaleaudio_formants_apply(
      level, &work, Float(2 * Int(work.points)) / Float(size), Int32(clamping: bins.lowerBound),
      Int32(clamping: bins.upperBound), found)
  }
}
