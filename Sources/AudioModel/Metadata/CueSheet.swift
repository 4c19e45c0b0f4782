extension Metadata {
  /// The tracks of a disc (FLAC CUESHEET, RFC 9639 section 8.7).
  public struct CueSheet: Hashable, Sendable {
    /// A track; the last one is the lead-out.
    public struct Track: Hashable, Sendable {
      /// A point within a track.
      public struct Index: Hashable, Sendable {
        public var number: UInt8
        /// Frames from the start of the track.
        public var offset: Double

        public init(number: UInt8, offset: Double) {
          self.number = number
          self.offset = offset
        }
      }

      public var number: UInt8
      /// Frames from the start of the audio.
      public var offset: Double
      public var isrc: String
      public var isAudio: Bool
      public var hasPreEmphasis: Bool
      public var indices: [Index]

      public init(
        number: UInt8, offset: Double, isrc: String = "", isAudio: Bool = true,
        hasPreEmphasis: Bool = false, indices: [Index] = []
      ) {
        self.number = number
        self.offset = offset
        self.isrc = isrc
        self.isAudio = isAudio
        self.hasPreEmphasis = hasPreEmphasis
        self.indices = indices
      }
    }

    /// The disc's catalog number; may be empty.
    public var catalogNumber: String
    /// Frames before the first track.
    public var leadIn: Double
    /// Whether it is that of a compact disc.
    public var isCD: Bool
    public var tracks: [Track]

    public init(catalogNumber: String = "", leadIn: Double = 0, isCD: Bool, tracks: [Track]) {
      self.catalogNumber = catalogNumber
      self.leadIn = leadIn
      self.isCD = isCD
      self.tracks = tracks
    }
  }
}
