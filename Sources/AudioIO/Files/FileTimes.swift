internal import SystemPackage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// When a file was last changed and last read.
package struct FileTimes {
  private let accessed, modified: timespec

  /// The times of an input; `nil` for what came through a pipe, which has none.
  package init?(of input: borrowing InputFile) {
    var status = stat()
    guard input.stamp != nil, fstat(input.descriptor.rawValue, &status) == 0 else { return nil }
    #if canImport(Darwin)
      (accessed, modified) = (status.st_atimespec, status.st_mtimespec)
    #else
      (accessed, modified) = (status.st_atim, status.st_mtim)
    #endif
  }

  /// Gives an output these times; must come after the last byte is written.
  package func apply(to output: borrowing OutputFile) throws(AudioFileError) {
    guard futimens(output.descriptor.rawValue, [accessed, modified]) == 0 else {
      throw .cannotWrite(output.path, Errno(rawValue: errno))
    }
  }
}
