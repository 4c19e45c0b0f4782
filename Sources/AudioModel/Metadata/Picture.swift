extension Metadata {
  /// An embedded picture, as FLAC describes it (RFC 9639 section 8.8).
  public struct Picture: Hashable, Sendable {
    /// The ID3v2 APIC picture type; 3 is the front cover.
    public var type: UInt32
    /// The MIME type of `data`, or `-->` when `data` is an address.
    public var mimeType: String
    /// A description in any language.
    public var description: String
    /// Width and height in pixels, 0 when unknown.
    public var width, height: UInt32
    /// Bits per pixel, 0 when unknown.
    public var depth: UInt32
    /// Colours of an indexed picture, else 0.
    public var colors: UInt32
    /// The picture file itself.
    public var data: [UInt8]

    /// A picture with every field given.
    public init(
      type: UInt32, mimeType: String, description: String, width: UInt32, height: UInt32,
      depth: UInt32, colors: UInt32, data: [UInt8]
    ) {
      self.type = type
      self.mimeType = mimeType
      self.description = description
      self.width = width
      self.height = height
      self.depth = depth
      self.colors = colors
      self.data = data
    }
  }
}
