internal import CCairo

/// A rectangle, in points.
struct Rectangle: Hashable {
  var x, y, width, height: Double

  var right: Double { x + width }
  var bottom: Double { y + height }
  var middle: Double { y + height / 2 }

  mutating func move(_ right: Double, _ down: Double) {
    x += right
    y += down
  }
}

/// A drawing surface, in points from its upper left corner.
final class Canvas {
  /// The size of the picture, in points.
  let width, height: Double
  /// The number of pixels per point.
  let scale: Double
  private let format: PictureFormat
  private let sink = CairoSink()
  /// The text of an SVG picture; `nil` for other formats, whose text Cairo draws.
  var svgText: SVGText?
  let surface: OpaquePointer
  let context: OpaquePointer
  /// The fonts of characters that the default font lacks.
  var families: [Unicode.Scalar: String] = [:]

  /// An empty picture of a size in points.
  init(
    width: Int, height: Int, scale: Int, format: PictureFormat, title: String,
    description: String = ""
  ) throws(RenderingError) {
    try CairoLibrary.load()
    (self.width, self.height, self.scale) = (Double(width), Double(height), Double(scale))
    self.format = format
    svgText = format == .svg ? SVGText(title: title, description: description) : nil
    surface = try Self.surface(width, height, scale, format, sink, title)
    guard let context = cairo_create(surface) else {
      cairo_surface_destroy(surface)
      throw .failed(reason: "no memory")
    }
    self.context = context
    if format == .png { cairo_scale(context, self.scale, self.scale) }
    chooseFont()
  }

  /// A canvas that only measures text.
  convenience init() throws(RenderingError) {
    try self.init(width: 1, height: 1, scale: 1, format: .png, title: "")
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  private static func surface(
    _ width: Int, _ height: Int, _ scale: Int, _ format: PictureFormat, _ sink: CairoSink,
    _ title: String
  ) throws(RenderingError) -> OpaquePointer {
    let made: OpaquePointer?
    switch format {
    case .png:
      made = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, Int32(width * scale), Int32(height * scale))
    case .svg:
      made = cairo_svg_surface_create_for_stream(
        CairoSink.write, sink.closure, Double(width), Double(height))
      if let made { cairo_svg_surface_set_document_unit(made, CAIRO_SVG_UNIT_PX) }
    case .pdf:
      made = cairo_pdf_surface_create_for_stream(
        CairoSink.write, sink.closure, Double(width), Double(height))
      guard let made else { break }
      cairo_pdf_surface_set_metadata(made, CAIRO_PDF_METADATA_TITLE, title)
      // Without a date, the same audio gives the same bytes.
      cairo_pdf_surface_set_metadata(made, CAIRO_PDF_METADATA_CREATE_DATE, "")
    }
    guard let made else { throw .failed(reason: "no memory") }
    do throws(RenderingError) {
      try CairoLibrary.check(cairo_surface_status(made))
    } catch {
      cairo_surface_destroy(made)
      throw error
    }
    return made
  }

  /// Turns off hinting, so that text has the same layout at every scale and in every format.
  private func chooseFont() {
    guard let options = cairo_font_options_create() else { return }
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    cairo_set_font_options(context, options)
    cairo_font_options_destroy(options)
  }

  /// Finishes the picture and returns the bytes of its file.
  func finish() throws(RenderingError) -> [UInt8] {
    try CairoLibrary.check(cairo_status(context))
    if format == .png {
      try CairoLibrary.check(
        cairo_surface_write_to_png_stream(surface, CairoSink.write, sink.closure))
    } else {
      cairo_surface_finish(surface)
      try CairoLibrary.check(cairo_surface_status(surface))
    }
    if let svgText { return svgText.inserted(into: sink.bytes) }
    return sink.bytes
  }

  /// The pixel boundary nearest to `value`.
  func snapped(_ value: Double) -> Double { (value * scale).rounded() / scale }
}

// MARK: - Areas and lines

extension Canvas {
  func fill(_ area: Rectangle, _ color: RGBColor) { fill([area], color) }

  /// Fills areas that do not overlap.
  func fill(_ areas: [Rectangle], _ color: RGBColor) {
    if areas.isEmpty { return }
    for area in areas { cairo_rectangle(context, area.x, area.y, area.width, area.height) }
    use(color)
    cairo_fill(context)
  }

  /// Fills areas that do not overlap, with corners rounded by at most `radius`.
  func fill(_ areas: [Rectangle], radius: Double, _ color: RGBColor) {
    if areas.isEmpty { return }
    for area in areas {
      let radius = min(radius, area.width / 2, area.height / 2)
      if radius <= 0 {
        cairo_rectangle(context, area.x, area.y, area.width, area.height)
      } else {
        addRounded(area, radius)
      }
    }
    use(color)
    cairo_fill(context)
  }

  private func addRounded(_ area: Rectangle, _ radius: Double) {
    let quarter = Double.pi / 2
    cairo_new_sub_path(context)
    cairo_arc(context, area.right - radius, area.y + radius, radius, -quarter, 0)
    cairo_arc(context, area.right - radius, area.bottom - radius, radius, 0, quarter)
    cairo_arc(context, area.x + radius, area.bottom - radius, radius, quarter, 2 * quarter)
    cairo_arc(context, area.x + radius, area.y + radius, radius, 2 * quarter, 3 * quarter)
    cairo_close_path(context)
  }

  /// Fills a polygon.
  func fill(polygon points: [(x: Double, y: Double)], _ color: RGBColor) {
    addLine(points)
    cairo_close_path(context)
    use(color)
    cairo_fill(context)
  }

  /// Draws a line through the points.
  func stroke(_ points: [(x: Double, y: Double)], width: Double, _ color: RGBColor) {
    addLine(points)
    cairo_set_line_width(context, width)
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
    use(color)
    cairo_stroke(context)
  }

  private func addLine(_ points: [(x: Double, y: Double)]) {
    guard let first = points.first else { return }
    cairo_move_to(context, first.x, first.y)
    for point in points.dropFirst() { cairo_line_to(context, point.x, point.y) }
  }

  /// Draws with clipping to an area.
  func clipped(to area: Rectangle, _ draw: () -> Void) {
    cairo_save(context)
    cairo_rectangle(context, area.x, area.y, area.width, area.height)
    cairo_clip(context)
    draw()
    cairo_restore(context)
  }

  func use(_ color: RGBColor) {
    let parts = color.parts
    cairo_set_source_rgb(context, parts.red, parts.green, parts.blue)
  }
}

extension RGBColor {
  /// The components, from 0 to 1.
  fileprivate var parts: (red: Double, green: Double, blue: Double) {
    (Double(red) / 255, Double(green) / 255, Double(blue) / 255)
  }
}

// MARK: - Pixels

/// The pixels of a picture in rows from the top, as red, green and blue, 0 to 255.
struct PixelImage: Hashable {
  let width, height: Int
  var bytes: [UInt8]
}

extension Canvas {
  /// The pixels of a PNG picture.
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
        // A 32-bit number: red in bits 16 to 23, then green, then blue.
        let pixel = UnsafeRawPointer(data + row * stride).load(
          fromByteOffset: 4 * column, as: UInt32.self)
        for shift in [16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: pixel >> shift)) }
      }
    }
    return PixelImage(width: width, height: height, bytes: bytes)
  }

  /// Draws an image scaled to an area, without smoothing.
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
