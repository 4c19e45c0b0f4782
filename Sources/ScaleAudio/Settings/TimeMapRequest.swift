public import AudioIO
public import AudioModel
public import SystemPackage
internal import TimeScaling

/// A map from positions in a source to positions in an output, as people write it: in seconds, or in frames of
/// the source and output.
///
/// As text, each line is `source-time output-time`:
///
/// ```
/// # the bridge at half speed
/// 0:00      0:00
/// 1:10.5    1:10.5
/// 1:25.5    1:40.5
/// 3:02      3:17
/// ```
public struct TimeMapRequest: Hashable, Sendable {
  /// A unit of time.
  public enum Unit: Hashable, Sendable {
    case seconds, frames
  }

  /// The unit of all times in the map.
  public let unit: Unit
  /// The map, in ``unit``.
  public let map: TimeMap

  /// A map whose slopes, output over source, are within `StretchSettings.factorRange`; `nil` for other maps.
  public init?(_ map: TimeMap, in unit: Unit) {
    let steps = zip(map.points, map.points.dropFirst())
    guard steps.allSatisfy({ Self.isStretchable(from: $0, to: $1) }) else { return nil }
    self.init(unchecked: map, in: unit)
  }

  /// A map whose slopes have been checked.
  init(unchecked map: TimeMap, in unit: Unit) {
    self.map = map
    self.unit = unit
  }

  /// True if the factor between two points is within `StretchSettings.factorRange`.
  static func isStretchable(from: TimeMap.Point, to: TimeMap.Point) -> Bool {
    let factor = (to.output - from.output) / (to.source - from.source)
    let range = StretchSettings.factorRange
    // Decimal fractions are not exact.
    let slack = 1e-9
    return factor >= range.lowerBound * (1 - slack) && factor <= range.upperBound * (1 + slack)
  }

  /// A short text that differs between maps.
  var digest: String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for point in map.points {
      for word in [point.source.bitPattern, point.output.bitPattern] {
        for byte in 0..<8 {
          // FNV-1a (Fowler, Noll, Vo).
          hash = (hash ^ (word >> (8 * UInt64(byte)) & 0xFF)) &* 0x100_0000_01B3
        }
      }
    }
    let unit = unit == .frames ? "frames" : "seconds"
    return "\(map.points.count)-\(unit)-\(String(hash, radix: 16))"
  }
}

extension TimeMapRequest {
  /// The limits of a text.
  static let maximumLines = 1_000_000
  static let maximumBytes = 64 << 20
  /// The limits of a time: 10,000 hours, or as many frames as `Double` can count.
  private static let maximumSeconds = 36_000_000.0
  private static let maximumFrames = 1 << 53

  /// Why no map could be read from a file.
  public enum ReadingError: Error, Hashable, Sendable {
    /// The file cannot be read.
    case file(AudioFileError)
    /// Its content is not a map.
    case content(TimeMapError)
  }

  /// Reads the map from a text file or a named pipe.
  public init(
    contentsOf path: FilePath, cancellation: Cancellation = Cancellation()
  ) throws(ReadingError) {
    let bytes: [UInt8]
    do throws(AudioFileError) {
      bytes = try Self.read(path, cancellation)
    } catch {
      throw .file(error)
    }
    do throws(TimeMapError) {
      try self.init(text: bytes, path: path)
    } catch {
      throw .content(error)
    }
  }

  private static func read(
    _ path: FilePath, _ cancellation: Cancellation
  ) throws(AudioFileError) -> [UInt8] {
    let file = try FileDescriptor.reading(path)
    defer { try? file.close() }
    return try Spool.bytes(
      of: file, path: path, limit: maximumBytes, isCancelled: { cancellation.isCancelled })
  }

