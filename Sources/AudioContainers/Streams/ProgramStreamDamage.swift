package import AudioIO

/// Finds damage in an MPEG program stream, which libavformat passes over.
///
/// Packs and packets must follow each other, and the frames of each stream of audio as well.
///
/// Source: ISO/IEC 13818-1, section 2.5.3, and ISO/IEC 11172-1, section 2.4.3.
package struct ProgramStreamDamage {
  /// The offset of the first packet that is damaged, or may be: the last of audio before other bytes, or the one in
  /// which the frame begins that no other follows. `nil` if there is no damage.
  package static func offset(in input: borrowing InputFile) throws(AudioFileError) -> Int? {
    var walk = ProgramStreamDamage()
    guard try walk.code(input, at: 0) == 0xBA else { return nil }
    while walk.position < input.size {
      switch try walk.step(input) {
      case .next: continue
      case .end: return nil
      case .damaged(let offset): return offset
      }
    }
    return nil
  }

  private enum Step { case next, end, damaged(Int) }

  private var window = ReadWindow()
  private var position = 0
  /// The offset of the unit before.
  private var last = 0
  /// The offset of the last packet of each stream of audio.
  private var lastPackets: [ProgramStream.AudioStream: Int] = [:]
  /// Where the damage before a place may have begun: a frame of audio may continue in the next packet of its stream.
  private var suspect: Int {
    lastPackets.values.filter { last - $0 < Self.interleaving }.min().map { min($0, last) } ?? last
  }
  /// Bytes within which packets of a stream follow each other; a stream may have ended before.
  private static let interleaving = 1 << 19
  /// The clock of the pack before, in 1/90,000 s.
  private var clock: Int?
  private var streams: [ProgramStream.AudioStream: FrameChain] = [:]

  /// The identifier after a start code; `nil` where there is none.
  private mutating func code(
    _ input: borrowing InputFile, at offset: Int
  ) throws(AudioFileError) -> UInt8? {
    let head = try window.bytes(of: input, at: offset, count: 4)
    return head.starts(with: [0, 0, 1]) && head.count == 4 ? head.last : nil
  }

  private mutating func step(_ input: borrowing InputFile) throws(AudioFileError) -> Step {
    let head = Array(try window.bytes(of: input, at: position, count: 14))
    guard let id = try code(input, at: position) else {
      // Zeros may be between units, and at the end.
      if head.count < 4 || head.starts(with: [0, 0, 0]) {
        position += 1
        return .next
      }
      // Tags and the like may follow the last pack.
      return try hasMore(input) ? .damaged(suspect) : .end
    }
    var size: Int
    switch id {
    case 0xB9: size = 4
    case 0xBA:
      guard head.count == 14 else { return .end }
      size = head[4] & 0xC0 == 0x40 ? 14 + Int(head[13] & 7) : 12
      noteClock(head)
    case 0xBB...0xFF:
      guard head.count >= 6 else { return .end }
      let length = Int(head[4..<6].bigEndianValue)
      // A packet of unknown length: units cannot be followed.
      if length == 0, id >= 0xE0 { return .end }
      size = 6 + length
      if let place = try damage(input, packetOf: size, id) { return .damaged(place) }
    default: return .damaged(suspect)
    }
    last = position
    position += size
    return .next
  }

  /// Whether a pack follows somewhere.
  private mutating func hasMore(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    var offset = position
    while offset < input.size {
      let bytes = try input.bytes(at: offset, count: 1 << 16)
      for index in bytes.indices.dropLast(3)
      where bytes[index + 3] == 0xBA && bytes[index..<index + 3].elementsEqual([0, 0, 1]) {
        return true
      }
      if bytes.count < 1 << 16 { break }
      offset += bytes.count - 3
    }
    return false
  }

  /// Takes the clock of a pack. Where it jumps, recordings were joined: frames need not follow each other.
  private mutating func noteClock(_ head: [UInt8]) {
    let fields = head[4..<9].bigEndianValue
    let isMPEG2 = head[4] & 0xC0 == 0x40
    let high = isMPEG2 ? fields >> 35 & 7 : fields >> 33 & 7
    let middle = isMPEG2 ? fields >> 19 & 0x7FFF : fields >> 17 & 0x7FFF
    let low = isMPEG2 ? fields >> 3 & 0x7FFF : fields >> 1 & 0x7FFF
    let now = Int(high << 30 | middle << 15 | low)
    if let clock, !(clock...clock + 90_000).contains(now) { streams = [:] }
    clock = now
  }

  /// The offset of damage that the frames of audio in a packet show.
  private mutating func damage(
    _ input: borrowing InputFile, packetOf size: Int, _ id: UInt8
  ) throws(AudioFileError) -> Int? {
    guard id == 0xBD || (0xC0...0xDF).contains(id) else { return nil }
    let unit = try window.bytes(of: input, at: position, count: size)
    let packet = ProgramStream.PackPacket(unit, id)
    // Access units of MLP show where they end only from a major sync on.
    guard let stream = packet.audioStream, stream.codec != .mlp else { return nil }
    defer { lastPackets[stream] = position }
    return streams[stream, default: FrameChain(of: stream.codec)]
      .damage(in: unit[packet.content...], packetOffset: position)
  }
}

/// Frames of audio that follow each other, over the packets of a stream.
private struct FrameChain {
  /// The size of the frame that begins with some bytes: 0 where none does, `nil` where too few are there.
  private let size: (ArraySlice<UInt8>) -> Int?
  /// Bytes that are not yet part of a frame.
  private var pending: [UInt8] = []
  /// Bytes of the frame that are still to come.
  private var left = 0
  private var count = 0
  /// The offset of the packet in which the last frame begins.
  private var lastOffset = 0

  /// Frames that follow each other; fewer may be chance.
  private static let fewestFrames = 3

  init(of codec: ProgramStream.AudioStream.Codec) {
    switch codec {
    case .ac3: size = { Self.size($0, .ac3) }
    case .dts: size = { Self.size($0, .dts) }
    case .mpeg, .mlp:
      size = { bytes in
        guard bytes.count >= 4 else { return nil }
        return MPEGFrameHeader(bytes)?.byteCount ?? 0
      }
    }
  }

  private static func size(_ bytes: ArraySlice<UInt8>, _ unit: StreamUnit) -> Int? {
    unit.size(Array(bytes.prefix(16)), 0, 0)
  }

  /// Takes the content of the next packet. Returns the offset of the packet in which the last frame begins, if no frame
  /// follows that.
  mutating func damage(in bytes: ArraySlice<UInt8>, packetOffset: Int) -> Int? {
    let skipped = min(left, bytes.count)
    left -= skipped
    pending += bytes.dropFirst(skipped)
    var start = 0
    while left == 0, let size = size(pending[start...]) {
      if size == 0 {
        if count >= Self.fewestFrames { return lastOffset }
        count = 0
        start += 1
        continue
      }
      count += 1
      lastOffset = packetOffset
      left = size
      let there = min(left, pending.count - start)
      left -= there
      start += there
    }
    pending.removeFirst(start)
    return nil
  }
}
