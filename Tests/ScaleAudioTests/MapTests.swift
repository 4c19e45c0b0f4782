import ScaleAudio
import TestSupport
import Testing

@Suite("Conversions by time maps")
struct MapTests {
  private let bench: Workbench

  init() throws { bench = try Workbench(["in.wav": Sound.wav]) }

  private func put(_ name: String, _ text: String) throws {
    try bench.folder.write(name, Array(text.utf8))
  }

  private var time: TimeRequest {
    get throws { .map(try TimeMapRequest(contentsOf: bench.folder.file("m.txt"))) }
  }

  @discardableResult
  private func convert(
    _ input: String, to output: String? = nil, files: FilePolicy = FilePolicy()
  ) throws -> ConversionReport {
    try bench.convert(input, to: output, try time, .stretch(), files: files)
  }

  @Test(arguments: [
    ("0.25 0.25\n0.5 0.75\n", 33075), ("11025f 11025f\n22050f 22051f\n", 22051),
    ("0:00.1,0:00.3\n0:00.5,0:00.7", 30870), ("1 1.00003", 22051),
  ])
  func lengthsAreThoseOfTheMap(text: String, frames: Int) throws {
    try put("m.txt", text)
    #expect(try convert("in.wav").outputFrames == frames)
    #expect(try bench.int16("in-mapped.wav").count == 2 * frames)
  }

  /// Ten seconds with a click each second, chapters, a cue sheet, timed lyrics and a sidecar; the two
  /// seconds from 4 on take 4 seconds, what follows half its time.
  @Test func everythingAttachedFollows() throws {
    try makeClicks()
    try put("m.txt", "0 0\n4 4\n6 8\n10 10\n")
    try put("in.lrc", "[00:01.00]a\n[00:05.00]b\n[00:06.00]c\n[00:08.00]d\n")
    try put("in.srt", "1\n00:00:03,500 --> 00:00:05,500\nacross\n")
    try convert("in.flac", to: "out.flac", files: FilePolicy(scalesSidecars: true))
    let sheet = try bench.run("metaflac", "--export-cuesheet-to=-", "out.flac").outputText
    #expect(sheet.contains("INDEX 01 00:06:00"), "\(sheet)")
    #expect(sheet.contains("INDEX 01 00:09:00"))
    #expect(sheet.contains("lead-out 170 441000"))
    let tags = try bench.flacTags("out.flac")
    for (number, time) in [("1", "00"), ("2", "06"), ("3", "09")] {
      #expect(tags.contains("CHAPTER00\(number)=00:00:\(time).000\n"), "\(tags)")
    }
    #expect(tags.contains("ENCODER=scaleaudio 0.1.0 factor=1 mapped method=stretch\n"))
    #expect(
      try bench.text("out.lrc")
        == "[00:01.00]a\n[00:06.00]b\n[00:08.00]c\n[00:09.00]d\n")
    #expect(
      try bench.text("out.srt")
        == "1\n00:00:03,500 --> 00:00:07,000\nacross\n")
    try expectClicks(at: [1, 2, 3, 4, 6, 8, 8.5, 9, 9.5])
  }

  private func makeClicks() throws {
    try bench.run(
      "python3", "-c",
      """
      import numpy, wave
      samples = numpy.zeros(441000)
      burst = numpy.sin(numpy.arange(441) * 0.3) * numpy.exp(-numpy.arange(441) / 60) * 20000
      for second in range(1, 10): samples[second * 44100:second * 44100 + 441] += burst
      with wave.open('clicks.wav', 'wb') as file:
          file.setnchannels(1); file.setsampwidth(2); file.setframerate(44100)
          file.writeframes(samples.astype('<i2').tobytes())
      """)
    try put(
      "sheet.cue",
      "FILE \"in.flac\" FLAC\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n  TRACK 02 AUDIO\n"
        + "    INDEX 01 00:05:00\n  TRACK 03 AUDIO\n    INDEX 01 00:08:00\n")
    let chapters = zip(["one", "two", "three"], ["00", "05", "08"]).enumerated().flatMap {
      ["--tag=CHAPTER00\($0 + 1)=00:00:\($1.1).000", "--tag=CHAPTER00\($0 + 1)NAME=\($1.0)"]
    }
    try Tool.run(
      "flac", ["-s", "--cuesheet=sheet.cue", "-o", "in.flac", "clicks.wav"] + chapters,
      in: bench.folder.path
    ).succeeded()
  }

  /// Expects the loudest place near each moment, in seconds, to lie within 30 ms of it.
  private func expectClicks(at moments: [Double]) throws {
    let samples = try bench.int16("out.flac")
    #expect(samples.count == 441_000)
    for moment in moments {
      let center = Int(moment * 44100)
      let around = (center - 10000)..<min(center + 10000, samples.count)
      let loudest = try #require(around.max { abs(Int(samples[$0])) < abs(Int(samples[$1])) })
      #expect(abs(loudest - center) < 1323, "\(moment) s: \(Double(loudest) / 44100)")
      #expect(abs(Int(samples[loudest])) > 2000)
    }
  }
}
