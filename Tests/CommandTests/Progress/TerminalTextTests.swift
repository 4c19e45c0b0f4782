import ScaleAudio
import Testing

@testable import scaleaudio_cli

@Suite("Names on a terminal")
struct TerminalTextTests {
  @Test(arguments: [
    ("plain name.wav", "plain name.wav"),
    ("line\nbreak\r\ttab", "line\\nbreak\\r\\ttab"),
    ("\u{1b}[2Jgone", "\\u{1b}[2Jgone"),
    ("\u{7f}\u{1}", "\\u{7f}\\u{1}"),
    ("\u{85}\u{9b}31m", "\\u{85}\\u{9b}31m"),
    ("a\u{202e}vaw.exe\u{2069}", "a\\u{202e}vaw.exe\\u{2069}"),
    ("日本語 e\u{301} 🎵 ñ", "日本語 e\u{301} 🎵 ñ"),
  ])
  func escapes(name: String, shown: String) {
    #expect(escapedForTerminal(name) == shown)
    #expect(escapedForTerminal(FilePath(name)) == shown)
  }

  @Test(
    arguments: [
      ([0x61, 0xFF, 0x62], "a\\xffb"),
      // A sequence cut short, an overlong slash, a surrogate: no byte of these is UTF-8.
      ([0xE6, 0x97, 0x2E], "\\xe6\\x97."),
      ([0xC0, 0xAF], "\\xc0\\xaf"),
      ([0xED, 0xA0, 0x80], "\\xed\\xa0\\x80"),
      // Well-formed text after a bad byte is kept.
      ([0x80, 0xE6, 0x97, 0xA5, 0x0A], "\\x80日\\n"),
    ] as [([UInt8], String)])
  func escapesBytesThatAreNotUTF8(bytes: [UInt8], shown: String) {
    let path = (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
      FilePath(platformString: $0.baseAddress!)
    }
    #expect(escapedForTerminal(path) == shown)
  }
}
