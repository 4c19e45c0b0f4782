/// Why a conversion did not happen.
public enum ConversionError: Error, Hashable, Sendable {
  /// The input or output file is at fault.
  case file(AudioFileError)
  /// The factor leaves no frame of a non-empty input.
  case nothingLeft(FilePath, frames: Int, factor: Double)
  /// The wanted duration means a factor outside `TimeFactor.range`.
  case factorOutOfRange(FilePath, factor: Double)
  /// The method cannot do what was asked, or failed at it.
  case cannotScale(FilePath, ScalingError)
  /// The time map ends, at `end` frames, before the source does.
  case mapTooShort(FilePath, end: Double, frames: Int, sampleRate: Int)
  /// The output would replace the input itself.
  case inPlace(FilePath)
  /// The work was asked to stop.
  case cancelled
}
