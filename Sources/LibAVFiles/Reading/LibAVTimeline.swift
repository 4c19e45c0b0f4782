internal import AudioIO
internal import CLibAV

/// The place of a track in the timeline of its container, outside MP4, whose edit lists are read by `MP4Timing`.
enum LibAVTimeline {
  /// Seconds from the start of the timeline to the first frame of a track: how much later than chapters and captions the
  /// audio begins. Below 0 if it begins earlier.
  ///
  /// The timeline of Matroska begins at 0, unless the audio begins later than it is long, as in parts of recordings that
  /// keep their times: no caption would be left. Other containers may begin at any time, such as recordings of broadcasts, so
  /// theirs begins with the first of their tracks.
  ///
  /// - Parameters:
  ///   - codecDelay: The encoder delay that Matroska states, in seconds, which reading removes.
  ///   - length: The length of the audio, in seconds.
  static func delay(
    of decoder: LibAVDecoder, _ input: borrowing InputFile, _ probe: LibAVProbe,
    _ encoding: LibAVEncoding, codecDelay: Double, length: Double
  ) throws(AudioFileError) -> Double {
    let stream = decoder.track.stream
    guard var start = seconds(stream.pointee.start_time, of: stream) else { return 0 }
    if probe.names.first == "matroska" {
      // Times of packets are earlier by the encoder delay.
      let parameters = stream.pointee.codecpar.pointee
      if parameters.codec_id == AV_CODEC_ID_OPUS, parameters.sample_rate > 0 {
        start += Double(parameters.initial_padding) / Double(parameters.sample_rate)
      } else {
        start += codecDelay
      }
      if start > length,
        let first = try firstTimes(input, probe, track: Int(stream.pointee.index))
      {
        start -= first.all
      }
    } else {
      guard timed.contains(probe.names.first ?? ""),
        decoder.container.streams.contains(where: isFilm),
        let first = try firstTimes(input, probe, track: Int(stream.pointee.index))
      else { return 0 }
      // AVI delays a stream by the start in its header, which libavformat adds to the times of packets alone. In transport
      // streams whose codecs it guesses, libavformat takes the first time of all tracks for that of each.
      if ["avi", "mpegts"].contains(probe.names.first), let track = first.track { start = track }
      start -= first.all
    }
    // Encoder delay, which not every container states, and times in milliseconds.
    let least = encoding.isLossy ? 0.05 : 0.002
    return abs(start) < least || !start.isFinite ? 0 : start
  }

  /// Demuxers of films, besides Matroska and MP4, whose packets have times and that can start anew.
  private static let timed: Set = ["asf", "avi", "flv", "mpeg", "mpegts", "nut", "rm", "wtv"]

  /// Those of them that find their place by bytes.
  private static let byBytes: Set = ["flv", "mpeg", "mpegts"]

  private static func isFilm(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
    stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
      && stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
  }

  private static func seconds(
    _ time: Int64, of stream: UnsafeMutablePointer<AVStream>
  ) -> Double? {
    let base = stream.pointee.time_base
    guard time != scaleaudio_av_nopts_value, base.den > 0 else { return nil }
    return Double(time) * Double(base.num) / Double(base.den)
  }

  /// The number of packets that contain the first of all tracks. Those of a film are not in the order of time.
  private static let packetCount = 256

  /// The earliest times of the first packets of sound and film and of those of one track, in seconds; `nil` if unknown.
  private static func firstTimes(
    _ input: borrowing InputFile, _ probe: LibAVProbe, track: Int
  ) throws(AudioFileError) -> (all: Double, track: Double?)? {
    let container = try LibAVContainer(input, probe)
    for stream in container.streams { stream.pointee.discard = AVDISCARD_DEFAULT }
    // Opening has read packets of sound only.
    let context = container.pointer
    let flag = byBytes.contains(probe.names.first ?? "") ? AVSEEK_FLAG_BYTE : AVSEEK_FLAG_BACKWARD
    guard av_seek_frame(context, -1, 0, flag) >= 0 else { return nil }
    var packet = av_packet_alloc()
    defer { av_packet_free(&packet) }
    var first: Double?
    var firstOfTrack: Double?
    for _ in 0..<packetCount {
      guard let packet, av_read_frame(context, packet) >= 0 else { break }
      defer { av_packet_unref(packet) }
      let index = Int(packet.pointee.stream_index)
      guard container.streams.indices.contains(index), case let stream = container.streams[index],
        isFilm(stream) || stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO,
        let time = seconds(packet.pointee.pts, of: stream)
      else { continue }
      first = min(first ?? time, time)
      if index == track { firstOfTrack = min(firstOfTrack ?? time, time) }
    }
    return first.map { ($0, firstOfTrack) }
  }
}
