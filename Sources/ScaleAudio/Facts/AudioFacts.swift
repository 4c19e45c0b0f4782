/// What there is to know of an audio file.
///
/// ```swift
/// let facts = try AudioFacts(of: .file("in.flac"), AudioFacts.Request(measuresLevels: true))
/// print(facts.source.spec.layout, facts.levels?.integratedLoudness ?? .nan)
/// ```
public struct AudioFacts: Hashable, Sendable {
  /// What is to be found out beyond what headers tell.
  public struct Request: Hashable, Sendable {
    /// Whether everything is decoded to count the frames, and packets are counted.
    public var countsFrames: Bool
    /// Whether everything is decoded to measure levels, loudness and the like; counts frames and packets
    /// too.
    public var measuresLevels: Bool
    /// Which of several audio tracks is meant, from 1 on; `nil` for the first.
    public var track: Int?

    /// A request; by default for what headers tell.
    public init(countsFrames: Bool = false, measuresLevels: Bool = false, track: Int? = nil) {
      self.countsFrames = countsFrames
      self.measuresLevels = measuresLevels
      self.track = track
    }
  }

  /// Size of the file in bytes.
  public private(set) var byteCount: Int
  /// Format, codec, rate, channels, length, and everything attached; of a damaged file, of what decodes.
  public private(set) var source: SourceDescription
  /// Where and how the encoded audio is stored.
  public private(set) var storage: StorageFacts
  /// Why a conversion would refuse the file, where it is damaged.
  public private(set) var problem: AudioFileError?
  /// What its samples tell, where that was asked for.
  public private(set) var levels: AudioLevels?

  /// Whether the encoding keeps every sample.
  public var isLossless: Bool { source.sampleFormat != nil && !storage.isLossy }

  /// Average bits per second of the encoded audio: by its bytes and its length, the encoder's delay and
  /// padding counted, where both are known, else as the file declares them; `nil` where neither tells.
  public var averageBitRate: Int? {
    if storage.bitRateMode == .constant, source.sampleFormat == nil, let rate = source.bitRate {
      return rate
    }
    let isPadded = source.sampleFormat == nil && source.lengthBasis != .estimated
    let padding = isPadded ? max(0, storage.delay ?? 0) + max(0, storage.padding ?? 0) : 0
    let seconds =
      source.spec.seconds(frames: source.frameCount) + source.spec.seconds(frames: padding)
    if let bytes = storage.audioByteCount, bytes > 0, seconds > 0 {
      return Int(exactly: (Double(bytes) * 8 / seconds).rounded())
    }
    return storage.declaredBitRate ?? source.bitRate
  }

  /// The facts of a file, on the calling thread and in bounded memory.
  ///
  /// Throws where nothing can be told of it. A file that is damaged is told of as far as it decodes, and
  /// what is wrong is its ``problem``. A cancelled wait ends as `cannotRead` with `EINTR`.
  ///
  /// - Parameters:
  ///   - input: What to look at.
  ///   - request: What to find out.
  ///   - cancellation: Stops the work at its next block.
  public init(
    of input: ConversionInput, _ request: Request = Request(),
    cancellation: Cancellation = Cancellation()
  ) throws(AudioFileError) {
    let file = try input.opened(cancellation)
    self = try Self.found(in: file, request, salvaging: nil, cancellation)
    try file.checkUnchanged()
  }

  private init(
    byteCount: Int, source: SourceDescription, storage: StorageFacts, problem: AudioFileError?
  ) {
    self.byteCount = byteCount
    self.source = source
    self.storage = storage
    self.problem = problem
  }

  /// The facts of a file, or of what is left of one that has a `problem`.
  private static func found(
    in file: borrowing InputFile, _ request: Request, salvaging problem: AudioFileError?,
    _ cancellation: Cancellation
  ) throws(AudioFileError) -> AudioFacts {
    do throws(AudioFileError) {
      let decodes = request.measuresLevels || request.countsFrames
      let reader = try AudioFile.reader(
        for: file, salvaging: problem != nil, track: request.track,
        estimating: !decodes && problem == nil)
      if problem == nil, !decodes { try reader.checkEnd(of: file) }
      let storage = try reader.storage(
        of: file, countsPackets: decodes)
      var facts = AudioFacts(
        byteCount: file.size, source: reader.source, storage: storage, problem: problem)
      let isCounted = reader.source.lengthBasis == .counted
      if request.measuresLevels || request.countsFrames && !isCounted {
        try facts.decode(reader, request, path: file.path, cancellation)
      }
      return facts
    } catch {
      // What was found wrong first is what matters.
      if let problem { throw problem }
      guard error.isDamage else { throw error }
      return try found(in: file, request, salvaging: error, cancellation)
    }
  }

  /// Reads all that the reader gives, and measures it where that is asked for.
  private mutating func decode(
    _ reader: any AudioFileReader, _ request: Request, path: FilePath, _ cancellation: Cancellation
  ) throws(AudioFileError) {
    let pass = MeasuringPass(
      reader: reader, path: path, measuresLevels: request.measuresLevels,
      cancellation: cancellation)
    let (frames, found) = try pass.run()
    source.frameCount = frames
    source.lengthBasis = .counted
    levels = found
  }
}

extension AudioFileError {
  /// Whether something of the file may be left all the same.
  fileprivate var isDamage: Bool {
    switch self {
    case .malformed, .truncated: true
    default: false
    }
  }
}
