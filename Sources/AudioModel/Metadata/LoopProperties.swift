extension Metadata {
  /// The tempo of a loop, as the WAV `acid` chunk tells it.
  public struct LoopProperties: Hashable, Sendable {
    /// The chunk's flags: 1 one-shot, 2 root note given, 4 stretched, 8 disk based.
    public var flags: UInt32
    /// The root MIDI note.
    public var rootNote: UInt16
    /// Beats in the whole audio.
    public var beats: UInt32
    public var meterNumerator, meterDenominator: UInt16
    /// Beats a minute.
    public var tempo: Float

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
