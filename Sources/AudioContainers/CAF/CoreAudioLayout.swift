package import AudioIO
package import AudioModel

/// Core Audio's channel layout, the content of the `chan` chunk of CAF and the `CHAN` chunk of AIFF.
///
/// Big-endian: a tag, a bitmap, a count of descriptions, and 20 bytes per description.
/// Source: Apple, `CoreAudioBaseTypes.h`, and "Core Audio Format Specification 1.0", section Channel
/// Layout Chunk.
package enum CoreAudioLayout {
  /// The tag of a layout that channel descriptions define.
  private static let useDescriptions: UInt32 = 0
  /// The tag of a layout that the bitmap defines. Its bits are the bits of the WAVE channel mask.
  private static let useBitmap: UInt32 = 0x10000
  private static let knownBits: UInt32 = (1 << 18) - 1

  /// The tag of MPEG 7.1 C, which FFmpeg writes for channels in the order of the WAVE mask.
  private static let mpeg71C: UInt32 = 128 << 16 | 8

  /// True if the content has the tag to which FFmpeg gives another meaning.
  static func isAmbiguous(_ content: [UInt8]) -> Bool {
    ByteReader(bytes: content, isBigEndian: true).uint32(at: 0) == mpeg71C
  }

  /// The content of a header's chunk if another file can store it: complete, and with the meaning defined by Apple.
  package static func keepable(in header: ContainerHeader) -> [UInt8]? {
    guard let content = header.coreAudioLayout,
      let count = ByteReader(bytes: content, isBigEndian: true).int32(at: 8),
      content.count == 12 + 20 * count, !(header.isWrittenByLavf && isAmbiguous(content))
    else { return nil }
    return content
  }

  /// The layout in a chunk's content; `nil` without a layout, or if it uses speakers other than WAVE's 18.
  ///
  /// `isWrittenByLavf`: FFmpeg uses the tag of MPEG 7.1 C for channels in the order of the WAVE mask.
  package static func layout(
    _ content: [UInt8], channelCount: Int, isWrittenByLavf: Bool
  ) -> ChannelLayout? {
    let head = ByteReader(bytes: content, isBigEndian: true)
    guard let tag = head.uint32(at: 0) else { return nil }
    switch tag {
    case useBitmap:
      guard let bitmap = head.uint32(at: 4), bitmap & ~knownBits == 0 else { return nil }
      return ChannelLayout(mask: bitmap, channelCount: channelCount)
    case useDescriptions:
      return described(head, channelCount: channelCount)
    case mpeg71C where isWrittenByLavf:
      return ChannelLayout(mask: 0x63F, channelCount: channelCount)
    default:
      guard let speakers = CoreAudioTags.speakers(ofTag: tag), speakers.count == channelCount else {
        return nil
      }
      return ChannelLayout(speakers)
    }
  }

  /// The content of a chunk for a layout whose channels are in the order of the WAVE mask.
  package static func content(for layout: ChannelLayout) -> [UInt8] {
    let words: [UInt32] = [useBitmap, layout.mask, 0]
    return words.flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) }
    }
  }

  private static func described(_ head: ByteReader, channelCount: Int) -> ChannelLayout? {
    guard head.int32(at: 8) == channelCount else { return nil }
    var labels: [UInt32] = []
    for channel in 0..<channelCount {
      guard let label = head.uint32(at: 12 + 20 * channel) else { return nil }
      labels.append(label)
    }
    return CoreAudioTags.speakers(ofLabels: labels).flatMap { ChannelLayout($0) }
  }
}

/// Core Audio's speaker labels, and its tags for fixed layouts.
enum CoreAudioTags {
  /// The speakers of a layout tag (a `kAudioChannelLayoutTag_…` value), in channel order; `nil` for tags
  /// without positions, and if a position is not one of the 18.
  static func speakers(ofTag tag: UInt32) -> [Speaker]? {
    orders[tag >> 16].flatMap { speakers(named: $0.split(separator: " ").map(String.init)) }
  }

