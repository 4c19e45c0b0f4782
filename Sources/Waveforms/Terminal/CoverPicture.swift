/// The picture of a cover, for terminals that show pictures.
public struct CoverPicture: Hashable, Sendable {
  private let image: PixelImage

  /// A cover of rows from the top, each pixel a red, a green and a blue byte; `nil` if `bytes` does not have this
  /// size.
  public init?(width: Int, height: Int, bytes: [UInt8]) {
    guard width > 0, height > 0, bytes.count == 3 * width * height else { return nil }
    image = PixelImage(width: width, height: height, bytes: bytes)
  }

  /// The bytes that make a terminal show the cover at the cursor, which stays where it is.
  ///
  /// - Parameters:
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - columns: The number of character columns that it covers, which are at least as wide.
  ///   - rows: The number of character rows that it covers, which are at least as high.
  ///   - id: The number of the picture in kitty's protocol; it replaces a picture with the same number.
  ///   - terminal: The protocol of the terminal.
  /// - Throws: ``RenderingError/badSize(reason:)`` unless all sizes are positive.
  public func render(
    width: Int, height: Int, columns: Int, rows: Int, id: Int, for terminal: TerminalGraphics
  ) throws(RenderingError) -> [UInt8] {
    guard width > 0, height > 0, columns > 0, rows > 0 else {
      throw .badSize(reason: "a cover needs a size")
    }
    let image = image.resized(width: width, height: height)
    switch terminal {
    case .kitty:
      return KittyEncoder.encode(
        image.bytes,
        "a=T,f=24,s=\(width),v=\(height),c=\(columns),r=\(rows),C=1,i=\(id),p=1,q=2,")
    case .sixel:
      return Array("\u{1b}7".utf8) + (try SixelEncoder.encode(image)) + Array("\u{1b}8".utf8)
    }
  }

  /// The aspect ratio: width / height.
  public var aspect: Double { Double(image.width) / Double(image.height) }
}

extension TerminalGraphics {
  /// The bytes that remove the picture with a number, in terminals in which text does not overwrite it.
  public func removal(id: Int) -> String {
    self == .kitty ? "\u{1b}_Ga=d,d=I,i=\(id),q=2\u{1b}\\" : ""
  }
}

extension PixelImage {
  /// The image with another number of pixels. Each is the mean of the pixels that it covers, or is interpolated.
  func resized(width: Int, height: Int) -> PixelImage {
    let across = Self.weights(from: self.width, to: width)
    let down = Self.weights(from: self.height, to: height)
    // First each row, then each column.
    var rows: [Float] = []
    rows.reserveCapacity(3 * width * self.height)
    for y in 0..<self.height {
      for taps in across {
        for part in 0..<3 {
          var sum: Float = 0
          for (x, weight) in taps { sum += weight * Float(bytes[3 * (y * self.width + x) + part]) }
          rows.append(sum)
        }
      }
    }
    var result: [UInt8] = []
    result.reserveCapacity(3 * width * height)
    for taps in down {
      for place in 0..<3 * width {
        var sum: Float = 0
        for (y, weight) in taps { sum += weight * rows[y * 3 * width + place] }
        result.append(UInt8(min(255, max(0, sum.rounded()))))
      }
    }
    return PixelImage(width: width, height: height, bytes: result)
  }

  /// The pixels that contribute to each of `count` new ones, with weights that sum to 1: a triangle twice as wide as
  /// a pixel of the coarser image.
  private static func weights(from old: Int, to count: Int) -> [[(Int, Float)]] {
    let ratio = Double(old) / Double(count)
    let reach = max(1, ratio)
    return (0..<count).map { index in
      let middle = (Double(index) + 0.5) * ratio - 0.5
      let first = max(0, Int((middle - reach).rounded(.up)))
      let last = min(old - 1, Int((middle + reach).rounded(.down)))
      guard first <= last else { return [(min(old - 1, max(0, Int(middle.rounded()))), 1)] }
      let taps = (first...last).map { ($0, max(0, 1 - abs(Double($0) - middle) / reach)) }
      let sum = taps.reduce(0) { $0 + $1.1 }
      return sum > 0
        ? taps.map { ($0.0, Float($0.1 / sum)) }
        : [(min(old - 1, max(0, Int(middle.rounded()))), 1)]
    }
  }
}
