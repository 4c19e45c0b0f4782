import AudioFiles
import AudioModel
import Testing

@testable import AudioIO

@Suite("Output format for a source", .tags(.packageTraits))
struct OutputChoiceTests {
  private func row(_ id: String) throws -> AudioFormat { try #require(AudioFormat.named(id)) }

  private let stereo = AudioSpec(sampleRate: 44100, layout: .stereo)
  private let surround = AudioSpec(
    sampleRate: 48000, layout: ChannelLayout(mask: 0x3F, channelCount: 6) ?? .mono)

  @Test func writableFormatsStayTheSame() throws {
    for row in AudioFormat.all where row.isWritable {
      let spec = AudioSpec(sampleRate: row.sampleRates?.last ?? 8000, layout: .mono)
      #expect(row.writtenForm == row)
      #expect(row.refusal(of: spec, frameCount: 1000) == nil)
    }
  }

  @Test(arguments: [
    ("svx", "wav"), ("nist", "wav"), ("mat5", "wav"), ("wve", "wav"), ("mp2", "mp3"),
  ])
  func readOnlyFormatsBecomeTheNearestWritableOne(id: String, written: String) throws {
    #expect(try row(id).writtenForm?.id == written)
    #expect(try row(id).refusal(of: stereo, frameCount: 1)?.reason.contains("not written") == true)
  }

  #if FFmpeg
    @Test(arguments: ["m4a", "m4b", "m4r"])
    func m4aOfALosslessSourceIsLossless(id: String) throws {
      let row = try row(id)
      #expect(row.losslessForm(for: EncodingOptions()).id == "\(id)-alac")
      // A bit rate requests AAC.
      #expect(row.losslessForm(for: EncodingOptions(bitRate: 128_000)) == row)
      #expect(row.writtenForm == row)
    }

    @Test func codecsAreFoundByName() throws {
      let aac = try #require(AudioFormat.ofCodec("AAC"))
      #expect(aac.losslessForm(for: EncodingOptions()) == aac && !aac.isLossless)
      #expect(aac.extensions == ["m4a"])
      #expect(AudioFormat.ofCodec("alac")?.id == "m4a-alac")
      #expect(AudioFormat.forExtension("m4a")?.id == "m4a")
      #expect(try row("caf-alac").writtenForm?.id == "caf-alac")
    }
  #else
    @Test func alacInCAFBecomesPCM() throws {
      #expect(try row("caf-alac").writtenForm?.id == "caf")
      #expect(AudioFormat.ofCodec("aac") == nil)
    }
  #endif

  @Test func losslessStaysLossless() throws {
    for row in AudioFormat.all where row.isLossless {
      #expect(row.writtenForm?.isLossless == true)
      #expect(row.largeForm(for: stereo, frameCount: 3_000_000_000).isLossless)
    }
  }

  @Test func wavBeyondFourGibibytesBecomesRF64() throws {
    let frames = 0xFFFF_0000 / 4
    #expect(try row("wav").largeForm(for: stereo, frameCount: frames + 1).id == "rf64")
    #expect(try row("wavex").largeForm(for: surround, frameCount: frames).id == "rf64")
  }

  @Test func aiffBeyondFourGibibytesIsRefusedWithARemedy() throws {
    let refusal = try #require(try row("aiff").refusal(of: stereo, frameCount: 2_000_000_000))
    #expect(refusal.reason.contains("AIFF"))
    #expect(refusal.remedy == .useFormat(["flac", "w64", "rf64"]))
    #expect(try row("aiff").largeForm(for: stereo, frameCount: 2_000_000_000).id == "aiff")
  }

  @Test func lossesOfATargetAreReported() throws {
    let au = try #require(try row("au").refusal(of: surround, frameCount: 1))
    #expect(au.reason == "AU cannot store the layout 5.1")
    #expect(au.remedy.map { "\($0)".contains("wav") } == true)
    let mp3 = try #require(try row("mp3").refusal(of: surround, frameCount: 1))
    #expect(mp3.reason == "MP3 holds at most 2 channels, not 6")
    let rate = try #require(try row("opus").refusal(of: stereo, frameCount: 1))
    #expect(rate.reason.contains("44100 Hz"))
    let unknown = AudioSpec(sampleRate: 48000, layout: .unspecified(6))
    #expect(try row("opus").refusal(of: unknown, frameCount: 1) != nil)
    #expect(try row("opus").refusal(of: surround, frameCount: 1) == nil)
    #expect(try row("wav").refusal(of: unknown, frameCount: Int.max) != nil)
  }
}
