internal import AudioIO

/// What iTunes says of the encoder's delay and padding, in a comment named `iTunSMPB`.
///
/// A row of hexadecimal numbers: 0, the frames before the audio, those behind it, and those of the audio
/// itself; the rest is of no use here. Source: what iTunes writes, and Rockbox' `id3tags.c` reads.
struct ITunesGapless: Hashable, Sendable {
  /// PCM frames before the audio, without the decoder's own delay.
  let delay: Int
  /// PCM frames behind it, the decoder's delay counted.
  let padding: Int
  /// PCM frames of the audio.
  let frameCount: Int

  private static let name = Array("iTunSMPB".utf8)
  /// Bytes that hold the numbers, twice as many for UTF-16 as for other encodings, with a byte order mark.
  private static let reach = 2 * (16 + 4 * 17)

  /// Looks for it in the first `count` bytes of a file, which are its ID3v2 tags; `nil` when it is not there.
  init?(of input: borrowing InputFile, count: Int) throws(AudioFileError) {
    let stride = 1 << 16
    var start = 0
    while start < count {
      let window = try input.bytes(at: start, count: min(stride + Self.reach, count - start))
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

  /// The hexadecimal numbers of a text, parted by spaces, behind whatever stands in front of the first.
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
