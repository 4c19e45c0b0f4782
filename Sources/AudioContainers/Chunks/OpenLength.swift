internal import AudioIO

/// Length fields that mean "unknown, up to the end of the file".
enum OpenLength {
  /// True if a 32-bit length of audio means that it is unknown.
  ///
  /// Measured: ffmpeg writes 0xFFFFFFFF into a pipe, sox 0x7FFFF000 (AIFF: 0x7F000000), and arecord
  /// 0x7FFFFF00 or 0x80000000; some subtract the size of the header.
  static func is32(_ value: Int) -> Bool {
    (0x7FFF_F000...0x8000_0000).contains(value) || value >= 0xFFFF_FF00 || value == 0x7F00_0000
  }

  /// True if a 64-bit length means that it is unknown: -1, or the maximum that ffmpeg writes.
  static func is64(_ value: UInt64) -> Bool { value >= 0x7FFF_FFFF_FFFF_0000 }
}

extension ContainerHeader {
  /// The reason for rejecting files that sox wrote into a pipe through libsndfile, which could not seek back.
  static let repeatedHeader =
    "the file has a second header instead of audio, probably because the program that wrote it "
    + "could not seek back in a pipe"
}
