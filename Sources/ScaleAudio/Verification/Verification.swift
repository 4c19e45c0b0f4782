internal import AudioFiles
public import AudioIO
internal import AudioModel
public import SystemPackage
internal import TimeScaling

/// The comparison of one output with its source, by what is known of how it was made.
///
/// The output is decoded to its end. What it should be is planned by the same code as a conversion: length, rate and
/// channels, tags, pictures, chapters and marks.
public struct Verification: Hashable, Sendable {
  /// The result.
  public enum Status: String, Hashable, Sendable {
    /// The output is complete and as it should be.
    case ok
    /// It differs.
    case differs
    /// A source has no output.
    case missing
    /// An output has no source.
    case stray
  }

  /// The place that tells how an output was made.
  public enum Basis: String, Hashable, Sendable {
    case manifest, journal
    /// The output's encoder tag, and its name.
    case tags
  }

  /// What a manifest says of an output.
  public struct Claim: Hashable, Sendable {
    /// The source.
    public var source: FilePath
    /// The output.
    public var output: FilePath
    /// Frames of the output.
    public var frames: Int?
    /// The sample rate of the output, in Hz.
    public var sampleRate: Int?
    /// Channels of the output.
    public var channels: Int?
    /// Output length / input length.
    public var factor: Double?
    /// The part of the source, in frames.
    public var fromFrame, toFrame: Int?
    /// The SHA-256 of the samples.
    public var sha256: String?
    /// The declaration of a headerless output.
    public var raw: RawPCM?

    /// A claim without values.
    public init(source: FilePath, output: FilePath) {
      (self.source, self.output) = (source, output)
    }
  }

  /// The source; `nil` for a stray output.
  public internal(set) var source: FilePath?
  /// The output; `nil` if there is none.
  public internal(set) var output: FilePath?
  /// The result.
  public internal(set) var status: Status
  /// The place that tells how the output was made; `nil` if nothing does.
  public internal(set) var basis: Basis?
  /// How the output differs, in words.
  public internal(set) var differences: [String] = []
  /// What could not be compared, in words.
  public internal(set) var notCompared: [String] = []
  /// Output length / input length.
  public internal(set) var factor: Double?
  /// Frames of the output.
  public internal(set) var frames: Int?

  init(source: FilePath?, output: FilePath?, status: Status = .ok) {
    (self.source, self.output, self.status) = (source, output, status)
  }

  /// Compares an output with its source, by the claim of a manifest, by the journal in the output's folder or one above it
  /// up to `root`, or by the output's own tags.
  ///
  /// - Throws: Only if it is cancelled, as `cannotRead` with `EINTR`.
  init(
    of output: FilePath, from source: FilePath, claim: Claim? = nil, journals: JournalSearch,
    files: FilePolicy, cancellation: Cancellation
  ) throws(AudioFileError) {
    self.init(source: source, output: output)
    do throws(AudioFileError) {
      try compare(claim, journals, files, cancellation)
    } catch {
      if cancellation.isCancelled { throw error }
      differences.append(
        error.path == source ? "its source: \(error.cause)" : error.cause)
    }
    if !differences.isEmpty { status = .differs }
  }

  private mutating func compare(
    _ claim: Claim?, _ journals: JournalSearch, _ files: FilePolicy, _ cancellation: Cancellation
  ) throws(AudioFileError) {
    guard let source, let output else { return }
    let request = InspectionRequest(
      countsFrames: true, hashesSamples: claim?.sha256 != nil, raw: claim?.raw)
    let found = try InspectionReport(of: .file(output), request, cancellation: cancellation)
    frames = found.source.frameCount
    if let problem = found.problem { return differences.append("it is damaged: \(problem.cause)") }
    let input = try ConversionInput.file(source).opened(
      cancellation, raw: files.raw, tagEncoding: files.tagEncoding)
    let entry = journals.entry(for: output)
    let tag = Making(found.source.metadata, source: source, output: output)
    let claimed = claim?.factor == nil ? nil : claim.map { Making($0) }
    guard var making = claimed ?? entry.map({ Making($0) }) ?? tag else {
      return differences.append(
        "nothing says how it was made: no manifest, journal or encoder tag")
    }
    if making.basis == .manifest, let tag {
      (making.method, making.semitones) = (tag.method, tag.semitones)
      making.determinesLength = tag.determinesLength
    }
    basis = making.basis
    factor = making.factor
    let original = try AudioFile.reader(
      for: input, salvaging: files.salvages, track: making.track
    ).source
    if let stamp = making.sourceStamp, stamp != input.stamp {
      differences.append("its source has changed since it was made")
    }
    if let stamp = making.outputStamp, stamp != FileStatus(path: output)?.stamp {
      differences.append("it has changed since it was made")
    }
    if let claim { check(claim, found) }
    if let tag, let told = making.factor, let own = tag.factor, abs(told / own - 1) > 1e-9 {
      differences.append("its tag says a factor of \(own), the \(making.basis.rawValue) \(told)")
    }
    do throws(ConversionError) {
      let plan = try ConversionPlan(
        source: original, settings: making.settings(from: original, to: found.source),
        input: source, path: output)
      factor = plan.factor
      check(plan, making, found.source)
    } catch {
      differences.append("what it should be cannot be planned: \(error.cause)")
    }
  }

  // MARK: - Comparing

  private mutating func check(_ claim: Claim, _ found: InspectionReport) {
    let spec = found.source.spec
    let numbers: [(String, Int?, Int)] = [
      ("frames", claim.frames, found.source.frameCount),
      ("Hz", claim.sampleRate, spec.sampleRate), ("channels", claim.channels, spec.channelCount),
    ]
    for (unit, claimed, found) in numbers {
      if let claimed, claimed != found {
        differences.append("it has \(found) \(unit), the manifest says \(claimed)")
      }
    }
    if let sha256 = claim.sha256, sha256 != found.samplesSHA256 {
      differences.append("its samples have another SHA-256 than the manifest says")
    }
  }

