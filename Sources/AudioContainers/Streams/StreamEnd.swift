package import AudioIO
internal import AudioModel

/// The end of a stream of units, such as encoded frames, each of which has its size in its header.
///
/// Tags at the end are not part of the stream.
package enum StreamEnd: Hashable, Sendable {
  /// The last unit ends with the stream.
  case whole
  /// The last unit ends after the file.
  case truncated
  /// Bytes from an offset on, after the last unit, are neither a unit nor a tag.
  case junk(from: Int)
  /// No consecutive units were found.
  case unknown

  /// How many bytes at the end of a file are searched for the last units.
  private static let tail = 1 << 20
  /// The maximum number of syncs from which units are followed.
  private static let maximumSyncs = 16
  /// The minimum number of consecutive units; fewer may be chance.
  fileprivate static let minimumUnits = 3

  /// Finds the end of the stream in the last bytes of `input`.
  package init(of input: borrowing InputFile, _ unit: StreamUnit) throws(AudioFileError) {
    let end = try TrailingTag.start(of: input)
    let base = max(0, end - Self.tail)
    self.init(of: try input.bytes(at: base, count: end - base), unit, from: base)
  }

  /// Finds the end of a stream from its last bytes, which begin at the offset `base`.
  init(of bytes: [UInt8], _ unit: StreamUnit, from base: Int = 0) {
    self = .unknown
    var tried = 0
    var start = unit.lead
    while start + unit.sync.count <= bytes.count, tried < Self.maximumSyncs {
      guard bytes[start] == unit.sync[0],
        bytes[start..<start + unit.sync.count].elementsEqual(unit.sync)
      else {
        start += 1
        continue
      }
      tried += 1
      let run = Run(in: bytes, from: start - unit.lead, unit)
      start += 1
      switch run.end {
      case .whole:
        // A sync may occur by chance, so one from which the units end with the stream is sufficient.
        self = .whole
        return
      case .truncated where run.count >= Self.minimumUnits || self == .unknown: self = .truncated
      case .junk(let offset) where run.count >= Self.minimumUnits:
        // A damaged header is assumed if the rest is as long as the previous unit.
        self = bytes.count - offset == run.lastSize ? .unknown : .junk(from: base + offset)
        start = max(start, offset + unit.lead)
      default: break
      }
    }
  }

  /// Consecutive units.
  private struct Run {
    var end: StreamEnd
    var count = 0
    var lastSize = 0

    init(in bytes: [UInt8], from start: Int, _ unit: StreamUnit) {
      var position = start
      end = .truncated
      while position < bytes.count {
        guard let size = unit.size(bytes, position, start) else { return }
        if size == 0 {
          end = .junk(from: position)
          return
        }
        count += 1
        lastSize = size
        position += size
      }
      if position == bytes.count { end = .whole }
    }
  }
}

