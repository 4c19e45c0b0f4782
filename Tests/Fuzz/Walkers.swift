import AudioContainers
import AudioFiles
import AudioIO
import AudioModel
import SystemPackage

/// Every walker of a container, on any file: what only one grammar accepts ends the others soon.
enum Walkers {
  static func walk(_ input: borrowing InputFile) {
    for container in Set(AudioFormat.all.map(\.container)) {
      attempt { try checkHeader(container.header?(input), size: input.size) }
    }
    attempt { try walkChunks(input) }
    attempt { try walkMP4(input) }
    attempt { try walkOgg(input) }
    attempt { try walkMPEG(input) }
    attempt { _ = try ASFHeader.isEncrypted(input) }
    attempt { _ = ASFHeader.isSound(try input.bytes(at: 0, count: input.size)) }
    attempt {
      _ = try (FLACHead(of: input), RIFFHeader.isTruncated(input), CAFHeader.isTruncated(input))
    }
    attempt { try SDSPackets.check(input) }
    attempt { _ = try (VOCBlocks(of: input), MatroskaTracks.codecDelays(of: input)) }
    attempt { _ = try NISTHeader(of: input).frameCount }
  }

  /// A named error is one of the right answers.
  private static func attempt(_ work: () throws -> Void) { try? work() }

  private static func check(_ range: Range<Int>, in size: Int) {
    precondition(range.lowerBound >= 0 && range.upperBound <= size, "a range outside of the file")
  }

  private static func checkHeader(_ header: ContainerHeader?, size: Int) {
    guard let header else { return }
    precondition(header.audioOffset >= 0)
    precondition((0...size).contains(header.availableBytes(fileSize: size)))
    _ = (
      header.isTruncated(fileSize: size), header.framesThere(fileSize: size), header.expectedFrames
    )
    var warnings: [String] = []
    for count in [1, 2, header.channelCount ?? 6] where (1...AudioLimits.channelCount) ~= count {
      _ = SpeakerFinder.layout(header: header, channelCount: count, warnings: &warnings)
    }
  }

  private static func walkChunks(_ input: borrowing InputFile) throws {
    for grammar: ChunkWalker.Grammar in [.riff, .riffBigEndian, .iff, .caf, .wave64] {
      for start in [0, 8, 12, 40] where start <= input.size {
        for chunk in try ChunkWalker.list(input, in: start..<input.size, grammar) {
          check(chunk.content, in: input.size)
        }
        _ = try ChunkWalker.isEndOrChunks(input, grammar, from: start)
      }
    }
  }

  private static func walkMP4(_ input: borrowing InputFile) throws {
    _ = try MP4Brand.rowID(of: input)
    let index = try MP4Index(input)
    for track in index.tracks.values {
      for rate in [8000, 44100, 192_000] {
        for (isExact, isPCM) in [(true, true), (true, false), (false, false)] {
          let frames = MP4Timing.decodedFrames(
            track, sampleRate: rate, blockFrames: 1024, isExact: isExact, isPCM: isPCM)
          precondition(frames ?? 0 >= 0)
        }
        _ = MP4Timing.promisedFrames(track, index, sampleRate: rate)
        let timing = MP4Timing(
          track, movieTimescale: index.timescale, sampleRate: rate, decoded: 100_000, gapless: nil)
        for range in timing.ranges { check(range, in: 100_000) }
      }
    }
  }

  private static func walkOgg(_ input: borrowing InputFile) throws {
    for link in try OggChain(of: input).links { check(link.bytes, in: input.size) }
    var pages = OggPageWalker(byteCount: OggPageHeader.maximumByteCount)
    while try pages.next(of: input) != nil {}
    if let end = try OggStreamEnd(of: input) { precondition(end.trailingByteCount >= 0) }
    _ = try (OpusPages(of: input), OpusHeader(of: input))
    _ = try OpusRevision(of: input, rate: nil, within: .max, closesJumps: true)?.warnings
  }

  private static func walkMPEG(_ input: borrowing InputFile) throws {
    check(0..<(try ID3Tag.end(of: input)), in: .max)
    check(0..<(try TrailingTag.start(of: input)), in: input.size)
    _ = try ADTSTail(of: input)
    guard let stream = try MPEGStream(of: input) else { return }
    precondition(stream.bitRate >= 0)
    for part in stream.parts {
      for range in part.decodedRanges { check(range, in: input.size) }
      check(try part.audio(input), in: .max)
      _ = part.damage
    }
  }
}
