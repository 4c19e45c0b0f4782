#if Serve
  import Foundation

  /// A connection to a server on this machine: bytes as they are, without a library that knows HTTP.
  final class Client {
    struct Failure: Error { let reason: String }

    private var descriptor: Int32
    private var arrived: [UInt8] = []

    /// Connects to 127.0.0.1.
    ///
    /// - Parameter receiveBytes: how much the system may hold of what is not read yet.
    init(_ port: Int, receiveBytes: Int32? = nil) throws {
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      if var bytes = receiveBytes {
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, 4)
      }
      // Longer than anything takes: a test fails rather than hangs.
      var patience = timeval(tv_sec: 20, tv_usec: 0)
      setsockopt(
        descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = UInt16(port).bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      let status = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      if status != 0 { throw Failure(reason: "cannot connect: \(errno)") }
    }

    deinit { leave() }

    /// Closes the connection.
    func leave() {
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }

    /// Sends all bytes, or as many as the server takes before it closes.
    func send(_ bytes: [UInt8]) {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count <= 0 { return }
        rest = rest.dropFirst(count)
      }
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// Receives more; `false` at the end.
    private func receive() throws -> Bool {
      var block = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &block, block.count, 0)
      if count < 0, errno == EAGAIN { throw Failure(reason: "nothing arrives") }
      if count <= 0 { return false }
      arrived += block.prefix(count)
      return true
    }

    /// True if the server closes the connection without sending anything more.
    func ends() throws -> Bool { try arrived.isEmpty && !receive() }

    /// Everything up to the end.
    func rest() throws -> [UInt8] {
      while try receive() {}
      defer { arrived = [] }
      return arrived
    }

    /// Receives this many bytes and drops them.
    func skip(_ count: Int) throws {
      var rest = count - arrived.count
      arrived = []
      while rest > 0 {
        guard try receive() else { throw Failure(reason: "the connection ended") }
        rest -= arrived.count
        arrived = []
      }
    }

    private func line() throws -> String {
      while true {
        if let end = arrived.firstIndex(of: UInt8(ascii: "\n")) {
          let text = String(decoding: arrived[..<end].dropLast(), as: UTF8.self)
          arrived.removeSubrange(...end)
          return text
        }
        guard try receive() else { throw Failure(reason: "the connection ended within a line") }
      }
    }

    private func take(_ count: Int) throws -> [UInt8] {
      while arrived.count < count {
        guard try receive() else { throw Failure(reason: "the connection ended within a body") }
      }
      defer { arrived.removeFirst(count) }
      return Array(arrived.prefix(count))
    }

    /// An answer as it arrived.
    struct Answer {
      let status: Int
      let fields: [(name: String, value: String)]
      var body: [UInt8] = []

      /// The values of a field.
      func all(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
      }

      /// The value of a field that comes once.
      func field(_ name: String) -> String? {
        let values = all(name)
        return values.count == 1 ? values[0] : nil
      }

      var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// The header of the next answer.
    func head() throws -> Answer {
      let status = try line().split(separator: " ")
      guard status.count > 1, status[0] == "HTTP/1.1", let number = Int(status[1]) else {
        throw Failure(reason: "\(status) is no status line")
      }
      var fields: [(name: String, value: String)] = []
      while case let text = try line(), !text.isEmpty {
        let parts = text.split(separator: ":", maxSplits: 1)
        fields.append(
          (String(parts[0]), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""))
      }
      return Answer(status: number, fields: fields)
    }

    /// The next answer, whole.
    func answer(toHead: Bool = false) throws -> Answer {
      var answer = try head()
      if toHead || [204, 304].contains(answer.status) || answer.status < 200 { return answer }
      if let count = answer.field("Content-Length").flatMap({ Int($0) }) {
        answer.body = try take(count)
      } else if answer.field("Transfer-Encoding") == "chunked" {
        while case let count = Int(try line(), radix: 16) ?? 0, count > 0 {
          answer.body += try take(count)
          _ = try line()
        }
        _ = try line()
      } else {
        answer.body = try rest()
      }
      return answer
    }
  }
#endif
