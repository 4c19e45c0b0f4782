internal import AudioFiles
internal import AudioIO
internal import AudioModel
internal import ScaleAudio
internal import SystemPackage
internal import TimeScaling

/// Reads the frames of a track, in any order.
protocol TrackReader: AnyObject {
  var source: SourceDescription { get }

  /// Fills `buffer` with the next frames, and returns how many; 0 only at the end.
  func read(into buffer: inout MutableSpan<Float>) throws(AudioFileError) -> Int
  func seek(toFrame frame: Int) throws(AudioFileError)
}

/// Reads a file as it is.
final class PlainReader: TrackReader {
  private let reader: any AudioFileReader
  var source: SourceDescription { reader.source }

  init(_ reader: any AudioFileReader) { self.reader = reader }

  func read(into buffer: inout MutableSpan<Float>) throws(AudioFileError) -> Int {
    try reader.read(into: &buffer)
  }

  func seek(toFrame frame: Int) throws(AudioFileError) { try reader.seek(toFrame: frame) }
}

/// Reads what a conversion of a file makes.
final class ConvertedReader: TrackReader {
  let scaled: ScaledReader
  private let path: FilePath
  var source: SourceDescription { scaled.source }

  /// A reader of a file that is open.
  init(
    _ reader: any AudioFileReader, _ settings: ConversionSettings, path: FilePath
  ) throws(AudioFileError) {
    self.path = path
    scaled = try fileErrors(path) { () throws(ConversionError) in
      try ScaledReader.forListening(reader, settings: settings, path: path)
    }
  }

  func read(into buffer: inout MutableSpan<Float>) throws(AudioFileError) -> Int {
    try fileErrors(path) { () throws(ConversionError) in try scaled.read(into: &buffer) }
  }

  func seek(toFrame frame: Int) throws(AudioFileError) {
    try fileErrors(path) { () throws(ConversionError) in try scaled.seek(toFrame: frame) }
  }
}

/// The pace of a file whose length is asked for by a duration or a map.
enum Pace {
  /// The rates of the live engine, input frames / output frames; only 1 without Rubber Band.
  static var rateRange: ClosedRange<Double> {
    #if RubberBand
      LiveStretcher.rateRange
    #else
      1...1
    #endif
  }

  /// What the live engine makes of the frames of a file; `nil` if it leaves them as they are.
  static func map(
    of source: SourceDescription, _ time: TimeRequest, path: FilePath
  ) throws(AudioFileError) -> TimeMap? {
    let map = try fileErrors(path) { () throws(ConversionError) in
      try ScaledReader.stretching(source, time, path: path)
    }
    guard let points = map?.points else { return nil }
    for (one, next) in zip(points, points.dropFirst()) {
      let rate = (next.source - one.source) / (next.output - one.output)
      // Decimal fractions are not exact.
      let slack = 1e-9
      let range = rateRange
      guard rate >= range.lowerBound * (1 - slack), rate <= range.upperBound * (1 + slack) else {
        throw .cannotHold(
          path,
          reason: "it would play at a rate of \(rate), which is not within "
            + "\(range.lowerBound) to \(range.upperBound); convert goes further")
      }
    }
    return points.count == 2 && points[1].source == points[1].output ? nil : map
  }
}

/// Does some work, with errors that name the file.
private func fileErrors<Result>(
  _ path: FilePath, _ work: () throws(ConversionError) -> Result
) throws(AudioFileError) -> Result {
  do throws(ConversionError) {
    return try work()
  } catch {
    throw error.fileError ?? .cannotHold(path, reason: error.cause, remedy: error.remedy)
  }
}
