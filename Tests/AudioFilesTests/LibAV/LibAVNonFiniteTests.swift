#if FFmpeg
  @testable import AudioIO
  import AudioFiles
  import Foundation
  import Testing

  @Suite("Non-finite samples through FFmpeg's libraries")
  struct LibAVNonFiniteTests {
    @Test func isCountedAndReplaced() throws {
      let fixture = try AudioFixture()
      var values = [Float](repeating: 0.25, count: 2000)
      values[10] = .nan
      values[20] = .infinity
      values[30] = -.infinity
      values[40] = 1.5
      let bytes = values.withUnsafeBytes { Data($0) }
      try bytes.write(to: URL(fileURLWithPath: fixture.path("x.raw").string))
      try fixture.run(
        "ffmpeg", "-v", "error", "-f", "f32le", "-ar", "44100", "-ac", "1", "-i", "x.raw", "-c:a",
        "pcm_f32le", "x.mka")
      let reader = try AudioFile.reader(
        for: InputFile(path: fixture.path("x.mka")), salvaging: false)
      var buffer = [Float](repeating: 7, count: 4000)
      var samples: [Float] = []
      while true {
        var span = buffer.mutableSpan
        let count = try reader.read(into: &span)
        if count == 0 { break }
        samples += buffer.prefix(count)
      }
      #expect(reader.nonFiniteSamples == 3)
      values[10] = 0
      values[20] = 0
      values[30] = 0
      #expect(samples == values)
    }
  }
#endif
