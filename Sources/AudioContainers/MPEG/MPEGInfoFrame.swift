internal import AudioIO

/// Information about the whole stream in its first frame, which carries no audio: a Xing, Info, or VBRI header.
///
/// Source: "MP3 Info Tag revision 1" (G. Bouvigne, the LAME project) for Xing and Info; the Fraunhofer
/// VBRI header as encoders write it.
package struct MPEGInfoFrame: Hashable, Sendable {
  let isVBRI: Bool
  /// Bytes of the frame with the header that are in the file.
  let byteCountOfFrame: Int
  /// Audio frames, without this one.
  package private(set) var frameCount: Int?
  /// Bytes of the stream, including this frame.
  private(set) var byteCount: Int?
  /// PCM frames before and after the audio; `nil` if the encoder does not state them.
  private(set) var delay, padding: Int?
  /// The offset of LAME's extension in the frame; `nil` without one.
  private var extensionStart: Int?
  /// The encoder and its settings: `LAME 3.100, V2`; `nil` if it does not state its name.
  package private(set) var encoder: String?

  /// Parses the first frame of a stream; `nil` if that frame carries audio.
  init?(frame: [UInt8], header: MPEGFrameHeader) {
    guard header.layer == 3 else { return nil }
    byteCountOfFrame = frame.count
    let xing = 4 + header.sideInfoCount
    // Some encoders leave room for the checksum.
    if let start = [xing, xing + 2].first(where: { Self.isXing(frame, at: $0) }) {
      isVBRI = false
      readXing(frame, at: start)
    } else if Self.has("VBRI", frame, at: 36) {
      isVBRI = true
      byteCount = Self.number(frame, at: 36 + 10)
      frameCount = Self.number(frame, at: 36 + 14)
    } else {
      return nil
    }
  }

  /// The frame at the start of `bytes` with a longer delay and padding, so that fewer frames are played; `nil` without
  /// LAME's extension, or for numbers beyond its 12 bits.
  package static func frame(
    of bytes: [UInt8], delayedBy before: Int, paddedBy after: Int
  ) -> [UInt8]? {
    guard let header = MPEGFrameHeader(bytes), header.byteCount <= bytes.count else { return nil }
    var frame = Array(bytes.prefix(header.byteCount))
    guard let info = MPEGInfoFrame(frame: frame, header: header), let start = info.extensionStart,
      let delay = info.delay, let padding = info.padding, start + 36 <= frame.count,
      (0...0xFFF).contains(delay + before), (0...0xFFF).contains(padding + after)
    else { return nil }
    let word = (delay + before) << 12 | padding + after
    for byte in 0..<3 { frame[start + 21 + byte] = UInt8(word >> (16 - 8 * byte) & 0xFF) }
    // CRC-16 of all bytes before it, with the polynomial 0x8005, the lowest bits first.
    var checksum = 0
    for byte in frame[..<(start + 34)] {
      checksum ^= Int(byte)
      for _ in 0..<8 { checksum = checksum >> 1 ^ (checksum & 1 == 1 ? 0xA001 : 0) }
    }
    frame[start + 34] = UInt8(checksum >> 8)
    frame[start + 35] = UInt8(checksum & 0xFF)
    return frame
  }

  /// Bytes of a frame up to its mark: header, side information, and the mark itself.
  static let markReach = 48

  /// True if a frame within a stream begins like an info frame: the mark follows side information of zeros, which no
  /// frame with audio has.
  static func isMarked(_ frame: some Collection<UInt8>, header: MPEGFrameHeader) -> Bool {
    guard header.layer == 3 else { return false }
    let xing = 4 + header.sideInfoCount
    // Most frames end the check here; a checksum may follow the header.
    guard frame.dropFirst(6).prefix(xing - 6).allSatisfy({ $0 == 0 }) else { return false }
    let bytes = Array(frame)
    return isXing(bytes, at: xing) || isXing(bytes, at: xing + 2) || has("VBRI", bytes, at: 36)
  }

  private mutating func readXing(_ frame: [UInt8], at start: Int) {
    guard let flags = Self.number(frame, at: start + 4) else { return }
    var position = start + 8
    if flags & 1 != 0 {
      frameCount = Self.number(frame, at: position)
      position += 4
    }
    if flags & 2 != 0 {
      byteCount = Self.number(frame, at: position)
      position += 4
    }
    if flags & 4 != 0 { position += 100 }
    if flags & 8 != 0 { position += 4 }
    // The extension begins with the encoder's name; delay and padding follow at byte 21, 12 bits each.
    guard position + 24 <= frame.count, frame[position] != 0 else { return }
    extensionStart = position
    let word = Int(frame[position + 21..<position + 24].bigEndianValue)
    delay = word >> 12
    padding = word & 0xFFF
    encoder = Self.encoder(frame[position...])
  }

  /// The encoder's name, with a space before its version, and its setting.
  ///
  /// Byte 9 has the method in its low bits, bytes 26 and 27 the preset in their low 11 bits: the bit rate in
  /// kb/s, or for variable rates 410 for V9 to 500 for V0.
  private static func encoder(_ tag: ArraySlice<UInt8>) -> String? {
    let bytes = Array(tag.prefix(28))
    let text = String(
      decoding: bytes.prefix(9).prefix { (0x20...0x7E).contains($0) }, as: UTF8.self)
    var name = Substring(text)
    while name.last == " " { name.removeLast() }
    guard bytes.count == 28, name.first?.isLetter == true else { return nil }
    if name.hasPrefix("LAME"), name.dropFirst(4).first?.isNumber == true {
      name = "LAME " + name.dropFirst(4)
    }
    let preset = Int(bytes[26..<28].bigEndianValue & 0x7FF)
    // 1000 and more are the presets of old versions by name.
    let setting: String? =
      switch (bytes[9] & 15, preset) {
      case (1, 8...320), (8, 8...320): "CBR \(preset)"
      case (2, 8...320), (9, 8...320): "ABR \(preset)"
      case (3...6, 410...500): "V\((500 - preset) / 10)"
      case (3...6, 1000...1007): oldPresets[preset - 1000]
      case (1, _), (8, _): "CBR"
      case (2, _), (9, _): "ABR"
      case (3...6, _): "VBR"
      default: nil
      }
    return setting.map { "\(name), \($0)" } ?? String(name)
  }

  /// The names of LAME's presets, numbered from 1000.
  private static let oldPresets = [
    "r3mix", "standard", "extreme", "insane", "standard fast", "extreme fast", "medium",
    "medium fast",
  ]

  private static func isXing(_ frame: [UInt8], at offset: Int) -> Bool {
    has("Xing", frame, at: offset) || has("Info", frame, at: offset)
  }

  private static func has(_ text: String, _ bytes: [UInt8], at offset: Int) -> Bool {
    offset + 4 <= bytes.count && bytes[offset..<offset + 4].elementsEqual(text.utf8)
  }

  private static func number(_ bytes: [UInt8], at offset: Int) -> Int? {
    guard offset + 4 <= bytes.count else { return nil }
    return Int(bytes[offset..<offset + 4].bigEndianValue)
  }
}

