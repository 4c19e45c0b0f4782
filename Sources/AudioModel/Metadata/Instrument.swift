extension Metadata {
  /// The settings of a sampler that plays the audio (WAV `smpl` and `inst`, AIFF `INST`, CAF `inst`).
  public struct Instrument: Hashable, Sendable {
    /// A loop that plays while a note is held.
    public struct Loop: Hashable, Sendable {
      /// The direction of play.
      public enum Mode: Hashable, Sendable {
        /// From the start to the end, both ways in turn, or from the end to the start.
        case forward, alternating, backward
        /// Not played, although it has a place (AIFF).
        case off
      }
      /// The number of the mark that the loop belongs to, if the file gives one.
      public var markID: UInt32?
      /// The direction of play.
      public var mode: Mode
      /// The first frame.
      public var start: Double
      /// The frame after the last.
      public var end: Double
      /// The number of times to play it; 0 for endless.
      public var playCount: UInt32
      /// True if it plays after the key is released (AIFF).
      public var isRelease: Bool
      /// The loop in WAV's `smpl`.
      package var sampler: [UInt8] = []
      /// The numbers of the markers at its start and its end in AIFF.
      package var markers: [UInt16] = []

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

    /// The MIDI note that plays the audio at its original pitch.
    public var baseNote: UInt8
    /// The fine tuning, in cents, -50 to 50.
    public var detune: Double
    /// The playback gain, in dB.
    public var gain: Double
    /// The ranges of MIDI notes and of key velocities.
    public var notes, velocities: ClosedRange<UInt8>
    /// The loops, in file order.
    public var loops: [Loop]
    /// The codes of the sampler's manufacturer and product in WAV; 0 for any.
    public var manufacturer, product: UInt32
    /// The chunks of WAV: `smpl` and `inst`.
    package var chunks: [String: [UInt8]] = [:]

    /// An instrument; by default for the whole keyboard, with middle C as the base note.
    public init(
      baseNote: UInt8 = 60, detune: Double = 0, gain: Double = 0,
      notes: ClosedRange<UInt8> = 0...127, velocities: ClosedRange<UInt8> = 0...127,
      loops: [Loop] = [], manufacturer: UInt32 = 0, product: UInt32 = 0
    ) {
      self.baseNote = baseNote
      self.detune = detune
      self.gain = gain
      self.notes = notes
      self.velocities = velocities
      self.loops = loops
      self.manufacturer = manufacturer
      self.product = product
    }
  }

  /// The tempo of a loop, from the WAV `acid` chunk.
  public struct LoopProperties: Hashable, Sendable {
    /// The chunk's flags: 1 one-shot, 2 root note given, 4 stretched, 8 disk based.
    public var flags: UInt32
    /// The root MIDI note.
    public var rootNote: UInt16
    /// The number of beats in the audio.
    public var beats: UInt32
    /// The time signature.
    public var meterNumerator, meterDenominator: UInt16
    /// The tempo in beats per minute.
    public var tempo: Float
    /// The chunk of WAV.
    package var chunk: [UInt8] = []

    /// The properties of a loop.
    public init(
      flags: UInt32, rootNote: UInt16, beats: UInt32, meterNumerator: UInt16,
      meterDenominator: UInt16, tempo: Float
    ) {
      self.flags = flags
      self.rootNote = rootNote
      self.beats = beats
      self.meterNumerator = meterNumerator
      self.meterDenominator = meterDenominator
      self.tempo = tempo
    }
  }
}
