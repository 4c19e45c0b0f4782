import Testing

@testable import scaleaudio_cli

@Suite("Numbers as people read them")
struct QuantitiesTests {
  @Test func times() {
    #expect(Quantities.playingTime(3) == "3.000 s")
    #expect(Quantities.playingTime(59.9996) == "1:00.000")
    #expect(Quantities.playingTime(3723.5) == "1:02:03.500")
    #expect(Quantities.playingTime(1e300) == "very long")
    #expect(Quantities.clock(42) == "0:42")
    #expect(Quantities.clock(3723) == "1:02:03")
    #expect(Quantities.place(30) == "0:30")
    #expect(Quantities.place(30.2504) == "0:30.25")
    #expect(Quantities.place(3723.0009) == "1:02:03.001")
    #expect(Quantities.elapsed(0.041) == "0.04 s")
    #expect(Quantities.elapsed(4.23) == "4.2 s")
    #expect(Quantities.elapsed(59.96) == "1:00")
  }

  @Test func multiples() {
    #expect(Quantities.multiple(0.871) == "0.87x")
    #expect(Quantities.multiple(8.74) == "8.7x")
    #expect(Quantities.multiple(512.4) == "512x")
    #expect(Quantities.change(factor: 1.5) == "1.5x as long (0.667x speed)")
    #expect(Quantities.change(factor: 1.0 / 3) == "0.333333x as long (3x speed)")
  }

  @Test func counts() {
    #expect(Quantities.count(1, "file") == "1 file")
    #expect(Quantities.count(0, "file") == "0 files")
  }
}
