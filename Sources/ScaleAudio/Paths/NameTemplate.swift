/// A name of outputs with placeholders, such as `{stem}-{speed}.{ext}`.
///
/// `{{` and `}}` stand for braces. A slash starts a folder below that of the outputs; slashes in values do not. If
/// the name does not end with the extension of the output, the extension is added.
public struct NameTemplate: Hashable, Sendable {
  /// A value that a template can insert.
  public enum Placeholder: String, CaseIterable, Hashable, Sendable {
    /// The name of the input without its extension.
    case stem
    /// The extension of the output, without its dot.
    case ext
    /// Output length / input length.
    case factor
    /// 1 / factor.
    case speed, tempo
    /// The method that changes the length.
    case method
    /// The change of pitch, in semitones.
    case pitch
    /// The requested length, in seconds.
    case duration
    /// The requested tempo, in beats per minute.
    case bpm
    /// The start and the end of the part that is converted, as typed; `0` and `end` if not given.
    case from, to
    /// The number of the input, from 1, padded to the number of digits of the last one.
    case index
    /// The name of the folder that the input is in.
    case parent
    /// The engine of `stretch`; the name of the method for others.
    case engine
    /// The quality of the method; `default` for those that have one only.
    case quality
    /// The sample rate of the output, in Hz.
    case rate
    /// The title and the number of the track from the tags; the stem and the number of the input without.
    case title, track
  }

  /// Why a text is not a template.
  public enum Problem: Error, Hashable, Sendable {
    /// No placeholder has this name.
    case unknownPlaceholder(String)
    /// A single brace.
    case openBrace
    /// The name, or a folder in it, is empty or leads out of the folder.
    case notBelowFolder
  }

  private enum Piece: Hashable {
    case text(String)
    case value(Placeholder)
  }

  private let pieces: [Piece]

  /// Reads a template.
  public init(_ text: String) throws(Problem) {
    var pieces: [Piece] = []
    var literal = ""
    var rest = text[...]
    while let character = rest.first {
      rest.removeFirst()
      if character == "{" || character == "}", rest.first == character {
        literal.append(character)
        rest.removeFirst()
      } else if character == "{" {
        guard let end = rest.firstIndex(of: "}") else { throw .openBrace }
        let name = String(rest[..<end])
        guard let placeholder = Placeholder(rawValue: name) else {
          throw .unknownPlaceholder(name)
        }
        pieces += [.text(literal), .value(placeholder)]
        literal = ""
        rest = rest[end...].dropFirst()
      } else if character == "}" {
        throw .openBrace
      } else {
        literal.append(character)
      }
    }
    self.pieces = pieces + [.text(literal)]
    let shape = self.pieces.map { if case .text(let text) = $0 { text } else { "x" } }.joined()
    let folders = shape.split(separator: "/", omittingEmptySubsequences: false)
    if folders.contains(where: { ["", ".", ".."].contains($0) }) || shape.utf8.contains(0) {
      throw .notBelowFolder
    }
  }

  /// The placeholders in the template, in order.
  var placeholders: [Placeholder] {
    pieces.compactMap { if case .value(let placeholder) = $0 { placeholder } else { nil } }
  }

  /// The components of a name, given the values and the extension of the output with its dot.
  func components(
    _ value: (Placeholder) -> [UInt8], ending: [UInt8]
  ) -> [[UInt8]] {
    let slash = UInt8(ascii: "/")
    var components: [[UInt8]] = [[]]
    func add(_ bytes: some Sequence<UInt8>) {
      components[components.count - 1] += bytes
    }
    for piece in pieces {
      switch piece {
      case .value(let placeholder):
        add(value(placeholder).map { $0 == slash || $0 == 0 ? low : $0 })
      case .text(let text):
        let parts = text.utf8.split(separator: slash, omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
          if index > 0 { components.append([]) }
          add(part)
        }
      }
    }
    var last = components.removeLast()
    if !Self.ends(last, with: ending) {
      if last.last == dot { last.removeLast() }
      last += ending
    }
    return (components + [last]).map(Self.regular)
  }

  private static func ends(_ name: [UInt8], with ending: [UInt8]) -> Bool {
    let tail = String(decoding: name.suffix(ending.count), as: UTF8.self)
    return !ending.isEmpty
      && tail.lowercased() == String(decoding: ending, as: UTF8.self).lowercased()
  }

  /// The component itself, or underscores if it is not a name: empty, `.` or `..`.
  private static func regular(_ component: [UInt8]) -> [UInt8] {
    guard component.count <= 2, component.allSatisfy({ $0 == dot }) else { return component }
    return Array(repeating: low, count: max(1, component.count))
  }
}

private let dot = UInt8(ascii: ".")
private let low = UInt8(ascii: "_")

extension NameTemplate.Placeholder {
  /// The kind of request that gives the placeholder a value.
  var need: String {
    switch self {
    case .duration: "a length in seconds"
    case .bpm: "a tempo in beats per minute"
    case .factor, .speed, .tempo: "a factor, a speed or a tempo"
    default: "a value"
    }
  }
}
