internal import AudioFiles
internal import AudioIO
internal import AudioModel
internal import ScaleAudio
internal import SystemPackage

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
    scaled = try Self.file(path) { () throws(ConversionError) in
      try ScaledReader.forListening(reader, settings: settings, path: path)
    }
  }

  func read(into buffer: inout MutableSpan<Float>) throws(AudioFileError) -> Int {
    do throws(ConversionError) {
      return try scaled.read(into: &buffer)
    } catch {
      throw Self.fileError(error, path)
    }
  }

  func seek(toFrame frame: Int) throws(AudioFileError) {
    try Self.file(path) { () throws(ConversionError) in try scaled.seek(toFrame: frame) }
  }

  private static func file<Result>(
    _ path: FilePath, _ work: () throws(ConversionError) -> Result
  ) throws(AudioFileError) -> Result {
    do throws(ConversionError) {
      return try work()
    } catch {
      throw fileError(error, path)
    }
  }

  private static func fileError(_ error: ConversionError, _ path: FilePath) -> AudioFileError {
    error.fileError ?? .cannotHold(path, reason: error.cause, remedy: error.remedy)
  }
}
