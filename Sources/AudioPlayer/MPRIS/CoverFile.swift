#if os(Linux)
  internal import AudioModel
  internal import Glibc

  /// A picture as a file that only this user can read, for programs that show it; it goes with this value.
  final class CoverFile {
    let path: String

    /// Writes the picture that shows best what is played; `nil` if there is none, or it cannot be written.
    init?(_ pictures: [Metadata.Picture]) {
      let files = pictures.filter { $0.mimeType != "-->" && !$0.data.isEmpty }
      guard let picture = files.first(where: { $0.type == 3 }) ?? files.first else { return nil }
      let ending =
        switch picture.mimeType.lowercased() {
        case "image/png": ".png"
        case "image/gif": ".gif"
        case "image/webp": ".webp"
        default: ".jpg"
        }
      var name = Array((Self.folder + "/scaleaudio-cover-XXXXXX" + ending).utf8CString)
      let descriptor = mkstemps(&name, Int32(ending.utf8.count))
      guard descriptor >= 0 else { return nil }
      path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let isWritten = picture.data.withUnsafeBytes { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
          let count = write(
            descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { return false }
          rest = rest.dropFirst(count)
        }
        return true
      }
      close(descriptor)
      // What is left of it goes with this value.
      if !isWritten { return nil }
    }

    deinit { unlink(path) }

    /// The user's own folder of this session, or that of temporary files.
    private static var folder: String {
      for variable in ["XDG_RUNTIME_DIR", "TMPDIR"] {
        if let value = getenv(variable), access(value, W_OK) == 0 { return String(cString: value) }
      }
      return "/tmp"
    }
  }
#endif
