internal import AudioFiles
public import AudioIO
public import AudioModel
internal import SystemPackage

/// The facts to report about a file in addition to the content of its headers.
public struct InspectionRequest: Hashable, Sendable {
  /// True to decode the whole file to count its frames.
  public var countsFrames: Bool
  /// True to decode the whole file to measure levels and loudness; this also counts frames.
  public var measuresLevels: Bool
  /// True to decode the whole file for ``InspectionReport/samplesSHA256``; this also counts frames.
  public var hashesSamples: Bool
  /// True to report the tempo: the one that the file states, or an estimate, for which the file is decoded.
  public var measuresTempo: Bool
  /// The audio track to report, from 1; `nil` for the first.
  public var track: Int?
  /// The declaration of headerless samples; `nil` if the content shows the format.
  public var raw: RawPCM?
  /// The encoding of tags for which the file states none; `nil` if it is not known.
  public var tagEncoding: TextEncoding?

  /// A request; by default for the content of headers.
  public init(
    countsFrames: Bool = false, measuresLevels: Bool = false, hashesSamples: Bool = false,
    measuresTempo: Bool = false, track: Int? = nil, raw: RawPCM? = nil
  ) {
    self.measuresTempo = measuresTempo
    self.countsFrames = countsFrames
    self.measuresLevels = measuresLevels
    self.hashesSamples = hashesSamples
    self.track = track
    self.raw = raw
  }
}

/// The content of an audio file: format, length, metadata and, if requested, levels.
///
/// ```swift
/// let report = try InspectionReport(of: .file("in.flac"), .init(measuresLevels: true))
/// print(report.source.spec.layout, report.levels?.integratedLoudness ?? .nan)
/// ```
public struct InspectionReport: Hashable, Sendable {
  /// Size of the file in bytes.
  public private(set) var byteCount: Int
  /// Format, codec, rate, channels, length and metadata; for a damaged file, those of its readable part.
  public private(set) var source: SourceDescription
  /// The damage for which a conversion would refuse the file; `nil` if there is none.
  public private(set) var problem: AudioFileError?
  /// The measured levels; `nil` unless requested.
  public private(set) var levels: AudioLevels?
  /// The tempo, or an estimate that may not be clear; `nil` unless requested, and if there is none.
  public private(set) var tempo: SourceTempo?
  /// The SHA-256 of the decoded samples in hexadecimal: interleaved, little-endian, integers signed, in the
  /// depth of the file, or in 32-bit floating point for lossy codecs; `nil` unless requested.
  public private(set) var samplesSHA256: String?

  /// True if the encoding is lossless.
  public var isLossless: Bool { source.sampleFormat != nil && !source.storage.isLossy }

  /// Average bits per second of the encoded audio; `nil` if unknown.
  ///
  /// If the container does not state it, it is computed from the size of the file without its pictures.
  public var averageBitRate: Int? {
    if let rate = source.storage.averageBitRate ?? source.bitRate { return rate }
    guard source.storage.video == nil, source.storage.tracks.count < 2 else { return nil }
    let pictures = source.metadata.pictures.reduce(0) { $0 + $1.data.count }
    return StorageDescription.bitRate(
      bytes: max(0, byteCount - pictures), frames: source.frameCount, source.spec)
  }

  /// Inspects a file, on the calling thread and in bounded memory.
  ///
  /// A damaged file is reported up to the damage, with that damage as its ``problem``. Throws if the file
  /// cannot be read at all; a cancelled wait ends as `cannotRead` with `EINTR`.
  ///
  /// - Parameters:
  ///   - input: The file to inspect.
  ///   - request: The facts to report.
  ///   - cancellation: Stops the work at its next block.
  public init(
    of input: ConversionInput, _ request: InspectionRequest = InspectionRequest(),
    cancellation: Cancellation = Cancellation()
  ) throws(AudioFileError) {
    let file = try input.opened(
      cancellation, raw: request.raw, tagEncoding: request.tagEncoding)
    try self.init(of: file, request, cancellation: cancellation)
  }

  /// Inspects a file that is open.
  package init(
    of file: borrowing InputFile, _ request: InspectionRequest = InspectionRequest(),
    cancellation: Cancellation = Cancellation()
  ) throws(AudioFileError) {
    self = try Self.inspected(file, request, salvaging: nil, cancellation)
    try file.checkUnchanged()
  }

  private init(byteCount: Int, source: SourceDescription, problem: AudioFileError?) {
    self.byteCount = byteCount
    self.source = source
    self.problem = problem
  }

  /// The report of a file, or of the readable part of one with a `problem`.
  private static func inspected(
    _ file: borrowing InputFile, _ request: InspectionRequest, salvaging problem: AudioFileError?,
    _ cancellation: Cancellation
  ) throws(AudioFileError) -> InspectionReport {
    do throws(AudioFileError) {
      let measures = request.measuresLevels || request.hashesSamples
      let decodes = measures || request.countsFrames
      let reader = try AudioFile.reader(
        for: file, salvaging: problem != nil, track: request.track,
        estimates: !decodes && problem == nil ? .ofDecoding : .none)
      if problem == nil, !decodes { try reader.checkEnd(of: file) }
      var report = InspectionReport(
        byteCount: file.size, source: reader.source,
        problem: problem.map { reader.source.frameCount > 0 ? $0 : .undecodable($0) })
      let isCounted = reader.source.lengthBasis == .counted
      if measures || request.countsFrames && !isCounted {
        try report.decode(reader, request, path: file.path, cancellation)
      }
      if request.measuresTempo {
        report.tempo = SourceTempo(statedBy: reader.source, named: file.path)
        if report.tempo == nil {
          let reader = try AudioFile.reader(
            for: file, salvaging: problem != nil, track: request.track)
          report.tempo = try SourceTempo.estimate(
            reader, path: file.path, isCancelled: { cancellation.isCancelled })
        }
      }
      return report
    } catch {
      // The first problem is the one to report.
      if let problem { throw .undecodable(problem) }
      guard error.isDamage else { throw error }
      return try inspected(file, request, salvaging: error, cancellation)
    }
  }

  /// Reads all frames, and measures them if requested.
  private mutating func decode(
    _ reader: any FrameStream, _ request: InspectionRequest, path: FilePath,
    _ cancellation: Cancellation
  ) throws(AudioFileError) {
    let pass = MeasuringPass(
      reader: reader, path: path, measuresLevels: request.measuresLevels,
      hashesSamples: request.hashesSamples, cancellation: cancellation)
    let result = try pass.run()
    source.frameCount = result.frameCount
    source.lengthBasis = .counted
    levels = result.levels
    samplesSHA256 = result.sha256
  }
}

extension AudioFileError {
  /// True if a part of the file may still be readable.
  package var isDamage: Bool {
    switch self {
    case .malformed, .truncated: true
    default: false
    }
  }
}
