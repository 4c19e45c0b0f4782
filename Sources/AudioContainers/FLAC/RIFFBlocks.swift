package import AudioIO
package import AudioModel
package import SystemPackage

/// Chunks of WAV in the blocks of a FLAC file, as `flac --keep-foreign-metadata` writes them: one block for the beginning
/// of the file, and one for each chunk, in order. The block of the audio has only the header of its chunk.
///
/// Source: `foreign_metadata.c` of FLAC 1.4.
package enum RIFFBlocks {
  /// The identifier of such blocks, which precedes the content.
  package static let id = "riff"

  /// The contents of the blocks for an output; empty if it has no such chunks. `isLost` is true if the chunks cannot be
  /// counted in 32 bits.
  package static func blocks(
    for description: OutputDescription
  ) -> (contents: [[UInt8]], isLost: Bool) {
    let metadata = description.metadata
    var chunks: [Chunk] = []
    if let bytes = metadata.broadcastExtension {
      chunks.append(Chunk(name: "bext", content: bytes))
    }
    var after = metadata
    after.marks = []
    var trailing = RIFFMarks.chunks(for: after, sampleRate: description.spec.sampleRate).chunks
    trailing += metadata.foreignChunks.map { Chunk(name: $0.name, content: $0.content) }
    if chunks.isEmpty, trailing.isEmpty { return ([], false) }
    let (spec, layout) = (description.spec, description.spec.layout)
    let bits = ((description.sampleFormat?.bitDepth ?? 16) + 7) / 8 * 8
    let isPlain = layout.speakers == nil || layout == .assumed(channelCount: layout.channelCount)
    let format = WaveEncoding.format(
      spec, layout.inMaskOrder, bits: bits, isFloat: false,
      isExtensible: spec.channelCount > 2 || !isPlain || bits > 16)
    chunks.insert(Chunk(name: "fmt ", content: format), at: 0)
    let audioBytes = description.frameCount * spec.channelCount * bits / 8
    func bytes(_ chunk: Chunk) -> [UInt8] {
      var writer = ByteWriter(isBigEndian: false)
      writer.append(chunk)
      return writer.bytes
    }
    let before = chunks.map(bytes)
    let behind = trailing.map(bytes)
    let size =
      4 + (before + behind).reduce(0) { $0 + $1.count } + 8 + audioBytes + audioBytes % 2
    guard size <= Int(UInt32.max) else { return ([], true) }
    var head = ByteWriter(isBigEndian: false)
    head.append("RIFF")
    head.append32(size)
    head.append("WAVE")
    var audio = ByteWriter(isBigEndian: false)
    audio.append("data")
    audio.append32(audioBytes)
    return ([head.bytes] + before + [audio.bytes] + behind, false)
  }

  /// The metadata in the contents of such blocks; `nil` if they are no chunks of WAV.
  package static func metadata(
    of blocks: [[UInt8]], path: FilePath, _ encoding: TextEncoding?, sampleRate: Int
  ) -> TagContents? {
    guard let first = blocks.first,
      first.starts(with: Array("RIFF".utf8)) || first.starts(with: Array("RF64".utf8))
    else { return nil }
    // A file of the same chunks without audio.
    var body = ByteWriter(isBigEndian: false)
    body.append("WAVE")
    for block in blocks.dropFirst() {
      if block.starts(with: Array("ds64".utf8)) { continue }
      if block.starts(with: Array("data".utf8)) {
        body.append("data")
        body.append32(0)
      } else {
        body.append(block)
        body.pad(to: 2)
      }
    }
    var file = ByteWriter(isBigEndian: false)
    file.append("RIFF")
    file.append32(body.bytes.count)
    file.append(body.bytes)
    guard let spool = try? Spool.makeFile() else { return nil }
    guard (try? spool.writeAll(toAbsoluteOffset: 0, file.bytes)) != nil else {
      try? spool.close()
      return nil
    }
    guard var input = try? InputFile(descriptor: spool, path: path) else { return nil }
    input.tagEncoding = encoding
    guard let header = try? RIFFHeader.read(input) else { return nil }
    return try? TagContents(
      of: input, header, in: .wav, form: .riff, sampleRate: sampleRate)
  }
}
