import AudioFiles
import ScaleAudio
import Testing

@testable import AudioIO

@Suite("Texts of errors")
struct ErrorTextTests {
  @Test(arguments: [
    (
      AudioFileError.truncated("a.flac", expected: 50000, found: 12345), "truncated",
      "a.flac: the audio ends early: 12,345 of 50,000 frames"
    ),
    (
      .truncated("a", expected: 1_000_000, found: nil), "truncated",
      "a: the audio ends early: 1,000,000 frames were declared"
    ),
    (
      .truncated("a", expected: nil, found: 999), "truncated",
      "a: the audio ends early after 999 frames"
    ),
    (
      .cannotOpen("a\nb", .noSuchFileOrDirectory), "cannot-open",
      "a\\nb: cannot be opened: no such file or directory"
    ),
    (
      .cannotWrite("a", .noSpace), "disk-full",
      "a: cannot be written: no space left on device"
    ),
    (.cannotHold("a", reason: "too wide", remedy: nil), "cannot-hold", "a: too wide"),
  ])
  func errorsAreOneLineWithTheCause(error: AudioFileError, errorClass: String, message: String) {
    #expect(error.errorClass == errorClass)
    #expect(error.message == message)
    #expect(ConversionError.file(error).message == message)
    #expect(!message.contains("\n"))
  }

  @Test(
    arguments: [
      (AudioFileError.truncated("a", expected: 2, found: 1), .salvage),
      (.malformed("a", reason: "no frames"), .salvage), (.changed("a"), .retry),
      (.outputExists("a"), .replaceOrSkip), (.cannotWrite("a", .noSpace), .freeSpace),
      (.cannotWrite("a", .permissionDenied), .chooseOutputFile),
      (.cannotWrite("a", .readOnlyFileSystem), .chooseOutputFile),
      (.cannotOpen("a", .permissionDenied), .act("allow this user to read it")),
      (.empty("a"), .act("copy or download it again")),
      (.notAFile("a"), .act("name an audio file")),
      (
        .unsupported("a", reason: "its encoding (x) cannot be decoded"),
        .act("convert it to WAV with a program that can decode it")
      ),
      (.unsupported("a", reason: "x", remedy: .salvage), .salvage),
      (.cannotHold("a", reason: "too wide", remedy: .useFormat(["wav"])), .useFormat(["wav"])),
    ] as [(AudioFileError, Remedy?)])
  func remediesAreValues(error: AudioFileError, remedy: Remedy?) {
    #expect(error.remedy == remedy)
    #expect(ConversionError.file(error).remedy == remedy)
  }

  @Test func temporaryFaultsAreWorthRetrying() {
    for code in [Errno.noSpace, .ioError, .tooManyOpenFiles, .noMemory, .diskQuotaExceeded] {
      #expect(ConversionError.file(.cannotWrite("a", code)).isWorthRetrying)
      #expect(ConversionError.file(.cannotOpen("a", code)).isWorthRetrying)
    }
    #expect(!ConversionError.file(.cannotOpen("a", .permissionDenied)).isWorthRetrying)
    #expect(!ConversionError.file(.notAudio("a")).isWorthRetrying)
    #expect(!ConversionError.cancelled.isWorthRetrying)
  }

  @Test(
    arguments: [
      ([0x61, 0x1B, 0x5B], "a\\u{1b}["), ([0xFF, 0x61], "\\xffa"), ([0xC3, 0xA9], "é"),
      ([0xC3], "\\xc3"), ([0xF0, 0x9F, 0x98], "\\xf0\\x9f\\x98"), ([0xC2, 0x85], "\\u{85}"),
      ([0xE2, 0x80, 0xA8], "\\u{2028}"), ([0xED, 0xA0, 0x80], "\\xed\\xa0\\x80"),
    ] as [([UInt8], String)])
  func namesArePrintable(bytes: [UInt8], text: String) {
    #expect(FilePath(bytes: bytes).printable == text)
  }
}