/// How to recognize the units of a stream and their sizes.
package struct StreamUnit: Sendable {
  /// The bytes by which a unit is recognized.
  let sync: [UInt8]
  /// The bytes of a unit before its sync.
  let lead: Int
  /// The size in bytes of the unit at an offset, in a run of units from `first` on; 0 where no unit begins, and `nil`
  /// where its header is truncated.
  let size: @Sendable (_ bytes: [UInt8], _ offset: Int, _ first: Int) -> Int?

  /// Packets of an MPEG program stream: ISO/IEC 13818-1, section 2.5.
  package static let programStream = StreamUnit(sync: [0, 0, 1, 0xBA], lead: 0) {
    bytes, position, _ in
    guard bytes.count - position >= 4 else { return nil }
    // Zeros may fill the last sector.
    guard bytes[position] == 0, bytes[position + 1] == 0, bytes[position + 2] == 1 else {
      return bytes[position...].allSatisfy { $0 == 0 } ? bytes.count - position : 0
    }
    switch bytes[position + 3] {
    case 0xB9: return 4
    case 0xBA:
      guard bytes.count - position >= 14 else { return nil }
      return bytes[position + 4] & 0xC0 == 0x40 ? 14 + Int(bytes[position + 13] & 7) : 12
    case 0xBB...0xFF:
      guard bytes.count - position >= 6 else { return nil }
      return 6 + Int(bytes[position + 4..<position + 6].bigEndianValue)
    default: return 0
    }
  }

  /// Access units of MLP and TrueHD: Dolby, "MLP bitstreams", the length in words of 16 bits in the low 12 bits of
  /// each unit, and the sync of a major one 4 bytes later.
  package static let mlp = StreamUnit(sync: [0xF8, 0x72, 0x6F], lead: 4) { bytes, position, first in
    guard bytes.count - position >= 4 else { return nil }
    let size = 2 * Int(bytes[position..<position + 2].bigEndianValue & 0xFFF)
    guard bytes.count - position >= min(size, 7), first + 20 < bytes.count else { return size }
    let hasSync = bytes[(position + 4)...].starts(with: [0xF8, 0x72, 0x6F])
    let isSound = hasSync || hasParity(bytes, position, substreams: Int(bytes[first + 20] >> 4))
    return isSound && size >= 4 ? size : 0
  }

  /// Whether the nibbles of a unit's header and of its directory of substreams have the parity of MLP. A substream
  /// with bit 15 set has another word.
  private static func hasParity(_ bytes: [UInt8], _ position: Int, substreams: Int) -> Bool {
    var end = position + 4
    for _ in 0..<substreams where end < bytes.count { end += bytes[end] & 0x80 != 0 ? 4 : 2 }
    guard end <= bytes.count else { return true }
    let sum = bytes[position..<end].reduce(0) { $0 ^ $1 }
    return (sum >> 4 ^ sum) & 0xF == 0xF
  }

  /// Frames of AC-3 and E-AC-3: ETSI TS 102 366, sections 4.4.1 and E.1.3.1.
  package static let ac3 = StreamUnit(sync: [0x0B, 0x77], lead: 0) { bytes, position, _ in
    guard bytes.count - position >= 6 else { return nil }
    guard bytes[position] == 0x0B, bytes[position + 1] == 0x77 else { return 0 }
    if bytes[position + 5] >> 3 > 10 {
      return 2 * (Int(bytes[position + 2..<position + 4].bigEndianValue & 0x7FF) + 1)
    }
    let code = Int(bytes[position + 4] & 0x3F)
    guard code / 2 < ac3Rates.count else { return 0 }
    let rate = ac3Rates[code / 2]
    switch bytes[position + 4] >> 6 {
    case 0: return 4 * rate
    case 1: return 2 * (rate * 320 / 147 + code % 2)
    case 2: return 6 * rate
    default: return 0
    }
  }

  /// The bit rates of AC-3 in kb/s, by half their code.
  private static let ac3Rates = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
  ]

  /// Frames of DTS and its extension substreams: ETSI TS 102 114, sections 5.3.1 and 7.4.1.
  package static let dts = StreamUnit(sync: [0x7F, 0xFE, 0x80, 0x01], lead: 0) {
    bytes, position, _ in
    guard bytes.count - position >= 10 else { return nil }
    let head = bytes[position..<position + 10]
    if head.starts(with: [0x7F, 0xFE, 0x80, 0x01]) {
      return 1 + Int(head[(position + 4)..<(position + 8)].bigEndianValue >> 4 & 0x3FFF)
    }
    guard head.starts(with: [0x64, 0x58, 0x20, 0x25]) else { return 0 }
    // After the sync, 8 user bits and 2 index bits, one bit gives the width of the size fields.
    let fields = head[(position + 5)..<(position + 10)].bigEndianValue
    let isWide = fields >> 37 & 1 == 1
    return 1 + Int(isWide ? fields >> 5 & 0xF_FFFF : fields >> 13 & 0xFFFF)
  }

  /// Blocks of WavPack: "WavPack 4 & 5 Binary File / Block Format", section 2.
  package static let wavPack = StreamUnit(sync: Array("wvpk".utf8), lead: 0) { bytes, position, _ in
    guard bytes.count - position >= 8 else { return nil }
    guard bytes[position..<position + 4].elementsEqual("wvpk".utf8) else { return 0 }
    return 8 + Int(bytes[(position + 4)..<(position + 8)].littleEndianValue)
  }
}

