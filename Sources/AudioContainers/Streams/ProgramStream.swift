package import AudioIO

/// The end of an MPEG program stream, determined by the content of its last packs.
///
/// No header of a program stream states its length, and most streams lack the end code. The end is recognized by the
/// audio packets, whose frames are split over packs, and by the filling of the last pack.
///
/// Source: ISO/IEC 13818-1, section 2.5.3, and ISO/IEC 11172-1, section 2.4.3.
package struct ProgramStream: Sendable {
  /// Whether the last frame of an audio stream ends after the file.
  package private(set) var isTruncated = false
  /// Whether the end code follows a part of a frame, so that the muxer ended the stream there.
  package private(set) var endsWithinFrame = false
  /// Whether all packs have one size, and the last one is as full as those before it.
  package private(set) var isFull = false

  /// Bytes at the end of a file that are examined.
  private static let reach = 1 << 20
  /// The minimum number of packs of one size that show that a muxer writes packs of one size.
  private static let minimumPacks = 8
  /// The minimum number of consecutive frames; fewer may be chance.
  private static let minimumFrames = 3

  /// Examines the last packs of `input`.
  package init(of input: borrowing InputFile) throws(AudioFileError) {
    let base = max(0, input.size - Self.reach)
    let bytes = try input.bytes(at: base, count: input.size - base)
    var attempts = 0
    for start in bytes.indices.dropLast(3)
    where bytes[start + 3] == 0xBA && bytes[start..<start + 3].elementsEqual([0, 0, 1]) {
      if let packs = Packs(bytes, from: start) {
        // A muxer that ends a stream within a frame still writes the end code.
        let isPart = packs.audio.contains { Self.isTruncated($0.value, $0.key.codec) }
        isTruncated = isPart && !packs.hasEndCode
        endsWithinFrame = isPart && packs.hasEndCode
        isFull = packs.isLastFull
        return
      }
      attempts += 1
      if attempts == 16 { return }
    }
  }

  /// Whether consecutive frames of an audio stream lead up to a frame that ends after the stream.
  private static func isTruncated(_ bytes: [UInt8], _ codec: AudioStream.Codec) -> Bool {
    switch codec {
    case .ac3: return StreamEnd(of: bytes, .ac3) == .truncated
    case .dts: return StreamEnd(of: bytes, .dts) == .truncated
    case .mlp: return StreamEnd(of: bytes, .mlp) == .truncated
    case .mpeg: break
    }
    for start in bytes.indices.dropLast(3) where bytes[start] == 0xFF {
      guard let first = MPEGFrameHeader(bytes[start..<start + 4]), first.bitRate > 0 else {
        continue
      }
      var (position, count) = (start, 0)
      while position + 4 <= bytes.count,
        let header = MPEGFrameHeader(bytes[position..<position + 4]), header.matches(first),
        header.byteCount > 0
      {
        count += 1
        position += header.byteCount
      }
      if count >= minimumFrames, position + 4 > bytes.count { return position != bytes.count }
    }
    return false
  }

  /// Consecutive packs up to the end of the file.
  private struct Packs {
    /// The bytes of each audio stream.
    var audio: [AudioStream: [UInt8]] = [:]
    var isLastFull = false
    /// Whether the last packet is the end code.
    var hasEndCode = false

    /// `nil` if the packets are not consecutive up to the end.
    init?(_ bytes: [UInt8], from start: Int) {
      var position = start
      var packStarts: [Int] = []
      // An end code, or bytes that fill the last pack.
      var hasFilling = false
      // Whether the headers of a pack's packets are filled. In packs of PCM all are, because whole samples leave
      // spare bytes.
      var filledHeaders: [Bool] = []
      while position < bytes.count {
        guard let size = StreamUnit.programStream.size(bytes, position, start), size > 0,
          position + size <= bytes.count
        else { return nil }
        let unit = bytes[position..<position + size]
        hasEndCode = unit.starts(with: [0, 0, 1, 0xB9])
        switch unit.count > 3 ? unit[position + 3] : 0xB9 {
        case 0xBA where unit.starts(with: [0, 0, 1]):
          packStarts.append(position)
          filledHeaders.append(false)
          hasFilling = false
        case 0xB9, 0xBE, 0: hasFilling = true
        case let id:
          let packet = PackPacket(unit, id)
          if packet.hasFilling, let last = filledHeaders.indices.last { filledHeaders[last] = true }
          if let stream = packet.audioStream {
            audio[stream, default: []] += unit[packet.content...]
          }
        }
        position += size
      }
      guard packStarts.count > minimumPacks, let last = packStarts.last else { return }
      let sizes = zip(packStarts, packStarts.dropFirst()).map { $1 - $0 }.suffix(minimumPacks)
      let isFilled =
        filledHeaders.last == true && filledHeaders.suffix(minimumPacks).contains(false)
      isLastFull = !hasFilling && !isFilled && sizes.allSatisfy { $0 == bytes.count - last }
    }
  }

  /// A stream of encoded audio.
  struct AudioStream: Hashable {
    enum Codec { case mpeg, ac3, dts, mlp }

    let codec: Codec
    /// MPEG audio has a stream identifier, the others that of a substream.
    let id: UInt8

    /// A substream of private stream 1, as DVD and HD DVD number them; `nil` for PCM and pictures.
    init?(substream id: UInt8) {
      switch id {
      case 0x80...0x87, 0xC0...0xCF: codec = .ac3
      case 0x88...0x8F: codec = .dts
      case 0xA1, 0xB0...0xBF: codec = .mlp
      default: return nil
      }
      self.id = id
    }

    init(mpeg id: UInt8) { (codec, self.id) = (.mpeg, id) }

    /// Bytes between the header of a packet and its audio: the substream, the number of frames, where the first begins,
    /// and for MLP more.
    var headByteCount: Int { codec != .mlp ? 4 : id == 0xA1 ? 10 : 5 }
  }

  /// The header of a packet of audio.
  struct PackPacket {
    /// Where the content of the stream begins.
    let content: Int
    /// The audio stream that the packet belongs to; `nil` for other packets.
    let audioStream: AudioStream?
    /// Whether the header is longer than its fields need.
    let hasFilling: Bool

    init(_ unit: ArraySlice<UInt8>, _ id: UInt8) {
      var place = unit.startIndex + 6
      func byte(_ offset: Int) -> UInt8 { offset < unit.endIndex ? unit[offset] : 0 }
      var filling = false
      if byte(place) & 0xC0 == 0x80 {
        // MPEG-2: flags, and the length of the fields, which stuffing may follow.
        let end = place + 3 + Int(byte(place + 2))
        filling = end <= unit.endIndex && end > place + 3 && byte(end - 1) == 0xFF
        place = end
      } else {
        let first = place
        while byte(place) == 0xFF { place += 1 }
        filling = place > first
        if byte(place) & 0xC0 == 0x40 { place += 2 }
        place += [2: 5, 3: 10][byte(place) >> 4] ?? 1
      }
      hasFilling = filling
      switch id {
      case 0xC0...0xDF: audioStream = AudioStream(mpeg: id)
      case 0xBD:
        audioStream = AudioStream(substream: byte(place))
        place += audioStream?.headByteCount ?? 0
      default: audioStream = nil
      }
      content = min(max(place, unit.startIndex), unit.endIndex)
    }
  }

  /// The warning about a last pack that is full.
  package static let fullWarning =
    "its last pack is full and no end code follows, as in a file that is truncated or continues in another one; more may be missing"
}

/// The chunks of RoQ: 2 bytes of kind, 4 of size, 2 of argument, all little-endian.
///
/// Source: T. Ferguson, "The id Software RoQ video format".
package enum RoQChunks {
  /// Whether the last chunk ends with the file; libavformat reports a failure at the end in any case.
  package static func isWhole(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    // The first chunk marks the file, and its size is not one.
    var position = 8
    var window = ReadWindow()
    while position < input.size {
      let head = try window.bytes(of: input, at: position, count: 8)
      guard head.count == 8 else { return false }
      position += 8 + Int(head.dropFirst(2).prefix(4).littleEndianValue)
    }
    return position == input.size
  }
}
