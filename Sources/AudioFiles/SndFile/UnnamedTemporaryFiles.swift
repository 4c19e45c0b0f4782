#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Takes the names from the temporary files that libsndfile's ALAC encoder leaves when it is killed.
enum UnnamedTemporaryFiles {
  /// Unlinks the files named `…-alac.tmp` that this process has open.
  ///
  /// The encoder keeps its packets in such a file until the end, and removes it by name only then.
  /// Without a name it goes with the process, however that ends.
  static func unlinkALAC() {
    let ending = Array("-alac.tmp".utf8)
    for descriptor in 3..<Int32(clamping: min(getdtablesize(), 4096)) {
      guard let path = path(of: descriptor), path.suffix(ending.count).elementsEqual(ending) else {
        continue
      }
      (path + [0]).withUnsafeBytes { bytes in
        guard let name = bytes.bindMemory(to: CChar.self).baseAddress else { return }
        unlink(name)
      }
    }
  }

  private static func path(of descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX) + 1)
    #if os(Linux)
      let count = bytes.withUnsafeMutableBytes { buffer -> Int in
        guard let start = buffer.bindMemory(to: CChar.self).baseAddress else { return -1 }
        return readlink("/proc/self/fd/\(descriptor)", start, buffer.count - 1)
      }
      return count > 0 ? Array(bytes[..<count]) : nil
    #else
      let status = bytes.withUnsafeMutableBytes { fcntl(descriptor, F_GETPATH, $0.baseAddress) }
      return status == -1 ? nil : Array(bytes.prefix { $0 != 0 })
    #endif
  }
}
