internal import AudioIO
internal import AudioModel
internal import ScaleAudio

extension FolderApplication {
  /// The longest part of a waveform, in pixels, and of samples, in frames, in one answer.
  private static let (maximumPixels, maximumSamples) = (1 << 16, 1 << 18)

  /// An answer about one file, or a part of what it holds.
  func fileAnswer(
    _ request: HTTPRequest, _ file: FileLibrary.File, _ part: String?
  ) throws(HTTPFailure) -> HTTPResponse {
    switch part {
    case nil: return details(file)
    case "cover": return try cover(file)
    case "tempo": return try tempo(file)
    case "peaks": return try peaks(request, file)
    case "overview": return try overview(file)
    case "samples": return try samples(request, file)
    case "spectrum": return try spectrum(request, file)
    default: return .notFound
    }
  }

  private func details(_ file: FileLibrary.File) -> HTTPResponse {
    let (report, facts) = inspections.report(file)
    var isSeekable = false
    if let reader = try? file.reader(), case .direct = reader.seeking { isSeekable = true }
    return .json(ListedDetails(facts, report?.source, isSeekable: isSeekable))
  }

  private func cover(_ file: FileLibrary.File) throws(HTTPFailure) -> HTTPResponse {
    let report = try read { () throws(AudioFileError) in
      try InspectionReport(of: file.opened())
    }
    guard let cover = Cover(report.source.metadata) else { return .notFound }
    return HTTPResponse(
      200, headers: [("Content-Type", cover.mimeType), ("Cache-Control", "private, max-age=3600")],
      body: .bytes(cover.data))
  }

  private func tempo(_ file: FileLibrary.File) throws(HTTPFailure) -> HTTPResponse {
    let tempo = try read { () throws(AudioFileError) in
      try inspections.tempo(of: file, cancellation)
    }
    guard let tempo else {
      throw HTTPFailure(
        503,
        Problem(cause: "another tempo is being estimated", remedy: "try again when it is done"),
        headers: [("Retry-After", "1")])
    }
    return .json(tempo)
  }

  private func peaks(_ request: HTTPRequest, _ file: FileLibrary.File) throws(HTTPFailure)
    -> HTTPResponse
  {
    let wave = try read { () throws(AudioFileError) in try waves.wave(of: file) }
    let level = try number(request, "level", in: 0...wave.layout.pixels.count - 1, default: 0)
    let pixels = wave.layout.pixels[level]
    let first = try number(request, "from", in: 0...pixels, default: 0)
    let count = try number(
      request, "count", in: 0...Self.maximumPixels, default: Self.maximumPixels)
    let isEnded = wave.isEnded
    let ready = wave.ready(level)
    let records = try read { () throws(AudioFileError) in
      try wave.records(level: level, first..<max(first, min(first + count, ready)))
    }
    return binary(
      records, wave.layout.frameCount, wave.layout.channelCount, wave.layout.sampleRate,
      [
        ("X-Pixels", "\(pixels)"), ("X-Ready", "\(ready)"), ("X-First", "\(first)"),
        ("X-Ended", isEnded ? "1" : "0"),
      ])
  }

  private func overview(_ file: FileLibrary.File) throws(HTTPFailure) -> HTTPResponse {
    let excerpts = try read { () throws(AudioFileError) in try Excerpts(file) }
    guard let records = try read({ () throws(AudioFileError) in try excerpts.overview() }) else {
      return HTTPResponse(204)
    }
    let channels = excerpts.source.spec.channelCount
    let pixels = records.count / channels / PixelLevels.byteCount
    return binary(
      records, excerpts.source,
      [
        ("X-Pixels", "\(pixels)"), ("X-Ready", "\(pixels)"), ("X-First", "0"), ("X-Estimated", "1"),
      ])
  }

  private func samples(
    _ request: HTTPRequest, _ file: FileLibrary.File
  ) throws(HTTPFailure) -> HTTPResponse {
    let excerpts = try read { () throws(AudioFileError) in try Excerpts(file) }
    let frames = excerpts.source.frameCount
    let first = try number(request, "from", in: 0...frames, default: 0)
    let count = try number(
      request, "count", in: 0...Self.maximumSamples, default: Self.maximumSamples)
    let bytes = try read { () throws(AudioFileError) in
      try excerpts.samples(first..<min(frames, first + count))
    }
    return binary(bytes, excerpts.source, [("X-First", "\(first)")])
  }

  private func spectrum(
    _ request: HTTPRequest, _ file: FileLibrary.File
  ) throws(HTTPFailure) -> HTTPResponse {
    let excerpts = try read { () throws(AudioFileError) in try Excerpts(file) }
    let frames = excerpts.source.frameCount
    let first = try number(request, "from", in: 0...frames, default: 0)
    let end = try number(request, "to", in: first...frames, default: frames)
    let columns = try number(request, "columns", in: 1...2048, default: 1024)
    let rows = try number(request, "rows", in: 1...256, default: 128)
    let bytes = try read { () throws(AudioFileError) in
      try excerpts.spectrum(
        first..<end, columns: columns, rows: rows, cancellation: cancellation)
    }
    let frequencies = excerpts.frequencies
    return binary(
      bytes, excerpts.source,
      [
        ("X-Columns", "\(bytes.count / rows)"), ("X-Rows", "\(rows)"),
        ("X-Lowest", "\(frequencies.lowerBound)"), ("X-Highest", "\(frequencies.upperBound)"),
      ])
  }

  /// A number of the query.
  private func number(
    _ request: HTTPRequest, _ name: String, in range: ClosedRange<Int>, default value: Int
  ) throws(HTTPFailure) -> Int {
    guard let text = request[name] else { return value }
    guard let number = Int(text), range.contains(number) else {
      throw HTTPFailure(
        400,
        Problem(cause: "\(name) is not a number from \(range.lowerBound) to \(range.upperBound)"))
    }
    return number
  }

  private func binary(
    _ bytes: [UInt8], _ source: SourceDescription, _ headers: [(String, String)]
  ) -> HTTPResponse {
    binary(
      bytes, source.frameCount, source.spec.channelCount, source.spec.sampleRate, headers)
  }

  private func binary(
    _ bytes: [UInt8], _ frames: Int, _ channels: Int, _ sampleRate: Int,
    _ headers: [(String, String)]
  ) -> HTTPResponse {
    HTTPResponse(
      200,
      headers: [
        ("Content-Type", "application/octet-stream"), ("Cache-Control", "no-store"),
        ("X-Frames", "\(frames)"), ("X-Channels", "\(channels)"),
        ("X-Sample-Rate", "\(sampleRate)"),
      ] + headers,
      body: .bytes(bytes))
  }
}
