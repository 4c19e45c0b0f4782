internal import AudioFiles
internal import AudioIO
internal import AudioModel
internal import SystemPackage

/// Opens sources and writes pictures.
enum PlotFiles {
  static func open(
    _ input: ConversionInput, raw: RawPCM? = nil, tagEncoding: TextEncoding? = nil,
    beneath roots: [FilePath] = [],
    _ cancellation: Cancellation
  ) throws(PlotError) -> InputFile {
    do throws(AudioFileError) {
      return try input.opened(
        cancellation, raw: raw, tagEncoding: tagEncoding, beneath: roots)
    } catch {
      // A cancelled wait ends as an interrupted read.
      if cancellation.isCancelled { throw .cancelled }
      throw .file(error)
    }
  }

  static func reader(
    of input: borrowing InputFile, _ settings: PlotSettings
  ) throws(PlotError) -> any FrameStream {
    try checking(input, settings) { () throws(PlotError) in
      try PlotError.files(
        AudioFile.reader(
          for: input, salvaging: settings.salvages, track: settings.track, seeksNearby: true))
    }
  }

  /// Reads `input`; an error offers to salvage it only if that yields something.
  static func checking<Result>(
    _ input: borrowing InputFile, _ settings: PlotSettings,
    _ work: () throws(PlotError) -> Result
  ) throws(PlotError) -> Result {
    do throws(PlotError) {
      return try work()
    } catch .file(let error) {
      throw .file(error.checked(by: input, salvages: settings.salvages, track: settings.track))
    }
  }

  /// Writes the bytes of a picture, completely or not at all. For `roots`, see ``FilePolicy/outputRoots``.
  static func write(
    _ bytes: [UInt8], to output: ConversionOutput, existing: ExistingOutput,
    keepingReplaced: Bool = false,
    making folders: CreatedFolders, beneath roots: [FilePath] = [], _ cancellation: Cancellation
  ) throws(PlotError) {
    try write(
      to: output, existing: existing, keepingReplaced: keepingReplaced, making: folders,
      beneath: roots, cancellation
    ) { (append) throws(PlotError) in try append(bytes) }
  }

  /// Writes the pieces that `content` appends, completely or not at all.
  static func write(
    to output: ConversionOutput, existing: ExistingOutput, keepingReplaced: Bool = false,
    making folders: CreatedFolders, beneath roots: [FilePath] = [], _ cancellation: Cancellation,
    _ content: (_ append: ([UInt8]) throws(PlotError) -> Void) throws(PlotError) -> Void
  ) throws(PlotError) {
    let file = try PlotError.files(output.created(in: folders, beneath: roots, cancellation))
    let descriptor = file.descriptor
    var offset: Int64 = 0
    try content { (bytes) throws(PlotError) in
      do {
        offset += Int64(try descriptor.writeAll(toAbsoluteOffset: offset, bytes))
      } catch {
        throw .file(.cannotWrite(output.path, error as? Errno ?? .ioError))
      }
    }
    do throws(AudioFileError) {
      try file.commit(
        replacing: existing == .replace, keepingReplaced: keepingReplaced,
        isCancelled: { cancellation.isCancelled })
    } catch {
      throw .file(error)
    }
  }
}
