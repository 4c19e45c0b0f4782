internal import AudioIO
internal import AudioModel

/// Information for samplers in WAV: the chunks `smpl`, `inst`, and `acid`.
///
/// Sources: IBM and Microsoft, "New Multimedia Data Types and Data Techniques 3.0" (1994), "Sampler
/// Chunk" and "Instrument Chunk". Sony's `acid` has no published specification; its fields are those
/// that programs agree on.
extension MarkReader {
  private static let headSize = 36
  private static let loopSize = 24

  mutating func takeSampler(_ sampler: ByteReader) {
    guard let note = sampler.uint32(at: 12), let fraction = sampler.uint32(at: 16),
      let count = sampler.int32(at: 28), sampler.bytes.count >= Self.headSize
    else {
      isDamaged = true
      return
    }
    var found = Metadata.Instrument(
      manufacturer: sampler.uint32(at: 0) ?? 0, product: sampler.uint32(at: 4) ?? 0)
    (found.baseNote, found.detune) = SamplerChunks.pitch(note: note, fraction: fraction)
    // The bytes of RIFX have another order.
    if !sampler.isBigEndian { found.chunks["smpl"] = sampler.bytes }
    let there = (sampler.bytes.count - Self.headSize) / Self.loopSize
    if count > there { isDamaged = true }
    for index in 0..<min(count, there) {
      let offset = Self.headSize + index * Self.loopSize
      if let loop = Self.loop(sampler, at: offset) {
        found.loops.append(loop)
      } else {
        isDamaged = true
      }
    }
    instrument = found
  }

  /// A loop; `nil` if it ends before it begins.
  private static func loop(_ sampler: ByteReader, at offset: Int) -> Metadata.Instrument.Loop? {
    guard let id = sampler.uint32(at: offset), let type = sampler.uint32(at: offset + 4),
      let start = sampler.uint32(at: offset + 8), let last = sampler.uint32(at: offset + 12),
      let count = sampler.uint32(at: offset + 20), last >= start
    else { return nil }
    let mode: Metadata.Instrument.Loop.Mode =
      switch type {
      case 1: .alternating
      case 2: .backward
      default: .forward
      }
    // "dwEnd", "the endpoint of the loop", is the last frame played.
    var loop = Metadata.Instrument.Loop(
      markID: id, mode: mode, start: Double(start), end: Double(last) + 1, playCount: count)
    if !sampler.isBigEndian { loop.sampler = Array(sampler.bytes[offset..<offset + loopSize]) }
    return loop
  }

  mutating func takeInstrument(_ chunk: ByteReader) {
    let fields = (0..<7).compactMap { chunk.number(at: $0, count: 1).map { UInt8($0) } }
    guard fields.count == 7 else {
      isDamaged = true
      return
    }
    if instrument == nil {
      // "chFineTune" is the shift needed to match the note exactly.
      instrument = Metadata.Instrument(
        baseNote: min(fields[0], 127), detune: -Double(Int8(bitPattern: fields[1])))
    }
    instrument?.chunks["inst"] = chunk.bytes
    instrument?.gain = Double(Int8(bitPattern: fields[2]))
    instrument?.notes = SamplerChunks.range(fields[3], fields[4])
    instrument?.velocities = SamplerChunks.range(fields[5], fields[6])
  }

  mutating func takeLoopProperties(_ chunk: ByteReader) {
    guard let flags = chunk.uint32(at: 0), let root = chunk.int16(at: 4),
      let beats = chunk.uint32(at: 12), let denominator = chunk.int16(at: 16),
      let numerator = chunk.int16(at: 18), let tempo = chunk.uint32(at: 20)
    else {
      isDamaged = true
      return
    }
    let rate = Float(bitPattern: tempo)
    guard rate.isFinite, rate >= 0 else {
      isDamaged = true
      return
    }
    var found = Metadata.LoopProperties(
      flags: flags, rootNote: UInt16(root), beats: beats, meterNumerator: UInt16(numerator),
      meterDenominator: UInt16(denominator), tempo: rate)
    if !chunk.isBigEndian { found.chunk = chunk.bytes }
    loopProperties = found
  }
}

/// Converts instruments and loop properties to WAV chunks.
enum SamplerChunks {
  /// The nearest note and cents for a note plus a 32-bit fraction of a semitone.
  static func pitch(note: UInt32, fraction: UInt32) -> (note: UInt8, cents: Double) {
    let cents = Double(fraction) / 0x1p32 * 100
    let base = UInt8(min(note, 127))
    return cents > 50 && base < 127 ? (base + 1, cents - 100) : (base, cents)
  }

  /// A range of notes or velocities; the full range if the bounds are invalid.
  static func range(_ low: UInt8, _ high: UInt8) -> ClosedRange<UInt8> {
    low <= high && high <= 127 ? low...high : 0...127
  }

