internal import AudioIO
internal import ScaleAudio
internal import SystemPackage

extension FolderApplication {
  /// A file as it is, or a range of its bytes, to be kept by the browser under its name.
  func download(_ request: HTTPRequest, _ file: FileLibrary.File) throws(HTTPFailure)
    -> HTTPResponse
  {
    let body = try read { () throws(AudioFileError) in try FileBody(file) }
    var headers = [
      ("Content-Type", "application/octet-stream"), ("Cache-Control", "private, no-cache"),
      ("Accept-Ranges", "bytes"), ("ETag", body.tag),
      ("Content-Disposition", Self.disposition(file.relativePath)),
    ]
    if request.header("If-None-Match") == body.tag { return HTTPResponse(304, headers: headers) }
    let isFresh = request.header("If-Range").map { $0 == body.tag } ?? true
    let asked = isFresh ? request.header("Range").flatMap { ByteRange($0) } : nil
    guard let asked else {
      return HTTPResponse(200, headers: headers, body: .made(body, byteCount: body.byteCount))
    }
    guard let range = asked.range(in: body.byteCount) else {
      throw HTTPFailure(
        416, Problem(cause: "the range is outside the file"),
        headers: [("Content-Range", "bytes */\(body.byteCount)")])
    }
    headers.append(
      ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.byteCount)"))
    body.narrow(to: range)
    return HTTPResponse(206, headers: headers, body: .made(body, byteCount: range.count))
  }

  /// The name that a browser gives a file: as it is in UTF-8, and in ASCII for others (RFC 6266, section 4.3).
  static func disposition(_ path: FilePath) -> String {
    let shown = path.lastComponent.map { FilePath(root: nil, [$0]).printable } ?? "file"
    let plain = shown.unicodeScalars.map { scalar -> Character in
      let isPlain =
        (0x20..<0x7F).contains(scalar.value) && !"\"\\%/".unicodeScalars.contains(scalar)
      return isPlain ? Character(scalar) : "_"
    }
    let escaped = shown.utf8.map { byte -> String in
      let character = Character(UnicodeScalar(byte))
      if byte < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) {
        return String(character)
      }
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (byte < 16 ? "0" : "") + digits
    }
    return "attachment; filename=\"\(String(plain))\"; filename*=UTF-8''\(escaped.joined())"
  }
}

/// The bytes of a file, read while they are sent.
private final class FileBody: BodySource, @unchecked Sendable {
  private static let blockBytes = 65_536

  private let file: InputFile
  /// The next bytes; used by one call at a time.
  private var bytes: Range<Int>
  /// The size of the file when it was opened.
  let byteCount: Int
  /// A strong tag: another one after the file has changed.
  let tag: String

  init(_ listed: FileLibrary.File) throws(AudioFileError) {
    let file = try listed.opened()
    guard let stamp = file.stamp else { throw .notAFile(listed.path) }
    byteCount = file.size
    bytes = 0..<file.size
    tag = "\"\(listed.id)-\(stamp.size)-\(stamp.modified)\""
    self.file = file
  }

  /// Sends a part only; before the first call of `next`.
  func narrow(to range: Range<Int>) { bytes = range }

  func next() throws -> [UInt8]? {
    if bytes.isEmpty { return nil }
    let wanted = min(bytes.count, Self.blockBytes)
    let block = try [UInt8](unsafeUninitializedCapacity: wanted) { buffer, made in
      made = try file.descriptor.read(
        fromAbsoluteOffset: Int64(file.start + bytes.lowerBound),
        into: UnsafeMutableRawBufferPointer(buffer))
    }
    // A file that has shrunk ends the connection: less was sent than was promised.
    if block.isEmpty { return nil }
    bytes.removeFirst(block.count)
    return block
  }

  func close() {}
}
