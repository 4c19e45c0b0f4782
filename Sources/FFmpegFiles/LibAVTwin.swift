internal import CLibAV

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A second decoder of the same AAC packets, whose generator of random numbers is in another state.
///
/// Perceptual noise substitution draws the samples of some bands from a generator that runs on from packet to packet, so
/// that they depend on every packet before. Where both decoders give the same samples, none were drawn.
final class LibAVTwin {
  private var context: UnsafeMutablePointer<AVCodecContext>?
  private var frame: UnsafeMutablePointer<AVFrame>?
  private var hasStarted = false

  /// Takes over a decoder that has not decoded anything; `nil` if its generator cannot be moved.
  init?(_ context: UnsafeMutablePointer<AVCodecContext>, channelCount: Int) {
    self.context = context
    frame = av_frame_alloc()
    guard let frame, drawNumbers(context, frame, channelCount: channelCount) else { return nil }
  }

  deinit {
    av_frame_free(&frame)
    avcodec_free_context(&context)
  }

  func send(_ packet: UnsafeMutablePointer<AVPacket>) {
    guard let context else { return }
    avcodec_send_packet(context, packet)
  }

  /// Whether the next samples are those of `other`; of the first packet, whose overlap is of another, nothing is known.
  func agrees(with other: UnsafeMutablePointer<AVFrame>) -> Bool {
    guard let context, let frame, avcodec_receive_frame(context, frame) >= 0,
      frame.pointee.nb_samples == other.pointee.nb_samples,
      frame.pointee.ch_layout.nb_channels == other.pointee.ch_layout.nb_channels,
      other.pointee.format == AV_SAMPLE_FMT_FLTP.rawValue,
      frame.pointee.format == other.pointee.format
    else { return false }
    guard hasStarted else {
      hasStarted = true
      return true
    }
    let bytes = Int(frame.pointee.nb_samples) * MemoryLayout<Float>.size
    return (0..<Int(frame.pointee.ch_layout.nb_channels)).allSatisfy {
      guard let plane = frame.pointee.extended_data[$0],
        let otherPlane = other.pointee.extended_data[$0]
      else { return false }
      return memcmp(plane, otherPlane, bytes) == 0
    }
  }

  /// Decodes a packet of noise; `false` if nothing is heard of it.
  private func drawNumbers(
    _ context: UnsafeMutablePointer<AVCodecContext>, _ frame: UnsafeMutablePointer<AVFrame>,
    channelCount: Int
  ) -> Bool {
    var packet = av_packet_alloc()
    defer { av_packet_free(&packet) }
    guard let packet else { return false }
    var bytes = Self.noise(channelCount: channelCount)
    let size = bytes.count
    bytes += [UInt8](repeating: 0, count: Int(AV_INPUT_BUFFER_PADDING_SIZE))
    let isSent = bytes.withUnsafeMutableBufferPointer { buffer in
      packet.pointee.data = buffer.baseAddress
      packet.pointee.size = Int32(size)
      defer {
        packet.pointee.data = nil
        packet.pointee.size = 0
      }
      return avcodec_send_packet(context, packet) >= 0
    }
    guard isSent, avcodec_receive_frame(context, frame) >= 0,
      frame.pointee.format == AV_SAMPLE_FMT_FLTP.rawValue,
      Int(frame.pointee.ch_layout.nb_channels) == channelCount,
      let plane = frame.pointee.extended_data?[0]
    else { return false }
    let samples = UnsafeRawPointer(plane).assumingMemoryBound(to: Float.self)
    return (0..<Int(frame.pointee.nb_samples)).contains { samples[$0] != 0 }
  }

  /// A packet whose channels have noise in one band and nothing else (ISO/IEC 14496-3, 4.4.2).
  private static func noise(channelCount: Int) -> [UInt8] {
    // One long window with one band, without prediction.
    let window = [(0, 4), (1, 6), (0, 1)]
    // The gain; then, after the window: a section of codebook 13 with one band, its energy; no pulses, no TNS, no gain
    // control.
    let (gain, rest) = ([(150, 8)], [(13, 4), (1, 5), (256, 9), (0, 3)])
    let element =
      channelCount == 1
      ? [(0, 3), (0, 4)] + gain + window + rest
      : [(1, 3), (0, 4), (1, 1)] + window + [(0, 2)] + gain + rest + gain + rest
    var bits: [Bool] = []
    for (value, width) in element + [(7, 3)] {
      for bit in (0..<width).reversed() { bits.append(value >> bit & 1 == 1) }
    }
    var bytes = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
    for (index, bit) in bits.enumerated() where bit { bytes[index / 8] |= 0x80 >> (index % 8) }
    return bytes
  }
}
