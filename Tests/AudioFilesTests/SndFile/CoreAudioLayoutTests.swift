import AudioModel
import Testing

@testable import AudioContainers

@Suite("Core Audio's channel layout")
struct CoreAudioLayoutTests {
  private func words(_ words: [UInt32]) -> [UInt8] {
    words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
  }

  private func layout(_ content: [UInt32], _ channels: Int, lavf: Bool = false) -> ChannelLayout? {
    CoreAudioLayout.layout(words(content), channelCount: channels, isWrittenByLavf: lavf)
  }

  @Test func bitmapsEqualTheMask() {
    #expect(layout([0x10000, 0x63F, 0], 8)?.mask == 0x63F)
    #expect(layout([0x10000, 0x63F, 0], 7) == nil)
    #expect(layout([0x10000, 0x8000_0001, 0], 2) == nil)
  }

  @Test func tagsHaveTheOrdersOfTheHeader() {
    #expect(
      layout([121 << 16 | 6, 0, 0], 6)?.speakers
        == [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight])
    #expect(
      layout([124 << 16 | 6, 0, 0], 6)?.speakers
        == [.frontCenter, .frontLeft, .frontRight, .backLeft, .backRight, .lowFrequency])
    #expect(layout([128 << 16 | 8, 0, 0], 8)?.speakers?[4...5] == [.sideLeft, .sideRight])
    #expect(
      layout([128 << 16 | 8, 0, 0], 8, lavf: true) == ChannelLayout(mask: 0x63F, channelCount: 8))
    #expect(layout([121 << 16 | 6, 0, 0], 5) == nil)
    #expect(layout([147 << 16 | 6, 0, 0], 6) == nil)
  }

  @Test func descriptionsNameSpeakers() {
    func description(_ label: UInt32) -> [UInt32] { [label, 0, 0, 0, 0] }
    #expect(
      layout([0, 0, 2] + description(2) + description(1), 2)?.speakers == [.frontRight, .frontLeft])
    #expect(layout([0, 0, 2] + description(2) + description(2), 2) == nil)
    #expect(layout([0, 0, 2] + description(2), 2) == nil)
    #expect(layout([0, 0, 0xFFFF_FFFF], 2) == nil)
  }

  @Test(arguments: 0..<12)
  func truncatedContentIsNotALayout(count: Int) {
    let whole = words([0x10000, 0x3F, 0])
    let cut = CoreAudioLayout.layout(
      Array(whole[..<count]), channelCount: 6, isWrittenByLavf: false)
    #expect(cut == nil || count >= 8)
  }

  @Test func writtenLayoutsAreReadBack() throws {
    for mask: UInt32 in [0x3F, 0x63F, 0x33, 0x20007] {
      let layout = try #require(ChannelLayout(mask: mask, channelCount: mask.nonzeroBitCount))
      #expect(
        CoreAudioLayout.layout(
          CoreAudioLayout.content(for: layout), channelCount: layout.channelCount,
          isWrittenByLavf: false) == layout)
    }
  }
}
