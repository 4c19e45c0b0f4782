public import AudioIO
internal import AudioModel
internal import SystemPackage

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
