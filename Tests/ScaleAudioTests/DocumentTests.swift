import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Statements in README.md and docs/ that the code could contradict. `scripts/snapshots` sets
/// SCALEAUDIO_RECORD, which rewrites the generated parts instead of comparing them.
@Suite("The documents", .serialized)
struct DocumentTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test(arguments: [
    ("example", "ScaleAudioTests/ReadmeExample"),
    ("scaling-example", "TimeScalingTests/LibraryExample"),
  ])
  func examplesAreThoseThatAreCompiled(name: String, file: String) throws {
    let source = try String(
      contentsOf: Self.root.appendingPathComponent("Tests/\(file).swift"), encoding: .utf8)
    let code = source.drop { $0 != "\n" }.dropFirst()
    try expect(name, is: "```swift\n" + code + "```\n")
  }

  @Test func exampleWorks() async throws {
    let scratch = try TemporaryFolder()
    let folder = scratch.file("Music")
    try FileManager.default.createDirectory(
      atPath: folder.string, withIntermediateDirectories: false)
    for name in ["noise.wav", "speech.flac"] {
      try FileManager.default.copyItem(
        at: Self.root.appendingPathComponent("Samples/\(name)"),
        to: URL(fileURLWithPath: folder.appending(name).string))
    }
    #expect(try await scaleEveryFile(in: folder, by: 0.1) == 9600 + 10_294)
    let made = try FileManager.default.contentsOfDirectory(atPath: folder.string + "-x0.1")
    #expect(Set(made).isSuperset(of: ["noise.wav", "speech.flac"]))
  }

  @Test func tableOfMethods() throws {
    let rows = ScalingMethod.Kind.allCases.map { method in
      "| `\(method.rawValue)` | \(Self.explanation(of: method)) |\n"
    }
    try expect(
      "methods", is: "| `--method` | what it changes, and how |\n| --- | --- |\n" + rows.joined())
  }

  // Without FFmpeg's libraries there are fewer.
  #if FFmpeg
    @Test func tableOfFormats() throws {
      let rows = AudioFormat.all.map { format in
        let extensions = format.extensions.map { "`.\($0)`" }.joined(separator: " ")
        let written = format.isWritable ? "yes" : format.fallbackID.map { "as `\($0)`" } ?? "no"
        let (least, most) = (format.channels.lowerBound, format.channels.upperBound)
        let channels = least == most ? "\(most)" : "\(least) to \(most)"
        let held =
          format.isWritable ? "\(channels) | \(Self.explanation(of: format.layouts))" : "|"
        return "| \(format.name) | `\(format.id)` | \(extensions) | \(written) "
          + "| \(format.isLossless ? "yes" : "no") | \(held) |\n"
      }
      try expect(
        "formats",
        is: "| format | `--format` | extensions | written | lossless | channels | layouts |\n"
          + "| --- | --- | --- | --- | --- | --- | --- |\n" + rows.joined())
    }
  #endif

  private static func explanation(of method: ScalingMethod.Kind) -> String {
    switch method {
    case .smoothstep:
      "speed and pitch together; linear interpolation, eased when lengthening; of `-f` and `--duration`"
    case .linear: "speed and pitch together; linear interpolation"
    case .sinc: "speed and pitch together; band-limited interpolation (libsoxr); of `--speed`"
    case .stretch:
      "length, pitch or both, independently (our own vocoder, or Rubber Band); of `--tempo` and `--pitch`"
    }
  }

  private static func explanation(of layouts: AudioFormat.Layouts) -> String {
    switch layouts {
    case .countOnly: "a count only"
    case .waveMask: "any of the 18 of WAVE"
    case .coreAudio: "those of Core Audio"
    case .vorbis, .alac: "one layout for each count"
    case .aac: "most up to 7.1"
    }
  }

  /// The documents that have generated parts.
  private static func pages() throws -> [URL] {
    let docs = root.appendingPathComponent("docs")
    let names = try FileManager.default.subpathsOfDirectory(atPath: docs.path).sorted()
    return [root.appendingPathComponent("README.md")]
      + names.filter { $0.hasSuffix(".md") }.map { docs.appendingPathComponent($0) }
  }

  /// Compares the text between the marks `<!-- NAME -->` and `<!-- /NAME -->` with a text, on the
  /// one page that has them, or records it there.
  private func expect(
    _ name: String, is text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let (url, page) = try #require(
      try Self.pages().map { ($0, try String(contentsOf: $0, encoding: .utf8)) }
        .first { $0.1.contains("<!-- \(name) -->\n") },
      "no page has a place for \(name)", sourceLocation: sourceLocation)
    let begin = try #require(page.range(of: "<!-- \(name) -->\n"))
    let end = try #require(page.range(of: "<!-- /\(name) -->"))
    let part = begin.upperBound..<end.lowerBound
    if ProcessInfo.processInfo.environment["SCALEAUDIO_RECORD"] != nil {
      try page.replacingCharacters(in: part, with: text)
        .write(to: url, atomically: true, encoding: .utf8)
    } else {
      #expect(page[part] == text, "scripts/snapshots records it", sourceLocation: sourceLocation)
    }
  }
}
