package import AudioIO
package import AudioModel
internal import SystemPackage

/// The channels in the identification header, the first packet of Ogg Opus.
///
/// Source: RFC 7845 section 5.1.
package struct OpusHeader: Sendable {
  let channelCount: Int
  /// 0: mono or stereo; 1: the layouts of Vorbis; others have no positions.
  let mappingFamily: Int

  /// Reads the header on the first page.
  package init(of input: borrowing InputFile) throws(AudioFileError) {
    let page = try input.bytes(at: 0, count: 27 + 255 + 19)
    guard page.count > 26 else { throw .truncated(input.path, expected: nil, found: nil) }
    let packet = page.dropFirst(27 + Int(page[26])).prefix(19)
    guard packet.count == 19 else { throw .truncated(input.path, expected: nil, found: nil) }
    channelCount = Int(packet[packet.startIndex + 9])
    mappingFamily = Int(packet[packet.startIndex + 18])
    guard channelCount > 0 else {
      throw .limitExceeded(input.path, reason: "its header declares 0 channels")
    }
  }

  package var layout: ChannelLayout {
    mappingFamily <= 1
      ? VorbisLayout.layout(channelCount: channelCount) : .unspecified(channelCount)
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
  /// Frames of the first packet.
  private var firstFrames: Int?
  /// Frames of the last packet so far.
  private(set) var lastFrames: Int?
  /// Whether all packets except the last have equal duration.
  private var isRegular = true
  /// Frames of consecutive packets that hold anything other than one CELT frame, or two of one size; `nil` if there
  /// are too many ranges, or several streams.
  private(set) var unsteady: [Range<Int>]?

  init?(header: [UInt8]) {
    guard header.count >= 12 else { return nil }
    preSkip = Int(header[10..<12].littleEndianValue)
    if header.count >= 19, header[18] == 0 { unsteady = [] }
  }

  /// Adds a packet; `packet` holds its first bytes, at most 64.
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
    if lastFrames != firstFrames { isRegular = false }
    firstFrames = firstFrames ?? frames
    lastFrames = frames
    // A frame of at most one byte means that the frame was not sent.
    if configuration < 16 || first & 2 != 0 || packet.count < (first & 1 == 0 ? 3 : 5) {
      addUnsteady(frames)
    }
    frameCount += frames
  }

  private static let maximumUnsteady = 1024

  private mutating func addUnsteady(_ frames: Int) {
    guard var spans = unsteady else { return }
    unsteady = nil
    let end = frameCount + frames
    if let last = spans.last, last.upperBound == frameCount {
      spans[spans.count - 1] = last.lowerBound..<end
    } else {
      spans.append(frameCount..<end)
    }
    if spans.count <= Self.maximumUnsteady { unsteady = spans }
  }

  /// Frames per packet, except the last; `nil` if packets differ.
  var packetFrames: Int? { isRegular ? firstFrames : nil }
}
