package import AudioModel

extension AudioFormat {
  /// What files in the format can say about the time of their audio.
  package var timeMarks: TimeMarkSupport {
    switch id {
    case "wav", "wavex", "rf64":
      [.marks, .regions, .notes, .instrument, .loopProperties, .syncedLyrics, .broadcastExtension]
    case "aiff", "aifc": [.marks, .notes, .keyedLoops, .syncedLyrics]
    case "caf", "caf-alac": [.marks, .regions, .keyedLoops]
    case "flac", "oga": [.chapterComments, .cueSheet]
    case "ogg", "opus": [.chapterComments]
    case "mp3": [.chapters, .syncedLyrics]
    case "m4a", "m4b", "m4r", "m4a-aac", "m4a-alac", "m4b-alac", "m4r-alac": [.chapters]
    default: []
    }
  }
}
