extension CardContent.Cover {
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
