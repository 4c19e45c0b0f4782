#if FFmpeg
  import TestSupport
  import Testing

  /// FFmpeg's libraries take longer to load than a short file takes to convert.
  @Suite("Loading FFmpeg's libraries", .tags(.packageTraits))
  struct LibraryLoadingTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(["in.wav": Sound.wav]) }

    private func scale(_ environment: [String: String], _ arguments: String...) throws -> Tool {
      try Tool.run(Program.path, arguments, in: folder.path, environment: environment)
    }

    /// The libraries that the dynamic loader reports for a conversion.
    private func loaded(_ arguments: String...) throws -> String {
      let run = try Tool.run(
        Program.path, ["-f", "1.5"] + arguments, in: folder.path,
        environment: ["LD_DEBUG": "files"]
      ).succeeded()
      return run.errorText
    }

    @Test func theyAreLoadedOnlyWhenNeeded() throws {
      #expect(!(try loaded("in.wav").contains("libavformat")))
      #expect(try loaded("in.wav", "--format", "m4a").contains("libavformat"))
    }

    @Test func everythingElseWorksWithoutThem() throws {
      let files = [
        ["-i", "in.wav", "x.m4a"], ["-i", "in.wav", "x.mp3"], ["-i", "in.wav", "x.wma"],
      ]
      for file in files {
        try Tool.run("ffmpeg", ["-v", "error"] + file, in: folder.path).succeeded()
      }
      let name = try #require(try libraryName())
      try folder.write(name, [])
      let path = ["LD_LIBRARY_PATH": folder.path.string]
      for name in ["in.wav", "x.mp3"] {
        try scale(path, "-f", "1.5", name).succeeded()
      }
      for arguments in [["x.m4a"], ["x.wma"], ["in.wav", "--format", "m4a"]] {
        let run = try Tool.run(
          Program.path, ["-f", "1.5"] + arguments, in: folder.path, environment: path)
        #expect(run.status == 1)
        #expect(run.errorText.contains("FFmpeg's libraries"), "\(run.errorText)")
        let package = name.replacing(".so.", with: "")
        #expect(run.errorText.contains("Debian's package \(package))"), "\(run.errorText)")
        #expect(run.errorText.split(separator: "\n").count == 1)
      }
    }

    /// `libavformat.so.59`, by the headers that the program was built with.
    private func libraryName() throws -> String? {
      let found = try Tool.run("pkg-config", ["--modversion", "libavformat"])
      return found.outputText.split(separator: ".").first.map { "libavformat.so.\($0)" }
    }
  }
#endif
