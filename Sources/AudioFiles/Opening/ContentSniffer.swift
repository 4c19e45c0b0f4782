internal import AudioContainers
package import AudioIO
internal import AudioModel
internal import FLACFiles

/// Detects the format of a file from its content, never from its name.
package enum ContentSniffer {
  /// Number of bytes that is sufficient for every format detected by its first bytes alone.
  package static let length = 64

  /// The format of a file; `nil` if it is not recognized.
  ///
  /// Reads a few short ranges. Skips a leading ID3v2 tag. MPEG audio, whose frames start with only
  /// 11 set bits, must have several consecutive frames.
  package static func format(
    of input: borrowing InputFile
  ) throws(AudioFileError) -> AudioFormat? {
    let start = try ID3Tag.end(of: input)
    let head = try input.bytes(at: start, count: length)
    if head.starts(with: Array("fLaC".utf8)) { return .named("flac") }
    if FLACFrameStart.isPresent(in: head) { return .named("flac") }
    if start == 0 {
      if let format = format(of: head) { return format }
      if let format = try OggReading.format(of: input) { return format }
      if isHTK(head, fileSize: input.size) { return .named("htk") }
      if isNoAudio(head) { return nil }
    }
    let mpeg = try MPEGFrameHeader.firstFrame(of: input, from: start)
    // Consecutive frames from the first byte on are unambiguous, and loading FFmpeg's libraries
    // takes long.
    if let mpeg, mpeg.offset == start { return .named("mp\(mpeg.header.layer)") }
    guard let demuxer = DemuxingLibraries.first else {
      if start == 0, isOtherAudio(head) { return nil }
      return mpeg.flatMap { .named("mp\($0.header.layer)") }
    }
    let other = try demuxer.sniff(input)
    if let other, other.isCertain { return other.format }
    if let mpeg { return .named("mp\(mpeg.header.layer)") }
    if other == nil { try demuxer.check(input.path) }
    return other?.format
  }

  /// The format of a file that starts with these bytes; `nil` if it is not recognized.
  package static func format(of head: [UInt8]) -> AudioFormat? {
    id(of: Head(bytes: head)).flatMap { .named($0) }
  }

  private struct Head {
    let bytes: [UInt8]

    func has(_ text: String, at offset: Int = 0) -> Bool { has(Array(text.utf8), at: offset) }

    func has(_ pattern: [UInt8], at offset: Int = 0) -> Bool {
      bytes.count >= offset + pattern.count
        && bytes[offset..<offset + pattern.count].elementsEqual(pattern)
    }
  }

  private static func id(of head: Head) -> String? {
    riffID(of: head) ?? interchangeID(of: head) ?? oggID(of: head) ?? otherID(of: head)
  }

  private static func riffID(of head: Head) -> String? {
    if head.has("RIFF") || head.has("RIFX"), head.has("WAVE", at: 8) { return "wav" }
    if head.has("RF64") || head.has("BW64"), head.has("WAVE", at: 8) { return "rf64" }
    // The GUID of a Wave64 file is `riff` followed by 12 fixed bytes.
    if head.has("riff"), head.has([0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB], at: 4) {
      return "w64"
    }
    return nil
  }

  private static func interchangeID(of head: Head) -> String? {
    // The file header and the header of the first chunk, `desc`, precede the sample rate and the
    // codec.
    if head.has("caff") { return head.has("alac", at: 28) ? "caf-alac" : "caf" }
    guard head.has("FORM") else { return nil }
    if head.has("AIFF", at: 8) { return "aiff" }
    if head.has("AIFC", at: 8) { return "aifc" }
    return head.has("8SVX", at: 8) || head.has("16SV", at: 8) ? "svx" : nil
  }

  /// Detects the codec from the first packet, which follows the page's 27 bytes and segment table.
  private static func oggID(of head: Head) -> String? {
    guard head.has("OggS"), head.bytes.count > 26 else { return head.has("fLaC") ? "flac" : nil }
    let packet = 27 + Int(head.bytes[26])
    return OggPageHeader.codec(ofPacket: head.bytes.dropFirst(packet)).flatMap {
      AudioFormat.inOgg($0)?.id
    }
  }

  private static func otherID(of head: Head) -> String? {
    let texts: [(String, String)] = [
      (".snd", "au"), ("dns.", "au"), (" paf", "paf"), ("fap ", "paf"), ("NIST_1A", "nist"),
      ("Creative Voice File", "voc"), ("MATLAB 5", "mat5"), ("PVF1", "pvf"),
      ("Extended Instrument", "xi"), ("2BIT", "avr"), ("ALawSoundFile", "wve"),
    ]
    if let known = texts.first(where: { head.has($0.0) }) { return known.1 }
    return binaryID(of: head)
  }

  /// Formats whose magic is a few small numbers; more of the header is checked where possible.
  private static func binaryID(of head: Head) -> String? {
    let bytes = head.bytes
    guard bytes.count >= 12 else { return nil }
    // IRCAM: 0x0001A364 to 0x0007A364 in either byte order.
    if bytes[0] == 0x64, bytes[1] == 0xA3, bytes[2] & 0xF8 == 0, bytes[3] == 0 { return "ircam" }
    if bytes[0] == 0, bytes[1] & 0xF8 == 0, bytes[2] == 0xA3, bytes[3] == 0x64 { return "ircam" }
    // MAT4: a matrix named `samplerate` or the like of one row and one column comes first.
    if head.has([0, 0, 3, 0xE8, 0, 0, 0, 1, 0, 0, 0, 1]) { return "mat4" }
    if head.has([0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]) { return "mat4" }
    // SDS: a system exclusive message, dump header.
    if bytes[0] == 0xF0, bytes[1] == 0x7E, bytes[3] == 1, bytes.count >= 21, bytes[20] == 0xF7 {
      return "sds"
    }
    // MPC 2000: 1, 4, then a name of 17 printable bytes.
    if bytes[0] == 1, bytes[1] == 4, bytes.count >= 42,
      bytes[2..<18].allSatisfy({ (32..<127).contains($0) || $0 == 0 }), bytes[21] <= 1
    {
      return "mpc2k"
    }
    return nil
  }

  /// HTK has no magic: its first field counts the 2-byte samples after the 12-byte header, and its
  /// last field is the kind, 16-bit waveform (0).
  private static func isHTK(_ head: [UInt8], fileSize: Int) -> Bool {
    guard head.count >= 12, head[8...11].elementsEqual([0, 2, 0, 0]) else { return false }
    let count = Int(head[0..<4].bigEndianValue)
    return count > 0 && 12 + 2 * count == fileSize
  }

  /// Other files, whose data could contain an MPEG frame by chance.
  private static func isNoAudio(_ bytes: [UInt8]) -> Bool {
    let head = Head(bytes: bytes)
    return head.has("%PDF") || head.has("PK\u{3}\u{4}") || head.has([0x7F, 0x45, 0x4C, 0x46])
  }

  /// Audio that only FFmpeg's libraries read, whose data could contain an MPEG frame by chance.
  private static func isOtherAudio(_ bytes: [UInt8]) -> Bool {
    let head = Head(bytes: bytes)
    let texts = ["MAC ", "wvpk", "TTA1", "TTA2", "RIFF", "FORM", "OggS"]
    return texts.contains { head.has($0) } || head.has("ftyp", at: 4)
      || head.has([0x1A, 0x45, 0xDF, 0xA3]) || head.has([0x30, 0x26, 0xB2, 0x75])
  }
}
