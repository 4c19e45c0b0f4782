import TestSupport
import Testing

@testable import AudioIO
@testable import ScaleAudio

@Suite("Names of outputs")
struct OutputNamingTests {
  @Test(
    arguments: [
      (1.5, "-x1.5"), (2, "-x2"), (1 / 3, "-x0.3333"), (0.01, "-x0.01"), (100, "-x100"),
      (1.0000001, "-x1"), (0.8, "-x0.8"), (99.9999999, "-x100"), (0.1 + 0.2, "-x0.3"),
      (1.000001, "-x1.000001"), (1000 / 1001, "-x0.999"), (25 / 24, "-x1.0417"),
    ] as [(Double, String)])
  func suffixOfAFactor(value: Double, suffix: String) throws {
    let factor = try #require(TimeFactor(value))
    #expect(OutputSuffix.of(ConversionSettings(time: .factor(factor))) == suffix)
  }

  @Test(arguments: [(1.25, "-speed1.25"), (1.3, "-speed1.3"), (3, "-speed3"), (0.9, "-speed0.9")])
  func suffixOfASpeed(value: Double, suffix: String) throws {
    let factor = try #require(TimeFactor(speed: value))
    #expect(OutputSuffix.of(ConversionSettings(time: .speed(factor))) == suffix)
  }

  @Test func suffixOfALoudness() throws {
    var settings = ConversionSettings(time: .unchanged)
    settings.level = .loudness(target: -16.5, truePeak: -1)
    #expect(OutputSuffix.of(settings) == "-16.5lufs")
  }

  @Test func templatesStayBelowTheirFolder() throws {
    let template = try NameTemplate("{stem}/{ext}")
    let dots = template.components({ _ in Array("..".utf8) }, ending: [])
    #expect(dots.map { String(decoding: $0, as: UTF8.self) } == ["__", "_"])
    let slashes = template.components({ _ in Array("/../x".utf8) }, ending: Array(".wav".utf8))
    #expect(slashes.map { String(decoding: $0, as: UTF8.self) } == ["_.._x", "_.._x.wav"])
    for text in ["", "/a", "a/", "a//b", "../{stem}", "./a", "{stem}/..", "a\0"] {
      #expect(throws: NameTemplate.Problem.notBelowFolder) { try NameTemplate(text) }
    }
    for text in ["{", "}", "{stem", "stem}", "{{{stem}}"] {
      #expect(throws: NameTemplate.Problem.openBrace) { try NameTemplate(text) }
    }
    #expect(throws: NameTemplate.Problem.unknownPlaceholder("Stem")) {
      try NameTemplate("{Stem}")
    }
  }

  @Test(arguments: [(90.0, "-90s"), (90.5, "-90.5s"), (0.25, "-0.25s"), (36_000_000, "-36000000s")])
  func suffixOfADuration(seconds: Double, suffix: String) {
    #expect(OutputSuffix.of(ConversionSettings(time: .duration(seconds: seconds))) == suffix)
  }

  @Test(arguments: [
    ("a.wav", "a-s.wav"), ("dir/a.tar.wav", "a.tar-s.wav"), (".wav", ".wav-s"),
    ("noext", "noext-s"),
    ("a.", "a-s."), ("x/..a.wav", "..a-s.wav"),
  ])
  func suffixFollowsTheStem(input: FilePath, output: FilePath) throws {
    let naming = OutputNaming(suffix: "-s")
    #expect(naming.outputName(for: input, fileExtension: nil) == output)
  }

  @Test func extensionsAreReplaced() {
    let naming = OutputNaming(suffix: "-s")
    #expect(naming.outputName(for: "a/b.wav", fileExtension: "flac") == "b-s.flac")
    #expect(naming.outputName(for: "b", fileExtension: "flac") == "b-s.flac")
    #expect(naming.mirroredPath(of: "x/y.wav", fileExtension: "flac") == "x/y.flac")
    #expect(naming.mirroredPath(of: "y.wav", fileExtension: nil) == "y.wav")
  }

  @Test func bytesThatAreNotUTF8AreKept() {
    let naming = OutputNaming(suffix: "-s")
    let output = naming.outputName(
      for: FilePath(bytes: [0x64, 0x2F, 0xFF, 0x2E, 0x77]), fileExtension: nil)
    #expect(output.bytes == [0xFF, 0x2D, 0x73, 0x2E, 0x77])
  }

  @Test func mirrorsAreBesideTheirFolders() throws {
    let naming = OutputNaming(suffix: "-s")
    #expect(naming.mirrorFolder(of: "Music") == "Music-s")
    #expect(naming.mirrorFolder(of: "a/Music/") == "a/Music-s")
    #expect(naming.mirrorFolder(of: "/Music.d") == "/Music.d-s")
    #expect(naming.mirrorFolder(of: "/") == nil)
    let folder = try TemporaryFolder()
    try Tool.run("mkdir", ["-p", folder.file("in/deep").string]).succeeded()
    #expect(naming.mirrorFolder(of: folder.file("in/deep/.."))?.lastComponent == "in-s")
    #expect(naming.mirrorFolder(of: folder.file("in/."))?.lastComponent == "in-s")
  }
}
