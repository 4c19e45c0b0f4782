/// Why a text is no time map.
public struct TimeMapError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Cause: Error, Hashable, Sendable {
    /// The file has more bytes than a map may have.
    case tooLong(most: Int)
    /// There are more lines than a map may have.
    case tooManyLines(most: Int)
    /// The text is not UTF-8.
    case notText
    /// There is no line with times, apart from the beginning.
    case empty
    /// A line is not two times.
    case notTwoTimes
    /// A word is no time.
    case notATime(String)
    /// Some times are seconds and others frames.
    case mixedUnits
    /// The beginning of the source does not go to that of the output.
    case doesNotBeginAtZero
    /// The source time is not above that of the line before.
    case sourceNotIncreasing
    /// The output time is not above that of the line before.
    case outputNotIncreasing
    /// The stretch from the line before on is by a factor that cannot be made.
    case factorOutOfRange(Double)
  }

  /// The file.
  public let path: FilePath
  /// The number of the line, from 1 on; `nil` when the whole file is at fault.
  public let line: Int?
  /// What is wrong.
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
      "longer than \(most) bytes, which no time map is; name a text file of times"
    case .tooManyLines(let most): "more than \(most) lines; leave out some of the times"
    case .notText: "not UTF-8 text; a time map has lines such as '12.5 18.75'"
    case .empty: "no times; give lines such as '12.5 18.75', the last for the end of the audio"
    case .notTwoTimes: "a line has two times, of the source and of the output, such as '12.5 18.75'"
    case .notATime(let word):
      "'\(word.prefix(40))' is no time; write seconds (12.5), 1:30.25 or frames (551250f)"
    case .mixedUnits: "seconds and frames in one map; give all times in one of them"
    case .doesNotBeginAtZero:
      "the beginning of the source goes to that of the output: the first line is '0 0' or lies behind it"
    case .sourceNotIncreasing:
      "the source time is not above that of the line before; put the lines in order"
    case .outputNotIncreasing:
      "the output time is not above that of the line before; audio cannot run backwards or stand still"
    case .factorOutOfRange(let factor):
      "the stretch up to here is by a factor of \(factor), which is not within \(bounds); "
        + "move one of its ends"
    }
  }
}

extension TimeMapError: CustomStringConvertible {
  public var description: String { message }
}
