import AudioModel
import Foundation
import TestSupport
import Testing

@testable import AudioContainers
@testable import AudioIO

/// Core Audio's tags, held against what ffmpeg makes of them.
@Suite("Core Audio's tags and labels")
struct CoreAudioTagTests {
  private func words(_ words: [UInt32]) -> [UInt8] {
    words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
  }

  /// Left and right surround are back speakers here and, where nothing else is there, side ones there.
  private func withoutSides(_ mask: UInt32) -> UInt32 {
    mask & 0x30 == 0 && mask & 0x600 == 0x600 ? mask & ~0x600 | 0x30 : mask
  }

  /// A CAF file with each tag, whose speakers ffmpeg reads too.
  @Test func tagsMeanWhatFFmpegSays() throws {
    let fixture = try AudioFixture()
    var files: [(name: String, tag: UInt32, layout: ChannelLayout)] = []
    // Tags that ffmpeg 5.1 does not know, or reads as something else: the wide fronts of the octagon are its
    // sides; tags from 183 on are younger than its table; its mask of 7.1 C is checked elsewhere.
    for number: UInt32 in 100..<183 {
      for channels in 1...9 {
        let tag = number << 16 | UInt32(channels)
        guard let speakers = CoreAudioTags.speakers(ofTag: tag), speakers.count == channels else {
          continue
        }
        let name = "\(tag).caf"
        try fixture.put(name, caf(channels: channels, layout: words([tag, 0, 0])))
        files.append((name, tag, try #require(ChannelLayout(speakers))))
      }
    }
    let layouts = try fixture.layouts(files.map(\.name))
    for (file, theirs) in zip(files, layouts) {
      guard let mask = FFmpegLayouts.mask(of: theirs) else { continue }
      #expect(
        withoutSides(mask) == withoutSides(file.layout.mask), "tag \(file.tag >> 16): \(theirs)")
      // And it is what the reader makes of it.
      #expect(try fixture.read(file.name).source.spec.layout == file.layout)
    }
    #expect(layouts.count { FFmpegLayouts.mask(of: $0) != nil } > 30)
  }

  private func caf(channels: Int, layout: [UInt8]) -> [UInt8] {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + words([0, UInt32(content.count)]) + content
    }
    let rate = withUnsafeBytes(of: Double(48000).bitPattern.bigEndian) { Array($0) }
    let description =
      rate + Array("lpcm".utf8) + words([0, UInt32(2 * channels), 1, UInt32(channels), 16])
    return Array("caff".utf8) + [0, 1, 0, 0] + chunk("desc", description) + chunk("chan", layout)
      + chunk("data", [0, 0, 0, 0] + [UInt8](repeating: 0, count: 20 * channels))
  }

  @Test func allTagsNameDifferentSpeakers() throws {
    for number: UInt32 in 0...300 {
      guard let speakers = CoreAudioTags.speakers(ofTag: number << 16) else { continue }
      #expect(ChannelLayout(speakers) != nil, "tag \(number) repeats a speaker")
    }
  }

  @Test func surroundsBesideRearSurroundsAreSideSpeakers() {
    let seven: [UInt32] = [1, 2, 3, 4, 5, 6, 33, 34]
    #expect(CoreAudioTags.speakers(ofLabels: seven).flatMap { ChannelLayout($0) }?.mask == 0x63F)
    #expect(
      CoreAudioTags.speakers(ofLabels: [1, 2, 3, 4, 5, 6]).flatMap { ChannelLayout($0) }?.mask
        == 0x3F)
    // A wide left front is not one of the 18.
    #expect(CoreAudioTags.speakers(ofLabels: [1, 2, 35]) == nil)
    #expect(CoreAudioTags.speakers(ofLabels: [0xFFFF_FFFF]) == nil)
  }
}
