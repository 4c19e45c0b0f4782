internal import AudioContainers
package import AudioIO
package import AudioModel
internal import CFLAC
internal import SystemPackage

/// A writer of native FLAC and Ogg FLAC that uses libFLAC.
package final class FLACWriter: AudioFileWriter {
  package let warnings: [String]
  package let notCarried: [MetadataLoss]
  private let path: FilePath
  private let target: Target
  private let frameCount: Int
  /// For each channel of the file, the source channel.
  private let order: [Int]
  private var framesWritten = 0
  private var scratch: [Int32]

  /// The encoder: for Ogg, libFLAC also writes packets and pages.
  private enum Target {
    case ogg(FLACEncoder)
    case native(SegmentedFLAC)
  }

  /// Maximum frames in one libFLAC call.
  private static var framesAtATime: Int { 4096 }

  package init(_ output: borrowing OutputFile, _ description: OutputDescription)
    throws(AudioFileError)
  {
    path = output.path
    frameCount = description.frameCount
    let layout = description.spec.layout
    let inOgg = description.format.container == .ogg
    let settings = try FLACEncoder.Settings(
      description, bitDepth: description.sampleFormat?.bitDepth ?? 16,
      isFloat: description.sampleFormat?.isFloat ?? false, inOgg: inOgg, path: path)
    order = layout.order(for: layout.inMaskOrder) ?? Array(0..<layout.channelCount)
    scratch = Array(repeating: 0, count: Self.framesAtATime * layout.channelCount)
    let blocks = try FLACMetadataBlocks(description, inOgg: inOgg, path: path)
    warnings = blocks.warnings
    notCarried = blocks.notCarried
    let cursor = try OutputCursor(output)
    target =
      inOgg
      ? .ogg(try FLACEncoder(cursor, settings, blocks: blocks, path: path))
      : .native(try SegmentedFLAC(cursor, settings, blocks: blocks, path: path))
  }

  package func write<Sample: PCMSample>(_ frames: Span<Sample>) throws(AudioFileError) {
    let channels = order.count
    let total = frames.count / channels
    guard total <= frameCount - framesWritten else {
      throw .encoderFailed(path, reason: "received more than the \(frameCount) announced frames")
    }
    switch target {
    case .ogg(let encoder): try encode(frames, with: encoder)
    case .native(let stream): try stream.encode(frames, order: order)
    }
    framesWritten += total
  }

  package func finish() throws(AudioFileError) {
    guard framesWritten == frameCount else {
      throw .encoderFailed(
        path, reason: "received only \(framesWritten) of \(frameCount) announced frames")
    }
    switch target {
    case .ogg(let encoder): try encoder.finish()
    case .native(let stream): try stream.finish()
    }
  }

  private func encode<Sample: PCMSample>(
    _ frames: Span<Sample>, with encoder: FLACEncoder
  ) throws(AudioFileError) {
    let total = frames.count / order.count
    var start = 0
    while start < total {
      let count = min(Self.framesAtATime, total - start)
      FLACSamples.put(
        frames.extracting(start * order.count..<(start + count) * order.count), order: order,
        into: &scratch, at: 0)
      try encoder.encode(scratch, frameCount: count)
      start += count
    }
  }
}

extension FLACEncoder.Settings {
  /// The settings for `description`; throws if FLAC or the options do not allow it.
  fileprivate init(
    _ description: OutputDescription, bitDepth: Int, isFloat: Bool, inOgg: Bool, path: FilePath
  ) throws(AudioFileError) {
    let options = description.options
    if options.bitRate != nil || options.quality != nil {
      let isRate = options.bitRate != nil
      throw .encoderFailed(
        path, reason: "FLAC is lossless and has no \(isRate ? "bit rate" : "encoding quality")",
        remedy: .set(.compressionLevel, to: "from 0 to 8"))
    }
    let level = options.compressionLevel ?? 5
    guard (0...8).contains(level) else {
      throw .encoderFailed(
        path, reason: "FLAC has no compression level \(level)",
        remedy: .set(.compressionLevel, to: "from 0 to 8"))
    }
    let spec = description.spec
    guard spec.channelCount <= 8 else {
      throw .cannotHold(
        path, reason: "FLAC holds at most 8 channels, not \(spec.channelCount)",
        remedy: .any([.useFormat(["wav"]), .mergeChannels]))
    }
    guard let rate = UInt32(exactly: spec.sampleRate), rate > 0,
      FLAC__format_sample_rate_is_valid(rate) != 0
    else {
      throw .cannotHold(
        path, reason: "FLAC cannot hold a sample rate of \(spec.sampleRate) Hz",
        remedy: .useFormat(["wav"]))
    }
    // RFC 9639 section 8.2: the number of frames is a 36-bit field.
    guard description.frameCount < 1 << 36 else {
      throw .cannotHold(
        path, reason: "FLAC cannot hold \(description.frameCount) frames", remedy: nil)
    }
    guard !isFloat else {
      throw .cannotHold(path, reason: "FLAC cannot hold floating-point samples", remedy: nil)
    }
    self.init(
      channelCount: spec.channelCount, bitDepth: bitDepth, sampleRate: rate,
      frameCount: description.frameCount, compressionLevel: UInt32(level),
      serialNumber: inOgg ? OggSerialNumber.number(for: description) : nil)
  }
}

/// Conversion of samples for libFLAC: 32-bit integers in the order of the file's channels.
enum FLACSamples {
  /// Puts interleaved frames into `block` at frame `first`; `order` gives the source channel of
  /// each channel of the file.
  @specialized(where Sample == Int8)
  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  static func put<Sample: PCMSample>(
    _ frames: Span<Sample>, order: [Int], into block: inout [Int32], at first: Int
  ) {
    let channels = order.count
    var block = block.mutableSpan
    // The usual case needs one pass rather than one for each channel.
    if order.elementsEqual(0..<channels) {
      let start = first * channels
      for index in frames.indices { block[start + index] = frames[index].nearestInteger }
      return
    }
    for (channel, source) in order.enumerated() {
      var target = first * channels + channel
      for index in stride(from: source, to: frames.count, by: channels) {
        block[target] = frames[index].nearestInteger
        target += channels
      }
    }
  }
}
