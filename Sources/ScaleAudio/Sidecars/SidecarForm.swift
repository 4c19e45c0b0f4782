internal import AudioIO
internal import AudioModel

/// A form of text files beside audio whose times refer to it.
enum SidecarForm: String, CaseIterable, Sendable {
  /// Lyrics.
  case lyrics = "lrc"
  case cueSheet = "cue"
  case subRip = "srt"
  case webVTT = "vtt"
  /// A label track of Audacity; other text files have the same extension.
  case labels = "txt"

  /// The text for another length of the audio; `nil` if it is not in this form.
  func scaled(_ text: SidecarText, _ scale: TimeScale, _ names: SidecarNames) -> TextUnits? {
    switch self {
    case .lyrics: LyricsText.scaled(text.units, scale)
    case .cueSheet: CueSheetFile(text, names).scaled(scale)
    case .subRip: SubRipText.scaled(text.units, scale)
    case .webVTT: WebVTTText.scaled(text.units, scale)
    case .labels: LabelText.scaled(text.units, scale)
    }
  }

  /// True if a file with this extension in another form causes a warning.
  var isExpected: Bool { self != .labels }
}

/// The audio files that a sidecar refers to.
struct SidecarNames {
  /// The file names of input and output.
  let input, output: [UInt8]
  let inputFormat, outputFormat: AudioFormat
}
