internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import SystemPackage
internal import VorbisFiles

/// Opens the audio of an Ogg file with multiplexed and chained streams.
enum OggReading {
  /// Opens a file of one logical stream.
  typealias Opening = (borrowing InputFile, AudioFormat) throws(AudioFileError)
    -> any FrameStream

  /// The format of the first audio stream of an Ogg file; `nil` if none is recognized.
  static func format(of input: borrowing InputFile) throws(AudioFileError) -> AudioFormat? {
    let head = try input.bytes(at: 0, count: 4)
    guard head.elementsEqual("OggS".utf8) else { return nil }
    // The first pages of all streams of a group precede all other pages.
    var position = 0
    var hasSound = false
    for _ in 0..<64 {
      let bytes = try input.bytes(at: position, count: OggPageHeader.maximumByteCount)
      guard let page = OggPageHeader(bytes[...]) else { return nil }
      guard page.beginsStream else {
        // The audio of a chain may begin after a group of pictures.
        return position == 0 || hasSound ? nil : try laterFormat(of: input)
      }
      if let codec = page.codec { return .inOgg(codec) }
      if !page.isPictures { hasSound = true }
      position += page.byteCount
    }
    return nil
  }

  /// The format of the first audio stream of all links.
  private static func laterFormat(
    of input: borrowing InputFile
  ) throws(AudioFileError) -> AudioFormat? {
    let links = try OggChain(of: input).links
    return links.lazy.flatMap(\.streams).compactMap(\.codec).first.flatMap(AudioFormat.inOgg)
  }

  /// A reader of the first audio stream of every link.
  ///
  /// Not every library reads chains (libFLAC and libsndfile read the first link; libvorbisfile
  /// loses short links) or skips other streams, so each library reads one stream at a time.
  ///
  /// - Parameter opusRate: The rate at which Opus is decoded; `nil` for that of its header.
  static func reader(
    for input: borrowing InputFile, _ options: ReadingOptions, opusRate: Int? = nil,
    open: @escaping Opening
  ) throws(AudioFileError) -> any FrameStream {
    let salvaging = options.salvages
    let chain = try OggChain(of: input)
    if chain.links.count > 1 {
      let audio = chain.links.filter { $0.streams.contains { $0.codec != nil } }
      let links = audio.contains { !$0.isEmpty } ? audio.filter { !$0.isEmpty } : audio
      var warnings: [String] = []
      func leftOut(_ count: Int, _ what: String) {
        guard count > 0 else { return }
        warnings.append(
          "\(count) of its \(chain.links.count) chained streams hold no \(what) and are left out")
      }
      leftOut(chain.links.count - audio.count, "Vorbis, Opus, or FLAC")
      leftOut(audio.count - links.count, "sound")
      guard !links.isEmpty else { throw .notAudio(input.path) }
      // The rate in a header of Opus is only that of the encoder's source.
      let rates = Set(links.flatMap { $0.streams.lazy.compactMap(\.opusRate).prefix(1) })
      let rate = rates.count > 1 ? OpusRevision.fullRate : nil
      return try ChainedReader(
        input, links: links.map(\.bytes), salvaging: salvaging, warnings: warnings
      ) { (link) throws(AudioFileError) in
        try reader(for: link, options, opusRate: rate, open: open)
      }
    }
    guard let link = chain.links.first,
      let stream = link.streams.first(where: { $0.codec != nil }),
      let format = stream.codec.flatMap(AudioFormat.inOgg)
    else { throw .notAudio(input.path) }
    let film = link.streams.count > 1 ? try TheoraStart.seconds(of: input) : nil
    let open = revising(options, opusRate: opusRate, film: film, open)
    if link.streams.count == 1 { return try reader(forAlone: input, format, open: open) }
    let alone = try extract(stream, from: input)
    return try ChainedReader(
      alone, links: [0..<alone.size], salvaging: salvaging, warnings: warnings(about: link)
    ) { (file) throws(AudioFileError) in try reader(forAlone: file, format, open: open) }
  }

  /// Larger files are walked only if an exact length is required, or if positions at their start contradict packets.
  private static let longBytes = 1 << 22
  private static let walkedBytes = 1 << 20

  /// Opens Opus and Vorbis, revised where libsndfile and libvorbisfile would read them wrongly.
  ///
  /// - Parameter film: Seconds from position 0 to the first picture of a film, whose timeline begins with the first of
  ///   sound and pictures. Sound alone begins with its first frame.
  private static func revising(
    _ options: ReadingOptions, opusRate: Int?, film: Double?, _ open: @escaping Opening
  ) -> Opening {
    return { (file, format) throws(AudioFileError) in
      let isLong = options.estimates == .ofAnyPass && file.size > longBytes
      let reach = isLong ? walkedBytes : .max
      let path = file.path
      func check(_ positions: OggPositions) throws(AudioFileError) {
        if !options.toleratesDamage, let error = positions.contradiction(in: path) { throw error }
      }
      func placed(
        _ reader: any FrameStream, _ positions: OggPositions, rate: Int, leavingOut frames: Int = 0
      ) -> any FrameStream {
        let start = Double(positions.start) / Double(rate)
        let delay = film.map { max(0, start - $0) } ?? 0
        return frames > 0 || delay > 0
          ? TrimmedReader(reader, leavingOut: frames, delay: delay) : reader
      }
      switch format.codec {
      case .opus:
        guard
          let revision = try OpusRevision(
            of: file, rate: opusRate, within: reach, closesJumps: options.toleratesDamage)
        else { break }
        try check(revision.positions)
        let revised = try revision.revised(file)
        return try warning(revision.warnings, of: revised) { (file) throws(AudioFileError) in
          placed(try open(file, format), revision.positions, rate: OpusRevision.fullRate)
        }
      case .vorbis:
        guard
          let revision = try VorbisRevision(
            of: file, within: reach, closesJumps: options.toleratesDamage)
        else { break }
        try check(revision.positions)
        return try warning(revision.warnings, of: try revision.revised(file)) {
          (file) throws(AudioFileError) in
          let reader = try open(file, format)
          return placed(
            reader, revision.positions, rate: reader.source.spec.sampleRate,
            leavingOut: revision.framesToDrop)
        }
      default: break
      }
      return try open(file, format)
    }
  }

