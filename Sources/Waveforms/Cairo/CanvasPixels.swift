internal import CCairo

/// Pixels of a picture, in rows from the top: red, green and blue of each, 0 to 255.
struct PixelImage: Hashable {
  let width, height: Int
  var bytes: [UInt8]
}

extension Canvas {
  /// Ends a picture that is PNG and gives its pixels.
  func pixels() throws(RenderingError) -> PixelImage {
    try CairoLibrary.check(cairo_status(context))
    cairo_surface_flush(surface)
    let (width, height) = (Int(width * scale), Int(height * scale))
    guard let data = cairo_image_surface_get_data(surface) else {
      throw .failed(reason: "no pixels")
    }
    let stride = Int(cairo_image_surface_get_stride(surface))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * 3)
    for row in 0..<height {
      for column in 0..<width {
        // A number of 32 bits, red above green above blue.
        let pixel = UnsafeRawPointer(data + row * stride).load(
          fromByteOffset: 4 * column, as: UInt32.self)
        for shift in [16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: pixel >> shift)) }
      }
    }
    return PixelImage(width: width, height: height, bytes: bytes)
  }

  /// Draws an image that fills an area, its pixels as sharp squares.
  func draw(_ image: PixelImage, in area: Rectangle) {
    guard image.width > 0, image.height > 0,
      let surface = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, Int32(image.width), Int32(image.height))
    else { return }
    defer { cairo_surface_destroy(surface) }
    guard let data = cairo_image_surface_get_data(surface) else { return }
    let stride = Int(cairo_image_surface_get_stride(surface))
    for row in 0..<image.height {
      for column in 0..<image.width {
        let place = 3 * (row * image.width + column)
        let pixel = (0..<3).reduce(UInt32(0)) { $0 << 8 | UInt32(image.bytes[place + $1]) }
        UnsafeMutableRawPointer(data + row * stride).storeBytes(
          of: pixel, toByteOffset: 4 * column, as: UInt32.self)
      }
    }
    cairo_surface_mark_dirty(surface)
    clipped(to: area) {
      cairo_translate(context, area.x, area.y)
      cairo_scale(
        context, area.width / Double(image.width), area.height / Double(image.height))
      cairo_set_source_surface(context, surface, 0, 0)
      cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_NEAREST)
      cairo_paint(context)
    }
  }
}
