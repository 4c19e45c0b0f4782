/// The timed metadata that a container can hold, besides text tags.
package struct TimeMarkSupport: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Chapters, with titles.
  package static let chapters = TimeMarkSupport(rawValue: 1)
  /// Marks at a position, with labels.
  package static let marks = TimeMarkSupport(rawValue: 2)
  /// The lengths of marks.
  package static let regions = TimeMarkSupport(rawValue: 4)
  /// Notes on marks.
  package static let notes = TimeMarkSupport(rawValue: 8)
  /// A sampler's instrument with any number of loops.
  package static let instrument = TimeMarkSupport(rawValue: 16)
  /// A sampler's instrument with a sustain and a release loop.
  package static let keyedLoops = TimeMarkSupport(rawValue: 32)
  /// The texts of regions, beside labels and notes.
  package static let regionTexts = TimeMarkSupport(rawValue: 4096)
  /// Loops that are switched off.
  package static let idleLoops = TimeMarkSupport(rawValue: 2048)
  /// The tempo of a loop.
  package static let loopProperties = TimeMarkSupport(rawValue: 64)
  /// The tracks of a disc.
  package static let cueSheet = TimeMarkSupport(rawValue: 128)
  /// Synchronized lyrics.
  package static let syncedLyrics = TimeMarkSupport(rawValue: 256)
  /// A broadcast extension.
  package static let broadcastExtension = TimeMarkSupport(rawValue: 512)
  /// Chapters that players do not list.
  package static let hiddenChapters = TimeMarkSupport(rawValue: 8192)
  /// Chunks of RIFF that no other part of the metadata holds.
  package static let foreignChunks = TimeMarkSupport(rawValue: 16384)
  /// Chapters in text tags.
  package static let chapterComments = TimeMarkSupport(rawValue: 1024)
}

extension Metadata {
  /// The metadata that a container can hold, and the names of the parts that are lost. Marks and chapters are
  /// converted into each other where the container supports only one of them.
  ///
  /// Positions are in frames of the output at `sampleRate` Hz.
  package func arranged(
    for support: TimeMarkSupport, sampleRate: Int
  ) -> (metadata: Metadata, lost: [MetadataLoss]) {
    var result = self
    var lost: [MetadataLoss] = []
    result.dropHiddenChapters(for: support, lost: &lost)
    result.arrangeMoments(for: support, sampleRate: sampleRate, lost: &lost)
    if support.contains(.chapterComments) {
      result = result.makingChapterComments(sampleRate: sampleRate)
      if !result.chapters.isEmpty {
        lost.append(MetadataLoss(.chapter, "chapters beyond the 1000th"))
      }
      result.chapters = []
    }
    result.dropParts(beyond: support, lost: &lost)
    return (result, lost)
  }

  /// Removes hidden chapters where they would be listed: without a flag for them, and where no other chapter is.
  private mutating func dropHiddenChapters(
    for support: TimeMarkSupport, lost: inout [MetadataLoss]
  ) {
    guard chapters.contains(where: \.isHidden),
      !support.contains(.hiddenChapters) || chapters.allSatisfy(\.isHidden)
    else { return }
    chapters.removeAll(where: \.isHidden)
    lost.append(MetadataLoss(.chapter, "hidden chapters"))
  }

  /// True if a chapter's end is more than a millisecond, ID3's unit, from the start of the next one.
  ///
  /// Most readers let the last chapter end with the audio.
  private func hasOwnEnds(sampleRate: Int) -> Bool {
    zip(chapters, chapters.dropFirst()).contains { chapter, next in
      abs((chapter.end ?? next.start) - next.start) > Double(sampleRate) / 500
    }
  }

  /// Converts chapters, marks and the tracks of a disc to those that the container supports.
  private mutating func arrangeMoments(
    for support: TimeMarkSupport, sampleRate: Int, lost: inout [MetadataLoss]
  ) {
    let holdsChapters = !support.isDisjoint(with: [.chapters, .chapterComments])
    if !support.contains(.cueSheet), let sheet = cueSheet {
      cueSheet = nil
      if chapters.isEmpty, marks.isEmpty, holdsChapters || support.contains(.marks) {
        chapters = sheet.chapters
      } else {
        lost.append(MetadataLoss(.mark, "the cue sheet"))
      }
    }
    if !support.contains(.marks), !marks.isEmpty {
      if holdsChapters && chapters.isEmpty {
        lost += marks.lostAsChapters
        chapters = marks.asChapters
      } else {
        lost.append(MetadataLoss(.mark, "markers"))
      }
      marks = []
    }
    if !support.contains(.chapters), holdsChapters || support.contains(.marks),
      hasOwnEnds(sampleRate: sampleRate)
    {
      lost.append(MetadataLoss(.chapter, "the ends of chapters"))
    }
    if !holdsChapters, !chapters.isEmpty {
      if support.contains(.marks) {
        addChaptersToMarks()
      } else {
        lost.append(MetadataLoss(.chapter, "chapters"))
      }
      chapters = []
    }
  }

