internal import AudioIO
internal import CLibAV

/// The identifiers of codecs in CAF that libavformat does not know: the variants of AAC.
///
/// Source: Apple, "Core Audio Data Types", format identifiers; ISO 14496-1, section 7.2.6 (descriptors).
enum LibAVCoreAudio {
  /// High efficiency, its second version, low delay, enhanced low delay with and without SBR.
  private static let variants = ["aach", "aacp", "aacl", "aace", "aacf", "aacg"]
  /// The largest magic cookie that is read, in bytes.
  private static let maximumCookie = 1 << 16

  /// Sets the codec of a stream with such an identifier, and its configuration from the magic cookie.
  static func identify(_ stream: UnsafeMutablePointer<AVStream>) {
    guard let parameters = stream.pointee.codecpar,
      parameters.pointee.codec_id == AV_CODEC_ID_NONE,
      variants.contains(where: {
        $0.utf8.littleEndianValue == UInt64(parameters.pointee.codec_tag)
      }), let cookie = parameters.pointee.extradata,
      (1...maximumCookie).contains(Int(parameters.pointee.extradata_size)),
      let configuration = configuration(
        inCookie: Array(
          UnsafeBufferPointer(start: cookie, count: Int(parameters.pointee.extradata_size)))),
      let copy = av_mallocz(configuration.count + Int(AV_INPUT_BUFFER_PADDING_SIZE))
    else { return }
    copy.copyMemory(from: configuration, byteCount: configuration.count)
    av_free(parameters.pointee.extradata)
    parameters.pointee.extradata = copy.assumingMemoryBound(to: UInt8.self)
    parameters.pointee.extradata_size = Int32(configuration.count)
    parameters.pointee.codec_id = AV_CODEC_ID_AAC
  }

  /// The AudioSpecificConfig in a magic cookie, which is an elementary stream descriptor; `nil` if there is none.
  static func configuration(inCookie cookie: [UInt8]) -> [UInt8]? {
    // As in MP4, a version and flags may come first.
    var rest = cookie.starts(with: [0, 0, 0, 0]) ? cookie[4...] : cookie[...]
    guard var stream = descriptor(3, &rest), stream.count >= 3 else { return nil }
    let flags = stream[stream.startIndex + 2]
    stream = stream.dropFirst(3 + (flags & 0x80 != 0 ? 2 : 0))
    if flags & 0x40 != 0 { stream = stream.dropFirst(1 + Int(stream.first ?? 0)) }
    if flags & 0x20 != 0 { stream = stream.dropFirst(2) }
    guard let decoder = descriptor(4, &stream) else { return nil }
    var specific = decoder.dropFirst(13)
    guard let found = descriptor(5, &specific), !found.isEmpty else { return nil }
    return Array(found)
  }

  /// The content of the descriptor with which `bytes` begins, if it has a tag; drops it from `bytes`.
  private static func descriptor(
    _ tag: UInt8, _ bytes: inout ArraySlice<UInt8>
  ) -> ArraySlice<UInt8>? {
    guard bytes.popFirst() == tag else { return nil }
    var count = 0
    for _ in 0..<4 {
      guard let byte = bytes.popFirst() else { return nil }
      count = count << 7 | Int(byte & 0x7F)
      if byte & 0x80 == 0 { break }
    }
    let content = bytes.prefix(count)
    bytes = bytes.dropFirst(count)
    return content
  }
}
