package import AudioIO
internal import SystemPackage

/// Copies of Ogg files with edited pages.
package enum OggCopy {
  /// A copy of a file in an anonymous file.
  ///
  /// - Parameters:
  ///   - edit: Edits the bytes of each page. It gets the page and its offset; the page is `nil` for bytes that are
  ///     not an undamaged page, which the decoder reports.
  package static func make(
    of input: borrowing InputFile, edit: (inout [UInt8], OggPage?, Int) -> Void
  ) throws(AudioFileError) -> InputFile {
    let file = try Spool.makeFile()
    do throws(AudioFileError) {
      var position = 0
      while position < input.size {
        let page = try OggPage(of: input, at: position)
        let count = page?.byteCount ?? min(OggPage.maximumByteCount, input.size - position)
        var bytes = try input.bytes(at: position, count: count)
        guard !bytes.isEmpty else { break }
        edit(&bytes, page, position)
        do {
          try file.writeAll(bytes)
        } catch {
          throw AudioFileError.cannotWrite(input.path, error as? Errno ?? .ioError)
        }
        position += count
      }
    } catch {
      try? file.close()
      throw error
    }
    return try InputFile(descriptor: file, path: input.path)
  }
}
