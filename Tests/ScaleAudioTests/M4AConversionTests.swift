#if FFmpeg
  import ScaleAudio
  import TestSupport
  import Testing

  @Suite("Converting to M4A")
  struct M4AConversionTests {
    let bench: Workbench

    init() throws {
      bench = try Workbench(["in.wav": Sound.wav, "in.flac": Sound.flac])
    }

    /// Codec and length in frames as ffprobe reports them.
    private func facts(_ name: String) throws -> String {
      let tool = try bench.shell(
        "ffprobe -v error -show_entries stream=codec_name,duration_ts -of csv=p=0 \(name)")
      #expect(tool.errors.isEmpty, "\(tool.errorText)")
      return tool.outputText
    }

    @Test(arguments: ["wav", "flac"], ["m4a", "m4b", "m4r", "alac"])
    func losslessSourcesStayExact(source: String, format: String) throws {
      try bench.convert("in.\(source)", .by(1.5)) {
        $0.format = .of(format)
      }
      let name = "in-x1.5.\(format == "alac" ? "m4a" : format)"
      #expect(try facts(name) == "alac,33075\n")
      let expected = ReferenceArithmetic.scale(
        interleaved: try bench.int16("in.\(source)"), channels: 2, factor: 1.5)
      let raw = try bench.run("ffmpeg", "-v", "error", "-i", name, "-f", "s16le", "-").output
      #expect(raw == Raw.bytes(expected))
    }

    @Test(arguments: [("aac", nil), ("m4a", 96_000)] as [(String, Int?)])
    func aacIsWrittenOnRequest(format: String, bitRate: Int?) throws {
      try bench.convert("in.flac", .by(1.5)) {
        $0.format = .of(format)
        $0.encoding.bitRate = bitRate
      }
      #expect(try facts("in-x1.5.m4a") == "aac,33075\n")
    }

    @Test func lossySourcesBecomeAAC() throws {
      try bench.shell("oggenc -Q in.wav")
      try bench.convert("in.ogg", .by(1.5)) { $0.format = .of("m4a") }
      #expect(try facts("in-x1.5.m4a") == "aac,33075\n")
    }
  }
#endif
