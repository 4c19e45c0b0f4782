extension AudioFormat {
  /// A container grammar: how its files begin, what their headers contain, and where they store metadata.
  ///
  /// Each grammar of `AudioContainers` declares its own. Containers are equal if their names are.
  package struct Container: Hashable, Sendable {
    package let name: String
    /// The display name; `nil` if it is the name of the format.
    package let displayName: String?
    /// The structures that store metadata.
    package let metadata: MetadataForm
    /// Returns true if a file with this start is in this container; always `false` if the start alone does not
    /// show it.
    package let recognizes: @Sendable (FileHead) -> Bool
    /// The codec of a recognized file; `nil` for plain samples, and if the start does not show it.
    package let codec: @Sendable (FileHead) -> Codec?
    /// Reads the header; `nil` for containers whose header only their library reads.
    package let header: (@Sendable (borrowing InputFile) throws(AudioFileError) -> ContainerHeader)?

    package init(
      _ name: String, displayName: String? = nil, metadata: MetadataForm = .none,
      header: (@Sendable (borrowing InputFile) throws(AudioFileError) -> ContainerHeader)? = nil,
      codec: @escaping @Sendable (FileHead) -> Codec? = { _ in nil },
      recognizes: @escaping @Sendable (FileHead) -> Bool = { _ in false }
    ) {
      self.name = name
      self.displayName = displayName
      self.metadata = metadata
      self.header = header
      self.codec = codec
      self.recognizes = recognizes
    }

    /// Any container that only FFmpeg's libraries read.
    package static let other = Container("other")

    /// Headerless samples, which the start of a file cannot identify.
    package static let raw = Container("raw")

    package static func == (one: Container, other: Container) -> Bool { one.name == other.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  /// The start of a file, which shows its container.
  package struct FileHead: Sendable {
    /// Number of bytes that is sufficient for every container.
    package static let byteCount = 64

    /// Up to ``byteCount`` bytes.
    package let bytes: [UInt8]
    /// In bytes.
    package let fileSize: Int

    package init(bytes: [UInt8], fileSize: Int) {
      self.bytes = bytes
      self.fileSize = fileSize
    }

    /// Returns true if `text` is at an offset.
    package func has(_ text: String, at offset: Int = 0) -> Bool {
      has(Array(text.utf8), at: offset)
    }

    /// Returns true if `pattern` is at an offset.
    package func has(_ pattern: [UInt8], at offset: Int = 0) -> Bool {
      bytes.dropFirst(offset).starts(with: pattern)
    }
  }
}
