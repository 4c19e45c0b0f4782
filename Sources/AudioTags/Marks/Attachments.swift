package import AudioContainers

/// What is in a file besides audio and text tags, and is not carried.
package enum Attachments {
  /// Names of chunks, in any of the containers, and what people call their content.
  private static let known: [String: String] = [
    "plst": "a playlist", "cart": "a cart", "iXML": "iXML", "axml": "axml", "aXML": "aXML",
    "chna": "track identifiers", "_PMX": "XMP", "midi": "MIDI data", "MIDI": "MIDI data",
    "umid": "a unique material identifier", "APPL": "application data", "AESD": "recording data",
    // Wave64's GUID for markers, whose content Sony has not described in public.
    "Vb\u{FFFD}\u{FFFD}": "markers", "uuid": "user-defined data",
  ]

  /// The names of what will be missing.
  package static func notCarried(header: ContainerHeader?) -> [String] {
    var names: [String] = []
    for chunk in header?.chunks.map(\.name) ?? [] {
      if let name = known[chunk], !names.contains(name) { names.append(name) }
    }
    return names
  }
}
