import AudioFiles
import AudioModel
import Testing

@Suite("What is written for a source")
struct OutputChoiceTests {
  private func format(_ id: String) throws -> AudioFormat { try #require(AudioFormat.named(id)) }

  private let stereo = AudioSpec(sampleRate: 44100, layout: .stereo)
  private let surround = AudioSpec(
    sampleRate: 48000, layout: ChannelLayout(mask: 0x3F, channelCount: 6) ?? .mono)

  @Test func writableFormatsStayThemselves() throws {
    for row in AudioFormat.all where row.isWritable {
      let spec = AudioSpec(sampleRate: row.sampleRates?.last ?? 8000, layout: .mono)
      #expect(row.writtenForm == row)
      #expect(row.refusal(of: spec, frameCount: 1000) == nil)
    }
  }

  @Test func whatIsReadOnlyBecomesTheNearest() throws {
    for id in ["xi", "sds", "wve"] {
      #expect(try format(id).writtenForm?.id == "wav")
    }
    #expect(try format("mp2").writtenForm?.id == "mp3")
  }

  @Test func everySourceHasAWrittenFormAndLosslessStaysLossless() throws {
    for row in AudioFormat.all {
      let written = try #require(row.writtenForm)
      #expect(written.isWritable)
      #expect(!row.isLossless || written.isLossless)
    }
  }

  @Test func wavBeyondFourGibibytesBecomesRF64() throws {
    let frames = 0xFFFF_0000 / 4
    #expect(try format("wav").largeForm(for: stereo, frameCount: frames).id == "wav")
    #expect(try format("wav").largeForm(for: stereo, frameCount: frames + 1).id == "rf64")
    #expect(try format("wavex").largeForm(for: surround, frameCount: frames).id == "rf64")
    #expect(try format("w64").largeForm(for: stereo, frameCount: frames * 9).id == "w64")
  }

  @Test func aiffBeyondFourGibibytesIsRefusedWithARemedy() throws {
    let refusal = try #require(try format("aiff").refusal(of: stereo, frameCount: 2_000_000_000))
    #expect(refusal.reason.contains("AIFF"))
    #expect(refusal.remedy == "--format flac, w64 or rf64 keeps it")
    #expect(try format("aiff").largeForm(for: stereo, frameCount: 2_000_000_000).id == "aiff")
  }

  @Test func whatATargetCannotHoldIsSaid() throws {
    let au = try #require(try format("au").refusal(of: surround, frameCount: 1))
    #expect(au.reason == "AU cannot say the layout 5.1")
    #expect(au.remedy?.contains("--format wav") == true)
    let mp3 = try #require(try format("mp3").refusal(of: surround, frameCount: 1))
    #expect(mp3.reason == "MP3 holds at most 2 channels, not 6")
    let rate = try #require(try format("opus").refusal(of: stereo, frameCount: 1))
    #expect(rate.reason.contains("44100 Hz"))
    let svx = AudioSpec(sampleRate: 96000, layout: .mono)
    #expect(try format("svx").refusal(of: svx, frameCount: 1) != nil)
    let unknown = AudioSpec(sampleRate: 48000, layout: .unspecified(6))
    #expect(try format("opus").refusal(of: unknown, frameCount: 1) != nil)
    #expect(try format("opus").refusal(of: surround, frameCount: 1) == nil)
    #expect(try format("wav").refusal(of: unknown, frameCount: Int.max) != nil)
  }
}
