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

/// What an area is filled with.
enum Paint: Hashable {
  case color(RGBColor)
  /// Colors one under another, evenly spaced from `top` to `bottom`.
  case vertical([RGBColor], top: Double, bottom: Double)
}

/// A picture that is being drawn, in points from its upper left corner.
final class Canvas {
  /// The size of the picture, in points.
  let width, height: Double
  /// Pixels in a point.
  let scale: Double
  private let format: PictureFormat
  private let sink = CairoSink()
  let surface: OpaquePointer
  let context: OpaquePointer
  /// Fonts of characters that the pictures' font lacks.
  var families: [Unicode.Scalar: String] = [:]

  /// An empty picture of a size within ``PictureSettings/sizeRange``.
  init(
    width: Int, height: Int, scale: Int, format: PictureFormat, title: String
  ) throws(RenderingError) {
    try CairoLibrary.load()
    (self.width, self.height, self.scale) = (Double(width), Double(height), Double(scale))
    self.format = format
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
      // Without the time of day, the same audio gives the same bytes.
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

  /// Letters are placed alike at every scale and in every format: nothing is fitted to pixels.
  private func chooseFont() {
    guard let options = cairo_font_options_create() else { return }
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    cairo_set_font_options(context, options)
    cairo_font_options_destroy(options)
  }

  /// Ends the picture and gives the bytes of its file.
  func finish() throws(RenderingError) -> [UInt8] {
    try CairoLibrary.check(cairo_status(context))
    if format == .png {
      try CairoLibrary.check(
        cairo_surface_write_to_png_stream(surface, CairoSink.write, sink.closure))
    } else {
      cairo_surface_finish(surface)
      try CairoLibrary.check(cairo_surface_status(surface))
    }
    return sink.bytes
  }

  /// The nearest place to `value` where a pixel begins.
  func snapped(_ value: Double) -> Double { (value * scale).rounded() / scale }
}

// MARK: - Areas and lines

extension Canvas {
  func fill(_ area: Rectangle, _ color: RGBColor) { fill([area], .color(color)) }

  /// Fills areas that do not overlap.
  func fill(_ areas: [Rectangle], _ paint: Paint) {
    if areas.isEmpty { return }
    for area in areas { cairo_rectangle(context, area.x, area.y, area.width, area.height) }
    use(paint)
    cairo_fill(context)
  }

  /// Fills areas that do not overlap, whose corners are rounded by at most `radius`.
  func fill(_ areas: [Rectangle], radius: Double, _ paint: Paint) {
    if areas.isEmpty { return }
    for area in areas {
      let radius = min(radius, area.width / 2, area.height / 2)
      if radius <= 0 {
        cairo_rectangle(context, area.x, area.y, area.width, area.height)
      } else {
        addRounded(area, radius)
      }
    }
    use(paint)
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

  /// Fills what the points enclose.
  func fill(polygon points: [(x: Double, y: Double)], _ paint: Paint) {
    addLine(points)
    cairo_close_path(context)
    use(paint)
    cairo_fill(context)
  }

  /// Draws a line through the points.
  func stroke(_ points: [(x: Double, y: Double)], width: Double, _ paint: Paint) {
    addLine(points)
    cairo_set_line_width(context, width)
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
    use(paint)
    cairo_stroke(context)
  }

  private func addLine(_ points: [(x: Double, y: Double)]) {
    guard let first = points.first else { return }
    cairo_move_to(context, first.x, first.y)
    for point in points.dropFirst() { cairo_line_to(context, point.x, point.y) }
  }

  /// Draws within an area only.
  func clipped(to area: Rectangle, _ draw: () -> Void) {
    cairo_save(context)
    cairo_rectangle(context, area.x, area.y, area.width, area.height)
    cairo_clip(context)
    draw()
    cairo_restore(context)
  }

  func use(_ paint: Paint) {
    switch paint {
    case .color(let color):
      cairo_set_source_rgb(context, color.parts.red, color.parts.green, color.parts.blue)
    case .vertical(let colors, let top, let bottom):
      guard let pattern = cairo_pattern_create_linear(0, top, 0, bottom) else { return }
      for (index, color) in colors.enumerated() {
        let place = colors.count > 1 ? Double(index) / Double(colors.count - 1) : 0
        let parts = color.parts
        cairo_pattern_add_color_stop_rgb(pattern, place, parts.red, parts.green, parts.blue)
      }
      cairo_set_source(context, pattern)
      cairo_pattern_destroy(pattern)
    }
  }
}

extension RGBColor {
  /// The parts from 0 to 1.
  fileprivate var parts: (red: Double, green: Double, blue: Double) {
    (Double(red) / 255, Double(green) / 255, Double(blue) / 255)
  }
}
