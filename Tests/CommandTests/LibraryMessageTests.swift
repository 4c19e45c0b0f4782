import Foundation
import TestSupport
import Testing

/// Messages of libraries, and dropped options, in whole runs.
@Suite("Messages about files")
struct LibraryMessageTests {
  let bench: Workbench

  init() throws { bench = try Workbench() }

  private static let tones = (0..<88200).map { sin(Double($0) * 0.05) * 0.5 }

  /// libmpg123 prints a line about each damaged frame.
  @Test func damagedMP3PrintsOnlyTheProgramsLines() throws {
    try bench.make("in.mp3", Self.tones, codec: "libmp3lame")
    var bytes = Array(
      try Data(contentsOf: URL(fileURLWithPath: bench.folder.file("in.mp3").string)))
    var state: UInt32 = 1
    for index in 2000..<bytes.count - 500 {
      state = state &* 1_664_525 &+ 1_013_904_223
      // Sync words and headers stay.
      if state >> 24 < 5, !bytes[index - 4...index].contains(0xFF) {
        bytes[index] = UInt8(truncatingIfNeeded: state >> 8) & 0x7F
      }
    }
    try bench.folder.write("bad.mp3", bytes)
    let other = try Tool.run("mpg123", ["-t", "bad.mp3"], in: bench.folder.path)
    #expect(other.errorText.contains("libmpg123"), "the file is not damaged enough")
    let run = try bench.convert(["--salvage", "-f", "1.5", "bad.mp3", "-o", "out.wav"])
    #expect(
      run.reported.split(separator: "\n").allSatisfy {
        $0.hasPrefix("warning:") || $0.hasPrefix("done")
      }, "\(run.reported)")
  }

  /// Messages of libraries that do not explain what is wrong with a file.
  private static let rawTexts = [
    "File does not exist or is not a regular file", "Unspecified internal error",
    "Operation not permitted", "Error number", "Function not implemented", "Invalid argument",
    "Invalid data found", "System error", "Unknown error", "[mp3 @", "libmpg123",
  ]

  /// Damaged files of every kind: a sentence about each, what to do, and nothing from any library.
  @Test(arguments: [
    ("wav", ""), ("flac", ""), ("ogg", "-c:a libvorbis"), ("opus", "-c:a libopus"), ("mp3", ""),
    ("m4a", "-c:a aac"), ("aiff", ""), ("caf", ""), ("au", ""), ("mka", "-c:a ac3"),
    ("wma", "-c:a wmav2"), ("wv", ""), ("aac", ""), ("flv", "-ar 44100 -c:a mp3"),
    ("ts", "-c:a mp2"), ("nut", "-c:a flac"),
  ])
  func errorsOfLibrariesAreSentences(kind: String, options: String) throws {
    try Tool.run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=0.3:r=48000:seed=1"]
        + options.split(separator: " ").map(String.init) + ["ok.\(kind)"], in: bench.folder.path
    ).succeeded()
    let bytes = Array(
      try Data(contentsOf: URL(fileURLWithPath: bench.folder.file("ok.\(kind)").string)))
    let noise = (0..<bytes.count).map { UInt8(truncatingIfNeeded: ($0 &* 7919) >> 5 &+ $0) }
    let (half, count) = (bytes.count / 2 | 1, bytes.count)
    let bad: [String: [UInt8]] = [
      "half": Array(bytes[..<half]), "head": Array(bytes[..<min(60, count)]),
      "few": Array(bytes[..<9]),
      "ones": Array(bytes[..<12]) + [UInt8](repeating: 0xFF, count: 40) + bytes[52...],
      "zeros": Array(bytes[..<12]) + [UInt8](repeating: 0, count: 40) + bytes[52...],
      "middle": Array(bytes[..<half]) + noise[..<200] + bytes[min(half + 200, count)...],
      "noise": Array(bytes[..<100]) + noise[100...],
    ]
    var names: [String] = []
    for (name, content) in bad.sorted(by: { $0.key < $1.key }) {
      names.append("\(name).\(kind)")
      try bench.folder.write(names[names.count - 1], content)
    }
    let run = try Tool.run(
      Program.path,
      ["-f", "1.5", "--method", "linear", "--format", "wav", "-o", "out"]
        + names, in: bench.folder.path)
    #expect(run.status == 0 || run.status == 1, "\(run.errorText)")
    let lines = (run.errorText + run.outputText).split(separator: "\n").map(String.init)
    for line in lines {
      #expect(!Self.rawTexts.contains { line.contains($0) }, "\(line)")
      // Lines of ours; the last ones sum up.
      let starts = ["failed  ", "done  ", "warning: ", "  "]
      #expect(
        starts.contains { line.hasPrefix($0) } || line.contains(" failed in ")
          || line.contains(" done in "), "\(line)")
      guard line.hasPrefix("failed  ") else { continue }
      let isDamage = line.contains(": damaged: ") || line.contains("the audio ends early")
      let remedies = ["--salvage converts what can be decoded", "; copy or download it again"]
      #expect(!isDamage || remedies.contains { line.hasSuffix($0) }, "\(line)")
      let others = ["not a recognized audio file", ": not supported: ", ": not plausible: "]
      #expect(isDamage || others.contains { line.contains($0) }, "\(line)")
    }
    #expect(lines.contains { $0.hasPrefix("failed  half.") || $0.hasPrefix("failed  few.") })
  }

  @Test func droppedEncodingTagsAreReported() throws {
    try bench.make("in.flac", Self.tones, codec: "flac")
    try Tool.run(
      "metaflac", ["--set-tag=ENCODING=by hand", "in.flac"], in: bench.folder.path
    ).succeeded()
    let run = try bench.convert(["-f", "1.5", "in.flac", "-o", "out.flac"])
    #expect(run.reported.contains("not carried to the output: tag ENCODING"), "\(run.reported)")
  }

  /// FFmpeg treats an empty `data` chunk as one that extends to the end of the file.
  @Test func anEmptyFileGivesAnEmptyFile() throws {
    try bench.make("in.wav", [], codec: "pcm_s16le")
    _ = try bench.convert(["-f", "1.5", "in.wav", "-o", "out.wav"])
    #expect(try bench.samples("out.wav") == [])
    let sox = try Tool.run("soxi", ["-s", "out.wav"], in: bench.folder.path)
    #expect(sox.outputText.trimmingCharacters(in: .whitespacesAndNewlines) == "0")
  }

  /// Encoders of packets write headers alone, which nothing opens.
  @Test(arguments: ["mp3", "opus", "m4a", "wv"])
  func emptyAudioIsRefusedByFormatsThatCannotHoldIt(ext: String) throws {
    try bench.make("in.wav", [], codec: "pcm_s16le")
    let run = try Tool.run(
      Program.path, ["-f", "1.5", "in.wav", "-o", "out.\(ext)"], in: bench.folder.path)
    #expect(run.status == 1)
    #expect(run.errorText.contains("cannot store empty audio"), "\(run.errorText)")
    #expect(
      !FileManager.default.fileExists(atPath: bench.folder.path.appending("out.\(ext)").string))
  }
}
