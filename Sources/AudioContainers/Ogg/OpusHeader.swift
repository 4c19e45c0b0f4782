package import AudioIO
package import AudioModel

/// The channels in the identification header, the first packet of Ogg Opus.
///
/// Source: RFC 7845 section 5.1.
package struct OpusHeader: Sendable {
  let channelCount: Int
  /// 0: mono or stereo; 1: the layouts of Vorbis; others have no positions.
  let mappingFamily: Int
  /// The encoder delay: frames at 48 kHz before the audio.
  private let preSkip: Int

  /// Reads the header on the first page.
  package init(of input: borrowing InputFile) throws(AudioFileError) {
    let page = try input.bytes(at: 0, count: 27 + 255 + 19)
    guard page.count > 26 else { throw .truncated(input.path, expected: nil, found: nil) }
    let packet = page.dropFirst(27 + Int(page[26])).prefix(19)
    guard packet.count == 19 else { throw .truncated(input.path, expected: nil, found: nil) }
    channelCount = Int(packet[packet.startIndex + 9])
    mappingFamily = Int(packet[packet.startIndex + 18])
    preSkip = Int(packet.dropFirst(10).prefix(2).littleEndianValue)
    guard channelCount > 0 else {
      throw .limitExceeded(input.path, reason: "its header declares 0 channels")
    }
  }

  /// The encoder delay in frames of a sample rate.
  package func delay(at sampleRate: Int) -> Int { preSkip * sampleRate / OpusTiming.rate }

  package var layout: ChannelLayout {
    mappingFamily <= 1
      ? VorbisLayout.layout(channelCount: channelCount) : .unspecified(channelCount)
  }
}

extension OpusHeader {
  /// The rates at which Opus is decoded, in Hz.
  private static let rates = [8000, 12000, 16000, 24000, 48000]

  /// The rate for a header's input rate, which is 0 if it is unknown.
  static func rate(forInput rate: Int) -> Int {
    rate == 0 ? OpusTiming.rate : rates.first { $0 >= rate } ?? OpusTiming.rate
  }

  /// The rate in Hz at which the header on a page suggests to decode; `nil` if there is no header.
  static func rate(inPage page: ArraySlice<UInt8>) -> Int? {
    guard page.count > 27 else { return nil }
    let packet = page.dropFirst(27 + Int(page[page.startIndex + 26])).prefix(19)
    guard packet.count == 19 else { return nil }
    return rate(forInput: Int(packet.dropFirst(12).prefix(4).littleEndianValue))
  }
}

/// The duration of the packets of an Opus stream, in frames at 48 kHz.
///
/// Source: RFC 7845 section 5.1 (pre-skip), RFC 6716 section 3.1 (the first byte of a packet).
struct OpusTiming: Hashable, Sendable {
  /// The rate of granule positions, in Hz.
  static let rate = 48000

  /// Frames before the audio, the encoder delay.
  let preSkip: Int
  /// Frames of all packets.
  private(set) var frameCount = 0
  /// Frames of the last packet so far.
  private(set) var lastFrames: Int?

  init?(header: [UInt8]) {
    guard header.count >= 12 else { return nil }
    preSkip = Int(header[10..<12].littleEndianValue)
  }

  /// Adds a packet by its first bytes.
  mutating func add(packet: [UInt8]) {
    guard let first = packet.first else { return }
    let configuration = Int(first >> 3)
    let frame =
      configuration < 12
      ? [480, 960, 1920, 2880][configuration & 3]
      : configuration < 16
        ? [480, 960][configuration & 1] : [120, 240, 480, 960][configuration & 3]
    let counts = [1, 2, 2, packet.count > 1 ? Int(packet[1] & 0x3F) : 0]
    let frames = frame * counts[Int(first & 3)]
    lastFrames = frames
    frameCount += frames
  }
}
