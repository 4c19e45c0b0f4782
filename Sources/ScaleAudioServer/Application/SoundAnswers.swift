internal import AudioIO
internal import ScaleAudio
internal import TimeScaling

extension FolderApplication {
  /// The WAV file of `ID.wav`: what a choice makes of a file, or a range of its bytes.
  func sound(_ request: HTTPRequest, _ name: String) throws(HTTPFailure) -> HTTPResponse {
    guard name.hasSuffix(".wav") else { return .notFound }
    let file = try file(String(name.dropLast(4)))
    let key = try soundKey(request, file)
    let facts: SoundProperties
    do throws(ConversionError) {
      facts = try sounds.facts(key)
    } catch {
      throw HTTPFailure(422, program.problem(error))
    }
    let form = facts.form
    // The live engine's output depends on where it began: nobody may put two answers together, as caches do.
    let tag = facts.isPreview ? nil : entityTag(request, file, facts)
    var headers = [
      ("Content-Type", "audio/wav"), ("Accept-Ranges", "bytes"),
      ("Cache-Control", facts.isPreview ? "no-store" : "no-cache"),
      ("X-Frames", "\(form.frameCount)"),
      ("X-Sample-Rate", "\(form.spec.sampleRate)"), ("X-Channels", "\(form.spec.channelCount)"),
      ("X-Data-Offset", "\(form.header.count)"), ("X-Factor", "\(facts.factor)"),
      ("X-Source-Frames", "\(facts.fileFrameCount)"),
    ]
    if let tag {
      headers.append(("ETag", tag))
      if request.header("If-None-Match") == tag { return HTTPResponse(304, headers: headers) }
    } else {
      headers.append(("X-Preview", "1"))
    }
    let isFresh = request.header("If-Range").map { $0 == tag } ?? true
    let asked = isFresh ? request.header("Range").flatMap { ByteRange($0) } : nil
    var (status, bytes) = (200, 0..<form.byteCount)
    if let asked {
      guard let range = asked.range(in: form.byteCount) else {
        throw HTTPFailure(
          416, Problem(cause: "the range is outside the file"),
          headers: [("Content-Range", "bytes */\(form.byteCount)")])
      }
      (status, bytes) = (206, range)
      headers.append(
        ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(form.byteCount)"))
    }
    let body: (any BodySource)?
    do throws(ConversionError) {
      if request.method == .head {
        body = NoBody()
      } else {
        let made = try SoundBody(sounds, key.hearing, form, bytes)
        if facts.isPreview, let made { headers.append(("X-Run", "\(made.run)")) }
        body = made
      }
    } catch {
      throw HTTPFailure(422, program.problem(error))
    }
    guard let body else {
      throw HTTPFailure(
        503, Problem(cause: "too many sounds are being rendered", remedy: "close other pages"),
        headers: [("Retry-After", "1")])
    }
    return HTTPResponse(status, headers: headers, body: .made(body, byteCount: bytes.count))
  }

  /// The sound that a request asks for.
  private func soundKey(
    _ request: HTTPRequest, _ file: FileLibrary.File
  ) throws(HTTPFailure) -> SoundPool.Key {
    func number(_ name: String, default value: Double) throws(HTTPFailure) -> Double {
      guard let text = request[name] else { return value }
      guard let number = Double(text), number.isFinite else {
        throw HTTPFailure(400, Problem(cause: "\(name) is not a number"))
      }
      return number
    }
    let choice = Choice { request[$0] }
    var settings: ConversionSettings?
    if !choice.values.isEmpty {
      do throws(Problem) {
        let asked = try program.request(choice)
        guard asked.otherSettings.isEmpty else {
          throw Problem(cause: "only one value can be played at a time", remedy: "choose one")
        }
        // Level and rate change what is stored, not what is compared.
        var heard = asked.settings
        (heard.level, heard.sampleRate) = (.unchanged, nil)
        settings = heard
      } catch {
        throw HTTPFailure(422, error)
      }
    }
    let depth = request["depth"]
    guard depth == nil || depth.flatMap({ WAVForm.Depth(rawValue: $0) }) != nil else {
      throw HTTPFailure(400, Problem(cause: "depth is 16, 24 or float"))
    }
    let rate = try number("rate", default: 1)
    let semitones = try number("tune", default: 0)
    let (rates, shifts) = (StretchSettings.liveRateRange, StretchSettings.liveSemitoneRange)
    guard rates.contains(rate), shifts.contains(semitones) else {
      throw HTTPFailure(
        422,
        Problem(
          cause:
            "playback supports rates of \(rates.lowerBound) to \(rates.upperBound) and shifts of up to \(shifts.upperBound) semitones"
        ))
    }
    return SoundPool.Key(
      hearing: Hearing(file: file, settings: settings, rate: rate, semitones: semitones),
      depth: depth.flatMap { WAVForm.Depth(rawValue: $0) })
  }

  /// A strong tag: other bytes have another one while this server runs.
  private func entityTag(
    _ request: HTTPRequest, _ file: FileLibrary.File, _ facts: SoundProperties
  ) -> String {
    var hasher = Hasher()
    hasher.combine(Choice { request[$0] })
    for name in ["rate", "tune"] { hasher.combine(request[name]) }
    hasher.combine(facts.form)
    hasher.combine(facts.stamp)
    let hash = UInt(bitPattern: hasher.finalize())
    return "\"\(file.id)-\(String(hash, radix: 36))\""
  }
}

/// One range of bytes of a `Range` header.
///
/// Source: RFC 9110 section 14.1.2. Several ranges are answered with the whole file, as section 14.2 allows.
struct ByteRange: Equatable {
  private enum Form: Equatable {
    case from(Int, through: Int?)
    case last(Int)
  }
  private let form: Form

  init?(_ header: String) {
    guard header.hasPrefix("bytes=") else { return nil }
    let parts = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    func number(_ text: Substring) -> Int? {
      text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
    }
    if parts[0].isEmpty {
      guard let count = number(parts[1]) else { return nil }
      form = .last(count)
      return
    }
    guard let first = number(parts[0]) else { return nil }
    let last = number(parts[1])
    guard parts[1].isEmpty || last != nil, last.map({ $0 >= first }) ?? true else { return nil }
    form = .from(first, through: last)
  }

  /// The bytes in a file; `nil` if there are none.
  func range(in byteCount: Int) -> Range<Int>? {
    switch form {
    case .last(let count): count > 0 && byteCount > 0 ? max(0, byteCount - count)..<byteCount : nil
    case .from(let first, let last):
      first < byteCount ? first..<(min(last ?? .max, byteCount - 1) + 1) : nil
    }
  }
}

/// The body of an answer that has none, such as one to HEAD.
private final class NoBody: BodySource {
  func next() -> [UInt8]? { nil }
  func close() {}
}
