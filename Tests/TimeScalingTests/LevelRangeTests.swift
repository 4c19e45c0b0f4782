import AudioModel
import Testing
import TimeScaling

@Suite("Peaks and what can be stored")
struct LevelRangeTests {
  private func peaks(_ values: [Double]) -> PeakMeter {
    var meter = PeakMeter()
    meter.measure(values.span)
    return meter
  }

  @Test func theMeterKeepsTheExtremesOfAllBlocks() {
    var meter = PeakMeter()
    #expect(meter.peak == 0)
    meter.measure([0.25, -0.5].span)
    meter.measure([Double]().span)
    meter.measure([.nan, 0.375, -0.125].span)
    #expect((meter.highest, meter.lowest, meter.peak) == (0.375, -0.5, 0.5))
    #expect(peaks([0.5, 0.25]).lowest == 0)
  }

  /// Two's complement reaches -1 but not 1; noise takes a step from either side.
  @Test(
    arguments: [
      (.int8, .none, -1, 127.0 / 128), (.int8, .tpdf, -127.0 / 128, 126.0 / 128),
      (.int16, .none, -1, 32767.0 / 32768), (.int16, .tpdf, -32767.0 / 32768, 32766.0 / 32768),
      (.int24, .none, -1, 8388607.0 / 8_388_608), (.int32, .none, -1, 2147483647.0 / 2_147_483_648),
      (.float32, .none, -1, 1), (.float64, .none, -1, 1), (nil, .none, -1, 32767.0 / 32768),
    ] as [(SampleFormat?, Dither, Double, Double)])
  func limits(format: SampleFormat?, dither: Dither, least: Double, greatest: Double) {
    let range = LevelRange(of: format, dither: dither)
    #expect((range.limits.lowerBound, range.limits.upperBound) == (least, greatest))
    #expect(!range.isExceeded(by: peaks([-1, 1 - 0x1p-40])))
    #expect(range.isExceeded(by: peaks([1])) == (format?.isFloat != true))
    #expect(range.isExceeded(by: peaks([1 + 0x1p-52])))
    #expect(range.isExceeded(by: peaks([-1 - 0x1p-52])))
    for loud in [
      [1.7, -1.2], [1.2, -1.7], [3, 0], [0, -3], [1e300, -1],
      [1.0471975511965976, -1.0471975511965976],
    ] {
      let peaks = peaks(loud)
      let gain = range.gain(for: peaks, atMost: 1)
      let (high, low) = (peaks.highest * gain, peaks.lowest * gain)
      #expect(high <= greatest && low >= least)
      // One of the two is reached, except for rounding.
      #expect(high >= greatest * (1 - 1e-15) || low <= least * (1 - 1e-15))
    }
    #expect(range.gain(for: peaks([0.5, -0.25]), atMost: 1) == 1)
    #expect(range.gain(for: peaks([0.5, -0.25]), atMost: 1.5) == 1.5)
    #expect(range.gain(for: peaks([]), atMost: .infinity).isFinite)
  }
}
