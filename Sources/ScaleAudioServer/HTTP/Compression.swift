internal import CZlib

extension HTTPResponse {
  /// The answer with its body in gzip, where that is shorter and the request accepts it.
  func compressed(for request: HTTPRequest) -> HTTPResponse {
    guard case .bytes(let bytes) = body, bytes.count >= 1024, status == 200,
      Self.acceptsGzip(request.header("Accept-Encoding") ?? "")
    else { return self }
    guard let packed = Self.gzip(bytes), packed.count < bytes.count else { return self }
    var copy = self
    copy.body = .bytes(packed)
    copy.headers += [("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding")]
    return copy
  }

  /// True if a list of codings has gzip, and does not refuse it (RFC 9110, section 12.5.3).
  static func acceptsGzip(_ list: String) -> Bool {
    list.split(separator: ",").contains { item in
      let parts = item.split(separator: ";").map {
        $0.filter { $0 != " " && $0 != "\t" }.lowercased()
      }
      guard let name = parts.first, ["gzip", "x-gzip"].contains(name) else { return false }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
      return weight.map { Double($0) ?? 0 > 0 } ?? true
    }
  }

  /// Bytes as a gzip file (RFC 1952); `nil` where memory is lacking.
  private static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    guard scaleaudio_gzip_begin(&stream) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    guard bytes.count < Int(UInt32.max) else { return nil }
    var input = bytes
    let bound = Int(deflateBound(&stream, uLong(bytes.count)))
    return input.withUnsafeMutableBufferPointer { input -> [UInt8]? in
      stream.next_in = input.baseAddress
      stream.avail_in = uInt(input.count)
      var isWhole = false
      let packed = [UInt8](unsafeUninitializedCapacity: bound) { output, made in
        stream.next_out = output.baseAddress
        stream.avail_out = uInt(output.count)
        isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
        made = output.count - Int(stream.avail_out)
      }
      return isWhole ? packed : nil
    }
  }
}
