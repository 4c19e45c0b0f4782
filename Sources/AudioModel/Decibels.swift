#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension Double {
  /// The ratio of two amplitudes that differ by so many dB: 1 for 0 dB, about 2 for 6 dB.
  package init(decibels: Double) {
    self = pow(10, decibels / 20)
  }

  /// The ratio of two amplitudes, more than 0, in dB.
  package var decibels: Double { 20 * log10(self) }
}
