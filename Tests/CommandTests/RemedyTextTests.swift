import ScaleAudio
import Testing

@testable import scaleaudio_cli

@Suite("Remedies in options")
struct RemedyTextTests {
  @Test(
    arguments: [
      (.salvage, "--salvage converts what can be decoded"),
      (.replaceOrSkip, "--overwrite replaces it, --skip-existing keeps it"),
      (.useFormat(["flac", "w64", "rf64"]), "--format flac, w64 or rf64 keeps it"),
      (.useFormat(["wav"]), "--format wav keeps it"),
      (
        .any([.useFormat(["wav"]), .mergeChannels]),
        "--format wav keeps it, or --single-channel merges them (--downmix weighs them)"
      ),
      (.set(.compressionLevel, to: "from 0 to 8"), "give --compression-level from 0 to 8"),
      (.change([.bitRate, .quality]), "choose another --bitrate or --encoding-quality"),
      (.omit(.track, orUseFormat: []), "leave out --track"),
      (
        .omit(.bitRate, orUseFormat: ["mp3", "ogg"]),
        "leave out --bitrate, or use --format mp3 or ogg"
      ),
      (.seeFormats, "scaleaudio formats lists readable formats; for headerless audio, add --raw"),
      (.repairHeader, "make the file again, or repair its header"),
      (.useMethod("sinc"), "choose --method sinc"),
      (.shortenName, "choose a shorter --output, --suffix or --name"),
    ] as [(Remedy, String)])
  func remediesNameOptions(remedy: Remedy, sentence: String) {
    #expect(remedy.sentence == sentence)
  }

  @Test func messagesEndWithTheRemedy() {
    let error = ConversionError.file(.truncated("a.flac", expected: 50000, found: 12345))
    #expect(
      error.fullMessage
        == "a.flac: the audio ends early: 12,345 of 50,000 frames; "
        + "--salvage converts what can be decoded")
    #expect(ConversionError.cancelled.fullMessage == ConversionError.cancelled.message)
    let conflict = PlanningError.conflicts(
      [.sameOutput("a.wav", "a.flac", output: "a-x2.wav")], remedy: .keepExtensions)
    #expect(
      conflict.fullMessage
        == "a.wav and a.flac would both become a-x2.wav\nNothing was started; "
        + "--keep-extension keeps them apart")
  }
}
