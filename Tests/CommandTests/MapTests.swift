import Foundation
import ScaleAudio
import TestSupport
import Testing

@Suite("Time maps on the command line")
struct MapTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // 22,050 frames: half a second.
    try folder.write("in.wav", Sound.wav)
  }

  private func convert(_ arguments: String...) throws -> Tool {
    try Tool.run(Program.path, arguments, in: folder.path)
  }

  private func put(_ name: String, _ text: String) throws {
    try folder.write(name, Array(text.utf8))
  }

  #if RubberBand
    @Test(arguments: [
      ("0 0\n1 x\n", "m.txt:2: 'x' is not a time; write seconds (12.5)"),
      ("0.2 0.1\n0.2 0.3\n", "m.txt:2: the source time is not greater than on the line before"),
      ("0.2 0.1\n0.3 0.05\n", "m.txt:2: the output time is not greater than"),
      ("# nothing\n", "m.txt: no times; give lines such as"),
      ("0 1\n1 2\n", "m.txt:1: a map begins at '0 0'"),
      (
        "0.1 10\n",
        "m.txt:1: the factor from the line before is 100.0, which is not within 0.05"
      ),
    ])
    func faultsAreReportedBeforeAudioIsRead(text: String, message: String) throws {
      try put("m.txt", text)
      // The audio is not even there.
      for input in ["in.wav", "none.wav"] {
        let run = try convert("--map", "m.txt", input)
        #expect(run.status == 64)
        #expect(run.errorText.hasPrefix("scaleaudio: " + message), "\(run.errorText)")
        #expect(run.errorText.split(separator: "\n").count == 1)
      }
      #expect(try folder.names() == ["in.wav", "m.txt"])
    }

    @Test func missingMaps() throws {
      let run = try convert("--map", "none.txt", "in.wav")
      #expect(run.status == 66)
      #expect(
        run.errorText == "scaleaudio: none.txt: cannot be opened: no such file or directory\n")
      for path in ["-", ""] { #expect(try convert("--map", path, "in.wav").status == 64) }
      #expect(try convert("--map", ".", "in.wav").status == 66)
    }

    @Test(arguments: [["-f", "2"], ["--speed", "2"], ["--duration", "3"]])
    func excludeOtherLengths(options: [String]) throws {
      try put("m.txt", "1 1\n")
      let run = try Tool.run(
        Program.path, options + ["--map", "m.txt", "in.wav"], in: folder.path)
      #expect(run.status == 64)
      #expect(run.errorText.contains("--map sets the length"))
    }

    @Test func mapsThatEndBeforeTheAudio() throws {
      try put("m.txt", "0.4 0.6\n")
      let run = try convert("--map", "m.txt", "--json", "in.wav")
      #expect(run.status == 1)
      #expect(
        run.errorText.contains(
          "in.wav: the time map ends at 0.400 s (17640f), but the audio is 0.500 s (22050f) long; "
            + "add a line for its end"))
      #expect(run.outputText.contains(#""errorClass":"map-too-short""#))
      #expect(try folder.names() == ["in.wav", "m.txt"])
    }

    @Test(arguments: [
      ("0.25 0.25\n0.5 0.75\n", 33075), ("11025f 11025f\n22050f 22051f\n", 22051),
      ("0:00.1,0:00.3\n0:00.5,0:00.7", 30870), ("1 1.00003", 22051),
    ])
    func lengthsAreThoseOfTheMap(text: String, frames: Int) throws {
      try put("m.txt", text)
      let run = try convert("--map", "m.txt", "--json", "in.wav")
      #expect(run.status == 0, "\(run.errorText)")
      #expect(run.outputText.contains("\"outputFrames\":\(frames),"))
      #expect(try Sound.samples(folder.file("in-mapped.wav")).count == 2 * frames)
    }

    @Test func mapsThroughPipes() throws {
      let run = try Program.shell(
        "$scaleaudio --pitch 1 --map <(echo 0.5 0.75) in.wav", in: folder.path)
      #expect(run.status == 0, "\(run.errorText)")
      #expect(try folder.names() == ["in-mapped-pitch1.wav", "in.wav"])
    }

    @Test func journalsIdentifyMapsByContent() throws {
      func status() throws -> String {
        try convert(
          "--map", "m.txt", "--resume", "--overwrite", "--json", "-o", "out/", "in.wav"
        ).outputText
      }
      try put("m.txt", "0.5 0.75")
      #expect(try status().contains(#""status":"done""#))
      try put("m.txt", "# the same\n0 0\n0.5 0.75")
      #expect(try status().contains("already-done"))
      try put("m.txt", "0.25 0.25\n0.5 0.75")
      #expect(try status().contains(#""status":"done""#))
    }

    /// Ten seconds with a click each second, chapters, a cue sheet, timed lyrics and a sidecar; the two
    /// seconds from 4 on take 4 seconds, what follows half its time.
    @Test func everythingAttachedFollows() throws {
      try makeClicks()
      try put("m.txt", "0 0\n4 4\n6 8\n10 10\n")
      try put("in.lrc", "[00:01.00]a\n[00:05.00]b\n[00:06.00]c\n[00:08.00]d\n")
      try put("in.srt", "1\n00:00:03,500 --> 00:00:05,500\nacross\n")
      let run = try convert("--map", "m.txt", "--sidecars", "in.flac", "-o", "out.flac")
      #expect(run.status == 0, "\(run.errorText)")
      let sheet = try Tool.run(
        "metaflac", ["--export-cuesheet-to=-", "out.flac"], in: folder.path
      ).outputText
      #expect(sheet.contains("INDEX 01 00:06:00"), "\(sheet)")
      #expect(sheet.contains("INDEX 01 00:09:00"))
      #expect(sheet.contains("lead-out 170 441000"))
      let tags = try Tool.run(
        "metaflac", ["--export-tags-to=-", "out.flac"], in: folder.path
      ).outputText
      for (number, time) in [("1", "00"), ("2", "06"), ("3", "09")] {
        #expect(tags.contains("CHAPTER00\(number)=00:00:\(time).000\n"), "\(tags)")
      }
      #expect(tags.contains("ENCODER=scaleaudio 0.1.0 factor=1 mapped method=stretch\n"))
      #expect(
        String(decoding: try folder.bytes("out.lrc"), as: UTF8.self)
          == "[00:01.00]a\n[00:06.00]b\n[00:08.00]c\n[00:09.00]d\n")
      #expect(
        String(decoding: try folder.bytes("out.srt"), as: UTF8.self)
          == "1\n00:00:03,500 --> 00:00:07,000\nacross\n")
      try expectClicks(at: [1, 2, 3, 4, 6, 8, 8.5, 9, 9.5])
    }

    private func makeClicks() throws {
      let sound = try Tool.run(
        "python3",
        [
          "-c",
          """
          import numpy, wave
          samples = numpy.zeros(441000)
          burst = numpy.sin(numpy.arange(441) * 0.3) * numpy.exp(-numpy.arange(441) / 60) * 20000
          for second in range(1, 10): samples[second * 44100:second * 44100 + 441] += burst
          with wave.open('clicks.wav', 'wb') as file:
              file.setnchannels(1); file.setsampwidth(2); file.setframerate(44100)
              file.writeframes(samples.astype('<i2').tobytes())
          """,
        ], in: folder.path)
      #expect(sound.status == 0, "\(sound.errorText)")
      try put(
        "sheet.cue",
        "FILE \"in.flac\" FLAC\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n  TRACK 02 AUDIO\n"
          + "    INDEX 01 00:05:00\n  TRACK 03 AUDIO\n    INDEX 01 00:08:00\n")
      let chapters = zip(["one", "two", "three"], ["00", "05", "08"]).enumerated().flatMap {
        ["--tag=CHAPTER00\($0 + 1)=00:00:\($1.1).000", "--tag=CHAPTER00\($0 + 1)NAME=\($1.0)"]
      }
      let flac = try Tool.run(
        "flac", ["-s", "--cuesheet=sheet.cue", "-o", "in.flac", "clicks.wav"] + chapters,
        in: folder.path)
      #expect(flac.status == 0, "\(flac.errorText)")
    }

    /// Expects the loudest place near each moment, in seconds, to lie within 30 ms of it.
    private func expectClicks(at moments: [Double]) throws {
      let samples = try Sound.samples(folder.file("out.flac"))
      #expect(samples.count == 441_000)
      for moment in moments {
        let center = Int(moment * 44100)
        let around = (center - 10000)..<min(center + 10000, samples.count)
        let loudest = try #require(around.max { abs(Int(samples[$0])) < abs(Int(samples[$1])) })
        #expect(abs(loudest - center) < 1323, "\(moment) s: \(Double(loudest) / 44100)")
        #expect(abs(Int(samples[loudest])) > 2000)
      }
    }
  #endif
}
