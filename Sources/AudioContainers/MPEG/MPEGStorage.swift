package import AudioIO

/// How a file of MPEG audio stores it.
package enum MPEGStorage {
  package static func facts(
    of input: borrowing InputFile, format: AudioFormat
  ) throws(AudioFileError) -> StorageFacts {
    var facts = StorageFacts(container: format.containerName)
    guard let stream = try MPEGStream(of: input), stream.frameCount > 0 else { return facts }
    facts.audioOffset = stream.firstFrameOffset
    facts.audioByteCount = stream.byteCount
    facts.bitRateMode = stream.isConstant ? .constant : .variable
    facts.packets = StorageFacts.Packets(
      count: stream.frameCount, bytes: stream.frameBytes, frameCount: stream.first.frameCount)
    facts.delay = stream.info?.delay
    facts.padding = stream.info?.padding
    guard facts.delay == nil, stream.leadingTagBytes > 0,
      let gapless = try ITunesGapless(of: input, count: stream.leadingTagBytes)
    else { return facts }
    (facts.delay, facts.padding) = (gapless.delay, gapless.padding)
    return facts
  }
}
