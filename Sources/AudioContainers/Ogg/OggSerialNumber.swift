package import AudioIO
internal import AudioModel

/// Serial numbers for the logical streams of Ogg files.
package enum OggSerialNumber {
  /// A number that depends on nothing but what is written, so that equal input gives equal bytes.
  ///
  /// It is the 32-bit FNV-1a hash of the facts; RFC 3533 section 4 asks only that streams of one file
  /// differ in it.
  package static func number(for description: OutputDescription) -> Int32 {
    let facts = [
      description.spec.sampleRate, description.spec.channelCount, description.frameCount,
    ]
    var hash: UInt32 = 0x811C_9DC5
    func mix(_ byte: UInt8) { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    for fact in facts {
      withUnsafeBytes(of: fact.littleEndian) { $0.forEach(mix) }
    }
    for comment in description.metadata.comments {
      comment.name.utf8.forEach(mix)
      comment.value.utf8.forEach(mix)
    }
    // Some programs take the number for signed; 0 and -1 have been used as marks.
    return Int32(hash & 0x7FFF_FFFF | 1)
  }
}
