internal import AudioModel
internal import CLibAV

/// The tags, pictures and chapters that libavformat reads from a container.
enum LibAVTags {
  /// All metadata of a track.
  ///
  /// - Parameter delay: Seconds from the start of the container's timeline to the track's first
  ///   frame.
  static func metadata(
    of container: LibAVContainer, _ track: LibAVTrack, sampleRate: Int, delay: Double
  ) -> Metadata {
    var comments = Self.comments(container.pointer.pointee.metadata)
    let known = Set(comments.map(\.name))
    // The language of a track is a property, and by default one that says nothing.
    comments += Self.comments(track.stream.pointee.metadata).filter {
      !known.contains($0.name) && $0.name != "LANGUAGE"
    }
    var metadata = Metadata(
      comments: comments, pictures: container.streams.compactMap(Self.picture))
    metadata.chapters = chapters(of: container, sampleRate: sampleRate, delay: delay)
    let language = value("language", of: track.stream)?.lowercased()
    metadata.trackLanguage = language == "und" ? nil : language
    return metadata
  }

  /// The value of one of the container's tags.
  static func value(_ name: String, of container: LibAVContainer) -> String? {
    let entry = av_dict_get(container.pointer.pointee.metadata, name, nil, 0)
    return entry.map { text($0.pointee.value) }
  }

  /// The value of one of a track's tags.
  static func value(_ name: String, of stream: UnsafeMutablePointer<AVStream>) -> String? {
    av_dict_get(stream.pointee.metadata, name, nil, 0).map { text($0.pointee.value) }
  }

  // MARK: Text

  /// Vorbis comment names for libavformat's generic names, where they differ by more than case.
  ///
  /// Source: the list of names in libavformat/avformat.h; the field lists of Xiph and MusicBrainz.
  private static let names = [
    "album_artist": "ALBUMARTIST", "disc": "DISCNUMBER", "track": "TRACKNUMBER",
    "publisher": "LABEL", "synopsis": "SYNOPSIS", "year": "DATE", "wm/year": "DATE",
    "sort_name": "TITLESORT", "title-sort": "TITLESORT", "sort_artist": "ARTISTSORT",
    "artist-sort": "ARTISTSORT", "sort_album": "ALBUMSORT", "album-sort": "ALBUMSORT",
    "sort_album_artist": "ALBUMARTISTSORT", "sort_composer": "COMPOSERSORT",
    "keywords": "KEYWORDS",
    "encoded_by": "ENCODED-BY",
  ]

  /// Tags that describe the container or the encoder rather than the audio; they are dropped.
  private static let ignored: Set = [
    "major_brand", "minor_version", "compatible_brands", "handler_name", "vendor_id",
    "encoder", "duration", "creation_time", "itunsmpb", "itunnorm", "variant_bitrate",
    "wmfsdkversion", "wmfsdkneeded", "isvbr", "deviceconformancetemplate", "filename", "mimetype",
    "gapless_playback",
  ]

