package import AudioIO
package import AudioModel

/// The parameters of encoded audio that a container stores.
package struct PacketStream {
  package let codec: AudioFormat.PacketEncoding.Codec
  /// The sample rate, and the layout in the order of the encoded channels.
  package let spec: AudioSpec
  /// The number of frames to play.
  package let frameCount: Int
  /// The encoder delay: decoded frames before the frames to play.
  package let delay: Int
  package let framesPerPacket: Int
  /// Bits per lossless sample; 16 for AAC, which has no bit depth.
  package let bitDepth: Int
  /// An AudioSpecificConfig (ISO 14496-3 section 1.6.2.1) or an ALACSpecificConfig.
  package let configuration: [UInt8]

  package init(
    codec: AudioFormat.PacketEncoding.Codec, spec: AudioSpec, frameCount: Int, delay: Int,
    framesPerPacket: Int, bitDepth: Int, configuration: [UInt8]
  ) {
    self.codec = codec
    self.spec = spec
    self.frameCount = frameCount
    self.delay = delay
    self.framesPerPacket = framesPerPacket
    self.bitDepth = bitDepth
    self.configuration = configuration
  }

  /// The number of decoded frames, without the padding of the last packet.
  var decodedFrameCount: Int { frameCount == 0 ? 0 : delay + frameCount }

  var packetCount: Int {
    (decodedFrameCount + framesPerPacket - 1) / framesPerPacket
  }

  /// Runs of packets with the same number of frames to play; no run is empty.
  ///
  /// A single packet is declared with at least 2 frames: libavformat treats a single run with one frame per packet as
  /// PCM. The edit list states the length.
  var durations: [(count: Int, frames: Int)] {
    switch packetCount {
    case 0: []
    case 1: [(1, max(2, lastPacketFrames))]
    default: [(packetCount - 1, framesPerPacket), (1, lastPacketFrames)]
    }
  }

  /// The frames of the last packet without padding.
  private var lastPacketFrames: Int {
    decodedFrameCount - (packetCount - 1) * framesPerPacket
  }

  /// An upper bound of the size of all packets, in bytes.
  ///
  /// AAC: twice the maximum of 6144 bits per channel of a packet (ISO 14496-3 section 4.5.3.3).
  /// ALAC: an incompressible packet stores plain samples and a header.
  var maximumBytes: Int {
    let packet =
      codec == .aac
      ? 2 * 768 * spec.channelCount : framesPerPacket * spec.channelCount * 4 + 64
    let (bytes, overflow) = packetCount.multipliedReportingOverflow(by: packet)
    return overflow ? .max : bytes
  }
}

/// A file of packets to write.
package protocol PacketFile: AnyObject {
  /// Adds the next packet.
  func append(_ packet: UnsafeRawBufferPointer) throws(AudioFileError)
  /// Completes the file's content.
  func finish() throws(AudioFileError)
}

/// The decoder configuration of ALAC.
///
/// Source: Apple, `ALACMagicCookieDescription.txt`.
package enum ALACConfiguration {
  /// The 24 bytes of the ALACSpecificConfig in libavcodec's extradata, after a box header, version, and flags.
  package static func bytes(_ extradata: [UInt8]) -> [UInt8]? {
    extradata.count == 36 ? Array(extradata[12...]) : nil
  }

  /// Core Audio's tag for the layout that ALAC has for a channel count.
  static func layoutTag(channelCount: Int) -> Int {
    let tags = [100, 101, 114, 116, 120, 124, 142, 127]
    return tags[min(max(channelCount, 1), tags.count) - 1] << 16 | channelCount
  }

  /// Adds the content of the `chan` box, which is needed for more than two channels.
  static func putLayout(channelCount: Int, _ bytes: inout ByteWriter) {
    bytes.append32(layoutTag(channelCount: channelCount))
    bytes.appendZeros(8)
  }
}
