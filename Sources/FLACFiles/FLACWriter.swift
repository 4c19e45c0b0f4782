internal import AudioContainers
package import AudioIO
package import AudioModel
internal import CFLAC
internal import SystemPackage

/// Writes FLAC, native or in Ogg, through libFLAC.
package final class FLACWriter: AudioFileWriter {
  package let warnings: [String]
  package let notCarried: [String]
  private let path: FilePath
  private let target: Target
  private let frameCount: Int
  /// For each channel of the file, the channel of the frames that are given.
  private let order: [Int]
  private var framesWritten = 0
  private var scratch: [Int32]

  /// What encodes: in Ogg, where frames stand in packets and pages, libFLAC does all.
  private enum Target {
    case ogg(FLACEncoder)
    case native(SegmentedFLAC)
  }

  /// Frames that are handed to libFLAC at a time.
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
      throw .encoderFailed(path, reason: "more than the \(frameCount) frames announced came")
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
        path, reason: "only \(framesWritten) of the \(frameCount) frames announced came")
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
  /// The settings for what is described; throws what FLAC or the options rule out.
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
        path, reason: "FLAC holds 8 channels at most, not \(spec.channelCount)",
        remedy: .any([.useFormat(["wav"]), .mergeChannels]))
    }
    guard let rate = UInt32(exactly: spec.sampleRate), rate > 0,
      FLAC__format_sample_rate_is_valid(rate) != 0
    else {
      throw .cannotHold(
        path, reason: "FLAC cannot hold a sample rate of \(spec.sampleRate) Hz",
        remedy: .useFormat(["wav"]))
    }
    // RFC 9639 section 8.2: the number of frames is told in 36 bits.
    guard description.frameCount < 1 << 36 else {
      throw .cannotHold(
        path, reason: "FLAC cannot hold \(description.frameCount) frames", remedy: nil)
    }
    guard !isFloat else {
      throw .cannotHold(path, reason: "FLAC holds no floating-point samples", remedy: nil)
    }
    self.init(
      channelCount: spec.channelCount, bitDepth: bitDepth, sampleRate: rate,
      frameCount: description.frameCount, compressionLevel: UInt32(level),
      serialNumber: inOgg ? OggSerialNumber.number(for: description) : nil)
  }
}
