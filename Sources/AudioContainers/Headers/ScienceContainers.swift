package import AudioIO

/// The containers of speech and signal processing, whose headers libsndfile reads.
///
/// Truncation of their files is detected in NIST only.
extension AudioFormat.Container {
  package static let nist = Self(
    "nist",
    recognizes: { head in head.has("NIST_1A") })

  package static let ircam = Self(
    "ircam",
    recognizes: { head in
      // 0x0001A364 to 0x0007A364 in either byte order.
      guard head.bytes.count >= 12 else { return false }
      let bytes = head.bytes
      return head.has([0x64, 0xA3]) && bytes[2] & 0xF8 == 0 && bytes[3] == 0
        || bytes[0] == 0 && bytes[1] & 0xF8 == 0 && head.has([0xA3, 0x64], at: 2)
    })

  package static let pvf = Self(
    "pvf",
    recognizes: { head in head.has("PVF1") })

  package static let mat5 = Self(
    "mat5",
    recognizes: { head in head.has("MATLAB 5") })

  package static let mat4 = Self(
    "mat4",
    recognizes: { head in
      // A matrix named `samplerate` or the like of one row and one column comes first.
      head.has([0, 0, 3, 0xE8, 0, 0, 0, 1, 0, 0, 0, 1])
        || head.has([0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0])
    })

  package static let htk = Self(
    "htk",
    recognizes: { head in
      // There is no magic: the first field counts the 2-byte samples after the 12-byte header, and the last
      // field is the kind, 16-bit waveform (0).
      guard head.has([0, 2, 0, 0], at: 8) else { return false }
      let count = Int(head.bytes[0..<4].bigEndianValue)
      return count > 0 && 12 + 2 * count == head.fileSize
    })
}

/// The text header of NIST Sphere, which has lines such as `sample_count -i 16000`.
package struct NISTHeader {
  private let lines: [[Substring]]

  package init(of input: borrowing InputFile) throws(AudioFileError) {
    let text = String(decoding: try input.bytes(at: 0, count: 1024), as: UTF8.self)
    lines = text.split(whereSeparator: \.isNewline).map { $0.split(separator: " ") }
  }

  private func value(_ name: String) -> Substring? {
    lines.first { $0.count == 3 && $0[0] == name }?[2]
  }

  /// The declared number of frames, which libsndfile ignores.
  package var frameCount: Int? { value("sample_count").flatMap { Int($0) } }

  /// The coding of the samples, such as `pcm,embedded-shorten-v2.00`.
  package var coding: String? { value("sample_coding").map(String.init) }
}
