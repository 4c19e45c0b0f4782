public import SystemPackage
import Testing

/// Audio that other programs made, for tests to copy.
public enum Sound {
  /// Half a second of stereo: 22,050 frames of noise, which nothing mistakes for silence.
  public static var wav: [UInt8] { get throws { try wavFile.bytes } }
  private static let wavFile = File("-n -r 44100 -c 2 -b 16 NAME.wav synth 0.5 pinknoise", "wav")
  /// The same kind of thing as FLAC.
  public static var flac: [UInt8] { get throws { try flacFile.bytes } }
  private static let flacFile = File("-n -r 44100 -c 2 -b 16 NAME.flac synth 0.5 pinknoise", "flac")
  /// 1.3 MB of mono, for what must not be over at once.
  public static var long: [UInt8] { get throws { try longFile.bytes } }
  private static let longFile = File("-n -r 44100 -c 1 -b 16 NAME.wav synth 15 pinknoise", "wav")

  /// A file that sox makes once.
  private struct File {
    private let made: Result<[UInt8], any Error>

    init(_ arguments: String, _ kind: String) {
      made = Result {
        let folder = try TemporaryFolder()
        let words = arguments.replacing("NAME", with: "sound").split(separator: " ")
        let run = try Tool.run("sox", ["-R"] + words.map(String.init), in: folder.path)
        try #require(run.status == 0, "\(run.errorText)")
        return try folder.bytes("sound.\(kind)")
      }
    }

    var bytes: [UInt8] {
      get throws {
        // Each test is skipped, not only the first one.
        try Programs.require("sox")
        return try made.get()
      }
    }
  }

  /// The samples of a file as sox decodes them, interleaved.
  public static func samples(_ path: FilePath) throws -> [Int16] {
    let raw = try Tool.run(
      "sox", [path.string, "-t", "raw", "-e", "signed", "-b", "16", "-L", "-"])
    precondition(raw.status == 0, raw.errorText)
    return Raw.int16(raw.output)
  }
}
