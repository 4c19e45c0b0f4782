internal import AudioContainers
internal import AudioIO
internal import AudioModel

/// The bytes before and after the samples of a file.
///
/// The number of frames is announced, so nothing has to be filled in later.
struct PCMSurroundings {
  private(set) var head: [UInt8] = []
  private(set) var tail: [UInt8] = []
  /// Metadata that the file cannot hold, by display name.
  private(set) var notCarried: [MetadataLoss] = []
  private let spec: AudioSpec
  private let frameCount: Int
  private let encoding: RawPCM.Encoding
  private let layout: ChannelLayout
  private let attached: AttachedChunks

  private var bytesPerFrame: Int { spec.channelCount * encoding.bytesPerSample }
  private var audioBytes: Int { frameCount * bytesPerFrame }
  /// The size of the whole file, in bytes.
  var byteCount: Int { head.count + audioBytes + tail.count }
  private var isFloat: Bool { encoding.sampleFormat?.isFloat ?? false }

  /// - Parameter layout: The channels in the order of the file.
  init(
    _ description: OutputDescription, encoding: RawPCM.Encoding, layout: ChannelLayout,
    attached: AttachedChunks
  ) {
    spec = description.spec
    frameCount = description.frameCount
    self.encoding = encoding
    self.layout = layout
    self.attached = attached
    switch description.format.container {
    case .wav:
      // Plain WAV states what it can express.
      let isAsked = description.format == PCMLibrary.extensibleWAV
      makeRIFF(
        isExtensible: isAsked
          ? layout.speakers != nil || spec.channelCount <= 2 : !layout.isAssumed, isLarge: false)
    case .rf64: makeRIFF(isExtensible: true, isLarge: true)
    case .wave64: makeWave64()
    case .aiff, .aiffC:
      makeAIFF(
        isC: description.format.container == .aiffC || isFloat,
        coreAudioLayout: coreAudioLayout(description))
    case .caf: makeCAF(coreAudioLayout: coreAudioLayout(description))
    case .au: makeAU()
    default: break
    }
  }

  /// Core Audio's description of the layout; `nil` if the file needs none.
  private func coreAudioLayout(_ description: OutputDescription) -> [UInt8]? {
    description.coreAudioLayout
      ?? (layout.isAssumed ? nil : CoreAudioLayout.content(for: layout))
  }

  // MARK: RIFF

  /// WAV, and RF64 (`isLarge`).
  ///
  /// Source: IBM and Microsoft, "Multimedia Programming Interface and Data Specifications 1.0" (1991); EBU Tech 3306.
  private mutating func makeRIFF(isExtensible: Bool, isLarge: Bool) {
    var before = ByteWriter(isBigEndian: false)
    // Other encodings than integers state the size of what follows, here none.
    let extra: [UInt8] = isFloat && !isExtensible ? [0, 0] : []
    before.append(Chunk(name: "fmt ", content: waveFormat(isExtensible: isExtensible) + extra))
    if !isLarge, isFloat || isExtensible {
      before.append(Chunk(name: "fact", content: frameCount.littleEndianBytes(4)))
    }
    for chunk in attached.leading { before.append(chunk) }
    var after = ByteWriter(isBigEndian: false)
    for chunk in attached.trailing { after.append(chunk) }
    let ownSize = 12 + (isLarge ? 36 : 0) + before.bytes.count + 8 + audioBytes + audioBytes % 2
    var trailing = isLarge ? after.bytes : fitting(after.bytes, after: ownSize)
    let size = ownSize + trailing.count - 8
    if !isLarge, frameCount == 0 {
      // Some programs treat an empty audio chunk as one that extends to the end of the file.
      before.append(trailing)
      trailing = []
    }
    tail = [UInt8](repeating: 0, count: audioBytes % 2) + trailing
    var file = ByteWriter(isBigEndian: false)
    file.append(isLarge ? "RF64" : "RIFF")
    file.append32(isLarge ? 0xFFFF_FFFF : size)
    file.append("WAVE")
    if isLarge {
      var sizes = ByteWriter(isBigEndian: false)
      sizes.append64(size)
      sizes.append64(audioBytes)
      sizes.append64(frameCount)
      // No other chunk has a size of 64 bits.
      sizes.append32(0)
      file.append(Chunk(name: "ds64", content: sizes.bytes))
    }
    file.append(before.bytes)
    file.append("data")
    file.append32(isLarge ? 0xFFFF_FFFF : audioBytes)
    head = file.bytes
  }

  /// Chunks to append to a file of `size` bytes; none if 32 bits cannot count them.
  private mutating func fitting(_ chunks: [UInt8], after size: Int) -> [UInt8] {
    if chunks.isEmpty || size + chunks.count - 8 <= Int(UInt32.max) { return chunks }
    notCarried.append(
      MetadataLoss(
        .chunk, "tags and markers, because a file of this length has no room for them"))
    return []
  }

  private func waveFormat(isExtensible: Bool) -> [UInt8] {
    WaveEncoding.format(
      spec, layout, bits: encoding.bytesPerSample * 8, isFloat: isFloat, isExtensible: isExtensible)
  }

  // MARK: Wave64

