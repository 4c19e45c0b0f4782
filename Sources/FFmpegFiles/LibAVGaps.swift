internal import CLibAV

/// Gaps between the times of packets: packets that are missing, or pauses of a recording.
struct LibAVGaps {
  private(set) var count = 0
  private var seconds = 0.0
  /// How far the time of the packet before was ahead of the frames decoded until then, in seconds.
  private var lead: Double?

  /// Demuxers of containers whose packets have times of their own. Packets of MP4 have durations instead.
  private static let timed: Set = ["asf", "matroska", "flv", "mpegts", "mpeg"]

  /// `nil` for demuxers that make up the times.
  init?(demuxer: String?) {
    guard Self.timed.contains(demuxer ?? "") else { return nil }
  }

  /// Whether packets of audio follow each other without pauses in a container, so that a gap is a loss.
  static func isContinuous(_ demuxer: String) -> Bool { demuxer == "asf" }

  /// The frames missing before a packet: more than a fifth of a second, and more than three blocks.
  ///
  /// Packets have times in milliseconds and decode to a block more or less than they say, so a shorter gap may be none.
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
    count += 1
    seconds += gap
    return Int((gap * rate).rounded())
  }

  /// The warning about gaps that are left out.
  var warning: String {
    let tenths = Int((seconds * 10).rounded())
    return
      "the times of its packets have \(count) gap\(count == 1 ? "" : "s") of \(tenths / 10).\(tenths % 10) s "
      + "in all, which are left out: packets are missing there, or the recording paused"
  }
}
