/// Chunks put together and taken apart in plain arithmetic, apart from the code under test.
struct ChunkFile {
  var name: String
  var content: [UInt8]

  static func little(_ value: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func big(_ value: Int, _ count: Int = 4) -> [UInt8] { little(value, count).reversed() }

  static func chunk(_ name: String, _ content: [UInt8], bigEndian: Bool = false) -> [UInt8] {
    let size = bigEndian ? big(content.count) : little(content.count)
    return Array(name.utf8) + size + content + (content.count % 2 == 1 ? [0] : [])
  }

  /// The chunks of a RIFF or IFF file, whose declared size must be the file's.
  static func chunks(_ file: [UInt8], bigEndian: Bool = false) -> [ChunkFile]? {
    func number(_ at: Int) -> Int {
      let part = file[at..<at + 4]
      return (bigEndian ? Array(part) : part.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }
    var chunks: [ChunkFile] = []
    guard file.count >= 12, number(4) == file.count - 8 else { return nil }
    var at = 12
    while at + 8 <= file.count {
      let size = number(at + 4)
      guard at + 8 + size <= file.count else { return nil }
      chunks.append(
        ChunkFile(
          name: String(decoding: file[at..<at + 4], as: UTF8.self),
          content: Array(file[at + 8..<at + 8 + size])))
      at += 8 + size + size % 2
    }
    return at == file.count ? chunks : nil
  }

  func little(at offset: Int, _ count: Int = 4) -> Int {
    content[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  func big(at offset: Int, _ count: Int = 4) -> Int {
    content[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
  }

  /// A WAV file of 16-bit silence with more chunks after the audio.
  static func wav(frames: Int, _ more: [[UInt8]], before: [[UInt8]] = []) -> [UInt8] {
    let format =
      little(1, 2) + little(1, 2) + little(8000) + little(16000) + little(2, 2) + little(16, 2)
    let body =
      Array("WAVE".utf8) + chunk("fmt ", format) + before.flatMap(\.self)
      + chunk("data", Array(repeating: 0, count: frames * 2)) + more.flatMap(\.self)
    return Array("RIFF".utf8) + little(body.count) + body
  }

  /// An AIFF file of 16-bit silence with more chunks after the audio.
  static func aiff(frames: Int, _ more: [[UInt8]]) -> [UInt8] {
    // 8000 Hz as an 80-bit extended number: 8000 = 1.953125 * 2^12.
    let rate: [UInt8] = [0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0]
    let common = big(1, 2) + big(frames) + big(16, 2) + rate
    let body =
      Array("AIFF".utf8) + chunk("COMM", common, bigEndian: true)
      + chunk("SSND", Array(repeating: 0, count: 8 + frames * 2), bigEndian: true)
      + more.flatMap(\.self)
    return Array("FORM".utf8) + big(body.count) + body
  }

  /// A CAF file of 16-bit silence with more chunks before the audio.
  static func caf(frames: Int, _ more: [(String, [UInt8])]) -> [UInt8] {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + big(content.count, 8) + content
    }
    let description =
      double(8000) + Array("lpcm".utf8) + big(0) + big(2) + big(1) + big(1) + big(16)
    return Array("caff".utf8) + big(1, 2) + big(0, 2) + chunk("desc", description)
      + more.flatMap { chunk($0.0, $0.1) }
      + chunk("data", Array(repeating: 0, count: 4 + frames * 2))
  }

  static func double(_ value: Double) -> [UInt8] {
    big(Int(truncatingIfNeeded: value.bitPattern), 8)
  }
}
