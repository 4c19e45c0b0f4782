#if FFmpeg
  @testable import AudioFiles
  @testable import AudioIO
  import Foundation
  import ScaleAudio
  import TestSupport
  import Testing

  /// Files as phones make them, by the real program.
  @Suite("Recordings of phones")
  struct PhoneFormatTests {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      try folder.write("sound.wav", Sound.wav)
      try ffmpeg("-i sound.wav -c:a aac Phone/memo.m4a")
      try ffmpeg(
        "-f lavfi -i testsrc=s=64x48:d=0.5 -i sound.wav -c:v mpeg4 -c:a aac Phone/film.mov")
      try ffmpeg(
        "-f lavfi -i testsrc=s=64x48:d=0.5 -i sound.wav -c:v mpeg4 -c:a aac Phone/clip.mp4")
      try ffmpeg("-f lavfi -i testsrc=s=64x48:d=0.2 -c:v mpeg4 Phone/silent.mp4")
      // Frames of AMR's highest rate, 31 bytes and one in front: any content is speech.
      var speech: [UInt8] = []
      for frame in 0..<50 { speech += [0x3C] + (0..<31).map { UInt8($0 * 6 + frame) } }
      try folder.write("Phone/voice.amr", Array("#!AMR\n".utf8) + speech)
      try ffmpeg("-i Phone/voice.amr -c copy Phone/call.3gp")
    }

    private func ffmpeg(_ arguments: String) throws {
      try FileManager.default.createDirectory(
        atPath: folder.file("Phone").string, withIntermediateDirectories: true)
      let run = try Tool.run(
        "ffmpeg", ["-v", "error"] + arguments.split(separator: " ").map(String.init),
        in: folder.path)
      try #require(run.status == 0, "\(run.errorText)")
    }

    private func frames(_ name: String) throws -> Int {
      try Sound.samples(folder.file(name)).count
    }

    @Test func aFolderOfThemIsConverted() throws {
      let run = try Program.run("-f", "1.5", "--format", "wav", "Phone", in: folder.path)
      // The video without sound is the one that fails, with that reason.
      #expect(run.status == 1)
      #expect(run.errorText.contains("silent.mp4: not supported: it has no audio track"))
      for name in ["memo", "film", "clip"] {
        #expect(try frames("Phone-x1.5/\(name).wav") == 2 * 33_075)
      }
      for name in ["voice", "call"] {
        #expect(try frames("Phone-x1.5/\(name).wav") == 50 * 160 * 3 / 2)
      }
    }

    /// By name alone, each becomes what can be written of its kind.
    @Test(arguments: ["memo.m4a", "film.mov", "clip.mp4", "voice.amr", "call.3gp"])
    func eachIsConvertedByNameAlone(name: String) throws {
      let run = try Program.run("-f", "1.5", "Phone/\(name)", in: folder.path)
      #expect(run.status == 0, "\(run.errorText)")
      let stem = name.prefix { $0 != "." }
      let made = try folder.tree().filter { $0.hasPrefix("Phone/\(stem)-x1.5.") }
      #expect(made.count == 1)
      let expected = try #require(AudioFormat.named("m4a")?.writtenForm)
      #expect(made.first.map { $0.hasSuffix(".\(expected.extensions[0])") } == true, "\(made)")
    }

    @Test func comeThroughAPipe() throws {
      for (name, expected) in [("memo.m4a", 2 * 22_050), ("voice.amr", 8000)] {
        let run = try Program.shell(
          "$scaleaudio -f 1 --format wav -o out.wav --overwrite - < Phone/\(name)", in: folder.path)
        #expect(run.status == 0, "\(run.errorText)")
        #expect(try frames("out.wav") == expected)
      }
    }

    @Test func aTrackIsChosen() throws {
      try ffmpeg("-i sound.wav -f lavfi -i sine=d=0.25:r=48000 -map 0 -map 1 -c:a flac two.mka")
      let both = try Program.run("-f", "1", "--format", "wav", "two.mka", in: folder.path)
      #expect(both.status == 0)
      #expect(both.errorText.contains("2 audio tracks"))
      #expect(try frames("two-x1.wav") == 2 * 22_050)
      let second = try Program.run(
        "-f", "1", "--format", "wav", "--track", "2", "-o", "b.wav", "two.mka", in: folder.path)
      #expect(second.status == 0)
      #expect(try frames("b.wav") == 12_000)
      let third = try Program.run(
        "-f", "1", "--track", "3", "-o", "c.wav", "two.mka", in: folder.path)
      #expect(third.status == 1)
      #expect(third.errorText.contains("no audio track 3, only 2"))
      #expect(try Program.run("-f", "1", "--track", "0", "two.mka", in: folder.path).status == 64)
    }
  }
#endif