extension StreamUnit {
  private static let (sampledPlaces, sampledBytes, sampledUnits) = (32, 1 << 19, 128)

  /// An estimate of the number of units in a stream, from the sizes of some at places all over it; `nil` if no place has
  /// units.
  package func estimatedCount(in input: borrowing InputFile) throws(AudioFileError) -> Int? {
    let end = try TrailingTag.start(of: input)
    var (sum, places) = (0.0, 0.0)
    for number in 0..<Self.sampledPlaces {
      let place = end / Self.sampledPlaces * number
      let bytes = try input.bytes(at: place, count: min(Self.sampledBytes, end - place))
      guard let density = unitsPerByte(in: bytes) else { continue }
      sum += density
      places += 1
    }
    return places > 0 ? Int(exactly: (Double(end) * sum / places).rounded()) : nil
  }

  /// The number of units per byte of the first run of units in some bytes; `nil` if there is none.
  private func unitsPerByte(in bytes: [UInt8]) -> Double? {
    var start = lead
    while start + sync.count <= bytes.count {
      defer { start += 1 }
      guard bytes[start] == sync[0], bytes[start..<start + sync.count].elementsEqual(sync) else {
        continue
      }
      let first = start - lead
      var (position, count) = (first, 0)
      while count < Self.sampledUnits, position < bytes.count,
        let size = size(bytes, position, first), size > 0, size <= bytes.count - position
      {
        position += size
        count += 1
      }
      if count >= StreamEnd.minimumUnits { return Double(count) / Double(position - first) }
    }
    return nil
  }
}

/// The header of True Audio, which has the sizes of all frames.
///
/// Source: "TTA1 Format Specification": 22 bytes of header, then 4 bytes for each frame, and a checksum.
package enum TTAHeader {
  /// Whether a frame ends after the file.
  package static func isTruncated(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    try end(of: input).map { $0 > input.size } ?? false
  }

  /// The end of the last frame, or of the table of frames if that is not in the file; `nil` if the header is not valid.
  static func end(of input: borrowing InputFile) throws(AudioFileError) -> Int? {
    let start = try ID3Tag.end(of: input)
    let head = try ByteReader(of: input, isBigEndian: false, at: start, count: 22)
    guard head.bytes.starts(with: Array("TTA1".utf8)), let rate = head.int32(at: 10),
      let frames = head.int32(at: 14), (1...AudioLimits.sampleRate).contains(rate)
    else { return nil }
    let blockFrames = max(1, rate * 256 / 245)
    let count = (frames + blockFrames - 1) / blockFrames
    var end = start + 26 + 4 * count
    guard end <= input.size else { return end }
    var window = ReadWindow()
    for index in 0..<count {
      end += Int(
        try window.bytes(of: input, at: start + 22 + 4 * index, count: 4).littleEndianValue)
      if end > input.size { break }
    }
    return end
  }
}

/// The header of ADX, which counts the samples; `nil` for variants.
package struct ADXHeader {
  /// The samples of each channel.
  package let samples: Int
  /// The end of the audio: blocks of 18 bytes and 32 samples. Its offset is that of `(c)CRI`, which ends there.
  package let end: Int

  package init?(_ input: borrowing InputFile) throws(AudioFileError) {
    let head = try ByteReader(of: input, isBigEndian: true, at: 0, count: 16)
    guard let offset = head.int16(at: 2), let type = head.number(at: 4, count: 3),
      type == 0x03_12_04,
      let channels = head.number(at: 7, count: 1), let samples = head.int32(at: 12)
    else { return nil }
    self.samples = samples
    end = offset + 4 + (samples + 31) / 32 * 18 * Int(channels)
  }
}