  /// The speakers of channel labels (`kAudioChannelLabel_…` values); `nil` if one is not one of the 18.
  static func speakers(ofLabels labels: [UInt32]) -> [Speaker]? {
    var names: [String] = []
    for label in labels {
      guard let name = labelNames[label] else { return nil }
      names.append(name)
    }
    return speakers(named: names)
  }

  /// Left and right surround are the mask's back speakers, as in Core Audio's bitmap, or its side speakers in
  /// layouts that also have rear surround speakers.
  private static func speakers(named names: [String]) -> [Speaker]? {
    let hasRear = names.contains("Rls") || names.contains("Rrs")
    let sides: [String: Speaker] = ["Ls": .sideLeft, "Rs": .sideRight]
    var speakers: [Speaker] = []
    for name in names {
      guard let speaker = (hasRear ? sides[name] : nil) ?? known[name] else { return nil }
      speakers.append(speaker)
    }
    return speakers
  }

  private static let known: [String: Speaker] = [
    "L": .frontLeft, "R": .frontRight, "C": .frontCenter, "LFE": .lowFrequency, "Ls": .backLeft,
    "Rs": .backRight, "Lc": .frontLeftOfCenter, "Rc": .frontRightOfCenter, "Cs": .backCenter,
    "Lsd": .sideLeft, "Rsd": .sideRight, "Ts": .topCenter, "Vhl": .topFrontLeft,
    "Vhc": .topFrontCenter, "Vhr": .topFrontRight, "Ltr": .topBackLeft, "Ctr": .topBackCenter,
    "Rtr": .topBackRight, "Rls": .backLeft, "Rrs": .backRight,
  ]

  /// Labels 1 to 18 are the mask's bits in order.
  private static let labelNames: [UInt32: String] = [
    1: "L", 2: "R", 3: "C", 4: "LFE", 5: "Ls", 6: "Rs", 7: "Lc", 8: "Rc", 9: "Cs", 10: "Lsd",
    11: "Rsd", 12: "Ts", 13: "Vhl", 14: "Vhc", 15: "Vhr", 16: "Ltr", 17: "Ctr", 18: "Rtr",
    33: "Rls", 34: "Rrs",
    // Matrix-encoded left and right; mono; top back; side surrounds; headphones.
    38: "L", 39: "R", 42: "C", 52: "Ltr", 53: "Ctr", 54: "Rtr", 55: "Lsd", 56: "Rsd", 301: "L",
    302: "R",
  ]

