internal import AudioIO
package import AudioModel

/// The chapters of an M4A file, in whole frames.
package struct MP4Chapters {
  struct Chapter {
    let start: Int
    let frameCount: Int
    /// UTF-8.
    let title: [UInt8]
  }

  /// In the order of their time.
  let chapters: [Chapter]
  /// What of the chapters the file cannot hold.
  package let notCarried: [String]
  /// What it holds otherwise than it was.
  package let warnings: [String]

  /// Rounds to the nearest frame, within the audio; a chapter lasts until the next begins.
  package init(_ given: [Metadata.Chapter], frameCount: Int) {
    guard frameCount > 0 else {
      chapters = []
      notCarried = given.isEmpty ? [] : ["chapters"]
      warnings = []
      return
    }
    func frame(_ moment: Double) -> Int {
      // Clamping first keeps the conversion within range; it sends what is no number to 0.
      Int(min(max(0, moment), Double(frameCount)).rounded())
    }
    let ordered = given.enumerated().sorted { ($0.1.start, $0.0) < ($1.1.start, $1.0) }.map(\.1)
    let starts = ordered.map { frame($0.start) }
    var chapters: [Chapter] = []
    var hasGap = false
    for (index, chapter) in ordered.enumerated() {
      let isLast = index == ordered.count - 1
      let next = isLast ? frameCount : starts[index + 1]
      let end = chapter.end.map(frame) ?? next
      // What rounding does to an end is no gap.
      if !isLast && end < next - 1 { hasGap = true }
      chapters.append(
        Chapter(
          start: starts[index],
          frameCount: max(0, (isLast ? end : next) - starts[index]),
          title: Self.cut(chapter.title, to: Int(UInt16.max))))
    }
    self.chapters = chapters
    notCarried = Self.parts(lostOf: given)
    warnings = hasGap ? ["a chapter of the output lasts until the next one begins"] : []
  }

  private static func parts(lostOf given: [Metadata.Chapter]) -> [String] {
    var lost: [String] = []
    if given.contains(where: { $0.picture != nil }) { lost.append("pictures of chapters") }
    if given.contains(where: { $0.address != nil }) { lost.append("addresses of chapters") }
    return lost
  }

  /// A text as UTF-8 of at most so many bytes, without half a character at its end.
  static func cut(_ text: String, to count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      let next = Array(String(scalar).utf8)
      if bytes.count + next.count > count { break }
      bytes += next
    }
    return bytes
  }

  // MARK: QuickTime's text track

  /// The samples of the text track: a 16-bit length, the text, and an atom that tells its encoding.
  ///
  /// Source: Apple, "QuickTime File Format Specification", section Text Sample Data. The value for
  /// the encoding is the one that iTunes and others use for UTF-8.
  var textSamples: [[UInt8]] {
    chapters.map { chapter in
      var sample = ByteWriter()
      sample.append16(chapter.title.count)
      sample.append(chapter.title)
      sample.atom("encd") { $0.append32(0x100) }
      return sample.bytes
    }
  }

  // MARK: Nero's list

  /// Adds Nero's list, which holds 255 chapters with titles of 255 bytes, in units of 100 ns.
  ///
  /// There is no specification: it is as libavformat and mutagen read it.
  func putNeroList(sampleRate: Int, _ bytes: inout ByteWriter) {
    let listed = chapters.prefix(255)
    if listed.isEmpty { return }
    bytes.atom("chpl", version: 1) { list in
      list.append32(0)
      list.append8(listed.count)
      for chapter in listed {
        let (seconds, frames) = chapter.start.quotientAndRemainder(dividingBy: sampleRate)
        list.append64(seconds * 10_000_000 + (frames * 10_000_000 + sampleRate / 2) / sampleRate)
        let title = Self.cut(String(decoding: chapter.title, as: UTF8.self), to: 255)
        list.append8(title.count)
        list.append(title)
      }
    }
  }
}
