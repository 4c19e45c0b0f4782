package import AudioIO
package import AudioModel

/// Encoded audio as a container describes it.
package struct PacketStream {
  package let codec: AudioFormat.PacketEncoding.Codec
  /// The rate, and the layout in the order of the encoded channels.
  package let spec: AudioSpec
  /// The frames that play.
  package let frameCount: Int
  /// The frames that decoders give before those that play.
  package let priming: Int
  package let framesPerPacket: Int
  /// Bits of a lossless sample; 16 for AAC, which has none of its own.
  package let bitDepth: Int
  /// An AudioSpecificConfig (ISO 14496-3 section 1.6.2.1) or an ALACSpecificConfig.
  package let configuration: [UInt8]

  package init(
    codec: AudioFormat.PacketEncoding.Codec, spec: AudioSpec, frameCount: Int, priming: Int,
    framesPerPacket: Int, bitDepth: Int, configuration: [UInt8]
  ) {
    self.codec = codec
    self.spec = spec
    self.frameCount = frameCount
    self.priming = priming
    self.framesPerPacket = framesPerPacket
    self.bitDepth = bitDepth
    self.configuration = configuration
  }

  /// The frames that a decoder gives for the whole, but for what the last packet has too many.
  var decodedFrameCount: Int { frameCount == 0 ? 0 : priming + frameCount }

  var packetCount: Int {
    (decodedFrameCount + framesPerPacket - 1) / framesPerPacket
  }

  /// Runs of packets whose frames count, none of them empty.
  ///
  /// Where there is but one packet, all its frames are told: libavformat takes a single run of one
  /// frame each for PCM.
  var durations: [(count: Int, frames: Int)] {
    switch packetCount {
    case 0: []
    case 1: [(1, framesPerPacket)]
    default: [(packetCount - 1, framesPerPacket), (1, lastPacketFrames)]
    }
  }

  /// The frames of the last packet that count.
  private var lastPacketFrames: Int {
    decodedFrameCount - (packetCount - 1) * framesPerPacket
  }

  /// What all packets together cannot exceed, in bytes.
  ///
  /// AAC: 6144 bits for each channel of a packet (ISO 14496-3 section 4.5.3.3), here twice that.
  /// ALAC: a packet that does not become smaller holds the samples as they are, and a header.
  var mostBytes: Int {
    let packet =
      codec == .aac
      ? 2 * 768 * spec.channelCount : framesPerPacket * spec.channelCount * 4 + 64
    let (bytes, overflow) = packetCount.multipliedReportingOverflow(by: packet)
    return overflow ? .max : bytes
  }
}

/// A file that packets are put into.
package protocol PacketFile: AnyObject {
  /// Whether tags and marks are chunks that follow the packets.
  var storesTagsInChunks: Bool { get }
  /// Adds the next packet.
  func append(_ packet: UnsafeRawBufferPointer) throws(AudioFileError)
  /// Completes the file's content.
  func finish() throws(AudioFileError)
}