  /// The upper 16 bits of the tags, in the numbering of `CoreAudioBaseTypes.h`.
  ///
  /// Omitted: mid/side, X/Y microphones, Ambisonics, and layouts with positions other than the 18, such as
  /// wide fronts and top middle.
  private static let orders: [UInt32: String] = [
    100: "C", 101: "L R", 102: "L R", 103: "L R", 106: "L R",
    108: "L R Ls Rs", 109: "L R Ls Rs C", 110: "L R Ls Rs C Cs", 111: "L R Rls Rrs C Cs Ls Rs",
    112: "L R Rls Rrs Vhl Vhr Ltr Rtr",
    // MPEG 3.0 A to 7.1 C, then Emagic's.
    113: "L R C", 114: "C L R", 115: "L R C Cs", 116: "C L R Cs", 117: "L R C Ls Rs",
    118: "L R Ls Rs C", 119: "L C R Ls Rs", 120: "C L R Ls Rs", 121: "L R C LFE Ls Rs",
    122: "L R Ls Rs C LFE", 123: "L C R Ls Rs LFE", 124: "C L R Ls Rs LFE",
    125: "L R C LFE Ls Rs Cs", 126: "L R C LFE Ls Rs Lc Rc", 127: "C Lc Rc L R Ls Rs LFE",
    128: "L R C LFE Ls Rs Rls Rrs", 129: "L R Ls Rs C LFE Lc Rc",
    // ITU and DVD.
    131: "L R Cs", 132: "L R Ls Rs", 133: "L R LFE", 134: "L R LFE Cs", 135: "L R LFE Ls Rs",
    136: "L R C LFE", 137: "L R C LFE Cs", 138: "L R Ls Rs LFE",
    // Audio Unit and AAC.
    139: "L R Ls Rs C Cs", 140: "L R Ls Rs C Rls Rrs", 141: "C L R Ls Rs Cs",
    142: "C L R Ls Rs Cs LFE", 143: "C L R Ls Rs Rls Rrs", 144: "C L R Ls Rs Rls Rrs Cs",
    148: "L R Ls Rs C Lc Rc",
    // AC-3 and E-AC-3.
    149: "C LFE", 150: "L C R", 151: "L C R Cs", 152: "L C R LFE", 153: "L R Cs LFE",
    154: "L C R Cs LFE", 155: "L C R Ls Rs Cs", 156: "L C R Ls Rs Rls Rrs",
    157: "L C R Ls Rs LFE Cs", 158: "L C R Ls Rs LFE Ts", 159: "L C R Ls Rs LFE Vhc",
    160: "L C R Ls Rs LFE Rls Rrs", 161: "L C R Ls Rs LFE Lc Rc", 162: "L C R Ls Rs LFE Lsd Rsd",
    164: "L C R Ls Rs LFE Vhl Vhr", 165: "L C R Ls Rs LFE Cs Ts", 166: "L C R Ls Rs LFE Cs Vhc",
    167: "L C R Ls Rs LFE Ts Vhc",
    // DTS.
    168: "C L R LFE", 169: "C L R Cs LFE", 170: "Lc Rc L R Ls Rs", 171: "C L R Rls Rrs Ts",
    172: "C Cs L R Rls Rrs", 173: "Lc Rc L R Ls Rs LFE", 174: "C L R Rls Rrs Ts LFE",
    175: "C Cs L R Rls Rrs LFE", 176: "Lc C Rc L R Ls Rs", 177: "Lc C Rc L R Ls Rs LFE",
    178: "Lc Rc L R Ls Rs Rls Rrs", 179: "Lc C Rc L R Ls Cs Rs",
    180: "Lc Rc L R Ls Rs Rls Rrs LFE", 181: "Lc C Rc L R Ls Cs Rs LFE", 182: "C L R Ls Rs LFE Cs",
    183: "C L R Ls Rs Rls Rrs LFE", 184: "C L R Ls Rs LFE Vhl Vhr",
    // WAVE, Atmos, Logic, CICP.
    185: "L R Rls Rrs", 186: "L R C Rls Rrs", 187: "L R C LFE Rls Rrs",
    188: "L R C LFE Cs Lsd Rsd", 189: "L R C LFE Rls Rrs Ls Rs",
    192: "L R C LFE Ls Rs Rls Rrs Vhl Vhr Ltr Rtr", 195: "L R C LFE Ls Rs Vhl Vhr Ltr Rtr",
    197: "L R Cs C", 198: "L R Ls Rs Cs C", 199: "L R Ls Rs Cs C LFE", 200: "L C R Ls Cs Rs LFE",
    201: "L R Ls Rs Rls Rrs C LFE", 205: "L R C LFE Ls Rs Vhl Vhr",
    // Ogg, and MPEG 5.0 E to 7.1 D.
    212: "L C R Rls Rrs", 213: "L C R Rls Rrs LFE", 214: "L C R Lsd Rsd Cs LFE",
    215: "L C R Ls Rs Rls Rrs LFE", 216: "L R Rls Rrs C", 217: "L R Rls Rrs C LFE",
    218: "L R Lsd Rsd C Cs LFE", 219: "L R Rls Rrs Ls Rs C LFE",
  ]
}
