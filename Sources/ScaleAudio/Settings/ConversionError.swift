public import AudioIO
public import AudioModel
public import SystemPackage
public import TimeScaling

/// Why a conversion failed.
public enum ConversionError: FileWorkError {
  /// The input or output file is at fault.
  case file(AudioFileError)
  /// At this factor, no frame of a non-empty input would remain.
  case nothingLeft(FilePath, frames: Int, factor: Double)
  /// The requested length needs a factor outside `TimeFactor.range`.
  case factorOutOfRange(FilePath, factor: Double)
  /// The method does not support the request, or failed.
  case cannotScale(FilePath, ScalingError)
  /// The tempo of the source is not stated, and the estimate is not clear; `nil` if there is none.
  case unclearTempo(FilePath, SourceTempo?)
  /// The time map ends, at `end` frames, before the source does.
  case mapTooShort(FilePath, end: Double, frames: Int, sampleRate: Int)
  /// The source has no such part.
  case noSuchPart(FilePath, TimeRangeError, isOnly: Bool = false)
  /// The output would replace the input itself.
  case inPlace(FilePath)
  /// Another output would have the same path: that of the source `other`, or of the same source.
  case sameOutput(FilePath, other: FilePath, output: FilePath, remedy: Remedy)
  /// The output would replace an input of the batch, `other`.
  case outputIsInput(FilePath, output: FilePath, other: FilePath)
  /// The output would lack something, and ``FilePolicy/refusesLosses`` forbids it.
  case wouldLose(FilePath, [MetadataLoss])
  /// The work was asked to stop.
  case cancelled
}

extension ConversionError {
  /// The underlying error of a file; `nil` if there is none.
  public var fileError: AudioFileError? {
    if case .file(let error) = self { error } else { nil }
  }

  /// The file at fault; `nil` if none is.
  public var path: FilePath? {
    switch self {
    case .file(let error): error.path
    case .nothingLeft(let path, _, _), .factorOutOfRange(let path, _), .inPlace(let path),
      .unclearTempo(let path, _),
      .cannotScale(let path, _), .noSuchPart(let path, _, _), .mapTooShort(let path, _, _, _),
      .sameOutput(let path, _, _, _), .outputIsInput(let path, _, _), .wouldLose(let path, _):
      path
    case .cancelled: nil
    }
  }

  /// The kind of error for programs: lowercase words joined by hyphens, the same in every version.
  public var errorClass: String {
    switch self {
    case .file(let error): error.errorClass
    case .nothingLeft: "nothing-left"
    case .factorOutOfRange: "factor-out-of-range"
    case .inPlace, .outputIsInput: "in-place"
    case .sameOutput: "same-output"
    case .cannotScale: "cannot-scale"
    case .unclearTempo: "unclear-tempo"
    case .mapTooShort: "map-too-short"
    case .noSuchPart: "nothing-in-range"
    case .wouldLose: "would-lose"
    case .cancelled: "cancelled"
    }
  }

  /// A way to solve the problem; `nil` if none is known.
  public var remedy: Remedy? {
    switch self {
    case .file(let error): error.remedy
    case .nothingLeft: .act("choose a larger factor")
    case .cannotScale(_, let error): error.remedy
    case .unclearTempo: .set(.bpm, to: "FROM:TO")
    case .mapTooShort: .act("add a line for its end")
    case .noSuchPart(_, _, isOnly: true): .change([.only])
    case .noSuchPart(_, let error, _): .change(error.settings)
    case .inPlace, .outputIsInput: .chooseOutput
    case .sameOutput(_, _, _, let remedy): remedy
    case .wouldLose(_, let losses): losses.remedy
    case .factorOutOfRange, .cancelled: nil
    }
  }

  /// The cause, without the file's name.
  public var cause: String {
    switch self {
    case .file(let error): error.cause
    case .nothingLeft(_, let frames, let factor):
      "nothing is left of \(frames) \(frames == 1 ? "frame" : "frames") at a factor of \(factor)"
    case .factorOutOfRange(_, let factor):
      "the requested length needs a factor of \(factor), which is not within "
        + "\(TimeFactor.range.lowerBound) to \(Int(TimeFactor.range.upperBound))"
    case .cannotScale(_, let error): error.cause
    case .unclearTempo(_, let found?):
      "its tempo is not clear: perhaps \(Int(found.beatsPerMinute.rounded())) beats per minute"
    case .unclearTempo:
      "it has no tempo: neither tag nor name states one, and its sound has no beats"
    case .mapTooShort(_, let end, let frames, let sampleRate):
      "the time map ends at \(Self.place(end, sampleRate)), but the audio is "
        + "\(Self.place(Double(frames), sampleRate)) long"
    case .noSuchPart(_, let error, _): error.cause
    case .inPlace: "the output would replace the input itself"
    case .sameOutput(let path, let other, let output, _) where path == other:
      "several of its outputs would be \(output.printable)"
    case .sameOutput(_, let other, let output, _):
      "its output would be \(output.printable), the same as for \(other.printable)"
    case .outputIsInput(let path, let output, let other):
      "its output would be \(output.printable), which is the input "
        + (path == other ? "itself" : other.printable)
    case .wouldLose(_, let losses): "its output would lack \(losses.listed())"
    case .cancelled: "stopped before it was done"
    }
  }

  /// `12.000 s (529200f)`
  private static func place(_ frames: Double, _ sampleRate: Int) -> String {
    let milliseconds = Int((frames / Double(max(1, sampleRate)) * 1000).rounded())
    let fraction = String(String(1000 + milliseconds % 1000).dropFirst())
    return "\(milliseconds / 1000).\(fraction) s (\(Int(frames.rounded(.down)))f)"
  }
}

extension ConversionError {
  /// Runs the work of a scaler; its errors become errors of the conversion of `path`.
  package static func scaling<Result>(
    _ path: FilePath, _ work: @autoclosure () throws(ScalingError) -> Result
  ) throws(ConversionError) -> Result {
    try lifting({ ConversionError.cannotScale(path, $0) }, work)
  }
}

extension [MetadataLoss] {
  /// The remedy for an output that would have these losses: WAV holds every rate, depth and speaker, and no format holds
  /// what is lost before it is written.
  fileprivate var remedy: Remedy {
    let kinds = Set(map(\.kind))
    let allow = Remedy.omit(.strict, orUseFormat: [])
    if kinds.isSubset(of: [.precision, .speaker]) { return .any([.useFormat(["wav"]), allow]) }
    let isVideo = contains { $0.kind == .picture && $0.text.hasPrefix("the video (") }
    if isVideo || !kinds.isDisjoint(with: [.source, .sidecar]) { return allow }
    return .allowLosses
  }
}
