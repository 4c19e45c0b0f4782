/// The access rules that every request must pass before anything else handles it.
///
/// A name that an attacker's server resolves to this machine fails by `Host`; another page in the same browser fails
/// by the cookie, which is `SameSite=Strict`, or by `Origin`; another user of the machine does not know the token.
struct Access: Sendable {
  /// 128 bits from the system's generator, in hexadecimal.
  let token: String
  /// The names in `Host` under which the server answers, in lower case.
  private let hosts: Set<String>
  /// True if requests to the local address of the connection are answered, too.
  private let answersByAddress: Bool

  /// - Parameters:
  ///   - address: where the server listens in place of loopback; as in an address of the web.
  ///   - answersByAddress: whether it listens on all addresses.
  init(address: String?, answersByAddress: Bool) {
    var generator = SystemRandomNumberGenerator()
    token = (0..<16).map { _ in
      let byte = String(UInt8.random(in: 0...255, using: &generator), radix: 16)
      return byte.count == 1 ? "0" + byte : byte
    }.joined()
    hosts = Set(["127.0.0.1", "localhost", "[::1]"] + (address.map { [$0.lowercased()] } ?? []))
    self.answersByAddress = answersByAddress
  }

  /// The parts of a request that the rules check.
  struct Question {
    let method: String
    let target: String
    let headers: [(name: String, value: String)]
    /// The address of this machine that the connection came to, as in an address of the web.
    let localAddress: String?
    let localPort: Int

    /// The name of the cookie: cookies of one host reach all its ports.
    fileprivate var cookieName: String { "scaleaudio-\(localPort)" }

    fileprivate func all(_ name: String) -> [String] {
      headers.lazy.filter { $0.name.lowercased() == name }.map(\.value)
    }

    /// The value of a field that comes once.
    fileprivate func only(_ name: String) -> String? {
      let values = all(name)
      return values.count == 1 ? values[0] : nil
    }
  }

  /// A request that may be answered.
  struct Admission {
    let method: HTTPMethod
    let target: RequestTarget
  }

  /// Admits a request, or throws the answer that refuses it or hands out the cookie.
  func admit(_ question: Question) throws(HTTPFailure) -> Admission {
    guard let host = question.only("host")?.lowercased(), isOwn(host, question) else {
      throw HTTPFailure(
        .failure(
          421, "unknown host name", remedy: "open the printed address"))
    }
    guard let method = HTTPMethod(rawValue: question.method) else {
      throw HTTPFailure(
        HTTPResponse.failure(405, "unsupported method")
          .adding("Allow", "GET, HEAD, POST, PUT, DELETE"))
    }
    guard let target = RequestTarget(question.target) else {
      throw HTTPFailure(.failure(400, "malformed address"))
    }
    if method == .get, target.path.isEmpty, let given = target.query.first(named: "token") {
      throw HTTPFailure(isToken(given) ? exchange(question) : Self.unauthorized(target))
    }
    guard hasCookie(question) else { throw HTTPFailure(Self.unauthorized(target)) }
    // Another port of this machine is the same site, to which cookies belong. It could not read an answer, but it
    // could keep the server at work. A person who opens the page comes from anywhere.
    if !target.path.isEmpty, !comesFromHere(question) {
      throw HTTPFailure(.failure(403, "only the server's own page may ask for this"))
    }
    if method.isChange, !isOwnPage(question, host) {
      throw HTTPFailure(.failure(403, "only the server's own page may change anything"))
    }
    return Admission(method: method, target: target)
  }

  /// True if `Host` names this server, with its port.
  private func isOwn(_ host: String, _ question: Question) -> Bool {
    var name = host
    let port = ":\(question.localPort)"
    if host.hasSuffix(port) {
      name = String(host.dropLast(port.count))
    } else if question.localPort != 80 {
      return false
    }
    return hosts.contains(name) || answersByAddress && name == question.localAddress
  }

  /// True if the request comes from a page of this server.
  private func isOwnPage(_ question: Question, _ host: String) -> Bool {
    guard question.only("origin")?.lowercased() == "http://\(host)",
      question.only("x-scaleaudio") == "1"
    else { return false }
    let sites = question.all("sec-fetch-site")
    return sites.isEmpty || sites == ["same-origin"]
  }

  /// True unless the browser says that another page sent the request. Over plain HTTP from another machine,
  /// browsers do not say.
  private func comesFromHere(_ question: Question) -> Bool {
    let sites = question.all("sec-fetch-site")
    return sites.isEmpty || sites == ["same-origin"] || sites == ["none"]
  }

  private func hasCookie(_ question: Question) -> Bool {
    let start = "\(question.cookieName)="
    return question.all("cookie").contains { field in
      field.split(separator: ";").contains { pair in
        let pair = pair.drop { $0 == " " }
        return pair.hasPrefix(start) && isToken(pair.dropFirst(start.count))
      }
    }
  }

  /// Compares in a time that does not depend on where the texts differ.
  private func isToken(_ given: some StringProtocol) -> Bool {
    let (own, given) = (Array(token.utf8), Array(given.utf8))
    guard own.count == given.count else { return false }
    return zip(own, given).reduce(0) { $0 | $1.0 ^ $1.1 } == 0
  }

  /// The answer that hands out the cookie and leads to an address without the token.
  private func exchange(_ question: Question) -> HTTPResponse {
    let cookie = "\(question.cookieName)=\(token); HttpOnly; SameSite=Strict; Path=/"
    // A redirection belongs to the page that led here, and a browser leaves a strict cookie out of what another site
    // leads to. A page of this server that leads on has no such past.
    if let site = question.only("sec-fetch-site"), site != "none", site != "same-origin" {
      return Self.page(200, "One moment", "Opening.", leadsOn: true).adding("Set-Cookie", cookie)
    }
    return HTTPResponse(303, headers: [("Location", "/"), ("Set-Cookie", cookie)])
  }

  private static func unauthorized(_ target: RequestTarget) -> HTTPResponse {
    target.path.isEmpty
      ? page(
        401, "Not yet open in this browser",
        "Open the address that scaleaudio serve printed in its terminal: it holds the key.")
      : .failure(
        401, "the request has no valid cookie",
        remedy: "open the address that scaleaudio serve printed")
  }

  private static func page(_ status: Int, _ title: String, _ text: String, leadsOn: Bool = false)
    -> HTTPResponse
  {
    let lead = leadsOn ? #"<meta http-equiv="refresh" content="0;url=/">"# : ""
    let html = """
      <!doctype html><html lang="en"><head><meta charset="utf-8"><title>\(title)</title>\
      <meta name="viewport" content="width=device-width">\(lead)</head>\
      <body><h1>\(title)</h1><p>\(text)</p></body></html>

      """
    return HTTPResponse(
      status, headers: [("Content-Type", "text/html; charset=utf-8")],
      body: .bytes(Array(html.utf8)))
  }

  /// The fields of every answer.
  static let fields: [(String, String)] = [
    (
      "Content-Security-Policy",
      """
      default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; \
      media-src 'self' blob:; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
      frame-ancestors 'none'; require-trusted-types-for 'script'
      """
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
  ]
}
