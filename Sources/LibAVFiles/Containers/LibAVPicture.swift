internal import AudioModel
internal import CLibAV

/// Decodes still pictures: JPEG, PNG, GIF, WebP and TIFF.
enum LibAVPicture {
  /// The most pixels of a picture.
  private static let maximumPixels = 64_000_000

  /// The pixels of a picture file; `nil` if it is in another format, damaged or too large.
  static func pixels(of file: [UInt8]) -> DecodedPicture? {
    guard let codec = codec(of: file), LibAVSetup.failure == nil,
      let size = Int32(exactly: file.count),
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
    return picture(frame.pointee, isVideo: codec == AV_CODEC_ID_WEBP)
  }

  private static func codec(of file: [UInt8]) -> AVCodecID? {
    let starts: [([UInt8], AVCodecID)] = [
      ([0xFF, 0xD8, 0xFF], AV_CODEC_ID_MJPEG), ([0x89, 0x50, 0x4E, 0x47], AV_CODEC_ID_PNG),
      (Array("GIF8".utf8), AV_CODEC_ID_GIF), ([0x49, 0x49, 0x2A, 0], AV_CODEC_ID_TIFF),
      ([0x4D, 0x4D, 0, 0x2A], AV_CODEC_ID_TIFF),
    ]
    if let found = starts.first(where: { file.starts(with: $0.0) }) { return found.1 }
    let isWebP =
      file.starts(with: "RIFF".utf8) && file.dropFirst(8).starts(with: "WEBP".utf8)
    return isWebP ? AV_CODEC_ID_WEBP : nil
  }

  /// The pictures that players of MP4 show, which are JPEG, PNG and BMP, with others made PNG, and those that cannot be
  /// made PNG.
  static func forMP4(_ pictures: [Metadata.Picture]) -> (
    held: [Metadata.Picture], lost: [MetadataLoss]
  ) {
    var held: [Metadata.Picture] = []
    var lost: [MetadataLoss] = []
    for picture in pictures {
      if ["image/jpeg", "image/png", "image/bmp", "-->"].contains(picture.mimeType) {
        held.append(picture)
      } else if let file = png(of: picture.data) {
        var converted = picture
        (converted.mimeType, converted.data) = ("image/png", file)
        held.append(converted)
      } else {
        lost.append(MetadataLoss(.picture, "a picture of type \(picture.mimeType)"))
      }
    }
    return (held, lost)
  }

  /// A picture file as PNG, over white where it is transparent; `nil` if it cannot be decoded.
  static func png(of file: [UInt8]) -> [UInt8]? {
    guard let picture = pixels(of: file), let encoder = avcodec_find_encoder_by_name("png"),
      let width = Int32(exactly: picture.width), let height = Int32(exactly: picture.height)
    else { return nil }
    var context = avcodec_alloc_context3(encoder)
    var packet = av_packet_alloc()
    var frame = av_frame_alloc()
    defer {
      av_frame_free(&frame)
      av_packet_free(&packet)
      avcodec_free_context(&context)
    }
    guard let context, let packet, let frame else { return nil }
    context.pointee.thread_count = 1
    (context.pointee.width, context.pointee.height) = (width, height)
    context.pointee.pix_fmt = AV_PIX_FMT_RGB24
    context.pointee.time_base = AVRational(num: 1, den: 1)
    (frame.pointee.width, frame.pointee.height) = (width, height)
    frame.pointee.format = AV_PIX_FMT_RGB24.rawValue
    guard avcodec_open2(context, encoder, nil) >= 0, av_frame_get_buffer(frame, 0) >= 0,
      let rows = frame.pointee.data.0
    else { return nil }
    let (stride, rowBytes) = (Int(frame.pointee.linesize.0), 3 * picture.width)
    picture.bytes.withUnsafeBufferPointer { bytes in
      for row in 0..<picture.height {
        guard let start = bytes.baseAddress else { return }
        (rows + row * stride).update(from: start + row * rowBytes, count: rowBytes)
      }
    }
    guard avcodec_send_frame(context, frame) >= 0, avcodec_send_frame(context, nil) >= 0,
      avcodec_receive_packet(context, packet) >= 0, let data = packet.pointee.data
    else { return nil }
    return Array(UnsafeBufferPointer(start: data, count: Int(packet.pointee.size)))
  }

  private static func picture(_ frame: AVFrame, isVideo: Bool) -> DecodedPicture? {
    let (width, height) = (Int(frame.width), Int(frame.height))
    guard width > 0, height > 0, width <= maximumPixels / height,
      let pixel = pixel(of: frame, isVideo: isVideo)
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
  ///
  /// `isVideo` is true for WebP, whose luma and chroma have the range of video.
  private static func pixel(
    of frame: AVFrame, isVideo: Bool
  ) -> ((_ x: Int, _ y: Int) -> Pixel)? {
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
    case AV_PIX_FMT_BGRA:
      return { x, y in
        over(white: (at(x, y, 4, 2), at(x, y, 4, 1), at(x, y, 4, 0)), alpha: at(x, y, 4, 3))
      }
    case AV_PIX_FMT_ARGB:
      return { x, y in
        over(white: (at(x, y, 4, 1), at(x, y, 4, 2), at(x, y, 4, 3)), alpha: at(x, y, 4, 0))
      }
    case AV_PIX_FMT_YUVA420P:
      guard let color = chroma(frame, 1, 1, isVideo: isVideo), let alpha = frame.data.3 else {
        return nil
      }
      let alphaStride = Int(frame.linesize.3)
      return { x, y in over(white: color(x, y), alpha: alpha[y * alphaStride + x]) }
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
    case AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUV420P: return chroma(frame, 1, 1, isVideo: isVideo)
    case AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUV422P: return chroma(frame, 1, 0, isVideo: isVideo)
    case AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUV440P: return chroma(frame, 0, 1, isVideo: isVideo)
    case AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUV444P: return chroma(frame, 0, 0, isVideo: isVideo)
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

  /// Pixels of JPEG (JFIF 1.02: BT.601 over the full range) or of video (BT.601: luma from 16 to 235), whose chroma planes are halved `across` times in width and
  /// `down` times in height.
  private static func chroma(
    _ frame: AVFrame, _ across: Int, _ down: Int, isVideo: Bool
  ) -> ((_ x: Int, _ y: Int) -> Pixel)? {
    guard let luma = frame.data.0, let blues = frame.data.1, let reds = frame.data.2 else {
      return nil
    }
    let strides = (Int(frame.linesize.0), Int(frame.linesize.1), Int(frame.linesize.2))
    return { (x: Int, y: Int) -> Pixel in
      let place = x >> across
      let row = y >> down
      var value = Double(luma[y * strides.0 + x])
      var blue = Double(blues[row * strides.1 + place]) - 128
      var red = Double(reds[row * strides.2 + place]) - 128
      if isVideo {
        value = (value - 16) * 255 / 219
        (blue, red) = (blue * 255 / 224, red * 255 / 224)
      }
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