  /// Adds a mark at the start of each chapter that has no mark there.
  private mutating func addChaptersToMarks() {
    let taken = Set(marks.map(\.start))
    var next = (marks.compactMap(\.id).max() ?? 0) &+ 1
    for chapter in chapters where !taken.contains(chapter.start) {
      marks.append(Mark(id: next, start: chapter.start, label: chapter.title))
      next &+= 1
    }
  }

  /// Removes the parts that the container cannot hold.
  private mutating func dropParts(beyond support: TimeMarkSupport, lost: inout [MetadataLoss]) {
    if !support.contains(.regions), marks.contains(where: { $0.length > 0 }) {
      lost.append(MetadataLoss(.mark, "the lengths of regions"))
    }
    if !support.contains(.notes), marks.contains(where: { !$0.note.isEmpty }) {
      lost.append(MetadataLoss(.mark, "notes on markers"))
    }
    if !support.contains(.regionTexts), marks.contains(where: \.hasOwnText) {
      lost.append(MetadataLoss(.mark, "texts of regions"))
    }
    if let instrument, support.isDisjoint(with: [.instrument, .keyedLoops]) {
      lost.append(
        MetadataLoss(.mark, instrument.loops.isEmpty ? "instrument settings" : "sampler loops"))
      self.instrument = nil
    }
    let hasIdleLoops = instrument?.loops.contains { $0.mode == .off } ?? false
    if hasIdleLoops, !support.contains(.idleLoops) {
      lost.append(MetadataLoss(.mark, "sampler loops that are off"))
      instrument?.loops.removeAll { $0.mode == .off }
    }
    if let instrument, !support.contains(.instrument) {
      let kept = instrument.keyedLoops
      if kept.count != instrument.loops.count {
        lost.append(MetadataLoss(.mark, "some sampler loops"))
      }
      if kept.contains(where: { $0.playCount > 0 }) {
        lost.append(MetadataLoss(.mark, "how often loops are played"))
      }
      self.instrument?.loops = kept
    }
    if !support.contains(.loopProperties), loopProperties != nil {
      lost.append(MetadataLoss(.mark, "loop properties"))
      loopProperties = nil
    }
    if !support.contains(.syncedLyrics), !syncedLyrics.isEmpty {
      lost.append(MetadataLoss(.lyrics, "synchronized lyrics"))
      syncedLyrics = []
    }
    if !support.contains(.broadcastExtension), broadcastExtension != nil {
      lost.append(MetadataLoss(.chunk, "a broadcast extension"))
      broadcastExtension = nil
    }
    if !support.contains(.foreignChunks), !foreignChunks.isEmpty {
      for chunk in foreignChunks where !lost.contains(chunk.loss) { lost.append(chunk.loss) }
      foreignChunks = []
    }
  }
}

extension Metadata.Mark {
  /// True if a region has a text that differs from its label.
  fileprivate var hasOwnText: Bool { !text.isEmpty && text != label }
}

extension [Metadata.Mark] {
  /// The parts of the metadata, by display name, that chapters with only a title lose.
  fileprivate var lostAsChapters: [MetadataLoss] {
    var lost: [MetadataLoss] = []
    if contains(where: { !$0.label.isEmpty && !$0.note.isEmpty }) {
      lost.append(MetadataLoss(.mark, "notes on markers"))
    }
    if contains(where: \.hasOwnText) { lost.append(MetadataLoss(.mark, "texts of regions")) }
    if Set(map(\.start)).count < count {
      lost.append(MetadataLoss(.mark, "further markers at one position"))
    }
    return lost
  }

  /// One chapter for each position that has marks, in the order of time.
  fileprivate var asChapters: [Metadata.Chapter] {
    var chapters: [Metadata.Chapter] = []
    for mark in sorted(by: { $0.start < $1.start }) where chapters.last?.start != mark.start {
      let title = mark.label.isEmpty ? mark.note : mark.label
      let end = mark.length > 0 ? mark.start + mark.length : nil
      chapters.append(Metadata.Chapter(start: mark.start, end: end, title: title))
    }
    return chapters
  }
}

extension Metadata.CueSheet {
  /// A chapter for each track except the lead-out, from its index 1.
  fileprivate var chapters: [Metadata.Chapter] {
    tracks.dropLast().map { track in
      let index = track.indices.first { $0.number == 1 }
      return Metadata.Chapter(
        start: track.offset + (index?.offset ?? 0), title: "Track \(track.number)")
    }
  }
}

extension Metadata.Instrument {
  /// The first sustain loop and the first release loop that play forward or alternating.
  fileprivate var keyedLoops: [Loop] {
    let possible = loops.filter { $0.mode != .backward }
    return [possible.first { !$0.isRelease }, possible.first { $0.isRelease }].compactMap(\.self)
  }
}
