internal import CLibAV

/// Gaps between the times of packets: packets that are missing, or pauses of a recording.
struct LibAVGaps {
  /// Gaps that are left out.
  private(set) var count = 0
  private var seconds = 0.0
  /// Whether audio has no pauses in the container, so that a gap is a loss.
  private let isContinuous: Bool
  /// How far the time of the packet before was ahead of the frames decoded until then, in seconds.
  private var lead: Double?

  /// Containers whose packets have times of their own. In Matroska and FLV, recorders leave out pauses; DVDs begin
  /// their times anew. Packets of MP4 have durations instead.
  private static let timed = [
    "asf": true, "mpegts": true, "mpeg": false, "matroska": false, "flv": false,
  ]
  /// A longer gap is that of an edited recording, in seconds.
  private static let longestLoss = 60.0

  /// `nil` for demuxers that make up the times.
  init?(demuxer: String?) {
    guard let isContinuous = demuxer.flatMap({ Self.timed[$0] }) else { return nil }
    self.isContinuous = isContinuous
  }

  /// The frames lost before a packet: more than a fifth of a second, and more than three blocks.
  ///
  /// Packets have times in milliseconds and decode to a block more or less than these suggest, so a shorter gap may not
  /// be one.
  ///
  /// - Parameters:
  ///   - decoded: Frames decoded before the packet.
  ///   - block: A decoded block.
  mutating func lostFrames(
    before packet: AVPacket, of stream: AVStream, decoded: Int, _ block: LibAVBlock
  ) -> Int? {
    guard packet.pts != scaleaudio_av_nopts_value, stream.time_base.den > 0 else { return nil }
    let rate = Double(block.sampleRate)
    let time = Double(packet.pts) * Double(stream.time_base.num) / Double(stream.time_base.den)
    let lead = time - Double(decoded) / rate
    defer { self.lead = lead }
    guard let before = self.lead else { return nil }
    let gap = lead - before
    guard gap > max(0.2, 3 * Double(block.frameCount) / rate), gap < 86_400 else { return nil }
    if isContinuous, gap <= Self.longestLoss { return Int((gap * rate).rounded()) }
    count += 1
    seconds += gap
    return nil
  }

  /// The warning about gaps that are left out.
  var warning: String {
    let tenths = Int((seconds * 10).rounded())
    return
      "the times of its packets have \(count) gap\(count == 1 ? "" : "s") of \(tenths / 10).\(tenths % 10) s "
      + "in all, which are left out: packets are missing there, or the recording paused"
  }
}
