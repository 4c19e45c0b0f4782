internal import AudioIO
internal import AudioModel
internal import AudioTags
internal import CVorbis
internal import SystemPackage

/// What the headers of a Vorbis file say, over all its chained streams, checked.
struct VorbisStreamFacts {
  let spec: AudioSpec
  /// Bits per second: the nominal rate, else the average.
  let bitRate: Int?
  private(set) var metadata = Metadata()
  private(set) var warnings: [String] = []

  init(_ decoder: VorbisDecoder, path: FilePath, salvaging: Bool) throws(AudioFileError) {
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
    if let comments = decoder.comments(ofLink: 0) { take(comments) }
    if decoder.linkCount > 1 {
      try check(decoder, path: path, salvaging: salvaging)
      warnings.append(
        "\(decoder.linkCount) chained streams are joined; the tags are those of the first")
    }
  }

  /// Throws unless all chained streams have the rate and channels of the first.
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

  private mutating func take(_ comments: vorbis_comment) {
    var dropped = 0
    for index in 0..<max(0, Int(comments.comments)) {
      guard let entry = comments.user_comments?[index],
        let length = comments.comment_lengths?[index], length >= 0
      else { continue }
      let comment = entry.withMemoryRebound(to: UInt8.self, capacity: Int(length)) {
        CommentField.comment(of: UnsafeBufferPointer(start: $0, count: Int(length)))
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
    if dropped > 0 {
      warnings.append("\(dropped) tags are not NAME=value in UTF-8 and are not carried")
    }
  }
}
