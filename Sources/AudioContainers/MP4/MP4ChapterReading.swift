internal import AudioIO
internal import AudioModel

extension MP4Index {
  /// The chapters of the movie in chronological order, in frames of a track that starts `delay` seconds after the
  /// movie, and what of its lists and tracks of chapters is not among them.
  ///
  /// Lists in the user data come first; the samples of the chapter tracks replace the chapters of the same number. This
  /// is the order of libavformat.
  func chapters(
    _ input: borrowing InputFile, sampleRate: Int, delay: Double
  ) throws(AudioFileError) -> (chapters: [Metadata.Chapter], lost: [MetadataLoss]) {
    var chapters = NumberedChapters()
    var lost: [MetadataLoss] = []
    for box in metadata.chapterLists {
      let list = try box.fields(input, count: Self.maximumListBytes)
      if box.type == "chpl" { chapters.takeNeroList(list) } else { chapters.takeMoments(list) }
    }
    for id in chapterTracks {
      guard let track = tracks[id] else {
        lost.append(MetadataLoss(.chapter, "a track of chapters that is missing"))
        continue
      }
      // Pictures of chapters have a track of their own.
      if track.handler == "vide" {
        lost.append(MetadataLoss(.picture, "the pictures of chapters"))
      } else {
        try chapters.takeTrack(input, track, of: self)
      }
    }
    let referenced = Set(tracksInOrder.flatMap(\.chapterTracks))
    for track in tracksInOrder where !chapterTracks.contains(track.id) {
      if referenced.contains(track.id) {
        lost.append(MetadataLoss(.chapter, "another track of chapters"))
      } else if track.handler == "text" {
        lost.append(MetadataLoss(.chapter, "a text track that no track refers to"))
      }
    }
    if chapters.areContradictory {
      lost.append(MetadataLoss(.chapter, "lists of chapters that contradict each other"))
    }
    let list = chapters.list(movieDuration: duration, timescale: timescale).map { chapter in
      func frame(_ time: Int) -> Double {
        // Times in units of one frame stay whole.
        if chapter.timescale == sampleRate, delay == 0 { return max(0, Double(time)) }
        return max(0, (Double(time) / Double(chapter.timescale) - delay) * Double(sampleRate))
      }
      return Metadata.Chapter(
        start: frame(chapter.start), end: chapter.end.map(frame), title: chapter.title)
    }
    return (list.sorted { $0.start < $1.start }, lost)
  }

  /// The maximum size of a list in the user data, in bytes: 255 titles of 255 bytes, or many moments.
  private static let maximumListBytes = 1 << 17
}

/// The chapters of a movie by their numbers.
private struct NumberedChapters {
  struct Chapter {
    /// Times are in units of 1/`timescale` s.
    var start: Int
    var end: Int?
    let timescale: Int
    let title: String
  }

  private var chapters: [Chapter] = []
  /// The places of chapters in `chapters` by their numbers.
  private var places: [Int: Int] = [:]

  /// The chapters of each list or track that was taken.
  private var sources: [[Chapter]] = []

  private mutating func put(_ chapter: Chapter, number: Int) {
    if !sources.isEmpty { sources[sources.count - 1].append(chapter) }
    if let place = places[number] {
      chapters[place] = chapter
    } else {
      places[number] = chapters.count
      chapters.append(chapter)
    }
  }

  /// True if a list differs from the last one in the number of chapters, in a title, or in a start by more than the
  /// units of writers explain.
  var areContradictory: Bool {
    guard let last = sources.last(where: { !$0.isEmpty }) else { return false }
    return sources.contains { list in
      if list.isEmpty { return false }
      // Nero's list counts its chapters in one byte, and the bytes of a title in another.
      if list.count != last.count, list.count < Self.mostInNeroList { return true }
      return zip(list, last).contains { one, other in
        abs(one.seconds - other.seconds) > Self.tolerance
          || !(one.title.hasPrefix(other.title) || other.title.hasPrefix(one.title))
      }
    }
  }

  private static let mostInNeroList = 255
  /// Seconds.
  private static let tolerance = 0.05

  // MARK: Lists in the user data

