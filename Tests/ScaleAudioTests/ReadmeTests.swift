import Foundation
import ScaleAudio
import TestSupport
import Testing

/// What the README says and the code could contradict. `scripts/snapshots` sets SCALEAUDIO_RECORD,
/// which writes the README's parts anew instead of comparing them.
@Suite("The README", .serialized)
struct ReadmeTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private let readme = root.appendingPathComponent("README.md")

  @Test func itsExampleIsTheOneThatIsCompiled() throws {
    let source = try String(
      contentsOf: Self.root.appendingPathComponent("Tests/ScaleAudioTests/ReadmeExample.swift"),
      encoding: .utf8)
    let code = source.drop { $0 != "\n" }.dropFirst()
    try expect("example", is: "```swift\n" + code + "```\n")
  }

  @Test func itsExampleWorks() async throws {
    let scratch = try TemporaryFolder()
    let folder = scratch.file("Music")
    try FileManager.default.createDirectory(
      atPath: folder.string, withIntermediateDirectories: false)
    for name in ["noise.wav", "speech.flac"] {
      try FileManager.default.copyItem(
        at: Self.root.appendingPathComponent("Samples/\(name)"),
        to: URL(fileURLWithPath: folder.appending(name).string))
    }
    #expect(try await stretchFolder(folder, by: 0.1) == 9600 + 10_294)
    let made = try FileManager.default.contentsOfDirectory(atPath: folder.string + "-x0.1")
    #expect(Set(made).isSuperset(of: ["noise.wav", "speech.flac"]))
  }

  @Test func itsTableOfMethods() throws {
    let rows = ScalingMethod.Kind.allCases.map { method in
      "| `\(method.rawValue)` | \(Self.explanation(of: method)) |\n"
    }
    try expect("methods", is: "| `--method` | what it does |\n| --- | --- |\n" + rows.joined())
  }

  // Without FFmpeg's libraries there are fewer.
  #if FFmpeg
    @Test func itsTableOfFormats() throws {
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
        is: "| format | `--format` | extensions | written | lossless | channels | speakers |\n"
          + "| --- | --- | --- | --- | --- | --- | --- |\n" + rows.joined())
    }
  #endif

  private static func explanation(of method: ScalingMethod.Kind) -> String {
    switch method {
    case .smoothstep:
      "linear interpolation, eased between the original samples when lengthening; the default"
    case .linear: "linear interpolation at evenly spaced places"
    case .sinc: "band-limited interpolation, as the best resamplers do it"
    case .stretch: "duration without pitch"
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

  /// Compares what stands between the marks `<!-- NAME -->` and `<!-- /NAME -->`, or records it.
  private func expect(
    _ name: String, is text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let page = try String(contentsOf: readme, encoding: .utf8)
    let begin = try #require(page.range(of: "<!-- \(name) -->\n"))
    let end = try #require(page.range(of: "<!-- /\(name) -->"))
    let part = begin.upperBound..<end.lowerBound
    if ProcessInfo.processInfo.environment["SCALEAUDIO_RECORD"] != nil {
      try page.replacingCharacters(in: part, with: text)
        .write(to: readme, atomically: true, encoding: .utf8)
    } else {
      #expect(page[part] == text, "scripts/snapshots records it", sourceLocation: sourceLocation)
    }
  }
}
