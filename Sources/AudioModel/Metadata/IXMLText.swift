/// The text of an `iXML` chunk: notes of field recorders in XML, some of which count frames.
///
/// Only the numbers that depend on length, rate and depth change; everything else, in any encoding that extends ASCII,
/// stays as it is.
///
/// Source: iXML specification 3.01 (Gallery Software, 2021).
struct IXMLText {
  private(set) var bytes: [UInt8]

  /// The text of a chunk; `nil` if it is not XML in ASCII or an extension of it.
  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    guard let root = find("<BWFXML", from: 0), find("</BWFXML>", from: root) != nil else {
      return nil
    }
  }

  /// The text for audio of another length.
  ///
  /// The time of day at which the audio begins moves with the start of a part, and is counted at the new sample rate. Sync
  /// points keep their place in the sound; those outside of a part are left out.
  func scaled(_ scale: TimeScale) -> IXMLText {
    var result = self
    let (rate, newRate) = (Double(max(1, scale.sampleRate)), Double(max(1, scale.outputRate)))
    let start = Double(scale.part?.lowerBound ?? 0)
    let clock = Double(number("TIMESTAMP_SAMPLE_RATE") ?? scale.sampleRate)
    let newClock = clock == rate ? newRate : clock
    let stamp = wide("TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI", "TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO")
    func moved(_ frames: Double, _ from: Double, _ to: Double) -> Double {
      ((frames + start * from / rate) * to / from).rounded()
    }
    let newStamp = stamp.map { moved($0, clock, newClock) }
    if let newStamp {
      result.set(
        "TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI", "TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO", newStamp)
    }
    if newClock != clock { result.set("TIMESTAMP_SAMPLE_RATE", Int(newClock)) }
    if newRate != rate, number("FILE_SAMPLE_RATE") == scale.sampleRate {
      result.set("FILE_SAMPLE_RATE", scale.outputRate)
    }
    if let reference = wide("BWF_TIME_REFERENCE_HIGH", "BWF_TIME_REFERENCE_LOW") {
      result.set(
        "BWF_TIME_REFERENCE_HIGH", "BWF_TIME_REFERENCE_LOW", moved(reference, rate, newRate))
    }
    result.scaleSyncPoints(
      scale, since: (stamp ?? 0) * rate / clock, to: (newStamp ?? 0) * newRate / newClock)
    return result
  }

  /// The elements with a loudness: one that holds all of its values, and those of the broadcast extension.
  private static let loudness = [
    "LOUDNESS", "BWF_LOUDNESS_VALUE", "BWF_LOUDNESS_RANGE", "BWF_MAX_TRUE_PEAK_LEVEL",
    "BWF_MAX_MOMENTARY_LOUDNESS", "BWF_MAX_SHORT_TERM_LOUDNESS",
  ]

  /// Removes the loudness, which is not that of changed audio; false if there was none.
  mutating func dropLoudness() -> Bool {
    let size = bytes.count
    for name in Self.loudness {
      let (open, close) = ("<\(name)>", "</\(name)>")
      var (kept, place) = ([UInt8](), 0)
      while let start = find(open, from: place), let end = find(close, from: start) {
        kept += bytes[place..<start]
        place = end + close.utf8.count
      }
      if place > 0 { bytes = kept + bytes[place...] }
    }
    return bytes.count < size
  }

  /// Scales the sync points. Absolute ones count from midnight; the audio begins at `stamp` frames, in the result at
  /// `newStamp`.
  private mutating func scaleSyncPoints(
    _ scale: TimeScale, since stamp: Double, to newStamp: Double
  ) {
    let (open, close) = ("<SYNC_POINT>", "</SYNC_POINT>")
    var position = 0
    var dropped = 0
    while let start = find(open, from: position), let last = find(close, from: start) {
      let end = last + close.utf8.count
      guard var point = IXMLText(part: bytes[start..<end]),
        let value = point.wide("SYNC_POINT_HIGH", "SYNC_POINT_LOW")
      else {
        position = end
        continue
      }
      let isAbsolute = point.text("SYNC_POINT_TYPE")?.uppercased() == "ABSOLUTE"
      let place = isAbsolute ? value - stamp : value
      guard scale.keeps(from: place, to: place) else {
        bytes.removeSubrange(start..<end)
        dropped += 1
        position = start
        continue
      }
      let isInside = place >= 0 && place <= Double(scale.inputFrames)
      let length = point.number("SYNC_POINT_EVENT_DURATION").map(Double.init) ?? 0
      let moved = scale.stretch(from: place, to: place + max(0, length))
      let first = isInside ? moved.start.rounded() : place
      point.set("SYNC_POINT_HIGH", "SYNC_POINT_LOW", isAbsolute ? newStamp + first : first)
      if length > 0, isInside {
        point.set("SYNC_POINT_EVENT_DURATION", Int((moved.end - moved.start).rounded()))
      }
      bytes.replaceSubrange(start..<end, with: point.bytes)
      position = start + point.bytes.count
    }
    if dropped > 0, let count = number("SYNC_POINT_COUNT") {
      set("SYNC_POINT_COUNT", max(0, count - dropped))
    }
  }

  /// An element within a text.
  private init?(part: ArraySlice<UInt8>) { bytes = Array(part) }

  // MARK: - Elements

  private func find(_ text: String, from start: Int) -> Int? {
    let pattern = Array(text.utf8)
    guard let first = pattern.first, start >= 0 else { return nil }
    var index = start
    while index + pattern.count <= bytes.count {
      if bytes[index] == first, bytes[index..<index + pattern.count].elementsEqual(pattern) {
        return index
      }
      index += 1
    }
    return nil
  }

  /// The range of the text in the first element of a name; `nil` if there is none.
  private func content(_ name: String) -> Range<Int>? {
    guard let open = find("<\(name)>", from: 0) else { return nil }
    let start = open + name.utf8.count + 2
    guard let end = find("</\(name)>", from: start) else { return nil }
    return start..<end
  }

  private func text(_ name: String) -> String? {
    content(name).map { range in
      String(decoding: bytes[range].filter { $0 > 0x20 }, as: UTF8.self)
    }
  }

  private func number(_ name: String) -> Int? { text(name).flatMap { Int($0) } }

  /// A number of 64 bits in two elements.
  private func wide(_ high: String, _ low: String) -> Double? {
    guard let low = number(low), let value = UInt32(exactly: low) else { return nil }
    let upper = number(high).flatMap { UInt32(exactly: $0) } ?? 0
    return Double(UInt64(upper) << 32 | UInt64(value))
  }

  private mutating func set(_ name: String, _ value: Int) {
    if let range = content(name) { bytes.replaceSubrange(range, with: Array(String(value).utf8)) }
  }

  private mutating func set(_ high: String, _ low: String, _ value: Double) {
    let whole = UInt64(exactly: max(0, value).rounded()) ?? 0
    set(high, Int(whole >> 32))
    set(low, Int(whole & 0xFFFF_FFFF))
  }
}
