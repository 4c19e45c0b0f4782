/// A form of text that people keep beside audio, and that speaks of its time.
enum SidecarForm: String, CaseIterable, Sendable {
  /// Lyrics.
  case lyrics = "lrc"
  case cueSheet = "cue"
  case subRip = "srt"
  case webVTT = "vtt"
  /// A label track of Audacity; other text files have the same extension.
  case labels = "txt"

  /// The text at another length of the audio; `nil` when it is not of this form.
  func scaled(_ text: SidecarText, _ scale: TimeScale, _ names: SidecarNames) -> TextUnits? {
    switch self {
    case .lyrics: LyricsText.scaled(text.units, scale)
    case .cueSheet: CueSheetFile(text, names).scaled(scale)
    case .subRip: SubRipText.scaled(text.units, scale)
    case .webVTT: WebVTTText.scaled(text.units, scale)
    case .labels: LabelText.scaled(text.units, scale)
    }
  }

  /// Whether a file of this extension that is of another form deserves a warning.
  var isExpected: Bool { self != .labels }
}

/// The audio files that a sidecar speaks of.
struct SidecarNames {
  /// The last component of the path of the input and of the output.
  let input, output: [UInt8]
  let inputFormat, outputFormat: AudioFormat
}
