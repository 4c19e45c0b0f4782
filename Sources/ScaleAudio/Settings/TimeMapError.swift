internal import AudioIO
public import SystemPackage
internal import TimeScaling

/// Why a text is not a time map.
public struct TimeMapError: Error, Hashable, Sendable {
  /// The causes.
  public enum Cause: Error, Hashable, Sendable {
    /// The file has more than `most` bytes.
    case tooLong(most: Int)
    /// The file has more than `most` lines.
    case tooManyLines(most: Int)
    /// The text is not UTF-8.
    case notText
    /// No line has times other than the point 0 0.
    case empty
    /// A line is not two times.
    case notTwoTimes
    /// A word is not a time.
    case notATime(String)
    /// Some times are in seconds and others in frames.
    case mixedUnits
    /// The start of the source does not map to the start of the output.
    case doesNotBeginAtZero
    /// The source time is not greater than that of the previous line.
    case sourceNotIncreasing
    /// The output time is not greater than that of the previous line.
    case outputNotIncreasing
    /// The factor from the previous line is outside `StretchSettings.factorRange`.
    case factorOutOfRange(Double)
  }

  /// The file.
  public let path: FilePath
  /// The number of the line, from 1; `nil` when the whole file is at fault.
  public let line: Int?
  /// The cause.
  public let cause: Cause

  /// One line: the file, the line, the cause and the remedy.
  public var message: String {
    "\(path.printable)" + (line.map { ":\($0)" } ?? "") + ": " + reason
  }

  private var reason: String {
    let range = StretchSettings.factorRange
    let bounds = "\(range.lowerBound) to \(Int(range.upperBound))"
    return switch cause {
    case .tooLong(let most):
      "larger than \(most) bytes; name a text file of times"
    case .tooManyLines(let most): "more than \(most) lines; leave out some of the times"
    case .notText: "not UTF-8 text; a time map has lines such as '12.5 18.75'"
    case .empty: "no times; give lines such as '12.5 18.75', the last for the end of the audio"
    case .notTwoTimes: "a line needs two times, of source and output, such as '12.5 18.75'"
    case .notATime(let word):
      "'\(word.prefix(40))' is not a time; write seconds (12.5), 1:30.25 or frames (551250f)"
    case .mixedUnits: "seconds and frames in one map; use one unit for all times"
    case .doesNotBeginAtZero:
      "a map begins at '0 0'; make that the first line, or leave it out"
    case .sourceNotIncreasing:
      "the source time is not greater than on the line before; put the lines in order"
    case .outputNotIncreasing:
      "the output time is not greater than on the line before; audio cannot run backwards or stand still"
    case .factorOutOfRange(let factor):
      "the factor from the line before is \(factor), which is not within \(bounds); "
        + "move one of the two points"
    }
  }
}

extension TimeMapError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