  /// Takes Nero's list: starts in units of 100 ns, with titles.
  ///
  /// There is no specification; this is what libavformat reads.
  mutating func takeNeroList(_ list: ByteReader) {
    sources.append([])
    // Version 0 lacks 4 bytes.
    var offset = list.version == 0 ? 4 : 8
    let count = list.number(at: offset, count: 1).map { Int($0) } ?? 0
    offset += 1
    for number in 0..<count {
      guard let start = list.uint64(at: offset),
        let length = list.number(at: offset + 8, count: 1).map({ Int($0) }),
        offset + 9 + length <= list.bytes.count
      else { return }
      let title = list.bytes[(offset + 9)..<(offset + 9 + length)].prefix { $0 != 0 }
      put(
        Chapter(
          start: Int(Int64(bitPattern: start)), end: nil, timescale: 10_000_000,
          title: String(decoding: title, as: UTF8.self)), number: number)
      offset += 9 + length
    }
  }

  /// Takes the moments that a GoPro camera's user marked, in milliseconds.
  mutating func takeMoments(_ list: ByteReader) {
    sources.append([])
    for number in 0..<(list.int32(at: 0) ?? 0) {
      guard let time = list.uint32(at: 4 + 4 * number) else { return }
      put(
        Chapter(start: Int(Int32(bitPattern: time)), end: nil, timescale: 1000, title: ""),
        number: number)
    }
  }

  // MARK: QuickTime's text track

  /// Takes the samples of a track: a 16-bit length and the title.
  ///
  /// Source: Apple, "QuickTime File Format Specification", section Text Sample Data.
  mutating func takeTrack(
    _ input: borrowing InputFile, _ track: MP4IndexTrack, of movie: MP4Index
  ) throws(AudioFileError) {
    sources.append([])
    let packets = try track.places.packets(input)
    let timescale = track.timescale > 0 ? track.timescale : max(1, movie.timescale)
    let shift = Self.shift(track, movie, timescale: timescale)
    let total = packets.reduce(0) { $0 + $1.duration }
    let trackEnd = track.duration > 0 && total > 0 ? min(track.duration, total) : total
    var time = 0
    for (number, packet) in packets.enumerated() {
      if packet.bytes.upperBound > input.size { return }
      let start = time
      time += packet.duration
      let end = number == packets.count - 1 ? trackEnd : time
      let sample = ByteReader(
        bigEndian: try input.bytes(
          at: packet.bytes.lowerBound, count: min(packet.bytes.count, 2 + Int(UInt16.max))))
      let length = sample.int16(at: 0) ?? 0
      if length > packet.bytes.count - 2 { continue }
      // Its encoding is UTF-8 or UTF-16 with a byte order mark, whatever the sample declares; old ones are neither.
      let title = MP4Text.text(sample.bytes.dropFirst(2).prefix(length), macintoshLanguage: 0)
      put(
        Chapter(
          start: start + shift, end: end < start ? nil : end + shift, timescale: timescale,
          title: title), number: number)
    }
  }

  /// How much later than the movie the media starts, by the edit list, in units of 1/`timescale` s.
  private static func shift(_ track: MP4IndexTrack, _ movie: MP4Index, timescale: Int) -> Int {
    var shift = 0
    for edit in track.edits {
      if let start = edit.mediaTime { return shift &- start }
      shift = shift &+ (MP4Timing.frames(edit.duration, of: movie.timescale, at: timescale) ?? 0)
    }
    return shift
  }

  // MARK: Ends

  /// The chapters, of which one without an end lasts until the next, the last until the end of the movie.
  ///
  /// `movieDuration` is in units of 1/`timescale` s; 0 if it is unknown.
  func list(movieDuration: Int, timescale: Int) -> [Chapter] {
    var chapters = chapters
    let order = chapters.indices.sorted {
      let (one, other) = (chapters[$0], chapters[$1])
      return (one.seconds, $0) < (other.seconds, $1)
    }
    // libavformat rounds the duration to microseconds.
    let movieEnd =
      movieDuration > 0
      ? MP4Timing.frames(movieDuration, of: timescale, at: 1_000_000) : nil
    for (place, index) in order.enumerated() where chapters[index].end == nil {
      let chapter = chapters[index]
      var end = movieEnd.flatMap {
        MP4Timing.frames($0, of: 1_000_000, at: chapter.timescale)
      }
      if place + 1 < order.count {
        let next = chapters[order[place + 1]]
        let start = MP4Timing.frames(next.start, of: next.timescale, at: chapter.timescale)
        if let start, start > chapter.start, start < end ?? .max { end = start }
      }
      chapters[index].end = end
    }
    for index in chapters.indices {
      if let end = chapters[index].end, end <= chapters[index].start { chapters[index].end = nil }
    }
    return chapters
  }
}

extension NumberedChapters.Chapter {
  fileprivate var seconds: Double { Double(start) / Double(timescale) }
}
