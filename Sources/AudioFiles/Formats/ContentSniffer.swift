/// Tells a format by the first bytes of a file.
package enum ContentSniffer {
  /// Bytes that are enough for every format told here.
  package static let length = 64

  /// The format that begins with these bytes; `nil` when it is none that is known.
  package static func format(of head: [UInt8]) -> AudioFormat? {
    func has(_ text: String, at offset: Int = 0) -> Bool {
      let bytes = Array(text.utf8)
      return head.count >= offset + bytes.count
        && Array(head[offset..<offset + bytes.count]) == bytes
    }
    if has("OggS"), has("\u{7F}FLAC", at: 28) { return .named("oga") }
    if has("OggS"), has("\u{1}vorbis", at: 28) { return .named("ogg") }
    if has("ID3") { return .named("flac") }
    if has("fLaC") { return .named("flac") }
    if has("RIFF"), has("WAVE", at: 8) { return .named("wav") }
    if has("RF64"), has("WAVE", at: 8) { return .named("rf64") }
    return nil
  }
}
