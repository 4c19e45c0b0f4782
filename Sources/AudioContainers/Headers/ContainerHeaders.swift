package import AudioIO

extension ContainerHeader {
  /// Reads the header of a file in a format whose lengths are checked; `nil` for other formats.
  package static func read(
    _ input: borrowing InputFile, format: AudioFormat
  ) throws(AudioFileError) -> ContainerHeader? {
    switch format.container {
    case .wav, .rf64: try RIFFHeader.read(input)
    case .wave64: try Wave64Header.read(input)
    case .aiff, .aiffC, .svx: try IFFHeader.read(input)
    case .caf: try CAFHeader.read(input)
    case .au: try AUHeader.read(input)
    default: nil
    }
  }
}
