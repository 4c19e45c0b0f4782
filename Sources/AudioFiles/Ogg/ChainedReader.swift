internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import SystemPackage

/// A reader of consecutive parts of a file, such as the links of a chained Ogg file, as one.
final class ChainedReader: FrameStream {
  let source: SourceDescription
  var clipping: Clipping {
    var clipping = earlierClipping
    if let reader { clipping.add(reader.clipping) }
    return clipping
  }
  var nonFiniteSamples: Int { earlierNonFiniteSamples + (reader?.nonFiniteSamples ?? 0) }
  let seeking: Seeking
  private let whole: InputFile
  private var links: [Range<Int>]
  /// Frames of each link.
  private var frameCounts: [Int] = []
  private let open: Opening
  private let kind: Kind
  private var reader: (any FrameStream)?
  private var nextLink = 0
  private var earlierClipping = Clipping()
  private var earlierNonFiniteSamples = 0

  /// The kind of parts.
  enum Kind: String {
    /// Links of Ogg, which may follow each other in one file.
    case link = "chained stream"
    case file
  }

  /// Opens one link as a separate file.
  typealias Opening = (borrowing InputFile) throws(AudioFileError) -> any FrameStream

  /// A reader of all `links` (byte ranges), which must agree in sample rate, channels and encoding.
  ///
  /// When salvaging, it ends before the first link that cannot be opened, except the first of all.
  init(
    _ input: borrowing InputFile, links: [Range<Int>], salvaging: Bool, warnings: [String] = [],
    kind: Kind = .link, open: @escaping Opening
  ) throws(AudioFileError) {
    whole = try InputFile(input, bytes: 0..<input.size)
    self.links = links
    self.open = open
    self.kind = kind
    var source: SourceDescription?
    var lost: String?
    var seeksDirectly = true
    for (index, bytes) in links.enumerated() {
      do throws(AudioFileError) {
        let reader = try open(try InputFile(input, bytes: bytes))
        let link = reader.source
        seeksDirectly = seeksDirectly && reader.seeking == .direct
        source =
          try source.map { (first) throws(AudioFileError) in
            try Self.join(first, link, "\(kind.rawValue) \(index + 1)", path: input.path)
          } ?? link
        frameCounts.append(link.frameCount)
      } catch {
        guard salvaging, index > 0 else { throw error }
        self.links = Array(links[..<index])
        lost = "salvaged \(index) of \(links.count) \(kind.rawValue)s: the next cannot be read"
        break
      }
    }
    guard var source else { throw .malformed(input.path, reason: "it contains no stream") }
    source.warnings += warnings.map(AudioWarning.source)
    if let lost { source.warnings.append(.source(lost)) }
    if self.links.count > 1 {
      source.warnings.append(
        .source("\(self.links.count) \(kind.rawValue)s are joined; the tags are those of the first")
      )
    }
    self.source = source
    seeking = seeksDirectly ? .direct : .decoding
  }

  /// The description of two links together; throws if they cannot be joined.
  private static func join(
    _ first: SourceDescription, _ link: SourceDescription, _ name: String, path: FilePath
  ) throws(AudioFileError) -> SourceDescription {
    func change(_ what: String, _ from: Any, _ to: Any) -> AudioFileError {
      .unsupported(
        path, reason: "the \(what) changes from \(from) to \(to) in \(name)")
    }
    if link.format != first.format { throw change("codec", first.codec, link.codec) }
    if link.spec.sampleRate != first.spec.sampleRate {
      throw change("sample rate", first.spec.sampleRate, "\(link.spec.sampleRate) Hz")
    }
    if link.spec.channelCount != first.spec.channelCount {
      throw change("channel count", first.spec.channelCount, link.spec.channelCount)
    }
    if link.spec.layout != first.spec.layout {
      throw change("channel layout", first.spec.layout, link.spec.layout)
    }
    if link.sampleFormat != first.sampleFormat {
      throw change(
        "depth", "\(first.sampleFormat?.bitDepth ?? 0)",
        "\(link.sampleFormat?.bitDepth ?? 0) bits")
    }
    let (frames, overflows) = first.frameCount.addingReportingOverflow(link.frameCount)
    if overflows { throw .limitExceeded(path, reason: "its streams declare too many frames") }
    var joined = first
    joined.bitRate = average(first, link)
    // Facts about the first alone.
    joined.storage.declaredMD5 = nil
    joined.storage.averageBitRate = nil
    joined.storage.padding = nil
    if link.storage.bitRateMode != first.storage.bitRateMode { joined.storage.bitRateMode = nil }
    joined.frameCount = frames
    if link.lengthBasis == .estimated { joined.lengthBasis = .estimated }
    joined.warnings += link.warnings.filter { !first.warnings.contains($0) }
    return joined
  }

  /// The average bit rate of both, in bits per second.
  private static func average(_ a: SourceDescription, _ b: SourceDescription) -> Int? {
    guard let rateA = a.bitRate, let rateB = b.bitRate else { return a.bitRate ?? b.bitRate }
    let framesA = Double(a.frameCount)
    let framesB = Double(b.frameCount)
    guard framesA + framesB > 0 else { return rateA }
    let bits = Double(rateA) * framesA + Double(rateB) * framesB
    return Int(exactly: (bits / (framesA + framesB)).rounded())
  }

  func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    while true {
      if let reader {
        let frames = try reader.read(into: buffer)
        if frames > 0 { return frames }
      }
      guard nextLink < links.count else { return 0 }
      try openLink(nextLink)
    }
  }

  func seek(toFrame frame: Int) throws(AudioFileError) {
    var (index, offset) = (0, frame)
    while index + 1 < links.count, offset >= frameCounts[index] {
      offset -= frameCounts[index]
      index += 1
    }
    if reader == nil || nextLink != index + 1 {
      try openLink(index)
    }
    try reader?.seek(toFrame: offset)
  }

  private func openLink(_ index: Int) throws(AudioFileError) {
    if let reader {
      earlierClipping.add(reader.clipping)
      earlierNonFiniteSamples += reader.nonFiniteSamples
    }
    reader = nil
    reader = try open(try InputFile(whole, bytes: links[index]))
    nextLink = index + 1
  }
}

/// A reader that drops the first frames of another reader, or begins later in the timeline.
final class TrimmedReader: FrameStream {
  let source: SourceDescription
  var clipping: Clipping { reader.clipping }
  var nonFiniteSamples: Int { reader.nonFiniteSamples }
  private let reader: any FrameStream
  private let framesToSkip: Int
  private var isAtStart = true

  /// Drops the first `frames` frames of `reader`, and begins `delay` seconds after the start of the timeline, to which
  /// its tags refer.
  init(_ reader: any FrameStream, leavingOut frames: Int, delay: Double = 0) {
    self.reader = reader
    framesToSkip = min(max(0, frames), reader.source.frameCount)
    var source = reader.source
    source.frameCount -= framesToSkip
    if delay > 0 {
      source.delay = delay
      source.metadata.moveChapters(
        earlierBy: (delay * Double(source.spec.sampleRate)).rounded())
      source.metadata.moveTimedTexts(earlierBy: delay)
    }
    self.source = source
  }

  var seeking: Seeking { reader.seeking }

  func seek(toFrame frame: Int) throws(AudioFileError) {
    isAtStart = false
    try reader.seek(toFrame: framesToSkip + frame)
  }

  func read(into buffer: FrameBuffer) throws(AudioFileError) -> Int {
    if isAtStart { try seek(toFrame: 0) }
    return try reader.read(into: buffer)
  }
}
