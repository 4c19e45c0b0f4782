internal import CSndFile
internal import Synchronization

/// A libsndfile handle, closed when it goes.
final class SndFileHandle {
  let pointer: OpaquePointer
  let info: SF_INFO
  let stream: SndFileStream

  // Opening is what libsndfile does with global state: the last error, its log, and the random numbers
  // that tell Ogg streams apart.
  private static let opening = Mutex(())

  /// Opens a stream for reading or writing; on failure says why in libsndfile's own words.
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

  /// What the last call complained of; `nil` when it did not.
  var complaint: String? {
    sf_error(pointer) == 0 ? nil : String(cString: sf_strerror(pointer))
  }

  /// Decodes so many frames for nobody, a few thousand at most.
  func skip(frames: Int) {
    let channels = max(1, Int(info.channels))
    var block = [Float](repeating: 0, count: 1024 * channels)
    var left = frames
    while left > 0 {
      let got = Int(sf_readf_float(pointer, &block, sf_count_t(min(left, 1024))))
      if got <= 0 { return }
      left -= got
    }
  }

  /// Asks for one number by a command; `nil` when libsndfile has none.
  func value(_ command: Int) -> Int32? {
    var value: Int32 = 0
    let size = Int32(MemoryLayout<Int32>.size)
    return sf_command(pointer, Int32(command), &value, size) != 0 ? value : nil
  }
}

/// Why libsndfile refused, in its own words.
struct SndFileFailure: Error {
  let code: Int32
  let message: String
}
