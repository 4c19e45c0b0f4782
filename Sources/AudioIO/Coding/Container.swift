package import AudioModel

extension AudioFormat {
  /// A container grammar: how its files begin and end, what their headers contain, and how they store metadata.
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
    package let header: Header?
    /// Reads the tags that the container itself stores, from an offset after leading ID3v2 tags; `nil` for containers
    /// with tags only before and after the audio.
    package let tags: Tags?
    /// The end of a file by its own structures, which shows that another file was joined to it; `nil` for containers
    /// that do not show it.
    package let end: End?
    /// The multiple of bytes to which a whole file may be padded.
    package let alignment: Int

    package typealias Header =
      @Sendable (borrowing InputFile) throws(AudioFileError)
      -> ContainerHeader
    package typealias Tags =
      @Sendable (borrowing InputFile, Int, inout TagReading)
      throws(AudioFileError) -> Void
    /// Takes the start of the file, and whether all of its blocks may be walked; returns `nil` if the end is unknown.
    package typealias End =
      @Sendable (borrowing InputFile, FileHead, Bool) throws(AudioFileError)
      -> Int?

    package init(
      _ name: String, displayName: String? = nil, metadata: MetadataForm = .none,
      header: Header? = nil, tags: Tags? = nil, alignment: Int = 1, end: End? = nil,
      codec: @escaping @Sendable (FileHead) -> Codec? = { _ in nil },
      recognizes: @escaping @Sendable (FileHead) -> Bool = { _ in false }
    ) {
      self.name = name
      self.displayName = displayName
      self.metadata = metadata
      self.header = header
      self.tags = tags
      self.alignment = alignment
      self.end = end
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

    /// The bytes of a file from an offset on.
    package init(of input: borrowing InputFile, at offset: Int) throws(AudioFileError) {
      bytes = try input.bytes(at: offset, count: Self.byteCount)
      fileSize = input.size
    }

    /// Returns true if `text` is at an offset.
    package func has(_ text: String, at offset: Int = 0) -> Bool {
      has(Array(text.utf8), at: offset)
    }

    /// Returns true if `pattern` is at an offset.
    package func has(_ pattern: [UInt8], at offset: Int = 0) -> Bool {
      bytes.dropFirst(offset).starts(with: pattern)
    }

    /// The unsigned number of `count` bytes at an offset; `nil` beyond the end or above the range of `Int`.
    package func number(at offset: Int, count: Int, isBigEndian: Bool) -> Int? {
      ByteReader(bytes: bytes, isBigEndian: isBigEndian).number(at: offset, count: count)
        .flatMap { Int(exactly: $0) }
    }

    /// The end of what begins at `start` and has as many bytes as a field states; `nil` if that overflows.
    package func end(
      of start: Int, sizeAt offset: Int, count: Int, isBigEndian: Bool
    ) -> Int? {
      guard let size = number(at: offset, count: count, isBigEndian: isBigEndian) else {
        return nil
      }
      let (end, overflows) = start.addingReportingOverflow(size)
      return overflows ? nil : end
    }
  }
}

/// The tags of a file while they are read, with the values that convert their times.
package struct TagReading: Sendable {
  /// The sample rate of the audio in Hz, to convert times to frames.
  package let sampleRate: Int
  /// PCM frames per MPEG frame, to convert times that count MPEG frames.
  package let framesPerMPEGFrame: Int?
  /// The number of the track among the audio tracks of its container, from 0.
  package let audioTrack: Int
  /// Seconds from the start of the container's timeline to the track's first frame.
  package let delay: Double
  /// The tags so far.
  package var contents = TagContents()
  /// True after an ID3v2 tag was read.
  package var hasID3 = false

  package init(
    sampleRate: Int, framesPerMPEGFrame: Int? = nil, audioTrack: Int = 0, delay: Double = 0
  ) {
    self.sampleRate = sampleRate
    self.framesPerMPEGFrame = framesPerMPEGFrame
    self.audioTrack = audioTrack
    self.delay = delay
  }
}
