public import AudioModel

/// Frames in order, from the first or from any other.
///
/// A file is a stream, and so are a part of one, joined files, a mix of channels, and the output of a scaler. Consumers
/// pull samples from the last stream of such a chain. Only one thread at a time may use a stream.
package protocol FrameStream: AnyObject {
  /// The frames, described like a file. The frame count is exact unless it is marked as estimated.
  var source: SourceDescription { get }
  /// Samples read so far that exceeded full scale and were clamped.
  var clipping: Clipping { get }
  /// Samples read so far that were NaN or infinite and became silence.
  var nonFiniteSamples: Int { get }

  /// Fills `buffer` with the next frames, interleaved, and returns how many were written; 0 only at the end.
  ///
  /// Samples are converted to the type of the buffer, which must be the same in all calls. A type at least as deep as
  /// `source.sampleFormat` is lossless.
  ///
  /// The total over all calls is `source.frameCount`. If the audio is damaged, the frames before the damage are
  /// delivered, then an error is thrown. If the length is estimated, the total is the number of frames that the file
  /// has.
  func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int

  /// Fills `block` with the next frames, and returns how many; 0 only at the end. A stream that already has a filled
  /// block swaps the memory of both instead.
  @discardableResult
  func read(into block: Block) throws(AudioFileError) -> Int

  /// The way the stream seeks.
  var seeking: Seeking { get }

  /// Seeks to a frame, from 0 to the frame count; the next read starts there. If the length is estimated and there is
  /// no such frame, the next read delivers no frames.
  ///
  /// Frames equal those of sequential reading, bit for bit, unless a file was opened with `seeksNearby`. Damage before
  /// the frame may go unnoticed, and so may errors that only a read of the whole file reveals, such as a wrong
  /// signature. After an error, the stream is unusable.
  func seek(toFrame frame: Int) throws(AudioFileError)

  /// Throws if the last bytes of `input` show that the end of the audio is missing.
  ///
  /// This finds a truncated file early; reading would find it only at the end.
  func checkEnd(of input: borrowing InputFile) throws(AudioFileError)
}

extension FrameStream {
  package func checkEnd(of input: borrowing InputFile) throws(AudioFileError) {}

  package var clipping: Clipping { Clipping() }

  package var nonFiniteSamples: Int { 0 }

  /// Sample rate and channel layout.
  package var spec: AudioSpec { source.spec }

  /// Fills `samples` with the next frames, and returns how many; 0 only at the end. See ``read(into:)``.
  package func read<Sample: PCMSample>(
    into samples: inout MutableSpan<Sample>
  ) throws(AudioFileError) -> Int {
    try samples.withUnsafeMutableBytes { (memory) throws(AudioFileError) in
      try read(into: FrameBuffer(memory, of: Sample.format))
    }
  }

  @discardableResult
  package func read(into block: Block) throws(AudioFileError) -> Int {
    block.frameCount = try read(into: block.buffer)
    return block.frameCount
  }
}

/// The way a stream seeks.
package enum Seeking: Sendable {
  /// Jumps to the frame's position in the file; this takes equally long for every frame.
  case direct
  /// Decodes the frames before it, from the current one or from the first.
  case decoding
}
