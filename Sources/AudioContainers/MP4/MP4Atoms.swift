internal import AudioIO

extension ByteWriter {
  /// Appends an atom: 32 bits of size that count all of it, a type of four letters, the content.
  ///
  /// Source: ISO 14496-12 section 4.2.
  mutating func atom(_ type: String, _ content: (inout ByteWriter) -> Void) {
    let start = bytes.count
    append32(0)
    append(type)
    content(&self)
    replace32(at: start, with: bytes.count - start)
  }

  /// Appends an atom whose content begins with 8 bits of version and 24 bits of flags.
  mutating func atom(
    _ type: String, version: Int, flags: Int = 0, _ content: (inout ByteWriter) -> Void
  ) {
    atom(type) { atom in
      atom.append8(version)
      atom.append24(flags)
      content(&atom)
    }
  }
}
