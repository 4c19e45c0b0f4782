extension Metadata {
  /// A chunk of RIFF or Wave64 that no other part of the metadata holds, such as `iXML`.
  package struct ForeignChunk: Hashable, Sendable {
    /// Four printable characters.
    package let name: String
    /// The name for people: `iXML`, `a cart`, `chunk DGDA`.
    package let title: String
    package var content: [UInt8]

    package init(name: String, title: String, content: [UInt8]) {
      (self.name, self.title, self.content) = (name, title, content)
    }
  }

  /// Removes the chunks whose times cannot be scaled, and those that were measured on the samples; returns them as losses.
  /// Chunks of unknown kind stay.
  package mutating func dropTimedChunks() -> [MetadataLoss] {
    let dropped = foreignChunks.filter { !$0.survivesScaling }
    foreignChunks.removeAll { !$0.survivesScaling }
    let hadLoudness = foreignChunks.indices.map { foreignChunks[$0].dropLoudness() }
    return dropped.map(\.loss)
      + (hadLoudness.contains(true) ? [MetadataLoss(.chunk, "the loudness in iXML")] : [])
  }
}

extension Metadata.ForeignChunk {
  /// Chunks whose times no one here can move: peaks, playlists, object metadata, XMP with markers, MIDI, beats and regions
  /// of editors; and what was measured on the samples: loudness and checksums.
  private static let timed: Set<String> = [
    "levl", "r64m", "plst", "axml", "aXML", "chna", "_PMX", "midi", "MIDI", "SAXL", "edct", "strc",
    "regn", "elm1", "ovwf", "LGWV", "r128", "MD5 ",
  ]

  private static let cart = "cart"

  private static let ixml = "iXML"

  /// False for a chunk that has times, or may have them, that cannot be scaled.
  fileprivate var survivesScaling: Bool {
    name == Self.ixml ? IXMLText(content) != nil : !Self.timed.contains(name)
  }

  /// Removes the loudness from `iXML`; false if there was none.
  fileprivate mutating func dropLoudness() -> Bool {
    guard name == Self.ixml, var text = IXMLText(content), text.dropLoudness() else { return false }
    content = text.bytes
    return true
  }

  /// The loss of the chunk.
  package var loss: MetadataLoss {
    MetadataLoss(.chunk, title)
  }

  /// The chunk for audio of another length: the frames in `iXML` and the timers of a `cart` are scaled.
  func scaled(_ scale: TimeScale) -> Self {
    var result = self
    switch name {
    case Self.ixml:
      if let text = IXMLText(content) { result.content = text.scaled(scale).bytes }
    case Self.cart: result.scaleTimers(scale)
    default: break
    }
    return result
  }

  /// Scales the post timers of a cart, each a name of four bytes and a frame.
  ///
  /// Source: AES46-2002, "Radio traffic audio delivery extension to the Broadcast WAVE Format".
  private mutating func scaleTimers(_ scale: TimeScale) {
    let (start, count, size) = (684, 8, 8)
    guard content.count >= start + count * size else { return }
    for offset in stride(from: start, to: start + count * size, by: size)
    where content[offset..<offset + 4].contains(where: { $0 != 0 }) {
      let frame = (0..<4).reduce(0) { $0 | Int(content[offset + 4 + $1]) << (8 * $1) }
      let scaled = UInt32(exactly: scale.frame(Double(frame)).rounded()) ?? .max
      for place in 0..<4 {
        content[offset + 4 + place] = UInt8(truncatingIfNeeded: scaled >> UInt32(8 * place))
      }
    }
  }
}
