internal import AudioModel
internal import CLibAV

/// An `AVCodecContext` and its owner.
final class LibAVContext {
  let pointer: UnsafeMutablePointer<AVCodecContext>
  private let codec: UnsafePointer<AVCodec>

  private init?(_ find: () -> UnsafePointer<AVCodec>?) {
    guard LibAVSetup.failure == nil, let codec = find(),
      let pointer = avcodec_alloc_context3(codec)
    else { return nil }
    self.pointer = pointer
    self.codec = codec
    pointer.pointee.thread_count = 1
  }

  /// An encoder to be set and opened; `nil` where the library lacks it.
  ///
  /// The layout must be in the order of the WAVE mask.
  convenience init?(encoder name: String, layout: ChannelLayout, sampleRate: Int) {
    self.init { avcodec_find_encoder_by_name(name) }
    guard let rate = Int32(exactly: sampleRate),
      av_channel_layout_from_mask(&pointer.pointee.ch_layout, UInt64(layout.mask)) == 0,
      let format = codec.pointee.sample_fmts?.pointee
    else { return nil }
    pointer.pointee.sample_rate = rate
    pointer.pointee.time_base = AVRational(num: 1, den: rate)
    pointer.pointee.sample_fmt = format
    // Without it, AAC's configuration names the library's version.
    pointer.pointee.flags |= AV_CODEC_FLAG_BITEXACT
  }

  /// A decoder to be opened.
  convenience init?(decoder id: AVCodecID, extradata: [UInt8]) {
    self.init { avcodec_find_decoder(id) }
    let size = extradata.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)
    guard let copy = av_mallocz(size) else { return nil }
    copy.copyMemory(from: extradata, byteCount: extradata.count)
    pointer.pointee.extradata = copy.assumingMemoryBound(to: UInt8.self)
    pointer.pointee.extradata_size = Int32(extradata.count)
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVCodecContext>? = pointer
    avcodec_free_context(&pointer)
  }

  /// Opens the codec; negative on failure.
  func open() -> Int32 { avcodec_open2(pointer, codec, nil) }

  /// What an encoder has to say to its decoder.
  var extradata: [UInt8] {
    Array(
      UnsafeBufferPointer(
        start: pointer.pointee.extradata, count: Int(pointer.pointee.extradata_size)))
  }

  /// The speakers as a WAVE mask; `nil` when they are unknown.
  var mask: UInt32? {
    guard pointer.pointee.ch_layout.order == AV_CHANNEL_ORDER_NATIVE else { return nil }
    return UInt32(exactly: pointer.pointee.ch_layout.u.mask)
  }
}
