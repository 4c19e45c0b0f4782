import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Core Audio's layouts in CAF, AIFF and QuickTime.
@Suite("Layout tags of Core Audio")
struct LayoutTagTests {
  let bench: Workbench

  init() throws { bench = try Workbench() }

  private func words(_ words: [UInt32]) -> [UInt8] {
    words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
  }

  /// 64 frames, in which each channel has a value of its own.
  private func samples(_ channels: Int) -> [UInt8] {
    (0..<64).flatMap { _ in (0..<channels).flatMap { [UInt8(1 + $0), 0] } }
  }

  private func caf(_ channels: Int, _ layout: [UInt8]) -> [UInt8] {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + words([0, UInt32(content.count)]) + content
    }
    let rate = withUnsafeBytes(of: Double(48000).bitPattern.bigEndian) { Array($0) }
    let description =
      rate + Array("lpcm".utf8) + words([0, UInt32(2 * channels), 1, UInt32(channels), 16])
    return Array("caff".utf8) + [0, 1, 0, 0] + chunk("desc", description) + chunk("chan", layout)
      + chunk("data", [0, 0, 0, 0] + samples(channels))
  }

  /// `CHAN` follows `COMM`, as the specification lists them; FFmpeg puts it first.
  private func aiff(_ channels: Int, _ layout: [UInt8], layoutFirst: Bool = false) -> [UInt8] {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + words([UInt32(content.count)]) + content
    }
    let common =
      [0, UInt8(channels)] + words([64]) + [0, 16, 0x40, 0x0E, 0xBB, 0x80, 0, 0, 0, 0, 0, 0]
    let head = [chunk("COMM", common), chunk("CHAN", layout)]
    let body =
      Array("AIFF".utf8) + (layoutFirst ? head[1] + head[0] : head[0] + head[1])
      + chunk("SSND", words([0, 0]) + samples(channels))
    return Array("FORM".utf8) + words([UInt32(body.count)]) + body
  }

  private func speakers(_ name: String) throws -> [String]? {
    try bench.inspect(name).source.spec.layout.speakers?
      .map(\.abbreviation)
  }

  /// The tag of MPEG 7.1 C has one meaning in all containers, except as FFmpeg writes it.
  @Test func oneTableForAllContainers() throws {
    let tag = words([128 << 16 | 8, 0, 0])
    let apple = ["FL", "FR", "FC", "LFE", "SL", "SR", "BL", "BR"]
    try bench.folder.write("x.caf", caf(8, tag))
    try bench.folder.write("x.aiff", aiff(8, tag))
    #expect(try speakers("x.caf") == apple)
    #expect(try speakers("x.aiff") == apple)
    let native = ["FL", "FR", "FC", "LFE", "BL", "BR", "SL", "SR"]
    let source = "-f lavfi -i 'aevalsrc=0|0.1|0.2|0.3|0.4|0.5|0.6|0.7:c=7.1:d=0.1:s=48000'"
    try bench.shell("ffmpeg -v error \(source) -c:a pcm_s16be lavf.caf")
    try bench.shell("ffmpeg -v error \(source) -c:a pcm_s16be lavf.aiff")
    #expect(try speakers("lavf.caf") == native)
    #expect(try speakers("lavf.aiff") == native)
    #if FFmpeg
      try bench.shell("ffmpeg -v error \(source) -c:a pcm_s16be -fflags +bitexact plain.mov")
      var bytes = try bench.bytes("plain.mov")
      let place = try #require(position(of: "chan", in: bytes)) + 8
      bytes.replaceSubrange(place..<place + 8, with: words([128 << 16 | 8, 0]))
      try bench.folder.write("x.mov", bytes)
      #expect(try speakers("x.mov") == apple)
      // M4A, which would be written, does not hold this layout.
      #expect(try bench.failure(of: "x.mov", .by(2)).contains("layout"))
    #endif
  }

  /// A file converted to its own container has the same layout and order of channels.
  @Test(
    arguments: [
      [128 << 16 | 8, 0, 0], [124 << 16 | 6, 0, 0], [121 << 16 | 6, 0, 0], [187 << 16 | 6, 0, 0],
      [0x10000, 0x3F, 0], [190 << 16 | 6, 0, 0], [147 << 16 | 6, 0, 0],
      [0, 0, 2, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0],
    ] as [[UInt32]])
  func conversionsKeepTags(layout: [UInt32]) throws {
    let content = words(layout)
    let channels = layout[0] == 0 ? 2 : layout[0] == 0x10000 ? 6 : Int(layout[0] & 0xFFFF)
    for (name, bytes) in [("x.caf", caf(channels, content)), ("x.aiff", aiff(channels, content))] {
      try bench.folder.write(name, bytes)
      try bench.convert(name, to: "out-\(name)", .by(1.5), .linear)
      let output = try bench.bytes("out-\(name)")
      let isCAF = name == "x.caf"
      let chunk = try #require(position(of: isCAF ? "chan" : "CHAN", in: output))
      let start = chunk + (isCAF ? 12 : 8)
      #expect(Array(output[start..<start + content.count]) == content)
      let data = try #require(position(of: isCAF ? "data" : "SSND", in: output)) + 16
      let first = stride(from: data, to: data + 2 * channels, by: 2).map {
        // One of the bytes is 0, in either order.
        Int(output[$0]) + Int(output[$0 + 1])
      }
      #expect(first == Array(1...channels))
    }
  }
}
