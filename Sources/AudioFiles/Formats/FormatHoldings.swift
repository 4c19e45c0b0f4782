public import AudioIO
public import AudioModel

extension AudioFormat {
  /// The kinds of metadata that are written with the audio.
  public struct Holdings: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Text tags: all, or those that the container supports.
    public static let tags = Holdings(rawValue: 1)
    /// Pictures, such as a cover.
    public static let pictures = Holdings(rawValue: 2)
    /// Chapters with titles.
    public static let chapters = Holdings(rawValue: 4)
    /// Cue points, regions or loops.
    public static let marks = Holdings(rawValue: 8)

    /// The names of the kinds of metadata: `tags`, `pictures`, `chapters`, `marks`.
    public var names: [String] {
      let all: [(Holdings, String)] = [
        (.tags, "tags"), (.pictures, "pictures"), (.chapters, "chapters"), (.marks, "marks"),
      ]
      return all.filter { contains($0.0) }.map(\.1)
    }
  }

  /// The kinds of metadata that are written in this format.
  public var holds: Holdings {
    guard isWritable else { return [] }
    return switch (container, codec) {
    case (_, .flac), (.ogg, _), (_, .mpegLayer3), (.mp4, _): [.tags, .pictures, .chapters]
    // Chapters become marks.
    case (.wav, _), (.rf64, _), (.aiff, _), (.aiffC, _): [.tags, .pictures, .marks]
    case (.caf, _): [.tags, .marks]
    default: []
    }
  }

  /// The named layouts that can be written, in ascending order of channel count.
  public var namedLayouts: [ChannelLayout] {
    ChannelLayout.named.filter {
      isWritable && channels.contains($0.channelCount) && layoutRefusal(of: $0) == nil
    }
    .sorted { $0.channelCount < $1.channelCount }
  }

  /// Whether any set of the 18 speakers can be written, within the format's channel counts.
  public var saysAnyLayout: Bool {
    namedLayouts.count == ChannelLayout.named.count { channels.contains($0.channelCount) }
      && channels.upperBound > 2
  }

  /// The format used instead of this one for audio that exceeds its size limit; `nil` if there is
  /// none.
  public var longForm: AudioFormat? {
    guard isWritable, maximumBytes != nil else { return nil }
    let form = largeForm(
      for: AudioSpec(sampleRate: 8000, layout: .mono), frameCount: Int.max / 16)
    return form == self ? nil : form
  }
}

extension AudioFormat {
  /// The time-based metadata that files of this format can store.
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