  /// Source: Sony Pictures Digital, "Sony Wave64 audio file format".
  private mutating func makeWave64() {
    let format = waveFormat(isExtensible: !layout.isAssumed)
    var chunks = ByteWriter(isBigEndian: false)
    chunks.appendWave64Header("fmt ", size: format.count)
    chunks.append(format)
    if isFloat {
      chunks.appendWave64Header("fact", size: 8)
      chunks.append64(frameCount)
    }
    for chunk in attached.leading { chunks.appendWave64(chunk) }
    chunks.appendWave64Header("data", size: audioBytes)
    var after = ByteWriter(isBigEndian: false)
    if !attached.trailing.isEmpty { after.appendZeros((8 - audioBytes % 8) % 8) }
    let padding = after.bytes.count
    for chunk in attached.trailing { after.appendWave64(chunk, paddedFrom: padding) }
    tail = after.bytes
    var file = ByteWriter(isBigEndian: false)
    file.appendWave64Header("riff", size: 16 + chunks.bytes.count + audioBytes + tail.count)
    file.appendWave64Name("wave")
    file.append(chunks.bytes)
    head = file.bytes
  }

  // MARK: AIFF

  /// Source: Apple, "Audio Interchange File Format AIFF-C", draft of 26 August 1991.
  private mutating func makeAIFF(isC: Bool, coreAudioLayout: [UInt8]?) {
    var common = ByteWriter()
    common.append16(spec.channelCount)
    common.append32(frameCount)
    common.append16(encoding.bytesPerSample * 8)
    // An extended number of 80 bits: exponent, and a mantissa with an explicit leading 1.
    let zeros = spec.sampleRate.leadingZeroBitCount
    common.append16(16383 + 63 - zeros)
    common.append64(spec.sampleRate << zeros)
    var before = ByteWriter()
    if isC {
      common.append(compression)
      // An empty name, padded.
      common.append16(0)
      // The version of AIFF-C.
      before.append(Chunk(name: "FVER", content: 0xA280_5140.bigEndianBytes(4)))
    }
    before.append(Chunk(name: "COMM", content: common.bytes))
    if let coreAudioLayout { before.append(Chunk(name: "CHAN", content: coreAudioLayout)) }
    for chunk in attached.leading { before.append(chunk) }
    var after = ByteWriter()
    for chunk in attached.trailing { after.append(chunk) }
    let ownSize = 12 + before.bytes.count + 16 + audioBytes + audioBytes % 2
    let trailing = fitting(after.bytes, after: ownSize)
    tail = [UInt8](repeating: 0, count: audioBytes % 2) + trailing
    var file = ByteWriter()
    file.append("FORM")
    file.append32(ownSize + trailing.count - 8)
    file.append(isC ? "AIFC" : "AIFF")
    file.append(before.bytes)
    file.append("SSND")
    file.append32(8 + audioBytes)
    // The offset of the first frame, and the size of blocks.
    file.append64(0)
    head = file.bytes
  }

  /// The code of an encoding in AIFF-C.
  private var compression: String {
    switch encoding {
    case .u8: "raw "
    case .s24be: "in24"
    case .s32be: "in32"
    case .f32be: "FL32"
    case .f64be: "FL64"
    default: "twos"
    }
  }

  // MARK: CAF

  /// The multiple of bytes at which the samples begin.
  private static let cafAlignment = 1 << 12

  /// Source: Apple, "Core Audio Format Specification 1.0".
  private mutating func makeCAF(coreAudioLayout: [UInt8]?) {
    var file = ByteWriter()
    file.append("caff")
    file.append16(1)
    file.append16(0)
    file.appendCAFChunkHeader("desc", size: 32)
    file.append(Double(spec.sampleRate).bitPattern)
    file.append("lpcm")
    file.append32(isFloat ? 1 : 0)
    file.append32(bytesPerFrame)
    file.append32(1)
    file.append32(spec.channelCount)
    file.append32(encoding.bytesPerSample * 8)
    if let coreAudioLayout { file.appendCAF(Chunk(name: "chan", content: coreAudioLayout)) }
    for chunk in attached.leading { file.appendCAF(chunk) }
    // Headers of two chunks, and an edit count of 4 bytes.
    let end = file.bytes.count + 12 + 12 + 4
    let filling = (Self.cafAlignment - end % Self.cafAlignment) % Self.cafAlignment
    file.appendCAF(Chunk(name: "free", content: [UInt8](repeating: 0, count: filling)))
    file.appendCAFChunkHeader("data", size: audioBytes + 4)
    file.append32(0)
    head = file.bytes
    var after = ByteWriter()
    for chunk in attached.trailing { after.appendCAF(chunk) }
    tail = after.bytes
  }

  // MARK: AU

  /// Source: NeXT Software, `soundstruct.h`.
  private mutating func makeAU() {
    let code =
      switch encoding {
      case .s8: 2
      case .s16be: 3
      case .s24be: 4
      case .s32be: 5
      case .f32be: 6
      default: 7
      }
    var file = ByteWriter()
    file.append(".snd")
    file.append32(24)
    // The size is unknown if it needs more bits than a signed number has.
    file.append32(audioBytes <= Int(Int32.max) ? audioBytes : 0xFFFF_FFFF)
    file.append32(code)
    file.append32(spec.sampleRate)
    file.append32(spec.channelCount)
    head = file.bytes
  }
}

extension ChannelLayout {
  /// True if a channel count alone states the layout.
  fileprivate var isAssumed: Bool {
    speakers == nil || self == .assumed(channelCount: channelCount)
  }
}
