public import AudioIO
public import AudioModel
public import SystemPackage
public import Waveforms

/// Why a picture was not drawn.
public enum PlotError: FileWorkError {
  /// The source or the picture's file is at fault.
  case file(AudioFileError)
  /// The picture cannot be drawn.
  case cannotDraw(FilePath, RenderingError)
  /// The audio cannot become waveform data.
  case cannotEncode(FilePath, WaveformDataError)
  /// The source does not have this channel.
  case noSuchChannel(FilePath, channel: Int, channelCount: Int)
  /// The audio has no such part.
  case nothingInRange(FilePath, TimeRangeError)
  /// The loudness of this rate or these channels cannot be measured.
  case cannotMeasureLoudness(FilePath)
  /// The picture would replace the source itself.
  case inPlace(FilePath)
  /// The work was asked to stop.
  case cancelled
}

extension PlotError {
  /// The underlying error of a file; `nil` if there is none.
  public var fileError: AudioFileError? {
    if case .file(let error) = self { error } else { nil }
  }

  /// The file at fault; `nil` if none is.
  public var path: FilePath? {
    switch self {
    case .file(let error): error.path
    case .cannotDraw(let path, _), .cannotEncode(let path, _), .noSuchChannel(let path, _, _),
      .nothingInRange(let path, _),
      .inPlace(let path), .cannotMeasureLoudness(let path):
      path
    case .cancelled: nil
    }
  }

  /// The kind of error for programs: lowercase words joined by hyphens, the same in every version.
  public var errorClass: String {
    switch self {
    case .file(let error): error.errorClass
    case .cannotDraw: "cannot-draw"
    case .cannotEncode: "cannot-encode"
    case .noSuchChannel: "no-such-channel"
    case .nothingInRange: "nothing-in-range"
    case .cannotMeasureLoudness: "cannot-measure-loudness"
    case .inPlace: "in-place"
    case .cancelled: "cancelled"
    }
  }

  /// A way to fix the problem; `nil` if none is known.
  public var remedy: Remedy? {
    switch self {
    case .file(let error): error.remedy
    case .cannotEncode: .change([.pixelsPerSecond])
    case .noSuchChannel: .change([.channels])
    case .nothingInRange: .change([.range])
    case .inPlace: .chooseOutputFile
    case .cannotDraw, .cannotMeasureLoudness, .cancelled: nil
    }
  }

  /// The cause, without the file's name.
  public var cause: String {
    switch self {
    case .file(let error): error.cause
    case .cannotDraw(_, let error): error.cause
    case .cannotEncode(_, let error): error.cause
    case .noSuchChannel(_, let channel, let count):
      "there is no channel \(channel), only \(count)"
    case .nothingInRange(_, .startsAtEnd(let start, let length)):
      "the range begins at \(TimeRangeError.seconds(start)), but the audio is "
        + "\(TimeRangeError.seconds(length)) long"
    case .nothingInRange(_, let error): error.cause
    case .cannotMeasureLoudness:
      "loudness cannot be measured at this sample rate or number of channels"
    case .inPlace: "the picture would replace the input itself"
    case .cancelled: "stopped before it was done"
    }
  }
}

/// Runs work on a picture for `path` and rethrows its error as an error about that file.
func drawing<Result>(
  _ path: FilePath, _ work: () throws(RenderingError) -> Result
) throws(PlotError) -> Result {
  do throws(RenderingError) {
    return try work()
  } catch {
    throw .cannotDraw(path, error)
  }
}
