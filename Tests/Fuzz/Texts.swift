import AudioIO
import AudioModel
import ScaleAudio
import SystemPackage

/// Texts whose times are scaled, in bytes and in UTF-16, and the encodings of tags.
enum Texts {
  private static let encodings: [TextEncoding?] =
    [nil]
    + [
      "CP1251", "GBK", "SHIFT_JIS", "EUC-JP", "BIG5", "MACINTOSH", "UTF-16LE", "ISO-2022-JP",
      "UTF-7",
    ].map(TextEncoding.init)

  /// Scales a text by one of the scales, which its content chooses (FNV-1a), and decodes it.
  static func scale(_ bytes: [UInt8]) {
    let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    let isWide = bytes.count > 1 && bytes[1] == 0
    let text = isWide ? wide(bytes) : bytes.map(UInt16.init)
    for form in [
      SubRipText.scaled, WebVTTText.scaled, LyricsText.scaled, LabelText.scaled,
      CueSheetText.scaled,
    ] {
      check(form(text, scales[Int(hash >> 8 & 3)]), lineCount: text.lines.count)
    }
    _ = try? TimeMapRequest(text: bytes, path: "map")
    decode(bytes, as: encodings[Int(hash >> 16 & 0xFFFF) % encodings.count])
  }

  private static func wide(_ bytes: [UInt8]) -> TextUnits {
    stride(from: 0, to: bytes.count - 1, by: 2).map {
      UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
    }
  }

  /// A factor, a part of a delayed track, a map, and a length of nothing.
  private static let scales = [
    TimeScale(factor: 1.5, inputFrames: 441_000, outputFrames: 661_500, sampleRate: 44100),
    TimeScale(
      factor: 0.5, inputFrames: 441_000, outputFrames: 110_250, sampleRate: 44100,
      outputRate: 22050, part: 1000..<442_000 / 2, delay: 0.25),
    TimeScale(
      factor: 2, inputFrames: 441_000, outputFrames: 882_000, sampleRate: 44100,
      map: TimeMap(points: [
        TimeMap.Point(source: 0, output: 0), TimeMap.Point(source: 100, output: 1),
        TimeMap.Point(source: 441_000, output: 882_000),
      ])),
    TimeScale(factor: 100, inputFrames: 0, outputFrames: 0, sampleRate: 1),
  ]

  private static func check(_ scaled: ScaledText?, lineCount: Int) {
    guard let scaled else { return }
    precondition(scaled.unreadLines.allSatisfy { (1...lineCount) ~= $0 }, "a line of another text")
    precondition(
      zip(scaled.unreadLines, scaled.unreadLines.dropFirst()).allSatisfy { $0 < $1 },
      "lines out of order")
    _ = scaled.unreadLines.isEmpty ? "" : scaled.unreadLines.lineNames
  }

  private static func decode(_ bytes: [UInt8], as encoding: TextEncoding?) {
    var decoder = TextDecoder(.info, declared: encoding, characterSet: Array(bytes.prefix(8)))
    for text in bytes.split(separator: 0) {
      let decoded = decoder.string(text, codePage: Int(text.first ?? 0) * 257)
      if let encoding, let back = encoding.bytes(decoded) {
        precondition(encoding.text(back) != nil, "bytes that their encoding lacks")
      }
    }
  }
}
