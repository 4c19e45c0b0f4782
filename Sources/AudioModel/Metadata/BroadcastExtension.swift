/// The content of a broadcast extension chunk: origin, time reference, loudness and coding history.
///
/// Source: EBU Tech 3285 version 2 (2011), sections 2.3 and 2.4; EBU R 98 for the coding history.
package struct BroadcastExtension: Hashable, Sendable {
  /// The size of the part before the coding history, in bytes.
  private static let fixedSize = 602
  /// The 64 bits of the time reference, the lower half first, both little-endian.
  private static let timeReference = 338..<346
  private static let versionOffset = 346
  private static let materialIdentifier = 348..<412
  private static let loudness = 412..<422

  /// The content of the chunk.
  package private(set) var bytes: [UInt8]

  /// A chunk's content; `nil` if it is shorter than the fixed part.
  package init?(_ bytes: [UInt8]) {
    if bytes.count < Self.fixedSize { return nil }
    self.bytes = bytes
  }

  /// Removes values that are not valid for changed audio.
  ///
  /// The unique material identifier belongs to the original. "If any loudness parameter is not being used
  /// then its 16-bit integer value shall be set to 0x7FFF": a change of speed moves sound to other
  /// frequencies, which loudness weights differently. The time reference, the time on the recorder's clock
  /// at which the audio begins, stays.
  ///
  /// Returns the display names of the removed values.
  package mutating func dropMeasurements() -> [MetadataLoss] {
    var dropped: [MetadataLoss] = []
    let version = Int(bytes[Self.versionOffset]) | Int(bytes[Self.versionOffset + 1]) << 8
    if version >= 1 {
      if bytes[Self.materialIdentifier].contains(where: { $0 != 0 }) {
        dropped.append(
          MetadataLoss(.chunk, "the unique material identifier (UMID) in the broadcast extension"))
      }
      for index in Self.materialIdentifier { bytes[index] = 0 }
    }
    if version >= 2 {
      let hasLoudness = Self.loudness.contains {
        bytes[$0] != 0 && bytes[$0] != ($0 % 2 == 0 ? 0xFF : 0x7F)
      }
      if hasLoudness {
        dropped.append(MetadataLoss(.chunk, "the loudness in the broadcast extension"))
      }
      for index in Self.loudness { bytes[index] = index % 2 == 0 ? 0xFF : 0x7F }
    }
    return dropped
  }

  /// Moves the time reference later by a number of frames.
  package mutating func moveTimeReference(by frames: Int) {
    setTimeReference(timeReference &+ UInt64(clamping: frames))
  }

  private var timeReference: UInt64 {
    Self.timeReference.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[$1]) }
  }

  private mutating func setTimeReference(_ frames: UInt64) {
    var rest = frames
    for index in Self.timeReference {
      bytes[index] = UInt8(truncatingIfNeeded: rest)
      rest >>= 8
    }
  }

  /// Counts the time reference in frames of another sample rate, to the nearest.
  package mutating func changeRate(from rate: Int, to newRate: Int) {
    if rate == newRate || rate < 1 { return }
    // The product exceeds 64 bits only if the time reference is not a time of day.
    let (product, overflow) = timeReference.multipliedReportingOverflow(by: UInt64(newRate))
    if overflow { return }
    setTimeReference((product + UInt64(rate) / 2) / UInt64(rate))
  }

  /// Adds a line to the coding history: the format of the audio, and the program that wrote it.
  package mutating func addHistory(
    sampleRate: Int, bitDepth: Int, channelCount: Int, text: String
  ) {
    var history = Array(bytes[Self.fixedSize...].prefix { $0 != 0 })
    if let last = history.last, last != 0x0A { history += [0x0D, 0x0A] }
    var fields = ["A=PCM", "F=\(sampleRate)", "W=\(bitDepth)"]
    // R 98 defines modes for one and two channels only.
    if channelCount <= 2 { fields.append(channelCount == 1 ? "M=mono" : "M=stereo") }
    fields.append("T=\(text)")
    bytes =
      bytes[..<Self.fixedSize] + history + Array((fields.joined(separator: ",") + "\r\n").utf8)
  }

  // MARK: - Fields

  /// The description of the sound.
  package var descriptionText: String { text(0..<256) }
  /// The organization or the person that made it, and their reference.
  package var originator: String { text(256..<288) }
  package var originatorReference: String { text(288..<320) }
  /// The date, as `2026-11-29`, and the time of day, as `12:30:00`.
  package var originationDate: String { text(320..<330) }
  package var originationTime: String { text(330..<338) }
  /// The frames since midnight at which the audio begins.
  package var timeReferenceFrames: UInt64 { timeReference }
  /// The version of the chunk.
  package var version: Int {
    Int(bytes[Self.versionOffset]) | Int(bytes[Self.versionOffset + 1]) << 8
  }

  /// The unique material identifier (SMPTE 330M) in hexadecimal: 32 bytes, or 64 with its source; `nil` if there is none.
  package var materialIdentifierText: String? {
    guard version >= 1, bytes[Self.materialIdentifier].contains(where: { $0 != 0 }) else {
      return nil
    }
    let isExtended = bytes[Self.materialIdentifier].dropFirst(32).contains { $0 != 0 }
    return bytes[Self.materialIdentifier].prefix(isExtended ? 64 : 32).map {
      ($0 < 16 ? "0" : "") + String($0, radix: 16)
    }.joined()
  }

  /// The integrated loudness in LUFS, as the chunk states it; `nil` if it states none.
  package var integratedLoudness: Double? {
    guard version >= 2 else { return nil }
    let value = Int16(truncatingIfNeeded: Int(bytes[412]) | Int(bytes[413]) << 8)
    return value == 0x7FFF || value == 0 ? nil : Double(value) / 100
  }

  /// The lines of the coding history.
  package var codingHistory: [String] {
    text(Self.fixedSize..<bytes.count).split(whereSeparator: \.isNewline).map(String.init)
  }

  /// A text up to its first zero: ASCII, in practice UTF-8 or Latin-1.
  private func text(_ range: Range<Int>) -> String {
    let content = bytes[range].prefix { $0 != 0 }
    let text =
      String(validating: content, as: UTF8.self)
      ?? String(String.UnicodeScalarView(content.map { Unicode.Scalar($0) }))
    return String(text.reversed().drop { $0 == " " }.reversed())
  }
}
