import ScaleAudio
import TestSupport
import Testing

/// At its own length, audio is a copy, whatever the method.
@Suite("Copies at speed 1")
struct CopyTests {
  @Test(arguments: [
    ScalingMethod.sinc(), .stretch(), .linear, .smoothstep,
  ])
  func samplesStay(method: ScalingMethod) throws {
    let bench = try Workbench(["in.wav": Sound.wav])
    try bench.run("sox", "in.wav", "-b", "24", "in24.wav", "gain", "-3")
    try bench.run("sox", "in.wav", "-e", "float", "-b", "32", "inf.wav", "gain", "-3")
    for input in ["in.wav", "in24.wav", "inf.wav"] {
      let report = try bench.convert(input, to: "out.wav", .at(speed: 1), method)
      #expect(report.warningText == "")
      #expect(try bench.samples("out.wav") == bench.samples(input), "\(input)")
    }
  }
}
