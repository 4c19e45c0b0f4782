internal import AudioContainers
package import AudioIO
package import AudioModel
internal import CVorbis
internal import SystemPackage

/// A reader of Ogg Vorbis that uses libvorbisfile.
package final class VorbisReader: FrameStream {
  package let source: SourceDescription
  package var clipping: Clipping { delivery.blocks.clipping }
  package var nonFiniteSamples: Int { delivery.blocks.nonFiniteSamples }
  private var delivery: BlockDelivery<VorbisBlockSource>

  package init(
    _ input: borrowing InputFile, format: AudioFormat, _ options: ReadingOptions
  ) throws(AudioFileError) {
    let salvaging = options.salvages
    let path = input.path
    let decoder = try Self.open(input)
    let properties = try VorbisStreamProperties(
      decoder, path: path, salvaging: salvaging, encoding: input.tagEncoding)
    let length = try VorbisLength(of: input, decoder, spec: properties.spec, options)
    let blocks = try VorbisBlockSource(
      decoder, of: input, spec: properties.spec, salvaging: salvaging,
      leadingFrames: length.leadingFrames)
    blocks.findsPositions = decoder.startPosition(ofLink: 0) == 0 || options.seeksNearby
    delivery = BlockDelivery(
      blocks, frameCount: length.isEstimated ? nil : length.frames,
      channelCount: properties.spec.channelCount, path: path)
    var description = SourceDescription(
      spec: properties.spec, frameCount: length.frames, format: format, codec: "Vorbis",
      sampleFormat: nil, bitRate: properties.bitRate,
      metadata: properties.metadata.takingChapterComments(sampleRate: properties.spec.sampleRate),
      warnings: (properties.warnings + length.warnings).map(AudioWarning.source),
      lengthBasis: length.isEstimated ? .estimated : salvaging ? .counted : .declared)
    description.storage.averageBitRate = StorageDescription.bitRate(
      bytes: max(0, input.size - decoder.audioOffset), frames: length.frames, properties.spec)
    source = description
  }

  /// Opens the file; throws `truncated` if it ends within its headers.
  private static func open(
    _ input: borrowing InputFile
  ) throws(AudioFileError) -> VorbisDecoder {
    do throws(AudioFileError) {
      return try VorbisDecoder(input)
    } catch .cannotRead(let path, let cause) {
      throw .cannotRead(path, cause)
    } catch {
      if try OggStreamEnd(of: input)?.isWhole != true {
        throw .truncated(input.path, expected: nil, found: 0)
      }
      throw error
    }
  }

  package func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    try delivery.read(into: buffer)
  }

  package var seeking: Seeking { delivery.blocks.seeking }

  package func seek(toFrame frame: Int) throws(AudioFileError) {
    try delivery.seek(toFrame: frame)
  }
}

/// The checked properties of a Vorbis file, for all its chained streams.
struct VorbisStreamProperties {
  let spec: AudioSpec
  /// The nominal bit rate, otherwise the average, in bits per second.
  let bitRate: Int?
  private(set) var metadata = Metadata()
  private(set) var warnings: [String] = []

  /// - Parameter encoding: That of comments that are not in UTF-8; `nil` if none is declared.
  init(
    _ decoder: VorbisDecoder, path: FilePath, salvaging: Bool, encoding: TextEncoding?
  ) throws(AudioFileError) {
    guard let info = decoder.info(ofLink: 0) else {
      throw .malformed(path, reason: "its Vorbis headers are damaged")
    }
    let rate = Int(info.rate)
    let channels = Int(info.channels)
    guard (1...AudioLimits.sampleRate).contains(rate),
      (1...AudioLimits.channelCount).contains(channels)
    else { throw .limitExceeded(path, reason: "\(channels) channels at \(rate) Hz") }
    spec = AudioSpec(
      sampleRate: rate, layout: VorbisLayout.layout(channelCount: channels))
    bitRate = info.bitrate_nominal > 0 ? Int(info.bitrate_nominal) : decoder.averageBitRate
    if let comments = decoder.comments(ofLink: 0) { take(comments, encoding) }
    if decoder.linkCount > 1 {
      try check(decoder, path: path, salvaging: salvaging)
      warnings.append(
        "\(decoder.linkCount) chained streams are joined; the tags are those of the first")
    }
  }

  /// Throws unless all chained streams have the sample rate and channel count of the first.
  private func check(
    _ decoder: VorbisDecoder, path: FilePath, salvaging: Bool
  ) throws(AudioFileError) {
    for link in 1..<decoder.linkCount {
      guard let info = decoder.info(ofLink: link) else {
        throw .malformed(path, reason: "chained stream \(link + 1) is damaged")
      }
      if Int(info.rate) != spec.sampleRate {
        throw .unsupported(
          path,
          reason: "the sample rate changes from \(spec.sampleRate) to \(info.rate) Hz in chained "
            + "stream \(link + 1)")
      }
      if Int(info.channels) != spec.channelCount {
        throw .unsupported(
          path,
          reason: "the channel count changes from \(spec.channelCount) to \(info.channels) in "
            + "chained stream \(link + 1)")
      }
    }
  }

  private mutating func take(_ comments: vorbis_comment, _ encoding: TextEncoding?) {
    var dropped = 0
    var texts = TextDecoder(nil, declared: encoding)
    for index in 0..<max(0, Int(comments.comments)) {
      guard let entry = comments.user_comments?[index],
        let length = comments.comment_lengths?[index], length >= 0
      else { continue }
      let comment = entry.withMemoryRebound(to: UInt8.self, capacity: Int(length)) {
        CommentField.comment(of: UnsafeBufferPointer(start: $0, count: Int(length)), &texts)
      }
      guard let comment else {
        dropped += 1
        continue
      }
      if comment.name.uppercased() == PictureBlock.field,
        let picture = PictureBlock.picture(base64: comment.value)
      {
        metadata.pictures.append(picture)
      } else {
        metadata.comments.append(comment)
      }
    }
    metadata.add(texts.stored)
    if dropped > 0 {
      warnings.append(
        "comments dropped because they are not NAME=value: \(dropped)")
    }
  }
}
