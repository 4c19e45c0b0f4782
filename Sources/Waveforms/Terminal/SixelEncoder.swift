internal import CSixel

/// Pictures as Sixel, by libsixel.
enum SixelEncoder {
  static func encode(_ image: PixelImage) throws(RenderingError) -> [UInt8] {
    let sink = Sink()
    var output: OpaquePointer?
    var dither: OpaquePointer?
    defer {
      sixel_output_unref(output)
      sixel_dither_unref(dither)
    }
    try check(
      sixel_output_new(
        &output,
        { data, size, closure in
          guard let data, let closure, size > 0 else { return 0 }
          let sink = Unmanaged<Sink>.fromOpaque(closure).takeUnretainedValue()
          data.withMemoryRebound(to: UInt8.self, capacity: Int(size)) {
            sink.bytes.append(contentsOf: UnsafeBufferPointer(start: $0, count: Int(size)))
          }
          return size
        }, Unmanaged.passUnretained(sink).toOpaque(), nil))
    try check(sixel_dither_new(&dither, 256, nil))
    var pixels = image.bytes
    let (width, height) = (Int32(image.width), Int32(image.height))
    try check(
      sixel_dither_initialize(
        dither, &pixels, width, height, Int32(SIXEL_PIXELFORMAT_RGB888),
        Int32(SIXEL_LARGE_AUTO), Int32(SIXEL_REP_AUTO), Int32(SIXEL_QUALITY_HIGH)))
    // Few colors and clean edges: nothing is to be spread over neighbors.
    sixel_dither_set_diffusion_type(dither, Int32(SIXEL_DIFFUSE_NONE))
    try check(sixel_encode(&pixels, width, height, 3, dither, output))
    return sink.bytes
  }

  private final class Sink {
    var bytes: [UInt8] = []
  }

  private static func check(_ status: SIXELSTATUS) throws(RenderingError) {
    guard status & 0x1000 != 0 else { return }
    throw .failed(reason: sixel_helper_format_error(status).map { String(cString: $0) } ?? "")
  }
}