  private static func comments(_ dictionary: OpaquePointer?) -> [Metadata.Comment] {
    var comments: [Metadata.Comment] = []
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
      entry = next
      let key = text(next.pointee.key)
      let value = text(next.pointee.value)
      let lowered = key.lowercased()
      // Statistics that mkvmerge writes about the original stream.
      let isStatistic =
        lowered.hasPrefix("_statistics") || lowered.hasPrefix("number_of_")
        || lowered.hasPrefix("bps")
      if ignored.contains(lowered) || isStatistic || value.isEmpty { continue }
      comments += fields(names[lowered] ?? key.uppercased(), value)
    }
    return comments
  }

  /// One field, or two for a number with its total, such as `3/12`.
  private static func fields(_ name: String, _ value: String) -> [Metadata.Comment] {
    let totals = ["TRACKNUMBER": "TRACKTOTAL", "DISCNUMBER": "DISCTOTAL"]
    let parts = value.split(separator: "/", omittingEmptySubsequences: false)
    guard let total = totals[name], parts.count == 2, parts.allSatisfy({ Int($0) != nil }) else {
      return [Metadata.Comment(name: name, value: value)]
    }
    return [
      Metadata.Comment(name: name, value: String(parts[0])),
      Metadata.Comment(name: total, value: String(parts[1])),
    ]
  }

  private static func text(_ characters: UnsafePointer<CChar>?) -> String {
    characters.map { String(cString: $0) } ?? ""
  }

  // MARK: Pictures

  /// MIME types by codec, for containers that do not state them.
  private static let mimeTypes: [UInt32: String] = [
    AV_CODEC_ID_MJPEG.rawValue: "image/jpeg", AV_CODEC_ID_PNG.rawValue: "image/png",
    AV_CODEC_ID_BMP.rawValue: "image/bmp", AV_CODEC_ID_GIF.rawValue: "image/gif",
    AV_CODEC_ID_TIFF.rawValue: "image/tiff", AV_CODEC_ID_WEBP.rawValue: "image/webp",
  ]

  private static func picture(_ stream: UnsafeMutablePointer<AVStream>) -> Metadata.Picture? {
    guard stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 else { return nil }
    let packet = stream.pointee.attached_pic
    let parameters = stream.pointee.codecpar.pointee
    guard let data = packet.data, packet.size > 0 else { return nil }
    let tags = comments(of: stream)
    return Metadata.Picture(
      type: type(tags["comment"]),
      mimeType: tags["mimetype"] ?? mimeTypes[parameters.codec_id.rawValue] ?? "image/jpeg",
      description: tags["title"] ?? "", width: UInt32(max(0, parameters.width)),
      height: UInt32(max(0, parameters.height)), depth: 0, colors: 0,
      data: Array(UnsafeBufferPointer(start: data, count: Int(packet.size))))
  }

  private static func comments(of stream: UnsafeMutablePointer<AVStream>) -> [String: String] {
    var tags: [String: String] = [:]
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    while let next = av_dict_get(stream.pointee.metadata, "", entry, AV_DICT_IGNORE_SUFFIX) {
      entry = next
      tags[text(next.pointee.key).lowercased()] = text(next.pointee.value)
    }
    return tags
  }

  /// The picture type for libavformat's name, which is that of ID3v2 (APIC).
  private static func type(_ name: String?) -> UInt32 {
    let kind = Metadata.Picture.kinds.firstIndex { $0.id3Name == name }
    return UInt32(kind ?? 3)
  }

  // MARK: Chapters

  private static func chapters(
    of container: LibAVContainer, sampleRate: Int, delay: Double
  ) -> [Metadata.Chapter] {
    let count = Int(container.pointer.pointee.nb_chapters)
    let found = (0..<count).compactMap { container.pointer.pointee.chapters[$0]?.pointee }
    return found.compactMap { chapter -> Metadata.Chapter? in
      func frame(_ time: Int64) -> Double {
        let base = chapter.time_base
        let seconds = Double(time) * Double(base.num) / Double(max(1, base.den)) - delay
        return max(0, seconds * Double(sampleRate))
      }
      guard chapter.start != scaleaudio_av_nopts_value else { return nil }
      let title = av_dict_get(chapter.metadata, "title", nil, 0)
      let hasEnd = chapter.end != scaleaudio_av_nopts_value && chapter.end > chapter.start
      return Metadata.Chapter(
        start: frame(chapter.start), end: hasEnd ? frame(chapter.end) : nil,
        title: title.map { text($0.pointee.value) } ?? "")
    }.sorted { $0.start < $1.start }
  }
}

/// Decodes still pictures: JPEG and PNG.
enum LibAVPicture {
  /// The most pixels of a picture.
  private static let maximumPixels = 64_000_000

