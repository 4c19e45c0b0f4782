package import AudioModel
package import SystemPackage

/// A source of decoded blocks, in order.
package protocol BlockSource: AnyObject {
  /// The number of frames in the current block.
  var blockFrameCount: Int { get }
  /// How the source seeks.
  var seeking: Seeking { get }
  /// Seeks to a frame, so that the next block begins with it or with one before. If that fails, or if the source is not
  /// direct, seeks to the first frame.
  ///
  /// Returns the number of the frame reached; the current block is then empty. Returns `nil` and changes nothing if
  /// decoding on from `position`, the next frame to deliver, is the nearer way.
  func seek(toFrame frame: Int, from position: Int) throws(AudioFileError) -> Int?
  /// Advances to the next block. Returns the frames of silence to insert before it, or `nil` at the end.
  func next() throws(AudioFileError) -> Int?
  /// Interleaves `count` frames, starting at frame `first` of the block, into `buffer` at frame `start`.
  func interleave<Sample: PCMSample>(
    from first: Int, count: Int, into buffer: inout MutableSpan<Sample>, at start: Int)
}

/// Delivers a stream of blocks in reads of any size.
package struct BlockDelivery<Blocks: BlockSource> {
  package let blocks: Blocks
  private let path: FilePath
  private let channelCount: Int
  private let frameCount: Int
  private var framesLeft: Int
  /// Frames of silence left to deliver before the block.
  private var silenceLeft = 0
  /// Frames of the block already delivered.
  private var blockOffset = 0
  private var hasEnded = false
  /// True when the stream may have any number of frames.
  private let isOpenEnded: Bool
  /// The error to throw after the frames that were delivered last.
  private var failure: AudioFileError?

  /// Delivers exactly `frameCount` frames; a stream with fewer or more is an error. Without a count, it delivers all.
  package init(_ blocks: Blocks, frameCount: Int?, channelCount: Int, path: FilePath) {
    self.blocks = blocks
    self.path = path
    self.channelCount = channelCount
    isOpenEnded = frameCount == nil
    let frameCount = frameCount ?? Int.max / 2
    self.frameCount = frameCount
    framesLeft = frameCount
  }

  /// Fills `buffer` with the next frames, and returns how many; 0 only at the end.
  package mutating func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    if let failure { throw failure }
    let wanted = min(buffer.sampleCount / channelCount, framesLeft)
    var done = 0
    while done < wanted, !(isOpenEnded && hasEnded) {
      if silenceLeft > 0 {
        let count = min(silenceLeft, wanted - done)
        buffer.silence(done * channelCount..<(done + count) * channelCount)
        silenceLeft -= count
        done += count
      } else if blockOffset < blocks.blockFrameCount {
        let count = min(blocks.blockFrameCount - blockOffset, wanted - done)
        interleave(count, into: buffer, at: done)
        blockOffset += count
        done += count
      } else {
        do throws(AudioFileError) {
          if try !advance(), !isOpenEnded {
            throw .truncated(path, expected: frameCount, found: frameCount - framesLeft + done)
          }
        } catch {
          if done == 0 { throw error }
          failure = error
          framesLeft -= done
          return done
        }
      }
    }
    framesLeft -= done
    if framesLeft == 0, !hasEnded { try checkEnd() }
    return done
  }

  /// Interleaves frames of the current block into `buffer` at frame `start`.
  private func interleave(_ count: Int, into buffer: FrameBuffer, at start: Int) {
    func interleave<Sample: PCMSample>(_: Sample.Type) {
      buffer.withSamples(of: Sample.self) { samples in
        blocks.interleave(from: blockOffset, count: count, into: &samples, at: start)
      }
    }
    interleave(buffer.format.sampleType)
  }

  /// Seeks to a frame, from 0 to the frame count; the next read starts there.
  package mutating func seek(toFrame frame: Int) throws(AudioFileError) {
    var position = frameCount - framesLeft
    if frame == position, failure == nil { return }
    failure = nil
    // No block begins at the end.
    if frameCount > 0, blocks.seeking == .direct || frame < position,
      let reached = try blocks.seek(toFrame: min(frame, frameCount - 1), from: position)
    {
      position = reached
      framesLeft = frameCount - position
      silenceLeft = 0
      blockOffset = 0
      hasEnded = false
    }
    try drop(frame - position)
  }

  /// Skips `count` frames.
  private mutating func drop(_ count: Int) throws(AudioFileError) {
    var left = count
    while left > 0, !(isOpenEnded && hasEnded) {
      if silenceLeft > 0 {
        let part = min(silenceLeft, left)
        silenceLeft -= part
        left -= part
      } else if blockOffset < blocks.blockFrameCount {
        let part = min(blocks.blockFrameCount - blockOffset, left)
        blockOffset += part
        left -= part
      } else if try !advance(), !isOpenEnded {
        throw .truncated(path, expected: frameCount, found: frameCount - framesLeft + count - left)
      }
    }
    framesLeft -= count - left
  }

  /// Throws if the stream continues after its last frame.
  private mutating func checkEnd() throws(AudioFileError) {
    var isMore = blockOffset < blocks.blockFrameCount || silenceLeft > 0
    if !isMore { isMore = try advance() }
    if isMore {
      throw .malformed(
        path, reason: "it contains more than the \(frameCount) frames it declares")
    }
  }

  /// Advances to the next block; `false` at the end.
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
