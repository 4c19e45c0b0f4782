package import AudioIO
internal import AudioModel
internal import CLibAV
internal import CLibAVLoader
import Glibc
package import SystemPackage

/// Process-wide settings of FFmpeg's libraries.
package enum LibAVSetup {
  /// Maximum size of one memory allocation by the libraries, in bytes.
  ///
  /// The index of an MP4 file takes 24 bytes per packet; this is sufficient for three days of AAC.
  private static let largestBlock = 256 << 20
  /// Allocation limit for small files, in bytes.
  private static let smallestLimit = 32 << 20
  /// Maximum size of an index relative to its file; packets of 12 bytes need twice the file size.
  private static let indexBytesPerByte = 2

  /// The current limit, shared by all open files.
  private static let limit = Locked(0)

  /// Why the libraries cannot be loaded; `nil` once they are loaded and their logging is disabled.
  /// None of their functions may be called before this.
  package static let failure: String? = {
    if let reason = scaleaudio_libav_failure() { return String(cString: reason) }
    av_log_set_level(AV_LOG_QUIET)
    return nil
  }()

  /// Throws if the libraries, which are needed to read `path`, cannot be loaded.
  package static func check(_ path: FilePath) throws(AudioFileError) {
    if let failure {
      throw .unsupported(path, reason: lack(failure), remedy: .act("install FFmpeg's libraries"))
    }
  }

  /// The error text if the libraries cannot be loaded. It names the Debian package of the release that this was built
  /// with, because types differ between releases.
  package static func lack(_ failure: String) -> String {
    let package = "libavformat\(LIBAVFORMAT_VERSION_MAJOR)"
    return
      "it needs FFmpeg's libraries (Debian's package \(package)), which cannot be loaded (\(failure))"
  }

  /// Limits allocations to what a file of this size, or the largest so far, can need, so that a
  /// header alone cannot cause a large allocation. Requires loaded libraries.
  static func prepare(forFileOf size: Int) {
    let (index, overflows) = size.multipliedReportingOverflow(by: indexBytesPerByte)
    let wanted = min(largestBlock, overflows ? largestBlock : max(smallestLimit, index))
    limit.withLock { limit in
      guard wanted > limit else { return }
      limit = wanted
      av_max_alloc(limit)
    }
  }
}

/// Error messages of FFmpeg's libraries.
enum LibAVFailure {
  /// Returns true if a negative return value means that the library does not support a feature of the file.
  static func isLack(_ code: Int32) -> Bool {
    [
      -ENOSYS, -EPERM, -ENOTSUP, scaleaudio_averror_patchwelcome,
      scaleaudio_averror_decoder_not_found,
    ].contains(code)
  }

  /// Describes a negative return value as a problem of the file.
  static func text(_ code: Int32) -> String {
    if isLack(code) { return "it uses a feature that FFmpeg's libraries do not support" }
    if code == scaleaudio_averror_eof { return "it ends too early" }
    if code == scaleaudio_averror_invaliddata { return "it contains invalid values" }
    // libavcodec's parsers of AAC, AC-3 and DTS: an ordinal above these bits.
    if -code & 0xFF_FFFF == 0x03_0C0A { return "the header of its frame is not valid" }
    switch -code {
    case ENOMEM: return "it asks for too much memory"
    case EINVAL, ERANGE: return "it has values that its decoder does not accept"
    default: return "FFmpeg's libraries report \"\(report(code))\""
    }
  }

  private static func report(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    av_strerror(code, &buffer, buffer.count)
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// An owned `AVCodecContext`.
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

  /// An encoder that has not been opened; `nil` if the library lacks it.
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

  /// A decoder that has not been opened.
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

  /// The encoder's configuration for decoders.
  var extradata: [UInt8] {
    Array(
      UnsafeBufferPointer(
        start: pointer.pointee.extradata, count: Int(pointer.pointee.extradata_size)))
  }

  /// The speakers as a WAVE mask; `nil` if they are unknown.
  var mask: UInt32? {
    guard pointer.pointee.ch_layout.order == AV_CHANNEL_ORDER_NATIVE else { return nil }
    return UInt32(exactly: pointer.pointee.ch_layout.u.mask)
  }
}
