internal import CKissFFT

/// The discrete Fourier transform of real samples, by kissfft in single precision.
///
/// One thread may use it at a time.
final class FourierTransform: @unchecked Sendable {
  /// Samples that are transformed; even.
  let length: Int
  private let plan: kiss_fftr_cfg?
  private var output: [kiss_fft_cpx]

  init(length: Int) {
    self.length = length
    plan = kiss_fftr_alloc(Int32(length), 0, nil, nil)
    output = Array(repeating: kiss_fft_cpx(r: 0, i: 0), count: length / 2 + 1)
  }

  deinit { scaleaudio_kiss_fftr_free(plan) }

  /// Adds the squared magnitude of each of the `length / 2 + 1` bins to `sums`.
  func addPowers(of samples: [Float], to sums: inout [Double]) {
    guard let plan, samples.count == length, sums.count == output.count else { return }
    kiss_fftr(plan, samples, &output)
    var sums = sums.mutableSpan
    let bins = output
    for (index, bin) in bins.enumerated() {
      sums[index] += Double(bin.r * bin.r + bin.i * bin.i)
    }
  }
}
