internal import AudioIO
internal import AudioModel

/// An ALAC packet whose samples stand as they are.
///
/// libavcodec 59 ends the program when the last packet of more than two channels has one or two frames:
/// its buffer is too small for the headers of all elements. Such packets are made here.
/// Source: Apple, `ALACEncoder.cpp` (`EncodeMonoEscape`, `EncodeStereoEscape`).
enum ALACEscapePacket {
  /// Packets of fewer frames are made here.
  static let frameLimit = 16

  /// The channels of each element of a packet, by the number of channels.
  private static let elements: [Int: [[Speaker]]] = [
    3: [[.frontCenter], [.frontLeft, .frontRight]],
    4: [[.frontCenter], [.frontLeft, .frontRight], [.backCenter]],
    5: [[.frontCenter], [.frontLeft, .frontRight], [.backLeft, .backRight]],
    6: [[.frontCenter], [.frontLeft, .frontRight], [.backLeft, .backRight], [.lowFrequency]],
    7: [
      [.frontCenter], [.frontLeft, .frontRight], [.backLeft, .backRight], [.backCenter],
      [.lowFrequency],
    ],
    8: [
      [.frontCenter], [.frontLeftOfCenter, .frontRightOfCenter], [.frontLeft, .frontRight],
      [.backLeft, .backRight], [.lowFrequency],
    ],
  ]

  /// The packet; `sample` gives the sample of a channel of `layout` in a frame, in the low bits.
  ///
  /// `nil` for layouts that ALAC has not, and for one and two channels.
  static func bytes(
    layout: ChannelLayout, frameCount: Int, bitDepth: Int, sample: (Int, Int) -> Int32
  ) -> [UInt8]? {
    guard let elements = elements[layout.channelCount], let speakers = layout.speakers else {
      return nil
    }
    var bits = BitWriter()
    var counts = [0, 0]
    for element in elements {
      let kind = element.count - 1
      bits.put(kind, count: 3)
      bits.put(counts[kind], count: 4)
      counts[kind] += 1
      bits.put(0, count: 12)
      // The number of frames is told; no bits are split off; the samples are as they are.
      bits.put(0b1001, count: 4)
      bits.put(frameCount, count: 32)
      let channels = element.compactMap { speakers.firstIndex(of: $0) }
      guard channels.count == element.count else { return nil }
      for frame in 0..<frameCount {
        for channel in channels { bits.put(Int(sample(channel, frame)), count: bitDepth) }
      }
    }
    bits.put(0b111, count: 3)
    return bits.bytes
  }
}
