internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import CSndFile
internal import Synchronization

/// An open libsndfile handle.
final class SndFileHandle {
  let pointer: OpaquePointer
  let info: SF_INFO
  let stream: SndFileStream

  // Opening uses libsndfile's global state: the last error, the log, and the random serial numbers
  // of Ogg streams.
  private static let opening = Mutex(())

  /// Opens a stream for reading or writing; throws libsndfile's error message on failure.
  init(_ stream: SndFileStream, mode: Int32, info: SF_INFO = SF_INFO()) throws(SndFileFailure) {
    let opened = Self.opening.withLock { _ in Self.open(stream, mode, info) }
    switch opened {
    case .success(let (address, info)):
      guard let pointer = OpaquePointer(bitPattern: address) else {
        throw SndFileFailure(code: 0, message: "no handle")
      }
      self.pointer = pointer
      self.info = info
      self.stream = stream
    case .failure(let failure):
      throw failure
    }
  }

  deinit { sf_close(pointer) }

  private static func open(
    _ stream: SndFileStream, _ mode: Int32, _ info: SF_INFO
  ) -> Result<(UInt, SF_INFO), SndFileFailure> {
    var info = info
    var functions = SndFileStream.functions
    let user = Unmanaged.passUnretained(stream).toOpaque()
    guard let pointer = sf_open_virtual(&functions, mode, &info, user) else {
      return .failure(
        SndFileFailure(code: sf_error(nil), message: String(cString: sf_strerror(nil))))
    }
    return .success((UInt(bitPattern: pointer), info))
  }

  /// The error message of the last call; `nil` if it succeeded.
  var complaint: String? {
    sf_error(pointer) == 0 ? nil : String(cString: sf_strerror(pointer))
  }

  /// Decodes and drops `frames` frames; returns the number of frames that were missing.
  @discardableResult func skip(frames: Int) -> Int {
    let channels = max(1, Int(info.channels))
    var block = [Float](repeating: 0, count: 1024 * channels)
    var left = frames
    while left > 0 {
      let got = Float.read(pointer, &block, frames: min(left, 1024))
      if got <= 0 { break }
      left -= got
    }
    return left
  }

  /// The integer that a command returns; `nil` if libsndfile has none.
  func value(_ command: Int) -> Int32? {
    var value: Int32 = 0
    let size = Int32(MemoryLayout<Int32>.size)
    return sf_command(pointer, Int32(command), &value, size) != 0 ? value : nil
  }
}

/// An error code and message from libsndfile.
struct SndFileFailure: Error {
  let code: Int32
  let message: String

  /// The error as a description of a file that could not be opened.
  var explanation: String {
    // Messages about the system, which libsndfile also gives when a header misleads it.
    let isMisleading = ["internal error", "possibly a pipe", "System error"].contains {
      message.contains($0)
    }
    let text = message.hasSuffix(".") ? String(message.dropLast()) : message
    return isMisleading
      ? "its header has values that contradict each other or the file"
      : "its header cannot be read: libsndfile reports \"\(text)\""
  }
}

/// The part of a file that libsndfile reads; opened again for each pass.
struct SndFileView: Sendable {
  var ranges: [Range<Int>]
  var endIsKnown = true
  /// A header that replaces that of the file, before the ranges.
  var head: [UInt8] = []
  /// The number of zeros after the ranges.
  var zeroCount = 0

  /// Opens the view for reading.
  func open(_ input: borrowing InputFile) throws(AudioFileError) -> SndFileHandle {
    let start = input.start
    let stream = SndFileStream(
      reading: try input.duplicate(),
      ranges: ranges.map { start + $0.lowerBound..<start + $0.upperBound }, endIsKnown: endIsKnown,
      head: head, zeroCount: zeroCount)
    do throws(SndFileFailure) {
      let handle = try SndFileHandle(stream, mode: Int32(SFM_READ))
      // libsndfile takes bytes that could not be read for zeros, also in a header.
      if let cause = stream.failure { throw SndFileFailure(code: 0, message: cause.words) }
      return handle
    } catch {
      if let cause = stream.failure { throw .cannotRead(input.path, cause) }
      switch Int(error.code) {
      case SF_ERR_UNRECOGNISED_FORMAT: throw .notAudio(input.path)
      case SF_ERR_UNSUPPORTED_ENCODING:
        throw SndFileEncodings.lack(input.path)
      case _ where error.message.contains("G72x"):
        throw .unsupported(
          input.path, reason: "its encoding (G.721) is decoded with one channel only")
      case _ where error.message.contains("unimplemented"):
        throw SndFileEncodings.lack(input.path)
      case _ where error.message.lowercased().contains("channel"):
        throw .limitExceeded(input.path, reason: error.message)
      default: throw .malformed(input.path, reason: error.explanation)
      }
    }
  }

  /// Counts the frames by decoding everything, in bounded memory.
  func countFrames(
    _ input: borrowing InputFile, _ encoding: SampleEncoding
  ) throws(AudioFileError) -> Int {
    let handle = try open(input)
    let channels = max(1, Int(handle.info.channels))
    let blockFrames = max(1, 16384 / channels)
    var block = [Float](repeating: 0, count: blockFrames * channels)
    var total = 0
    while true {
      let got = Float.read(handle.pointer, &block, frames: blockFrames)
      if got <= 0 { break }
      total += got
    }
    if let cause = handle.stream.failure { throw .cannotRead(input.path, cause) }
    return total
  }
}

/// Audio that one handle decodes: a file, or one of several that were joined.
struct SndFilePart {
  let view: SndFileView
  /// The decoded frames that are the audio, without encoder delay and padding.
  var audio: Range<Int>
  /// The frames of undamaged MPEG audio; `nil` for other files.
  var mpeg: MPEGPart?

  /// True when decoding can begin near any frame.
  var hasEntries: Bool { mpeg != nil }

  /// A view that begins at or before a decoded frame, as near as possible, and the decoded frame at which it begins.
  func entry(before frame: Int) -> (view: SndFileView, start: Int) {
    guard let (ranges, start) = mpeg?.ranges(before: frame) else { return (view, 0) }
    var view = view
    view.ranges = ranges
    return (view, start)
  }

  /// Opens the part at its first frame.
  func open(_ input: borrowing InputFile) throws(AudioFileError) -> SndFileHandle {
    let handle = try view.open(input)
    handle.skip(frames: audio.lowerBound)
    return handle
  }
}
