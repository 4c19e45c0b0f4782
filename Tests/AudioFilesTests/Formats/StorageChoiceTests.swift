import AudioFiles
import AudioModel
import Testing

@testable import AudioIO

@Suite("How samples are stored", .tags(.packageTraits))
struct StorageChoiceTests {
  private func row(_ id: String) throws -> AudioFormat { try #require(AudioFormat.named(id)) }

  /// The types that each format is documented to hold, by its own specification or libsndfile's table.
  @Test(arguments: [
    ("wav", "8 16 24 32 f32 f64"), ("wavex", "8 16 24 32 f32 f64"), ("rf64", "8 16 24 32 f32 f64"),
    ("w64", "8 16 24 32 f32 f64"), ("aiff", "8 16 24 32 f32 f64"), ("aifc", "8 16 24 32 f32 f64"),
    ("caf", "8 16 24 32 f32 f64"), ("au", "8 16 24 32 f32 f64"), ("flac", "8 16 24 32"),
    ("oga", "8 16 24 32"), ("mp3", ""), ("ogg", ""), ("opus", ""),
  ])
  func formatsHoldTheirSampleFormats(id: String, depths: String) throws {
    let names = try row(id).sampleFormats.map { "\($0.isFloat ? "f" : "")\($0.bitDepth)" }
    #expect(names.joined(separator: " ") == depths)
  }

  #if FFmpeg
    @Test(arguments: ["caf-alac", "m4a-alac", "m4b-alac"])
    func losslessPacketsHoldTwoDepths(id: String) throws {
      #expect(try row(id).sampleFormats == [.int16, .int24])
    }
  #endif

  @Test func sampleFormatsThatAFormatHoldsAreKept() throws {
    for row in AudioFormat.all where row.isWritable && row.isLossless {
      #expect(row.sampleFormats.contains(.int16), "\(row.id)")
      for format in row.sampleFormats { #expect(row.storage(for: format) == format) }
    }
    for id in ["mp3", "ogg", "opus"] { #expect(try row(id).storage(for: .int24) == nil) }
  }

  @Test(
    arguments: [
      ("flac", .float32, .int24), ("flac", .float64, .int32), ("oga", .float32, .int24),
    ] as [(String, SampleFormat, SampleFormat)])
  func otherSampleFormatsBecomeTheNearest(
    id: String, samples: SampleFormat, stored: SampleFormat
  ) throws {
    #expect(try row(id).storage(for: samples) == stored)
  }

  @Test func sizesFollowFromTheSamples() throws {
    let stereo = AudioSpec(sampleRate: 44100, layout: .stereo)
    let wav = try row("wav")
    // A third of 4 GiB of 24-bit stereo fits at 16 bits and not at 24.
    let frames = 0xFFFF_0000 / 6 + 1
    #expect(wav.largeForm(for: stereo, frameCount: frames, sampleFormat: .int16).id == "wav")
    #expect(wav.largeForm(for: stereo, frameCount: frames - 1, sampleFormat: .int24).id == "wav")
    #expect(wav.largeForm(for: stereo, frameCount: frames, sampleFormat: .int24).id == "rf64")
    let aiff = try row("aiff")
    #expect(aiff.refusal(of: stereo, frameCount: frames, sampleFormat: .int16) == nil)
    let refusal = try #require(
      aiff.refusal(of: stereo, frameCount: frames, sampleFormat: .float32))
    #expect(refusal.remedy == .useFormat(["w64", "rf64", "caf"]))
    #expect(aiff.refusal(of: stereo, frameCount: Int.max, sampleFormat: .float64) != nil)
  }

  @Test func sampleFormatsThatAFormatLacksAreRefused() throws {
    let stereo = AudioSpec(sampleRate: 44100, layout: .stereo)
    let refusal = try #require(
      try row("flac").refusal(of: stereo, frameCount: 1, sampleFormat: .float32))
    #expect(refusal.reason == "FLAC holds no 32-bit float samples")
    #expect(refusal.remedy == .useFormat(["wav", "w64", "rf64"]))
    #expect(try row("mp3").refusal(of: stereo, frameCount: 1, sampleFormat: nil) == nil)
  }
}
