package import AudioIO

extension MarkReader {
  /// Reads the chunks of a header.
  package static func read(
    _ input: borrowing InputFile, _ header: ContainerHeader, format: AudioFormat
  ) throws(AudioFileError) -> MarkReader {
    var reader = MarkReader(
      texts: try TextDecoder(of: input, header, format.metadata.textKind ?? .info))
    let chunks = Chunks(header)
    switch format.metadata {
    case .riff: try reader.readRIFF(input, chunks)
    case .iff: try reader.readAIFF(input, chunks)
    case .caf: try reader.readCAF(input, chunks)
    case .wave64: reader.broadcastExtension = try chunks.first("bext", of: input)?.bytes
    default: break
    }
    return reader
  }
}