  /// A reader with more warnings.
  private static func warning(
    _ warnings: [String], of file: borrowing InputFile,
    open: @escaping (borrowing InputFile) throws(AudioFileError) -> any FrameStream
  ) throws(AudioFileError) -> any FrameStream {
    if warnings.isEmpty { return try open(file) }
    return try ChainedReader(
      file, links: [0..<file.size], salvaging: false, warnings: warnings, open: open)
  }

  /// A reader of all links of a chain whose links each have one stream that no library for the Ogg codecs reads, such
  /// as Speex; `nil` for other files. Demuxers would continue after the first link with its decoder.
  static func reader(
    forChain input: borrowing InputFile, salvaging: Bool,
    open: @escaping (borrowing InputFile) throws(AudioFileError) -> any FrameStream
  ) throws(AudioFileError) -> (any FrameStream)? {
    guard try input.bytes(at: 0, count: 4).elementsEqual("OggS".utf8) else { return nil }
    let links = try OggChain(of: input).links
    guard links.count > 1, links.allSatisfy({ $0.streams.count == 1 }) else { return nil }
    return try ChainedReader(input, links: links.map(\.bytes), salvaging: salvaging, open: open)
  }

  /// A reader of one logical stream.
  private static func reader(
    forAlone input: borrowing InputFile, _ format: AudioFormat, open: @escaping Opening
  ) throws(AudioFileError) -> any FrameStream {
    // FLAC states its length.
    if format.codec != .flac, let end = try OggStreamEnd(of: input), end.isOpen {
      let marked = try mark(end, of: input)
      return try ChainedReader(
        marked, links: [0..<marked.size], salvaging: false, warnings: [OggStreamEnd.openWarning]
      ) { (file) throws(AudioFileError) in try reader(forMarked: file, format, open: open) }
    }
    return try reader(forMarked: input, format, open: open)
  }

  /// A reader of one logical stream whose last page is marked as its end.
  private static func reader(
    forMarked input: borrowing InputFile, _ format: AudioFormat, open: Opening
  ) throws(AudioFileError) -> any FrameStream {
    if format.codec == .vorbis, let setup = try VorbisSetupPage(of: input) {
      return try open(try setup.split(input), format)
    }
    return try open(input, format)
  }

  private static func warnings(about link: OggChain.Link) -> [String] {
    let audio = link.streams.count { $0.codec != nil }
    var warnings: [String] = []
    if audio > 1 {
      warnings.append("it contains \(audio) audio streams; only the first is converted")
    }
    if audio < link.streams.count {
      warnings.append("its streams other than audio are ignored")
    }
    return warnings
  }

  /// A copy of a file in an anonymous file, with its last page marked as the end of the stream: libraries remove the
  /// padding only if they see the mark.
  private static func mark(
    _ end: OggStreamEnd, of input: borrowing InputFile
  ) throws(AudioFileError) -> InputFile {
    let file = try Spool.makeFile()
    do throws(AudioFileError) {
      var position = 0
      while position < input.size {
        let count = min(1 << 16, end.offset - position)
        var bytes = try input.bytes(at: position, count: count > 0 ? count : input.size - position)
        if position == end.offset { OggPage.markEnd(of: &bytes) }
        if bytes.isEmpty { break }
        do {
          try file.writeAll(bytes)
        } catch {
          throw .cannotWrite(input.path, error as? Errno ?? .ioError)
        }
        position += bytes.count
      }
    } catch {
      try? file.close()
      throw error
    }
    return try InputFile(copyOf: input, in: file)
  }

  /// A copy of the pages of one stream in an anonymous file.
  private static func extract(
    _ stream: OggChain.Stream, from input: borrowing InputFile
  ) throws(AudioFileError) -> InputFile {
    let file = try Spool.makeFile()
    do throws(AudioFileError) {
      try copyPages(of: stream, from: input, to: file)
    } catch {
      try? file.close()
      throw error
    }
    return try InputFile(copyOf: input, in: file)
  }

  private static func copyPages(
    of stream: OggChain.Stream, from input: borrowing InputFile, to file: FileDescriptor
  ) throws(AudioFileError) {
    var pages = OggPageWalker(byteCount: OggPage.maximumByteCount)
    // Only the pages of the audio stream matter; damage in other streams is skipped.
    while let page = try pages.next(of: input) {
      guard page.header.serialNumber == stream.serialNumber else { continue }
      do {
        try file.writeAll(page.bytes.prefix(page.header.byteCount))
      } catch {
        throw .cannotWrite(input.path, error as? Errno ?? .ioError)
      }
    }
  }
}
