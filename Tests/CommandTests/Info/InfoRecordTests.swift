import Foundation
import TestSupport
import Testing

/// The JSON of `scaleaudio info`: every fact has its name. That facts are true is tested in `ScaleAudioTests`.
@Suite("scaleaudio info: records")
struct InfoRecordTests {
  let bench: Workbench

  init() throws { bench = try Workbench(["x.wav": Sound.wav]) }

  private func text(_ arguments: String...) throws -> String {
    try Tool.run(Program.path, ["info"] + arguments, in: bench.folder.path).outputText
  }

  @Test func factsOfFLAC() throws {
    try bench.shell("flac -s x.wav -o x.flac")
    let facts = try bench.info("x.flac")
    #expect(facts["status"] as? String == "ok")
    #expect(facts["bytes"] as? Int == (try bench.bytes("x.flac")).count)
    #expect(facts["container"] as? String == "FLAC" && facts["codec"] as? String == "FLAC")
    #expect(facts["lossless"] as? Bool == true)
    #expect(facts["inputFormat"] as? String == "flac")
    #expect(facts["inputBits"] as? Int == 16 && facts["inputSampleFormat"] as? String == "int16")
    #expect(facts["inputSampleRate"] as? Int == 44_100 && facts["inputChannels"] as? Int == 2)
    #expect(facts["inputLayout"] as? String == "stereo")
    #expect(facts["speakers"] as? [String] == ["FL", "FR"])
    #expect(facts["inputFrames"] as? Int == 22_050 && facts["framesAre"] as? String == "declared")
    let sum = try bench.run("metaflac", "--show-md5sum", "x.flac").outputText
    #expect(facts["declaredMD5"] as? String == sum.trimmingCharacters(in: .newlines))
  }

  @Test func factsOfEncoders() throws {
    try bench.shell(
      "lame --quiet --cbr -b 128 x.wav x.mp3 && "
        + "ffmpeg -v error -i x.wav -ar 16000 -c:a libopus x.opus")
    let facts = try bench.info("x.mp3")
    #expect((facts["encoder"] as? String)?.hasPrefix("LAME") == true)
    #expect(facts["bitRate"] as? Int == 128_000 && facts["bitRateMode"] as? String == "constant")
    #expect(facts["delayFrames"] as? Int == 576 && facts["paddingFrames"] as? Int != nil)
    #expect(facts["lossless"] as? Bool == false && facts["inputBits"] == nil)
    #expect(try text("x.mp3").contains(", CBR 128, 576 frames of delay"))
    #expect(try bench.info("x.opus")["codecSampleRate"] as? Int == 48_000)
    #expect(try text("x.opus").contains(", decoded from 48,000 Hz"))
  }

  @Test func factsOfLevels() throws {
    // Full scale in the left channel alone, for a second.
    let left = [Int16](repeating: 32767, count: 44_100).flatMap { [$0, Int16(0)] }
    let silence = [Int16](repeating: 0, count: 200)
    try bench.folder.write(
      "y.wav", Signal.wav(silence + left + silence + silence, channels: 2, rate: 44_100))
    let facts = try bench.info("y.wav", "--levels")
    #expect(facts["framesAre"] as? String == "counted")
    let levels = try #require(facts["levels"] as? [String: Any])
    #expect(levels["leadingSilenceFrames"] as? Int == 100)
    #expect(levels["trailingSilenceFrames"] as? Int == 200)
    #expect(levels["nonFiniteSamples"] as? Int == 0)
    #expect(levels["md5SampleFormat"] as? String == "int16")
    let raw = Raw.bytes(silence + left + silence + silence)
    let sum = try Tool.run("md5sum", ["-"], input: raw).outputText
    #expect(levels["md5"] as? String == String(sum.prefix { $0 != " " }))
    #expect(levels["loudnessRangeLU"] as? Double != nil)
    let log = try bench.shell(
      "ffmpeg -nostats -i y.wav -filter_complex ebur128 -f null - 2>&1 | grep 'I:' | tail -1")
    let loudness = try #require(
      log.outputText.split(separator: " ").compactMap { Double($0) }.first)
    #expect(abs(try #require(levels["integratedLUFS"] as? Double) - loudness) <= 0.11)
    let channels = try #require(levels["channels"] as? [[String: Any]])
    #expect(channels.map { $0["speaker"] as? String } == ["FL", "FR"])
    #expect(channels.map { $0["peak"] as? Double } == [32767.0 / 32768, 0])
    #expect(channels.map { $0["clippedSamples"] as? Int } == [44_100, 0])
    #expect(channels.map { $0["clippedRuns"] as? Int } == [1, 0])
    #expect(channels.map { $0["longestClippedRun"] as? Int } == [44_100, 0])
    #expect(channels[1]["peakDecibels"] as? Double == -80)
    #expect(channels[1]["averagePowerDecibels"] as? Double == -80)
    #expect(channels[1]["rms"] as? Double == 0 && channels[1]["dcOffset"] as? Double == 0)
    let overall = try #require(levels["overall"] as? [String: Any])
    #expect(overall["peak"] as? Double == 32767.0 / 32768)
    for name in ["truePeakDecibels", "rmsDecibels"] {
      #expect(overall[name] as? Double != nil, "\(name)")
    }
    try bench.folder.write("z.wav", Signal.wav(silence))
    #expect(try text("--levels", "z.wav").contains("  Silence      all of it\n"))
  }

  #if FFmpeg
    @Test func factsOfTracks() throws {
      try bench.shell(
        "ffmpeg -v error -f lavfi -i testsrc=d=0.5:s=64x48:r=10 -i x.wav -i x.wav -map 0 -map 1 "
          + "-map 2 -c:a:0 aac -c:a:1 flac -ar:a:1 22050 -ac:a:1 1 -metadata:s:a:0 language=deu "
          + "-metadata:s:a:1 language=eng -metadata:s:a:1 title=Comments x.mkv")
      let facts = try bench.info("x.mkv", "--track", "2", "--exact")
      #expect(facts["framesAre"] as? String == "counted")
      let tracks = try #require(facts["tracks"] as? [[String: Any]])
      #expect(tracks.map { $0["number"] as? Int } == [1, 2])
      #expect(tracks.map { $0["sampleRate"] as? Int } == [44100, 22050])
      #expect(tracks.map { $0["channels"] as? Int } == [2, 1])
      #expect(tracks.map { $0["layout"] as? String } == ["stereo", "mono"])
      #expect(tracks.map { $0["language"] as? String } == ["deu", "eng"])
      #expect(tracks.map { $0["title"] as? String } == [nil, "Comments"])
      #expect(tracks.map { $0["taken"] as? Bool } == [false, true])
      let video = try #require(facts["video"] as? [String: Any])
      #expect(video["converted"] as? Bool == false)
      #expect((video["description"] as? String)?.contains("64 x 48") == true)
      let rows = try text("x.mkv")
      #expect(
        rows.contains("2  FLAC, 22,050 Hz, mono, eng, \"Comments\""))
      #expect(rows.contains("not converted, only the audio is"))
      let refused = try bench.info("x.mkv", "--track", "3", status: 1)
      #expect(refused["errorClass"] as? String == "unsupported")
      try bench.shell("ffmpeg -v error -i x.wav -c:a aac x.m4a")
      #expect(try bench.info("x.m4a")["profile"] as? String == "LC")
    }
  #endif
}
