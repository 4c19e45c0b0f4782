/// What is in a file besides audio and text tags, and is not carried.
enum Attachments {
  /// Names of chunks, in any of the containers, and what people call their content.
  private static let known: [String: String] = [
    "cue ": "cue points", "LIST adtl": "cue labels", "plst": "a playlist", "smpl": "sampler loops",
    "inst": "instrument settings", "INST": "instrument settings", "acid": "loop properties",
    "bext": "a broadcast extension", "cart": "a cart", "iXML": "iXML", "axml": "axml",
    "aXML": "aXML", "chna": "track identifiers", "_PMX": "XMP", "MARK": "markers",
    "mark": "markers", "regn": "regions", "midi": "MIDI data", "MIDI": "MIDI data",
    "umid": "a unique material identifier", "strg": "marker names", "COMT": "time-stamped comments",
    "APPL": "application data",
    "AESD": "recording data", "uuid": "user-defined data",
  ]

  /// The names of what will be missing.
  static func notCarried(header: ContainerHeader?) -> [String] {
    var names: [String] = []
    for chunk in header?.chunkNames ?? [] {
      if let name = known[chunk], !names.contains(name) { names.append(name) }
    }
    return names
  }
}
