import AudioModel
import Testing

@Suite("Samples of 16 bits")
struct PCMSampleTests {
  @Test(
    arguments: [
      (0.5, 0), (1.5, 2), (2.5, 2), (-0.5, 0), (-1.5, -2), (-2.5, -2), (0.4999999999999999, 0),
      (32766.5, 32766), (32767.4, 32767), (-32767.5, -32768), (-32768, -32768), (12345, 12345),
    ] as [(Double, Int16)])
  func nearest(value: Double, sample: Int16) {
    #expect(Int16(nearest: value) == sample)
  }

  @Test func silence() {
    func isSilent<Sample: PCMSample>(_: Sample.Type) -> Bool {
      [Sample].silence(1000) == Array(repeating: .silence, count: 1000)
        && [Sample].silence(0).isEmpty
    }
    #expect(isSilent(Int8.self) && isSilent(Int16.self) && isSilent(Int24.self))
    #expect(isSilent(Int32.self) && isSilent(Float.self) && isSilent(Double.self))
  }

  @Test(
    arguments: [
      (0, 0, 0), (0.5 / 32768, 0, 0), (1.5 / 32768, 2, 0), (-2.5 / 32768, -2, 0), (0.5, 16384, 0),
      (32767.0 / 32768, 32767, 0), (-1, -32768, 0), (-32768.5 / 32768, -32768, 1),
      (1, 32767, 1), (32767.5 / 32768, 32767, 0), (-32769.0 / 32768, -32768, 1), (7, 32767, 1),
      (-7, -32768, 1), (.infinity, 32767, 1), (-.infinity, -32768, 1), (.nan, 0, 0),
      (.greatestFiniteMagnitude, 32767, 1), (.leastNonzeroMagnitude, 0, 0),
    ] as [(Double, Int16, Int)])
  func normalized(value: Double, sample: Int16, clippedOnce: Int) {
    var clipping = Clipping()
    #expect(Int16(normalized: value, clipping: &clipping) == sample)
    #expect(clipping.count == clippedOnce)
    #expect((clipping.decibels != nil) == (clippedOnce > 0))
  }

  @Test(
    arguments: [
      (0x000080, 24, 0), (0x000180, 24, 2), (0x000280, 24, 2), (0x000081, 24, 1), (-0x80, 24, 0),
      (-0x180, 24, -2), (0x7FFFFF, 24, 32767), (-0x800000, 24, -32768), (0x7FFF80, 24, 32767),
      (0x8000, 32, 0), (0x18000, 32, 2), (.max, 32, 32767), (.min, 32, -32768),
      (0x123456, 24, 0x1234),
      (1, 8, 256), (-128, 8, -32768), (127, 8, 32512), (32767, 16, 32767), (-32768, 16, -32768),
      (7, 4, 28672), (1, 20, 0), (24, 20, 2), (8, 20, 0),
    ] as [(Int32, Int, Int16)])
  func integers(value: Int32, bitDepth: Int, sample: Int16) {
    #expect(Int16(integer: value, bitDepth: bitDepth) == sample)
  }

  @Test(arguments: 17...32)
  func deeperIntegersTiesToEven(bitDepth: Int) {
    let unit = Int64(1) << Int64(bitDepth - 16)
    for whole: Int64 in [-32768, -32767, -2, -1, 0, 1, 2, 32766] {
      let tie = whole * unit + unit / 2
      let even = whole % 2 == 0 ? whole : whole + 1
      #expect(Int16(integer: Int32(tie), bitDepth: bitDepth) == Int16(even))
      #expect(Int16(integer: Int32(whole * unit), bitDepth: bitDepth) == Int16(whole))
    }
  }
}

@Suite("Samples of other depths")
struct SampleTypeTests {
  @Test(
    arguments: [
      (0x7FFFFF, 24, 0x7FFFFF), (-0x800000, 24, -0x800000), (1, 20, 16), (-1, 8, -65536),
      (.max, 32, 0x7FFFFF), (.min, 32, -0x800000), (0x80, 32, 0), (0x180, 32, 2), (-0x80, 32, 0),
      (0x7FFF_FF00, 32, 0x7FFFFF),
    ] as [(Int32, Int, Int32)])
  func integersOf24Bits(value: Int32, bitDepth: Int, sample: Int32) {
    #expect(Int24(integer: value, bitDepth: bitDepth).value == sample)
  }

  @Test func integersOf32And8Bits() {
    for value: Int32 in [.max, .min, 0, 1, -1, 0x1234_5678] {
      #expect(Int32(integer: value, bitDepth: 32) == value)
      #expect(Int32(nearest: Int32(integer: value, bitDepth: 32).doubleValue) == value)
    }
    #expect(Int32(integer: -128, bitDepth: 8) == .min)
    #expect(Int8(integer: 32767, bitDepth: 16) == 127)
    #expect(Int8(integer: -32768, bitDepth: 16) == -128)
    #expect(Int8(integer: 0x0180, bitDepth: 16) == 2)
  }

  /// Every 24-bit integer, and so every narrower one, has an exact float; 32 bits need a double.
  @Test func floatsHoldIntegersExactly() {
    for value: Int32 in [0x7FFFFF, -0x800000, 0x7FFFFE, 1, -1] {
      let float = Float(integer: value, bitDepth: 24)
      #expect(Double(float) * 0x1p23 == Double(value))
    }
    for value: Int32 in [.max, .min, .max - 1, 1] {
      #expect(Double(integer: value, bitDepth: 32) * 0x1p31 == Double(value))
    }
    #expect(SampleFormat.float32.holds(.int24))
    #expect(!SampleFormat.float32.holds(.int32))
    #expect(SampleFormat.float64.holds(.int32))
    #expect(!SampleFormat.int32.holds(.float32))
    #expect(!SampleFormat.float32.holds(.float64))
    for format in SampleFormat.allCases { #expect(format.holds(format)) }
  }

  @Test(
    arguments: [
      (0.25, 0.25, 0, 0), (2, 2, 0, 0), (-1e30, -1e30, 0, 0), (.nan, 0, 0, 1),
      (.infinity, 0, 0, 1), (-.infinity, 0, 0, 1), (1e305, 0, 0, 1),
    ] as [(Double, Double, Int, Int)])
  func decodedNumbersAreFinite(value: Double, sample: Double, clips: Int, faults: Int) {
    func check<Sample: PCMSample>(_ expected: Sample, clips: Int) {
      var (clipping, nonFinite) = (Clipping(), 0)
      #expect(Sample(decoded: value, clipping: &clipping, nonFinite: &nonFinite) == expected)
      #expect((clipping.count, nonFinite) == (clips, faults))
    }
    check(sample, clips: clips)
    check(Float(sample), clips: clips)
    let clamped = min(max(sample * 32768, -32768), 32767)
    check(Int16(clamped), clips: abs(sample) > 1 ? 1 : 0)
  }

  /// 20 * log10(2) and so on, as tables give them.
  @Test func clippingIsReportedInDecibels() {
    var clipping = Clipping()
    #expect(clipping.decibels == nil)
    _ = Int16(normalized: 1, clipping: &clipping)
    #expect(clipping.decibels == 0)
    _ = Int8(normalized: -2, clipping: &clipping)
    #expect(abs((clipping.decibels ?? 0) - 6.0206) < 1e-4)
    _ = Int32(normalized: 1.5, clipping: &clipping)
    #expect(clipping.count == 3)
    var other = Clipping()
    other.add(-10)
    other.add(clipping)
    #expect((other.count, other.peak) == (4, 10))
    #expect(abs((other.decibels ?? 0) - 20) < 1e-12)
  }
}
