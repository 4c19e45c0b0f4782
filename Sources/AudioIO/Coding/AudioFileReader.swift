package import AudioModel

/// Decodes one audio file, from its first frame to its last.
package protocol AudioFileReader: AnyObject {
  /// What the file holds. Its frame count is exact.
  var source: SourceDescription { get }
  /// Samples read so far that were beyond full scale and had to be clamped.
  var clipping: Clipping { get }
  /// Samples read so far that were no finite numbers, and became silence.
  var nonFiniteSamples: Int { get }

  /// Fills `buffer` with the next frames, interleaved, and returns how many frames were written;
  /// 0 only at the end.
  ///
  /// Samples are told in the type that is asked for; one as deep as `source.sampleFormat`, or deeper,
  /// loses nothing. The type is the same in all calls.
  ///
  /// The total over all calls is `source.frameCount`, or an error is thrown.
  func read<Sample: PCMSample>(into buffer: inout MutableSpan<Sample>)
    throws(AudioFileError) -> Int

  /// How the audio that this reader reads is stored in `input`, the whole file.
  ///
  /// Reads headers only, of the container or of its packets. Where a container has no index of its
  /// packets, they are read through only if `countsPackets`.
  func storage(
    of input: borrowing InputFile, countsPackets: Bool
  ) throws(AudioFileError) -> StorageFacts

  /// Throws where the last bytes of `input` show that the end of the audio is missing, which reading
  /// would otherwise find only there.
  func checkEnd(of input: borrowing InputFile) throws(AudioFileError)
}

extension AudioFileReader {
  package func checkEnd(of input: borrowing InputFile) throws(AudioFileError) {}

  package var nonFiniteSamples: Int { 0 }
}