  /// Those of `smpl` and `inst` that the source has, otherwise `smpl`, and `inst` if the instrument has a gain or
  /// restricted ranges.
  static func chunks(for instrument: Metadata.Instrument, sampleRate: Int) -> [Chunk] {
    var chunks: [Chunk] = []
    let own = instrument.chunks
    if own["smpl"] != nil || own.isEmpty || !instrument.loops.isEmpty {
      chunks.append(Chunk(name: "smpl", content: sampler(instrument, sampleRate: sampleRate)))
    }
    let isPlain =
      instrument.gain == 0 && instrument.notes == 0...127 && instrument.velocities == 0...127
    if let bytes = own["inst"] {
      chunks.append(Chunk(name: "inst", content: bytes))
    } else if !isPlain {
      chunks.append(Chunk(name: "inst", content: self.instrument(instrument)))
    }
    return chunks
  }

  private static func sampler(_ instrument: Metadata.Instrument, sampleRate: Int) -> [UInt8] {
    let isBelow = instrument.detune < 0 && instrument.baseNote > 0
    let cents = min(99.9999999, max(0, isBelow ? instrument.detune + 100 : instrument.detune))
    let loops = instrument.loops.filter { UInt32(exactly: $0.end.rounded()) != nil && $0.end >= 1 }
    var chunk = ByteWriter(isBigEndian: false)
    chunk.append(instrument.manufacturer)
    chunk.append(instrument.product)
    chunk.append(UInt32(1_000_000_000 / max(1, sampleRate)))
    chunk.append(UInt32(instrument.baseNote) - (isBelow ? 1 : 0))
    chunk.append(UInt32((cents / 100 * 0x1p32).rounded()))
    // SMPTE format and offset.
    chunk.append(UInt64(0))
    let data = keepHead(of: instrument, in: &chunk)
    chunk.append(UInt32(clamping: loops.count))
    chunk.append(UInt32(clamping: data.count))
    for (number, loop) in loops.enumerated() {
      let type: UInt32 =
        switch loop.mode {
        case .forward, .off: 0
        case .alternating: 1
        case .backward: 2
        }
      chunk.append(loop.markID ?? UInt32(clamping: number))
      chunk.append(type)
      chunk.append(UInt32(exactly: max(0, loop.start).rounded()) ?? 0)
      chunk.append((UInt32(exactly: loop.end.rounded()) ?? 1) - 1)
      // The fraction of a frame at which the loop ends.
      chunk.append(loop.sampler.count == 24 ? Array(loop.sampler[16..<20]) : [0, 0, 0, 0])
      chunk.append(loop.playCount)
      keepType(of: loop, in: &chunk)
    }
    return chunk.bytes + data
  }

  /// Keeps the pitch and the SMPTE fields of the source's chunk. Returns the sampler's own data, which follows the
  /// loops.
  private static func keepHead(
    of instrument: Metadata.Instrument, in chunk: inout ByteWriter
  ) -> [UInt8] {
    guard let own = instrument.chunks["smpl"], own.count >= 36 else { return [] }
    chunk.replace(Array(own[12..<28]), at: 12)
    let start = 36 + 24 * Int(min(own[28..<32].littleEndianValue, 1 << 24))
    let count = Int(min(own[32..<36].littleEndianValue, 1 << 24))
    return Array(own.dropFirst(start).prefix(count))
  }

  /// Keeps a sampler's own type of loop, which is played forward here.
  private static func keepType(
    of loop: Metadata.Instrument.Loop, in chunk: inout ByteWriter
  ) {
    guard loop.sampler.count == 24, loop.mode == .forward else { return }
    chunk.replace(Array(loop.sampler[4..<8]), at: chunk.bytes.count - 20)
  }

  private static func instrument(_ instrument: Metadata.Instrument) -> [UInt8] {
    [
      instrument.baseNote,
      UInt8(bitPattern: Int8(max(-50, min(50, -instrument.detune)).rounded())),
      UInt8(bitPattern: Int8(max(-64, min(64, instrument.gain)).rounded())),
      instrument.notes.lowerBound, instrument.notes.upperBound,
      instrument.velocities.lowerBound, instrument.velocities.upperBound,
    ]
  }

  static func acid(_ loop: Metadata.LoopProperties) -> [UInt8] {
    var chunk = ByteWriter(isBigEndian: false)
    chunk.append(loop.flags)
    chunk.append(loop.rootNote)
    // Two undocumented fields, by default with the values that programs write.
    chunk.append(loop.chunk.count >= 24 ? Array(loop.chunk[6..<12]) : [0, 0x80, 0, 0, 0, 0])
    chunk.append(loop.beats)
    chunk.append(loop.meterDenominator)
    chunk.append(loop.meterNumerator)
    chunk.append(loop.tempo.bitPattern)
    return chunk.bytes + loop.chunk.dropFirst(24)
  }
}
