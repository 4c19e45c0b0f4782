internal import AudioIO
internal import AudioModel
internal import CSndFile

/// The encodings by which libsndfile stores samples.
package enum SndFileSubtype {
  /// What can be stored without loss in files of this `SF_FORMAT_…` value.
  static func storable(_ code: Int32) -> [SampleFormat] {
    cache.withLock { cache in
      if let known = cache[code] { return known }
      let major = code & Int32(SF_FORMAT_TYPEMASK)
      let subtype = code & ~Int32(SF_FORMAT_TYPEMASK)
      let formats = SampleFormat.allCases.filter {
        format(major: major, like: subtype, storing: $0) != nil
      }
      cache[code] = formats
      return formats
    }
  }

  private static let cache = Locked<[Int32: [SampleFormat]]>([:])

  /// The `SF_FORMAT_…` value of a container with samples stored so, in the byte order that `subtype`
  /// asks for; `nil` where libsndfile has none.
  static func format(major: Int32, like subtype: Int32, storing sampleFormat: SampleFormat)
    -> Int32?
  {
    // 24-bit samples of PARIS come in blocks of ten, and no header says how many of the last count.
    if Int(major) == SF_FORMAT_PAF, sampleFormat == .int24 { return nil }
    let order = Int(subtype) & SF_FORMAT_ENDMASK
    for subtype in subtypes(of: sampleFormat, order: order) {
      // Whatever makes AIFF-C of itself refuses an order of bytes.
      for order in [order, 0] {
        let format = major | Int32(subtype | order)
        var info = SF_INFO()
        info.samplerate = 8000
        info.channels = 1
        info.format = format
        if sf_format_check(&info) != 0 { return format }
      }
    }
    return nil
  }

  private static func subtypes(of format: SampleFormat, order: Int) -> [Int] {
    switch format {
    // Signed where there is a choice, except that in AIFF-C, which alone asks for an order of bytes,
    // signed samples of 8 bits would make plain AIFF.
    case .int8: order == 0 ? [SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8] : [SF_FORMAT_PCM_U8]
    case .int16: [SF_FORMAT_PCM_16]
    case .int24: [SF_FORMAT_PCM_24]
    case .int32: [SF_FORMAT_PCM_32]
    case .float32: [SF_FORMAT_FLOAT]
    case .float64: [SF_FORMAT_DOUBLE]
    }
  }
}
