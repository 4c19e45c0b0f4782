package import AudioModel
package import SystemPackage

/// The decoded blocks of a stream in order.
package protocol BlockSource: AnyObject {
  /// Frames of the block at hand.
  var blockFrameCount: Int { get }
  /// Goes on to the next block; returns the frames of silence that belong before it, `nil` at the end.
  func next() throws(AudioFileError) -> Int?
  /// Interleaves `count` frames from frame `first` of the block into `buffer`, from its frame `start`.
  func interleave<Sample: PCMSample>(
    from first: Int, count: Int, into buffer: inout MutableSpan<Sample>, at start: Int)
}

/// Cuts the blocks of a stream into what is asked of a reader.
package struct BlockDelivery<Blocks: BlockSource> {
  package let blocks: Blocks
  private let path: FilePath
  private let channelCount: Int
  private let frameCount: Int
  private var framesLeft: Int
  /// Frames of silence still to be delivered before the block.
  private var silenceLeft = 0
  /// Frames of the block that were delivered.
  private var blockOffset = 0
  private var hasEnded = false

  /// The delivery of `frameCount` frames, which the stream must hold, no more and no fewer.
  package init(_ blocks: Blocks, frameCount: Int, channelCount: Int, path: FilePath) {
    self.blocks = blocks
    self.path = path
    self.channelCount = channelCount
    self.frameCount = frameCount
    framesLeft = frameCount
  }

  /// Fills `buffer` with the next frames; returns how many, 0 only at the end.
  package mutating func read<Sample: PCMSample>(
    into buffer: inout MutableSpan<Sample>
  ) throws(AudioFileError) -> Int {
    let wanted = min(buffer.count / channelCount, framesLeft)
    var done = 0
    while done < wanted {
      if silenceLeft > 0 {
        let count = min(silenceLeft, wanted - done)
        for index in done * channelCount..<(done + count) * channelCount {
          buffer[index] = .silence
        }
        silenceLeft -= count
        done += count
      } else if blockOffset < blocks.blockFrameCount {
        let count = min(blocks.blockFrameCount - blockOffset, wanted - done)
        blocks.interleave(from: blockOffset, count: count, into: &buffer, at: done)
        blockOffset += count
        done += count
      } else if try !advance() {
        throw .truncated(path, expected: frameCount, found: frameCount - framesLeft + done)
      }
    }
    framesLeft -= done
    if framesLeft == 0, !hasEnded { try checkEnd() }
    return done
  }

  /// Throws where the stream goes on behind its last frame.
  private mutating func checkEnd() throws(AudioFileError) {
    var isMore = blockOffset < blocks.blockFrameCount || silenceLeft > 0
    if !isMore { isMore = try advance() }
    if isMore {
      throw .malformed(
        path, reason: "it contains more than the \(frameCount) frames it declares")
    }
  }

  /// Goes on to the next block; `false` at the end.
  private mutating func advance() throws(AudioFileError) -> Bool {
    guard let silence = try blocks.next() else {
      hasEnded = true
      return false
    }
    silenceLeft = silence
    blockOffset = 0
    return true
  }
}
