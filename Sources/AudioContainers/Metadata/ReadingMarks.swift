package import AudioIO

extension MarkReader {
  /// Reads the chunks of a header.
  package static func read(
    _ input: borrowing InputFile, _ header: ContainerHeader, form: AudioFormat.MetadataForm
  ) throws(AudioFileError) -> MarkReader {
    var reader = MarkReader(
      texts: try TextDecoder(of: input, header, form.textKind ?? .info))
    let chunks = Chunks(header)
    reader.foreignChunks = try ForeignChunks.read(input, header, form)
    switch form {
    case .riff: try reader.readRIFF(input, chunks)
    case .iff: try reader.readAIFF(input, chunks)
    case .caf: try reader.readCAF(input, chunks)
    case .wave64: reader.broadcastExtension = try chunks.first("bext", of: input)?.bytes
    default: break
    }
    return reader
  }
}
