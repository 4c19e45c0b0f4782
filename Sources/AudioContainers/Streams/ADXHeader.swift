package import AudioIO

/// The header of ADX, which counts the samples; `nil` for variants.
package struct ADXHeader {
  /// The samples of each channel.
  package let samples: Int
  /// The end of the audio: blocks of 18 bytes and 32 samples. Its offset is that of `(c)CRI`, which ends there.
  package let end: Int

  package init?(_ input: borrowing InputFile) throws(AudioFileError) {
    let head = try ByteReader(of: input, isBigEndian: true, at: 0, count: 16)
    guard let offset = head.int16(at: 2), let type = head.number(at: 4, count: 3),
      type == 0x03_12_04,
      let channels = head.number(at: 7, count: 1), let samples = head.int32(at: 12)
    else { return nil }
    self.samples = samples
    end = offset + 4 + (samples + 31) / 32 * 18 * Int(channels)
  }
}
