package import AudioIO
internal import SystemPackage

/// The kind of an MP4 or QuickTime file.
package enum MP4Brand {
  /// The row by the file type box (ISO/IEC 14496-12 section 4.3); QuickTime of old has none.
  ///
  /// The brand of audio in MP4 does not tell books and ring tones from music for certain; among these
  /// the name decides.
  package static func rowID(of input: borrowing InputFile) throws(AudioFileError) -> String {
    let fields = ByteReader(bigEndian: try input.bytes(at: 0, count: 128))
    guard fields.type(at: 4) == "ftyp", let brand = fields.type(at: 8) else { return "mov" }
    let end = min(fields.int32(at: 0) ?? 0, fields.bytes.count)
    let others = stride(from: 16, to: end - 3, by: 4).compactMap { fields.type(at: $0) }
    if brand == "qt  " { return "mov" }
    if brand.hasPrefix("3g") { return "3gp" }
    let name = input.path.extension?.lowercased() ?? ""
    let isAudio = brand.hasPrefix("M4A") || brand.hasPrefix("M4B") || others.contains("M4A ")
    if ["m4a", "m4b", "m4r"].contains(name), brand != "M4B " || name != "m4a" { return name }
    if brand.hasPrefix("M4B") { return "m4b" }
    return isAudio ? "m4a" : "mp4"
  }
}
