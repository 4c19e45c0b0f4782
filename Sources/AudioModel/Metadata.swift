/// What is attached to audio: text tags and pictures.
///
/// Names are those of Vorbis comments, the widest vocabulary among the formats: any name, any
/// number of values, in order.
public struct Metadata: Hashable, Sendable {
  /// One text tag.
  public struct Comment: Hashable, Sendable {
    /// The field's name as written, such as `TITLE`; compared without case.
    public var name: String
    /// The field's value.
    public var value: String

    /// A tag of this name and value.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

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

  /// The text tags, in file order.
  public var comments: [Comment]
  /// The pictures, in file order.
  public var pictures: [Picture]

  /// Tags and pictures; by default none.
  public init(comments: [Comment] = [], pictures: [Picture] = []) {
    self.comments = comments
    self.pictures = pictures
  }

  /// Whether there is nothing.
  public var isEmpty: Bool { comments.isEmpty && pictures.isEmpty }

  /// The values of a field, compared without case.
  public func values(_ name: String) -> [String] {
    comments.filter { $0.name.uppercased() == name.uppercased() }.map(\.value)
  }
}
