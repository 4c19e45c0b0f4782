internal import AudioContainers
package import AudioIO
package import AudioModel
internal import AudioTags
internal import SystemPackage

/// Writes Ogg Vorbis through libvorbisenc.
package final class VorbisWriter: AudioFileWriter {
  package let notCarried: [String]
  private let path: FilePath
  private let encoder: VorbisEncoder
  private let frameCount: Int
  /// For each channel of the stream, the channel of the frames that are given.
  private let order: [Int]
  private var framesWritten = 0

  /// Frames that are handed to libvorbis at a time.
  private static var framesAtATime: Int { 1024 }

  package init(_ output: borrowing OutputFile, _ description: OutputDescription)
    throws(AudioFileError)
  {
    path = output.path
    frameCount = description.frameCount
    let layout = description.spec.layout
    let lossy = description.givenLayout.flatMap { $0.order(for: $0.inMaskOrder) }
    guard layout.channelCount <= 255, let order = lossy ?? VorbisLayout.order(of: layout) else {
      throw .cannotHold(
        path, reason: "Vorbis cannot say the channel layout \(layout)",
        remedy: .useFormat(["flac", "wav"]))
    }
    self.order = order
    let setup = try VorbisEncoderSetup(description, path: path)
    let comments = VorbisComments(description.metadata)
    notCarried = comments.notCarried
    encoder = try VorbisEncoder(
      try OutputCursor(output), setup: setup, comments: comments,
      serialNumber: OggSerialNumber.number(for: description), path: path)
  }

  @specialized(where Sample == Int8)
  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  package func write<Sample: PCMSample>(_ frames: Span<Sample>) throws(AudioFileError) {
    let channels = order.count
    let total = frames.count / channels
    guard total <= frameCount - framesWritten else {
      throw .encoderFailed(path, reason: "more than the \(frameCount) frames announced came")
    }
    var start = 0
    while start < total {
      let count = min(Self.framesAtATime, total - start)
      try encoder.encode(frameCount: count) { planes in
        for (channel, source) in order.enumerated() {
          guard let plane = planes[channel] else { continue }
          var index = start * channels + source
          for frame in 0..<count {
            plane[frame] = Float(frames[index].normalized)
            index += channels
          }
        }
      }
      start += count
    }
    framesWritten += total
  }

  package func finish() throws(AudioFileError) {
    guard framesWritten == frameCount else {
      throw .encoderFailed(
        path, reason: "only \(framesWritten) of the \(frameCount) frames announced came")
    }
    try encoder.finish()
  }
}
