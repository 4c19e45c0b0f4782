internal import AudioContainers
internal import AudioIO
internal import CSndFile

/// What of a file libsndfile is shown; opened anew for each pass over it.
struct SndFileView: Sendable {
  var ranges: [Range<Int>]
  var patches: [HeaderPatch] = []
  var endIsKnown = true

  /// Opens the view for reading.
  func open(_ input: borrowing InputFile) throws(AudioFileError) -> SndFileHandle {
    let start = input.start
    let stream = SndFileStream(
      reading: try input.duplicate(),
      ranges: ranges.map { start + $0.lowerBound..<start + $0.upperBound }, patches: patches,
      endIsKnown: endIsKnown)
    do throws(SndFileFailure) {
      return try SndFileHandle(stream, mode: Int32(SFM_READ))
    } catch {
      if let cause = stream.failure { throw .cannotRead(input.path, cause) }
      switch Int(error.code) {
      case SF_ERR_UNRECOGNISED_FORMAT: throw .notAudio(input.path)
      case SF_ERR_UNSUPPORTED_ENCODING: throw .unsupported(input.path, reason: error.message)
      case _ where error.message.lowercased().contains("channel"):
        throw .limitExceeded(input.path, reason: error.message)
      default: throw .malformed(input.path, reason: error.message)
      }
    }
  }

  /// Decodes everything, in bounded memory, to find how many frames there are.
  func countFrames(
    _ input: borrowing InputFile, _ encoding: SampleEncoding
  ) throws(AudioFileError) -> Int {
    let handle = try open(input)
    let channels = max(1, Int(handle.info.channels))
    let blockFrames = max(1, 16384 / channels)
    var block = [Float](repeating: 0, count: blockFrames * channels)
    var total = 0
    while true {
      let got = Int(sf_readf_float(handle.pointer, &block, sf_count_t(blockFrames)))
      if got <= 0 { break }
      total += got
    }
    if let cause = handle.stream.failure { throw .cannotRead(input.path, cause) }
    return total
  }
}
