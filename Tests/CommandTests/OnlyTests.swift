import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Files that are scaled only in parts: what stays is compared with the source, the parts with files that sox cut.
@Suite("Scaling only a part")
struct OnlyTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // 22,050 frames: half a second.
    try folder.write("in.wav", Sound.wav)
  }

  private func convert(_ arguments: String...) throws -> Tool {
    try Tool.run(Program.path, arguments, in: folder.path)
  }

  private func tool(_ name: String, _ arguments: String...) throws {
    let run = try Tool.run(name, arguments, in: folder.path)
    try #require(run.status == 0, "\(run.errorText)")
  }

  private func samples(_ name: String) throws -> [Int16] { try Sound.samples(folder.file(name)) }

  private static var methods: [String] {
    #if RubberBand
      ["smoothstep", "linear", "sinc", "stretch"]
    #else
      ["smoothstep", "linear", "sinc"]
    #endif
  }

  // MARK: - Samples

  @Test(arguments: methods, ["1.37", "0.6"])
  func theRestStays(method: String, factor: String) throws {
    let run = try convert(
      "--only", "6000f-13000f", "-f", factor, "--method", method, "-o", "out.flac", "in.wav")
    #expect(run.status == 0, "\(run.errorText)")
    let source = try samples("in.wav")
    let made = try samples("out.flac")
    let scaled = Int(7000 * (Double(factor) ?? 0))
    #expect(made.count == 2 * (22050 - 7000 + scaled))
    #expect(made.prefix(12000) == source.prefix(12000))
    #expect(made.suffix(18100) == source.suffix(18100))
    #expect(made[12000..<made.count - 18100] != source[12000..<12000 + made.count - 30100])
  }

  @Test(arguments: ["smoothstep", "linear"])
  func interpolatesAPartLikeAFileCutBySox(method: String) throws {
    try tool("sox", "in.wav", "cut.wav", "trim", "6000s", "=13000s")
    #expect(
      try convert(
        "--only", "6000f-13000f", "-f", "1.37", "--method", method, "-o", "a.wav", "in.wav"
      )
      .status == 0)
    #expect(
      try convert("-f", "1.37", "--method", method, "-o", "b.wav", "cut.wav").status == 0)
    let part = try samples("b.wav")
    #expect(try Array(samples("a.wav")[12000..<12000 + part.count]) == part)
  }

  /// In a part, sinc has the frames of the whole file at that place: the filter knows what lies around it.
  @Test(arguments: [
    ("6000f-13000f", 6000, 7000), ("1000f-3000f", 1000, 2000), ("20000f-", 20000, 2050),
  ])
  func sincUsesTheAudioAroundAPart(range: String, first: Int, count: Int) throws {
    for (options, name) in [(["--only", range], "a.wav"), ([], "b.wav")] {
      let run = try Tool.run(
        Program.path,
        options + ["-f", "1.5", "--method", "sinc", "--bits", "f32", "-o", name, "in.wav"],
        in: folder.path)
      #expect(run.status == 0, "\(run.errorText)")
    }
    func floats(_ name: String, _ start: Int) throws -> [Float] {
      let raw = try Tool.run(
        "sox",
        [
          name, "-t", "raw", "-e", "float", "-b", "32", "-", "trim", "\(start)s",
          "\(count * 3 / 2)s",
        ],
        in: folder.path)
      return raw.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }
    let (part, whole) = (try floats("a.wav", first), try floats("b.wav", first * 3 / 2))
    #expect(part.count == count * 3)
    let worst = zip(part, whole).map { abs($0 - $1) }.max() ?? 1
    #expect(worst < 2e-7)
  }

  #if RubberBand
    /// A click is a jump of the slope; a sine has few.
    @Test(arguments: [["-f", "1.3"], ["--speed", "1.7"], ["--pitch", "-3"]])
    func stretchedPartsDoNotClick(options: [String]) throws {
      try tool(
        "sox", "-R", "-n", "-r", "44100", "-b", "16", "tone.wav", "synth", "3", "sine", "440",
        "gain", "-6")
      let run = try Tool.run(
        Program.path,
        ["--only", "1-2", "--method", "stretch"] + options + ["-o", "out.wav", "tone.wav"],
        in: folder.path)
      #expect(run.status == 0, "\(run.errorText)")
      func worst(_ name: String) throws -> Int {
        let s = try samples(name).map { Int($0) }
        return (1..<s.count - 1).map { abs(s[$0 + 1] - 2 * s[$0] + s[$0 - 1]) }.max() ?? 0
      }
      #expect(try worst("out.wav") * 2 < worst("tone.wav") * 3 + 8)
    }
  #endif

  @Test func severalPartsAndTheLengthOfAll() throws {
    let run = try convert(
      "--only", "15000f-17000f", "--only", "-4000f", "--duration", "25050f", "--json", "-o",
      "out.wav", "in.wav")
    #expect(run.status == 0, "\(run.errorText)")
    let (source, made) = (try samples("in.wav"), try samples("out.wav"))
    #expect(made.count == 2 * 25050)
    // 6,000 frames become 9,000.
    #expect(made[12000..<34000] == source[8000..<30000])
    #expect(made.suffix(10100) == source.suffix(10100))
    #expect(run.outputText.contains("\"onlyFrames\":[[0,4000],[15000,17000]]"))
    #expect(run.outputText.contains("\"onlyFactor\":1.5"))
  }

  @Test(arguments: ["ogg", "mp3", "m4a"], ["smoothstep", "sinc"])
  func lossyFormats(format: String, method: String) throws {
    let run = try convert(
      "--only", "0.1-0.2", "-f", "2", "--method", method, "--format", format, "--json", "in.wav")
    #expect(run.status == 0, "\(run.errorText)")
    #expect(run.outputText.contains("\"outputFrames\":26460"))
  }

  // MARK: - What has times

  @Test func sidecarsAndChaptersFollow() throws {
    try folder.write(
      "in.txt", Array("0.050000\t0.100000\ta\n0.200000\t0.250000\tb\n0.400000\t0.450000\tc\n".utf8))
    let chapters = [0, 100, 300].map {
      "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($0)\nEND=\($0 + 100)\n"
    }
    try folder.write("meta.txt", Array((";FFMETADATA1\n" + chapters.joined()).utf8))
    try tool(
      "ffmpeg", "-v", "error", "-i", "in.wav", "-i", "meta.txt", "-map_chapters", "1", "-c:a",
      "pcm_s16le",
      "in.mka")
    let run = try convert(
      "--only", "0.1-0.3", "-f", "2", "--sidecars", "--format", "m4a", "-o", "out.m4a", "in.mka")
    #expect(run.status == 0, "\(run.errorText)")
    #expect(
      String(decoding: try folder.bytes("out.txt"), as: UTF8.self)
        == "0.050000\t0.100000\ta\n0.300000\t0.400000\tb\n0.600000\t0.650000\tc\n")
    let probe = try Tool.run(
      "ffprobe",
      ["-v", "error", "-show_entries", "chapter=start_time", "-of", "csv=p=0", "out.m4a"],
      in: folder.path)
    let starts = probe.outputText.split(separator: "\n").compactMap { Double($0) }
    #expect(starts.count == 3)
    for (found, wanted) in zip(starts, [0, 0.1, 0.5]) { #expect(abs(found - wanted) < 0.0015) }
  }

  // MARK: - What cannot be

  @Test func missingParts() throws {
    let over = try convert("--only", "0.1-0.3", "--only", "0.2-0.4", "-f", "2", "in.wav")
    #expect(
      over.errorText.contains(
        "the part that begins at 0.200 s overlaps the one that ends at 0.300 s"))
    #expect(over.errorText.contains("choose another --only"))
    #expect(try convert("--only", "0.6-", "-f", "2", "in.wav").status == 1)
    let opus = try convert("--only", "0.1-0.2", "-f", "2", "--format", "opus", "in.wav")
    #expect(opus.errorText.contains("its sample rate must stay at 44100 Hz"))
    #expect(try convert("--only", "0.1-0.2", "--duration", "0.3", "in.wav").status == 1)
    #expect(try folder.names() == ["in.wav"])
  }

  @Test(arguments: [
    ["--only", "1-2"], ["--only", "2-1", "-f", "2"], ["--only", "1-2", "-f", "2", "--from", "1"],
    ["--only", "1-2", "-f", "2", "--guard"], ["--only", "1-2", "-f", "2", "--rate", "48000"],
    ["--only", "1-2", "--map", "m.txt"],
  ])
  func conflictingOptionsAreRefused(options: [String]) {
    #expect(Program.refusal(of: options + ["in.wav"])?.status == 64)
  }
}
