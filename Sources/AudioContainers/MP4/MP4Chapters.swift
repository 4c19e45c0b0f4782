internal import AudioIO
internal import AudioModel

/// The chapters of an M4A file to write, in whole frames.
struct MP4Chapters {
  struct Chapter {
    let start: Int
    let frameCount: Int
    /// UTF-8.
    let title: [UInt8]
  }

  /// In chronological order.
  let chapters: [Chapter]
  /// Parts of chapters that the file cannot hold.
  let notCarried: [MetadataLoss]
  /// Warnings about changed chapters.
  let warnings: [String]

  /// Rounds times to the nearest frame within the audio; each chapter lasts until the next begins.
  init(_ given: [Metadata.Chapter], frameCount: Int) {
    guard frameCount > 0 else {
      chapters = []
      notCarried = given.isEmpty ? [] : [MetadataLoss(.chapter, "chapters")]
      warnings = []
      return
    }
    func frame(_ moment: Double) -> Int {
      // Clamping first keeps the conversion in range, and turns NaN into 0.
      Int(min(max(0, moment), Double(frameCount)).rounded())
    }
    let ordered = given.enumerated().sorted { ($0.1.start, $0.0) < ($1.1.start, $1.0) }.map(\.1)
    let starts = ordered.map { frame($0.start) }
    var chapters: [Chapter] = []
    var haveOwnEnds = false
    for (index, chapter) in ordered.enumerated() {
      let isLast = index == ordered.count - 1
      let next = isLast ? frameCount : starts[index + 1]
      let end = chapter.end.map(frame) ?? next
      // A difference due to rounding is neither a gap nor an overlap.
      if !isLast && abs(end - next) > 1 { haveOwnEnds = true }
      chapters.append(
        Chapter(
          start: starts[index],
          frameCount: max(0, (isLast ? end : next) - starts[index]),
          title: Self.truncated(chapter.title, to: Int(UInt16.max))))
    }
    self.chapters = chapters
    notCarried = Self.parts(lostOf: given)
    warnings = haveOwnEnds ? ["each chapter of the output lasts until the next one begins"] : []
  }

  private static func parts(lostOf given: [Metadata.Chapter]) -> [MetadataLoss] {
    var lost: [MetadataLoss] = []
    if given.contains(where: { $0.picture != nil }) {
      lost.append(MetadataLoss(.picture, "pictures of chapters"))
    }
    if given.contains(where: { $0.address != nil }) {
      lost.append(MetadataLoss(.chapter, "addresses of chapters"))
    }
    return lost
  }

  /// The UTF-8 of a text, truncated to at most `count` bytes at a scalar boundary.
  static func truncated(_ text: String, to count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      let next = Array(String(scalar).utf8)
      if bytes.count + next.count > count { break }
      bytes += next
    }
    return bytes
  }

  // MARK: QuickTime's text track

  /// The samples of the text track: a 16-bit length, the text, and a box with its encoding.
  ///
  /// Source: Apple, "QuickTime File Format Specification", section Text Sample Data. iTunes and others use
  /// this encoding value for UTF-8.
  var textSamples: [[UInt8]] {
    chapters.map { chapter in
      var sample = ByteWriter()
      sample.append16(chapter.title.count)
      sample.append(chapter.title)
      sample.box("encd") { $0.append32(0x100) }
      return sample.bytes
    }
  }

  // MARK: Nero's list

  /// Adds Nero's list, which holds 255 chapters with titles of up to 255 bytes, in units of 100 ns.
  ///
  /// There is no specification; this is what libavformat and mutagen read.
  func putNeroList(sampleRate: Int, _ bytes: inout ByteWriter) {
    let listed = chapters.prefix(255)
    if listed.isEmpty { return }
    bytes.box("chpl", version: 1) { list in
      list.append32(0)
      list.append8(listed.count)
      for chapter in listed {
        let (seconds, frames) = chapter.start.quotientAndRemainder(dividingBy: sampleRate)
        list.append64(seconds * 10_000_000 + (frames * 10_000_000 + sampleRate / 2) / sampleRate)
        let title = Self.truncated(String(decoding: chapter.title, as: UTF8.self), to: 255)
        list.append8(title.count)
        list.append(title)
      }
    }
  }
}
