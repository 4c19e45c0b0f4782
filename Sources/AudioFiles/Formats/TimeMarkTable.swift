package import AudioIO
package import AudioModel

extension AudioFormat {
  /// What files in the format can say about the time of their audio.
  package var timeMarks: TimeMarkSupport {
    switch (container, codec) {
    case (.wav, _), (.rf64, _):
      [.marks, .regions, .notes, .instrument, .loopProperties, .syncedLyrics, .broadcastExtension]
    case (.aiff, _), (.aiffC, _): [.marks, .notes, .keyedLoops, .syncedLyrics]
    case (.caf, _): [.marks, .regions, .keyedLoops]
    case (_, .flac): [.chapterComments, .cueSheet]
    case (.ogg, _): [.chapterComments]
    case (_, .mpegLayer3): [.chapters, .syncedLyrics]
    case (.mp4, _) where packets != nil: [.chapters]
    default: []
    }
  }
}
