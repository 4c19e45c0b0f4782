extension Metadata {
  /// A cue point, marker or region, as editors and samplers know them.
  public struct Mark: Hashable, Sendable {
    /// The number by which the file refers to it; `nil` where it has none.
    public var id: UInt32?
    /// Where it stands or begins, in frames.
    public var start: Double
    /// How long it is, in frames; 0 for a point.
    public var length: Double
    /// What it is called; may be empty.
    public var label: String
    /// A longer remark; may be empty.
    public var note: String
    /// The four characters that say what a WAV region is for, such as `rgn `; empty where there are none.
    public var purpose: String

    /// A mark at `start`.
    public init(
      id: UInt32? = nil, start: Double, length: Double = 0, label: String = "", note: String = "",
      purpose: String = ""
    ) {
      self.id = id
      self.start = start
      self.length = length
      self.label = label
      self.note = note
      self.purpose = purpose
    }
  }
}