  private mutating func check(
    _ plan: ConversionPlan, _ making: Making, _ found: SourceDescription
  ) {
    if making.determinesLength {
      checkLength(plan, making, found)
    } else {
      notCompared.append("length")
      notCompared.append("times")
    }
    let lost = Self.lost(plan)
    if making.metadata != .none { checkTags(plan, lost, found) }
    let wanted = plan.output.metadata.takingChapterComments(sampleRate: found.spec.sampleRate)
    if !lost.contains(.chapter) {
      check(
        "chapter", wanted.chapters.map { ($0.start, $0.title) },
        found.metadata.chapters.map { ($0.start, $0.title) }, making, found.spec.sampleRate)
    }
    // The loops of AIFF have markers of their own.
    let hasMarkersOfLoops =
      found.format.metadata == .iff && !(wanted.instrument?.loops.isEmpty ?? true)
    if !lost.contains(.mark), !hasMarkersOfLoops {
      check(
        "mark", wanted.marks.map { ($0.start, $0.label) },
        found.metadata.marks.map { ($0.start, $0.label) }, making, found.spec.sampleRate)
    }
  }

  private mutating func checkLength(
    _ plan: ConversionPlan, _ making: Making, _ found: SourceDescription
  ) {
    // The factor of a tag may be the quotient of two lengths.
    var slack = making.basis == .journal && !making.isGapless ? 0 : 1
    // Some files of MP3 have no room for their exact length.
    if found.sampleFormat == nil, found.storage.padding == nil, found.format.codec == .mpegLayer3 {
      slack = found.spec.sampleRate / 5
    }
    let difference = found.frameCount - plan.output.frameCount
    if abs(difference) > slack {
      differences.append(
        "it has \(found.frameCount) frames instead of \(plan.output.frameCount): "
          + "\(abs(difference)) \(difference < 0 ? "are missing" : "too many")")
    }
  }

  /// The kinds of metadata of which the output's format loses something.
  private static func lost(_ plan: ConversionPlan) -> Set<MetadataLoss.Kind> {
    guard let file = try? OutputFile(unpublished: "-"),
      let writer = try? AudioFile.writer(to: file, as: plan.output)
    else { return [] }
    return Set(plan.metadata.notCarried(besides: writer.notCarried).map(\.kind))
  }

  private mutating func checkTags(
    _ plan: ConversionPlan, _ lost: Set<MetadataLoss.Kind>, _ found: SourceDescription
  ) {
    func key(_ comment: Metadata.Comment) -> String {
      comment.name.uppercased() + "=" + comment.value.filter { !$0.isWhitespace }
    }
    // Values that a container joins or splits count as there.
    let values = found.metadata.comments.map(key)
    let names = Set(found.metadata.comments.map { $0.name.uppercased() })
    var seen: Set<String> = []
    let wanted = plan.output.metadata.takingChapterComments(sampleRate: found.spec.sampleRate)
    for comment in wanted.comments {
      let name = comment.name.uppercased()
      guard name != "ENCODER", !StaleTags.isTechnical(name), seen.insert(name).inserted else {
        continue
      }
      if !names.contains(name) {
        if !lost.contains(.tag) { differences.append("tag \(comment.name) is missing") }
      } else if !wanted.comments.contains(where: {
        $0.name.uppercased() == name && values.contains(key($0))
      }), !Self.isJoined(name, wanted, found.metadata) {
        differences.append("tag \(comment.name) differs")
      }
    }
    let pictures = wanted.pictures.filter { !found.metadata.pictures.map(\.data).contains($0.data) }
    if !pictures.isEmpty, !lost.contains(.picture) {
      differences.append("\(pictures.count == 1 ? "a picture is" : "pictures are") missing")
    }
    if wanted.broadcastExtension != nil, found.metadata.broadcastExtension == nil,
      !lost.contains(.chunk)
    {
      differences.append("the broadcast extension is missing")
    }
    let chunks = found.metadata.foreignChunks.map(\.name)
    for chunk in wanted.foreignChunks where !chunks.contains(chunk.name) && !lost.contains(.chunk) {
      differences.append("\(chunk.title) is missing")
    }
  }

  /// True if the values of a field occur in those that were found, joined.
  private static func isJoined(_ name: String, _ wanted: Metadata, _ found: Metadata) -> Bool {
    let all = found.values(name).joined(separator: " ")
    return wanted.values(name).allSatisfy { all.contains($0) }
      || wanted.values(name).contains { value in
        found.values(name).contains { value.hasPrefix($0) || $0.hasPrefix(value) }
      }
  }

  private mutating func check(
    _ noun: String, _ wanted: [(start: Double, name: String)],
    _ found: [(start: Double, name: String)], _ making: Making, _ rate: Int
  ) {
    if wanted.count != found.count {
      differences.append("it has \(found.count) \(noun)s instead of \(wanted.count)")
      return
    }
    // Most containers count milliseconds.
    let slack = max(1.5, Double(rate) / 1000 + 1)
    for (number, (one, other)) in zip(1..., zip(wanted, found)) {
      if making.determinesLength, abs(one.start - other.start) > slack {
        differences.append(
          "\(noun) \(number) begins at frame \(Int(other.start)) instead of \(Int(one.start))")
      }
      if one.name != other.name { differences.append("\(noun) \(number) has another name") }
    }
  }
}
