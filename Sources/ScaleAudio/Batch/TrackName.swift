/// The numbers in the names of tracks.
enum TrackName {
  /// True if the first number in which two names differ, after equal text, is one greater in the first.
  static func follows(_ name: [UInt8], _ previous: [UInt8]) -> Bool {
    guard let index = firstDifference(name, previous),
      case (.number(let value), .number(let earlier)) = (parts(name)[index], parts(previous)[index])
    else { return false }
    return earlier < .max && value == earlier + 1
  }

  /// True if the first number in which two names differ counts tracks, as in `01 Title`, `1-01 Title`, `01`, `Side 1` and
  /// `track01`. False for numbers in identifiers: `84-121123-0000`, `p225_001`, `chunk_12`.
  static func countsTracks(_ name: [UInt8], after previous: [UInt8]) -> Bool {
    let runs = runs(name)
    guard let index = firstDifference(name, previous), isDigit(runs[index].first ?? 0) else {
      return false
    }
    let before = runs[..<index]
    if before.isEmpty || isDisc(before) {
      let hasTitle = runs[(index + 1)...].joined().contains { $0 >= 0x80 || isLetter($0) }
      return runs[index].count <= (hasTitle ? 3 : 2)
    }
    guard index == 1, let text = before.first, runs[index].count <= 3 else { return false }
    return text.last == UInt8(ascii: " ")
      || String(decoding: text, as: UTF8.self).lowercased().hasSuffix("track")
  }

  /// True if a name comes first: numbers by their values, text by its bytes.
  static func precedes(_ name: [UInt8], _ other: [UInt8]) -> Bool {
    let (own, others) = (parts(name), parts(other))
    for (one, two) in zip(own, others) where one != two {
      switch (one, two) {
      case (.number(let one), .number(let two)): return one < two
      case (.text(let one), .text(let two)): return one.lexicographicallyPrecedes(two)
      case (.number, .text): return true
      case (.text, .number): return false
      }
    }
    if own.count != others.count { return own.count < others.count }
    return name.lexicographicallyPrecedes(other)
  }

  private enum Part: Hashable {
    case number(Int)
    case text([UInt8])
  }

  private static func parts(_ name: [UInt8]) -> [Part] {
    runs(name).map { run in
      let number = isDigit(run[run.startIndex]) ? Int(String(decoding: run, as: UTF8.self)) : nil
      return number.map { .number($0) } ?? .text(Array(run))
    }
  }

  /// The index of the first part in which two names differ; `nil` if one begins with the other.
  private static func firstDifference(_ name: [UInt8], _ other: [UInt8]) -> Int? {
    let pairs = zip(parts(name), parts(other))
    return Array(pairs).firstIndex { $0 != $1 }
  }

  /// A name as runs of digits and of other bytes, by turns; none is empty.
  private static func runs(_ name: [UInt8]) -> [ArraySlice<UInt8>] {
    var runs: [ArraySlice<UInt8>] = []
    var rest = name[...]
    while let first = rest.first {
      let run = rest.prefix { isDigit($0) == isDigit(first) }
      runs.append(run)
      rest = rest.dropFirst(run.count)
    }
    return runs
  }

  /// True for the number of a disc and what separates it from that of the track: `1-`
  private static func isDisc(_ runs: ArraySlice<ArraySlice<UInt8>>) -> Bool {
    guard runs.count == 2, let number = runs.first, let text = runs.last else { return false }
    return isDigit(number.first ?? 0) && number.count <= 2 && text.count == 1
      && text.allSatisfy { Array("-._ ".utf8).contains($0) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
