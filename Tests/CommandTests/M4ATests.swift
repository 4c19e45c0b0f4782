#if FFmpeg
  import ScaleAudio
  import TestSupport
  import Testing

  @Suite("Converting to M4A")
  struct M4ATests {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      try folder.write("in.wav", Sound.wav)
      try folder.write("in.flac", Sound.flac)
    }

    private func scale(_ arguments: String...) throws -> Tool {
      try Tool.run(Program.path, arguments, in: folder.path)
    }

    /// Codec and length in frames as ffprobe reports them.
    private func facts(_ name: String) throws -> String {
      let tool = try Tool.run(
        "ffprobe",
        [
          "-v", "error", "-show_entries", "stream=codec_name,duration_ts", "-of", "csv=p=0",
          folder.file(name).string,
        ])
      #expect(tool.status == 0 && tool.errors.isEmpty, "\(tool.errorText)")
      return tool.outputText
    }

    /// The samples that ffmpeg decodes, little-endian.
    private func raw(_ name: String) throws -> [UInt8] {
      let tool = try Tool.run(
        "ffmpeg", ["-v", "error", "-i", folder.file(name).string, "-f", "s16le", "-"])
      #expect(tool.status == 0, "\(tool.errorText)")
      return tool.output
    }

    @Test(arguments: ["wav", "flac"], ["m4a", "m4b", "m4r", "alac"])
    func losslessSourcesStayExact(source: String, format: String) throws {
      let run = try scale("-f", "1.5", "--format", format, "in.\(source)")
      #expect(run.status == 0, "\(run.errorText)")
      let name = "in-x1.5.\(format == "alac" ? "m4a" : format)"
      #expect(try facts(name) == "alac,33075\n")
      let expected = ReferenceArithmetic.scale(
        interleaved: try Sound.samples(folder.file("in.\(source)")), channels: 2, factor: 1.5)
      let bytes = expected.flatMap {
        [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
      }
      #expect(try raw(name) == bytes)
    }

    @Test func theOutputsNameChoosesTheFormat() throws {
      #expect(try scale("-f", "1.5", "in.wav", "-o", "out.m4a").status == 0)
      #expect(try facts("out.m4a") == "alac,33075\n")
    }

    @Test(arguments: [["--format", "aac"], ["--format", "m4a", "--bitrate", "96k"]])
    func aacIsWrittenOnRequest(options: [String]) throws {
      let run = try Tool.run(
        Program.path, ["-f", "1.5", "in.flac"] + options, in: folder.path)
      #expect(run.status == 0, "\(run.errorText)")
      #expect(try facts("in-x1.5.m4a") == "aac,33075\n")
    }

    @Test func lossySourcesBecomeAAC() throws {
      #expect(try Tool.run("oggenc", ["-Q", "in.wav"], in: folder.path).status == 0)
      #expect(try scale("-f", "1.5", "in.ogg", "--format", "m4a").status == 0)
      #expect(try facts("in-x1.5.m4a") == "aac,33075\n")
    }

    @Test func aPipeGetsAWholeFile() throws {
      let run = try Program.shell(
        "\"$scaleaudio\" -f 1.5 --format m4a -o - - < in.wav > out.m4a", in: folder.path)
      #expect(run.status == 0, "\(run.errorText)")
      #expect(try facts("out.m4a") == "alac,33075\n")
    }

    @Test func meaninglessOptionsAreRefused() throws {
      for format in ["aac", "m4a"] {
        let run = try scale("-f", "1.5", "in.wav", "--format", format, "--encoding-quality", "2")
        #expect(run.status == 64 && run.errorText.contains("--encoding-quality"))
      }
      #expect(
        try scale("-f", "1.5", "in.wav", "--format", "alac", "--bitrate", "96k").status == 64)
      let rate = try scale("-f", "1.5", "in.wav", "--format", "aac", "--bitrate", "900k")
      #expect(rate.status != 0 && rate.errorText.contains("529k"))
      #expect(try folder.names() == ["in.flac", "in.wav"])
    }
  }
#endif
