extension Metadata {
  /// How a sampler plays the audio (WAV `smpl` and `inst`, AIFF `INST`, CAF `inst`).
  public struct Instrument: Hashable, Sendable {
    /// A loop that is played while a note is held.
    public struct Loop: Hashable, Sendable {
      /// The way the loop is run through.
      public enum Mode: Hashable, Sendable { case forward, alternating, backward }
      /// The number of the mark that the loop belongs to, where the file gives one.
      public var markID: UInt32?
      public var mode: Mode
      /// The first frame.
      public var start: Double
      /// The frame behind the last.
      public var end: Double
      /// How often it is played; 0 for endlessly.
      public var playCount: UInt32
      /// Whether it is for after the key is let go (AIFF).
      public var isRelease: Bool

      /// A loop from `start` up to, not including, `end`.
      public init(
        markID: UInt32? = nil, mode: Mode = .forward, start: Double, end: Double,
        playCount: UInt32 = 0, isRelease: Bool = false
      ) {
        self.markID = markID
        self.mode = mode
        self.start = start
        self.end = end
        self.playCount = playCount
        self.isRelease = isRelease
      }
    }

    /// The MIDI note at which the audio plays unchanged.
    public var baseNote: UInt8
    /// What the note is off by, in cents, -50 to 50.
    public var detune: Double
    /// The gain to play with, in dB.
    public var gain: Double
    /// The notes and the key velocities it is for.
    public var notes, velocities: ClosedRange<UInt8>
    public var loops: [Loop]

    /// An instrument; by default the whole keyboard around middle C.
    public init(
      baseNote: UInt8 = 60, detune: Double = 0, gain: Double = 0,
      notes: ClosedRange<UInt8> = 0...127, velocities: ClosedRange<UInt8> = 0...127,
      loops: [Loop] = []
    ) {
      self.baseNote = baseNote
      self.detune = detune
      self.gain = gain
      self.notes = notes
      self.velocities = velocities
      self.loops = loops
    }
  }
}