/// The encoder delay and padding in iTunes' comment `iTunSMPB`.
///
/// A list of hexadecimal numbers: 0, the frames before the audio, the frames after it, and the frames of audio;
/// the rest is unused. Source: what iTunes writes, and Rockbox' `id3tags.c` reads.
struct ITunesGapless: Hashable, Sendable {
  /// PCM frames before the audio, without the decoder's delay.
  let delay: Int
  /// PCM frames after the audio, including the decoder's delay.
  let padding: Int
  /// PCM frames of the audio.
  let frameCount: Int

  private static let name = Array("iTunSMPB".utf8)
  /// The maximum size of the numbers in bytes, for UTF-16 with a byte order mark.
  private static let reach = 2 * (16 + 4 * 17)

  /// Searches a range of a file, its ID3v2 tags, for the comment; `nil` if there is none.
  init?(of input: borrowing InputFile, in range: Range<Int>) throws(AudioFileError) {
    let stride = 1 << 16
    var start = range.lowerBound
    while start < range.upperBound {
      let window = try input.bytes(
        at: start, count: min(stride + Self.reach, range.upperBound - start))
      // UTF-16 has zeros between the characters.
      let bytes = window.filter { $0 != 0 }
      if let found = Self.position(of: Self.name, in: bytes),
        let numbers = Self.numbers(bytes[(found + Self.name.count)...].prefix(Self.reach))
      {
        self.init(numbers)
        return
      }
      start += stride
    }
    return nil
  }

  private init?(_ numbers: [Int]) {
    guard numbers.count >= 4 else { return nil }
    (delay, padding, frameCount) = (numbers[1], numbers[2], numbers[3])
  }

  /// The hexadecimal numbers after the first space in a text, separated by spaces.
  private static func numbers(_ bytes: ArraySlice<UInt8>) -> [Int]? {
    guard let first = bytes.firstIndex(of: 0x20) else { return nil }
    var numbers: [Int] = []
    for word in bytes[first...].split(separator: 0x20) {
      guard let number = Int(String(decoding: word, as: UTF8.self), radix: 16), number >= 0 else {
        break
      }
      numbers.append(number)
    }
    return numbers
  }

  private static func position(of pattern: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= pattern.count else { return nil }
    return (0...bytes.count - pattern.count).first {
      bytes[$0] == pattern[0] && bytes[$0...].starts(with: pattern)
    }
  }
}
