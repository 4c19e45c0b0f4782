internal import CSndFile
internal import SystemPackage

/// A libsndfile handle, closed when it goes.
struct SndFileHandle: ~Copyable {
  let pointer: OpaquePointer
  private(set) var info: SF_INFO

  /// Opens a descriptor, which this handle then owns and closes.
  ///
  /// Throws libsndfile's own words.
  init(descriptor: FileDescriptor, mode: Int32, info: SF_INFO = SF_INFO()) throws(SndFileFailure) {
    var info = info
    guard let pointer = sf_open_fd(descriptor.rawValue, mode, &info, Int32(SF_TRUE)) else {
      // On failure sf_open_fd has closed the descriptor itself.
      throw SndFileFailure(message: String(cString: sf_strerror(nil)))
    }
    self.pointer = pointer
    self.info = info
  }

  deinit { sf_close(pointer) }

  /// What libsndfile last complained of.
  var message: String { String(cString: sf_strerror(pointer)) }
}

/// Why libsndfile refused, in its own words.
struct SndFileFailure: Error {
  let message: String
}
