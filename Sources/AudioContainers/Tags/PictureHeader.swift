internal import AudioIO
package import AudioModel

extension Metadata.Picture {
  /// A picture whose other properties are read from its data.
  ///
  /// `mimeType` may be empty, wrong, or an abbreviation such as `JPG`.
  init(type: UInt32, mimeType: String, description: String, data: [UInt8]) {
    let header = PictureHeader(data)
    let declaredType = mimeType.lowercased()
    // RFC 9639 section 8.8: 20 is the last defined type.
    self.init(
      type: type <= 20 ? type : 0,
      mimeType: declaredType == "-->"
        ? declaredType : header?.mimeType ?? Self.common(declaredType),
      description: description, width: header?.width ?? 0, height: header?.height ?? 0,
      depth: header?.depth ?? 0, colors: header?.colors ?? 0, data: data)
  }

  /// The picture with the type that its data shows, whatever the file states.
  package var withTypeOfData: Metadata.Picture {
    guard mimeType != "-->", let header = PictureHeader(data) else { return self }
    var picture = self
    picture.mimeType = header.mimeType
    return picture
  }

  private static func common(_ mimeType: String) -> String {
    switch mimeType {
    case "", "image/": "application/octet-stream"
    case "jpg", "image/jpg": "image/jpeg"
    default: mimeType
    }
  }
}

/// The properties in the header of a picture file.
struct PictureHeader {
  let mimeType: String
  /// Size in pixels, bits per pixel, and colors of a palette. All are 0 if they are unknown, because a Vorbis
  /// comment has all or none of them.
  private(set) var width: UInt32 = 0
  private(set) var height: UInt32 = 0
  private(set) var depth: UInt32 = 0
  private(set) var colors: UInt32 = 0

  /// Parses the start of a picture file; `nil` if the format is unknown.
  init?(_ data: [UInt8]) {
    func has(_ bytes: [UInt8], at offset: Int = 0) -> Bool {
      data.dropFirst(offset).starts(with: bytes)
    }
    func number(_ offset: Int, _ count: Int) -> UInt32 {
      guard offset + count <= data.count else { return 0 }
      return UInt32(data[offset..<offset + count].bigEndianValue)
    }
    if has([0xFF, 0xD8, 0xFF]) {
      mimeType = "image/jpeg"
      if let frame = Self.jpegFrame(data) {
        height = number(frame + 5, 2)
        width = number(frame + 7, 2)
        depth = number(frame + 4, 1) * number(frame + 9, 1)
      }
    } else if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      mimeType = "image/png"
      // The first chunk, IHDR, begins at byte 8; palette pixels are indices into PLTE.
      let channels: [UInt32: UInt32] = [0: 1, 2: 3, 4: 2, 6: 4]
      if let count = channels[number(25, 1)] {
        depth = number(24, 1) * count
      } else if let palette = Self.paletteBytes(data) {
        (depth, colors) = (24, palette / 3)
      }
      if depth > 0 { (width, height) = (number(16, 4), number(20, 4)) }
    } else if has(Array("GIF8".utf8)) {
      mimeType = "image/gif"
    } else if has(Array("RIFF".utf8)), has(Array("WEBP".utf8), at: 8) {
      mimeType = "image/webp"
    } else if has(Array("BM".utf8)), data.count > 26 {
      mimeType = "image/bmp"
    } else if has([0x49, 0x49, 0x2A, 0]) || has([0x4D, 0x4D, 0, 0x2A]) {
      mimeType = "image/tiff"
    } else if has(Array("ftypavi".utf8), at: 4) {
      mimeType = "image/avif"
    } else if has(Array("ftyphe".utf8), at: 4) {
      mimeType = "image/heic"
    } else if has(Array("ftypmif1".utf8), at: 4) {
      mimeType = "image/heif"
    } else if has([0xFF, 0x0A]) || has(Array("JXL \r\n".utf8), at: 4) {
      mimeType = "image/jxl"
    } else if has(Array("jP  \r\n".utf8), at: 4) {
      mimeType = "image/jp2"
    } else if has([0, 0, 1, 0]), number(4, 1) > 0 {
      mimeType = "image/x-icon"
    } else if let text = Self.textType(data) {
      mimeType = text
    } else {
      return nil
    }
  }

  /// The type of a drawing, or of the page that a server sent in place of a picture; `nil` for other data.
  private static func textType(_ data: [UInt8]) -> String? {
    let head = String(decoding: data.prefix(1024), as: UTF8.self).lowercased()
    let text = head.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") { return "text/html" }
    let isMarkup = text.hasPrefix("<?xml") || text.hasPrefix("<!")
    return text.hasPrefix("<svg") || isMarkup && text.contains("<svg") ? "image/svg+xml" : nil
  }

  /// The size of a PNG's palette in bytes (PNG specification, section 11.2.2).
  private static func paletteBytes(_ data: [UInt8]) -> UInt32? {
    var position = 8
    for _ in 0..<256 where position + 8 <= data.count {
      let size = UInt32(data[position..<position + 4].bigEndianValue)
      if data[position + 4..<position + 8].elementsEqual("PLTE".utf8) { return size }
      position += 12 + Int(size)
    }
    return nil
  }

  /// The offset of the frame header of a JPEG (ITU-T T.81, B.2.2).
  private static func jpegFrame(_ data: [UInt8]) -> Int? {
    var position = 2
    for _ in 0..<1024 where position + 9 < data.count {
      guard data[position] == 0xFF else { return nil }
      let marker = data[position + 1]
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) { return position }
      position += 2 + Int(data[position + 2..<position + 4].bigEndianValue)
    }
    return nil
  }
}