  /// The pixels of a picture file; `nil` if it is in another format, damaged or too large.
  static func pixels(of file: [UInt8]) -> DecodedPicture? {
    let codec: AVCodecID
    if file.starts(with: [0xFF, 0xD8, 0xFF]) {
      codec = AV_CODEC_ID_MJPEG
    } else if file.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      codec = AV_CODEC_ID_PNG
    } else {
      return nil
    }
    guard LibAVSetup.failure == nil, let size = Int32(exactly: file.count),
      let decoder = avcodec_find_decoder(codec)
    else { return nil }
    LibAVSetup.prepare(forFileOf: 256 << 20)
    var context = avcodec_alloc_context3(decoder)
    var packet = av_packet_alloc()
    var frame = av_frame_alloc()
    defer {
      av_frame_free(&frame)
      av_packet_free(&packet)
      avcodec_free_context(&context)
    }
    guard let context, let packet, let frame else { return nil }
    context.pointee.thread_count = 1
    context.pointee.max_pixels = Int64(maximumPixels)
    guard avcodec_open2(context, decoder, nil) >= 0 else { return nil }
    // The decoder copies a packet that does not own its bytes.
    let sent = file.withUnsafeBufferPointer { bytes in
      packet.pointee.data = UnsafeMutablePointer(mutating: bytes.baseAddress)
      packet.pointee.size = size
      let status = avcodec_send_packet(context, packet)
      packet.pointee.data = nil
      packet.pointee.size = 0
      return status
    }
    guard sent >= 0 else { return nil }
    avcodec_send_packet(context, nil)
    guard avcodec_receive_frame(context, frame) >= 0 else { return nil }
    return picture(frame.pointee)
  }

  private static func picture(_ frame: AVFrame) -> DecodedPicture? {
    let (width, height) = (Int(frame.width), Int(frame.height))
    guard width > 0, height > 0, width <= maximumPixels / height,
      let pixel = pixel(of: frame)
    else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(3 * width * height)
    for y in 0..<height {
      for x in 0..<width {
        let (red, green, blue) = pixel(x, y)
        bytes.append(red)
        bytes.append(green)
        bytes.append(blue)
      }
    }
    return DecodedPicture(width: width, height: height, bytes: bytes)
  }

  private typealias Pixel = (red: UInt8, green: UInt8, blue: UInt8)

  /// A function for the pixel in a column and a row; `nil` for formats of pixels that covers do not have.
  private static func pixel(of frame: AVFrame) -> ((_ x: Int, _ y: Int) -> Pixel)? {
    guard let first = frame.data.0 else { return nil }
    let stride = Int(frame.linesize.0)
    func at(_ x: Int, _ y: Int, _ step: Int, _ part: Int) -> UInt8 {
      first[y * stride + x * step + part]
    }
    switch AVPixelFormat(frame.format) {
    case AV_PIX_FMT_RGB24: return { (at($0, $1, 3, 0), at($0, $1, 3, 1), at($0, $1, 3, 2)) }
    case AV_PIX_FMT_RGBA:
      return { x, y in
        over(white: (at(x, y, 4, 0), at(x, y, 4, 1), at(x, y, 4, 2)), alpha: at(x, y, 4, 3))
      }
    // The high bytes of 16 bits, big-endian.
    case AV_PIX_FMT_RGB48BE: return { (at($0, $1, 6, 0), at($0, $1, 6, 2), at($0, $1, 6, 4)) }
    case AV_PIX_FMT_RGBA64BE:
      return { x, y in
        over(white: (at(x, y, 8, 0), at(x, y, 8, 2), at(x, y, 8, 4)), alpha: at(x, y, 8, 6))
      }
    case AV_PIX_FMT_GRAY8: return { gray(at($0, $1, 1, 0)) }
    case AV_PIX_FMT_GRAY16BE: return { gray(at($0, $1, 2, 0)) }
    case AV_PIX_FMT_YA8:
      return { x, y in over(white: gray(at(x, y, 2, 0)), alpha: at(x, y, 2, 1)) }
    case AV_PIX_FMT_PAL8:
      guard let colors = frame.data.1 else { return nil }
      return { x, y in
        // A color is a number of 32 bits: alpha in the highest.
        let color = UnsafeRawPointer(colors).load(
          fromByteOffset: 4 * Int(at(x, y, 1, 0)), as: UInt32.self)
        return over(
          white: (
            UInt8(truncatingIfNeeded: color >> 16), UInt8(truncatingIfNeeded: color >> 8),
            UInt8(truncatingIfNeeded: color)
          ), alpha: UInt8(color >> 24))
      }
    case AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUV420P: return chroma(frame, 1, 1)
    case AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUV422P: return chroma(frame, 1, 0)
    case AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUV440P: return chroma(frame, 0, 1)
    case AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUV444P: return chroma(frame, 0, 0)
    default: return nil
    }
  }

  private static func gray(_ value: UInt8) -> Pixel { (value, value, value) }

  private static func over(white pixel: Pixel, alpha: UInt8) -> Pixel {
    if alpha == 255 { return pixel }
    let opaque = Int(alpha)
    let white: Int = 255 * (255 - opaque) + 127
    func mixed(_ value: UInt8) -> UInt8 {
      let sum: Int = Int(value) * opaque + white
      return UInt8(sum / 255)
    }
    return (mixed(pixel.red), mixed(pixel.green), mixed(pixel.blue))
  }

  /// Pixels of JPEG (JFIF 1.02: BT.601 over the full range), whose chroma planes are halved `across` times in width and
  /// `down` times in height.
  private static func chroma(
    _ frame: AVFrame, _ across: Int, _ down: Int
  ) -> ((_ x: Int, _ y: Int) -> Pixel)? {
    guard let luma = frame.data.0, let blues = frame.data.1, let reds = frame.data.2 else {
      return nil
    }
    let strides = (Int(frame.linesize.0), Int(frame.linesize.1), Int(frame.linesize.2))
    return { (x: Int, y: Int) -> Pixel in
      let place = x >> across
      let row = y >> down
      let value = Double(luma[y * strides.0 + x])
      let blue = Double(blues[row * strides.1 + place]) - 128
      let red = Double(reds[row * strides.2 + place]) - 128
      let green: Double = value - 0.344136 * blue - 0.714136 * red
      return (byte(value + 1.402 * red), byte(green), byte(value + 1.772 * blue))
    }
  }

  private static func byte(_ value: Double) -> UInt8 { UInt8(min(255, max(0, value.rounded()))) }
}

/// The pixels of a picture.
package struct DecodedPicture: Hashable, Sendable {
  package let width, height: Int
  /// Rows from the top, each pixel a red, a green and a blue byte.
  package let bytes: [UInt8]
}
