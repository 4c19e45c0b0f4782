internal import CServerPage
internal import CZlib

/// The files of the page, as they are embedded in the program.
struct PageFiles: Sendable {
  private struct File {
    let bytes: [UInt8]
    let type: String
    /// A strong entity tag.
    let tag: String
  }

  private let files = PageFiles.all

  /// Made once. Only the modules are other than in their folder: `main.js` has all of them.
  private static let all: [String: File] = {
    var contents: [String: [UInt8]] = [:]
    while let file = scaleaudio_page_file_at(contents.count)?.pointee {
      let bytes = UnsafeBufferPointer(start: file.bytes, count: file.count)
      contents[String(cString: file.name)] = Array(bytes)
    }
    let modules = contents.filter { $0.key.hasSuffix(".js") }
    contents["main.js"] = Array(
      PageModules.joined(modules.mapValues { String(decoding: $0, as: UTF8.self) }).utf8)
    var files: [String: File] = [:]
    for (name, bytes) in contents {
      files[name] = File(
        bytes: bytes, type: PageFiles.type(of: name), tag: PageFiles.tag(of: bytes))
    }
    return files
  }()

  /// The names of all files.
  var names: [String] { files.keys.sorted() }

  /// The answer to `GET /` or `GET /page/NAME`; `nil` if the path is neither.
  func answer(_ request: HTTPRequest) -> HTTPResponse? {
    let name: String
    switch request.path.count {
    case 0: name = "index.html"
    case 2 where request.path[0] == "page": name = request.path[1]
    default: return nil
    }
    guard !request.method.isChange else {
      return HTTPResponse.failure(405, "the page is read-only").adding("Allow", "GET, HEAD")
    }
    guard let file = files[name] else { return .notFound }
    let fields = [("ETag", file.tag), ("Cache-Control", "no-cache")]
    if let known = request.header("if-none-match"), Self.isListed(file.tag, in: known) {
      return HTTPResponse(304, headers: fields)
    }
    return HTTPResponse(
      200, headers: [("Content-Type", file.type)] + fields, body: .bytes(file.bytes))
  }

  /// True if a list of entity tags holds one, by weak comparison (RFC 9110, section 13.1.2).
  private static func isListed(_ tag: String, in list: String) -> Bool {
    list.split(separator: ",").contains { entry in
      let entry = entry.drop { $0 == " " }.split(separator: " ", maxSplits: 1).first ?? ""
      return entry == "*" || entry == tag || entry == "W/\(tag)"
    }
  }

  private static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    case "flac": "audio/flac"
    default: "application/octet-stream"
    }
  }

  private static func tag(of bytes: [UInt8]) -> String {
    "\"\(bytes.count)-\(String(crc32_z(0, bytes, bytes.count), radix: 16))\""
  }
}