  /// Reads the map from a text in UTF-8.
  ///
  /// Each line has a time of the source and a time of the output, separated by blanks, tabs or a comma. A
  /// time is in seconds (`12.5`, `1:30.25`, `1:02:03`) or, with an `f` at its end, in frames (`551250f`);
  /// all times of a map have the same unit. `#` begins a comment. The first point, `0 0`, may be left out.
  /// Both columns strictly increase, by factors within `StretchSettings.factorRange` from line to line.
  ///
  ///   - text: The bytes of the text.
  ///   - path: The path for errors.
  public init(text: [UInt8], path: FilePath) throws(TimeMapError) {
    func failure(_ cause: TimeMapError.Cause, line: Int? = nil) -> TimeMapError {
      TimeMapError(path: path, line: line, cause: cause)
    }
    if text.count > Self.maximumBytes { throw failure(.tooLong(most: Self.maximumBytes)) }
    guard String(validating: text, as: UTF8.self) != nil, !text.contains(0) else {
      throw failure(.notText)
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let lines = text.dropFirst(text.starts(with: mark) ? mark.count : 0)
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.count > Self.maximumLines + 1 {
      throw failure(.tooManyLines(most: Self.maximumLines))
    }
    var builder = Builder()
    for (index, line) in lines.enumerated() {
      do throws(TimeMapError.Cause) {
        try builder.add(line)
      } catch {
        throw failure(error, line: index + 1)
      }
    }
    guard let map = TimeMap(points: builder.points) else { throw failure(.empty) }
    self.init(unchecked: map, in: builder.unit ?? .seconds)
  }

  /// A map under construction, line by line.
  private struct Builder {
    private(set) var points = [TimeMap.Point(source: 0, output: 0)]
    /// `nil` until a time has one.
    private(set) var unit: Unit?
    private var isFirst = true

    mutating func add(_ line: ArraySlice<UInt8>) throws(TimeMapError.Cause) {
      let words = try Self.words(line)
      guard words.count == 2 else {
        if words.isEmpty { return }
        throw .notTwoTimes
      }
      let point = TimeMap.Point(source: try time(words[0]), output: try time(words[1]))
      defer { isFirst = false }
      if isFirst {
        if point == points[0] { return }
        if point.source == 0 || point.output == 0 { throw .doesNotBeginAtZero }
      }
      let last = points[points.count - 1]
      guard point.source > last.source else { throw .sourceNotIncreasing }
      guard point.output > last.output else { throw .outputNotIncreasing }
      guard TimeMapRequest.isStretchable(from: last, to: point) else {
        throw .factorOutOfRange(
          (point.output - last.output) / (point.source - last.source))
      }
      points.append(point)
    }

    /// The words of a line without its comment, separated by blanks or by one comma.
    private static func words(
      _ line: ArraySlice<UInt8>
    ) throws(TimeMapError.Cause) -> [Substring] {
      let text = String(decoding: line.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
      let columns = text.split(separator: ",", omittingEmptySubsequences: false)
      let words = columns.map { $0.split { $0 == " " || $0 == "\t" || $0 == "\r" } }
      switch words.count {
      case 1: return words[0]
      case 2 where words[0].count == 1 && words[1].count == 1: return [words[0][0], words[1][0]]
      default: throw .notTwoTimes
      }
    }

    private mutating func time(_ word: Substring) throws(TimeMapError.Cause) -> Double {
      let value: Double
      let own: Unit
      switch TypedTime(word) {
      case .frames(let frames) where frames <= maximumFrames:
        (value, own) = (Double(frames), .frames)
      case .seconds(let seconds) where seconds <= maximumSeconds: (value, own) = (seconds, .seconds)
      default: throw .notATime(String(word))
      }
      // Zero is the same in both units.
      if value == 0 { return 0 }
      if let unit, unit != own { throw .mixedUnits }
      unit = own
      return value
    }
  }
}

extension TimeMapRequest.ReadingError: CustomStringConvertible {
  /// One line: the file, the cause and the remedy.
  public var description: String {
    switch self {
    case .file(let error): error.message
    case .content(let error): error.message
    }
  }
}

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
