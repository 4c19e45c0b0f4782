import Foundation
import Testing
import TimeScaling

@Suite("Spectra")
struct SpectraTests {
  static let sizes = [128, 256, 512, 1024, 4096]

  /// Planes of a spectrum.
  private struct Planes: Equatable {
    var real, imaginary: [Float]
  }

  private func spectrum(of block: [Float], by spectra: Spectra) -> Planes {
    var planes = Planes(
      real: Array(repeating: .nan, count: spectra.binCount),
      imaginary: Array(repeating: .nan, count: spectra.binCount))
    spectra.analyze(block, real: &planes.real, imaginary: &planes.imaginary)
    return planes
  }

  private func hann(_ index: Int, of size: Int) -> Double {
    0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(size))
  }

  /// The definition, in `Double`, at some of the bins.
  @Test(arguments: sizes, [false, true])
  func agreesWithTheDefinition(size: Int, isPortable: Bool) throws {
    let block = floatNoise(size, seed: UInt64(size)).map { Float($0) }
    let planes = spectrum(of: block, by: try Spectra(size: size, isPortable: isPortable))
    let bins = Set([0, 1, 2, 7, 8, 9, size / 4 - 1, size / 4, size / 2 - 1, size / 2])
      .union(stride(from: 0, to: size / 2, by: size / 32))
    for bin in bins {
      var (real, imaginary) = (0.0, 0.0)
      for (index, sample) in block.enumerated() {
        let angle = 2 * .pi * Double(bin * index % size) / Double(size)
        real += Double(sample) * hann(index, of: size) * cos(angle)
        imaginary -= Double(sample) * hann(index, of: size) * sin(angle)
      }
      // Errors grow like the square root of the size.
      let tolerance = 3e-7 * Double(size).squareRoot()
      #expect(abs(Double(planes.real[bin]) - real) < tolerance)
      #expect(abs(Double(planes.imaginary[bin]) - imaginary) < tolerance)
    }
  }

  @Test(arguments: sizes)
  func invertsUnderASecondWindow(size: Int) throws {
    let spectra = try Spectra(size: size)
    let block = floatNoise(size, seed: 3).map { Float($0) }
    let planes = spectrum(of: block, by: spectra)
    var sum = [Float](repeating: 2, count: size)
    spectra.synthesize(
      real: planes.real, imaginary: planes.imaginary, gain: 0.5, addingTo: &sum)
    for index in 0..<size {
      let window = hann(index, of: size)
      #expect(abs(Double(sum[index]) - 2 - 0.5 * window * window * Double(block[index])) < 1e-6)
    }
  }

  @Test(arguments: sizes)
  func everyProcessorComputesTheSameBits(size: Int) throws {
    let (best, portable) = (try Spectra(size: size), try Spectra(size: size, isPortable: true))
    let block = floatNoise(size, seed: 5).map { Float($0) }
    let planes = spectrum(of: block, by: best)
    #expect(planes == spectrum(of: block, by: portable))
    var sums = [[Float]](repeating: Array(repeating: 0, count: size), count: 2)
    best.synthesize(
      real: planes.real, imaginary: planes.imaginary, gain: 1, addingTo: &sums[0])
    portable.synthesize(
      real: planes.real, imaginary: planes.imaginary, gain: 1, addingTo: &sums[1])
    #expect(sums[0] == sums[1])
  }

  @Test(arguments: [4, 8, 16, 1024, 1 << 17])
  func turnsAreCosinesAndSines(whole: Int) {
    let turns = Turns(whole)
    #expect(turns.cosines.count == whole && turns.sines.count == whole)
    for part in 0..<whole {
      let angle = 2 * Double.pi * Double(part) / Double(whole)
      #expect(abs(turns.cosines[part] - cos(angle)) < 1e-15)
      #expect(abs(turns.sines[part] - sin(angle)) < 1e-15)
    }
    #expect([0, 1, 2, 3].map { turns.cosines[$0 * whole / 4] } == [1, 0, -1, 0])
    #expect([0, 1, 2, 3].map { turns.sines[$0 * whole / 4] } == [0, 1, 0, -1])
  }

  @Test(arguments: [-1, 0, 64, 100, 129, 1 << 21])
  func refusesOtherSizes(size: Int) {
    #expect(throws: ScalingError.self) { try Spectra(size: size) }
  }
}
