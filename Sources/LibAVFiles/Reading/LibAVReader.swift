package import AudioIO
package import AudioModel
internal import SystemPackage

/// A reader of the formats that FFmpeg's libraries decode.
package final class LibAVReader: FrameStream {
  package var source: SourceDescription { opened.description }
  package var clipping: Clipping { delivery.blocks.clipping }
  package var nonFiniteSamples: Int { delivery.blocks.nonFiniteSamples }
  package var seeking: Seeking { delivery.blocks.seeking }
  let opened: LibAVSource
  private let path: FilePath
  private var delivery: BlockDelivery<LibAVBlockSource>

  package init(
    _ input: borrowing InputFile, format: AudioFormat,
    holding: (_ isLossless: Bool, _ formatName: String) -> AudioFormat, _ options: ReadingOptions
  ) throws(AudioFileError) {
    path = input.path
    opened = try LibAVSource(input, format: format, holding: holding, options)
    let source = opened.description
    delivery = BlockDelivery(
      try LibAVBlockSource(opened, input),
      frameCount: source.lengthBasis == .estimated ? nil : source.frameCount,
      channelCount: source.spec.channelCount, path: path)
  }

  package func seek(toFrame frame: Int) throws(AudioFileError) {
    try delivery.seek(toFrame: frame)
  }

  package func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    try delivery.read(into: buffer)
  }

  package func checkEnd(of input: borrowing InputFile) throws(AudioFileError) {
    let demuxer = opened.opening.probe.names.first
    if try LibAVExtent.isStreamCut(input, demuxer: demuxer) {
      throw .truncated(path, expected: nil, found: nil)
    }
  }
}
