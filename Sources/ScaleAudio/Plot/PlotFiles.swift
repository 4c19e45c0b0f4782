/// The files of pictures: sources opened, pictures written.
enum PlotFiles {
  static func open(
    _ input: ConversionInput, _ cancellation: Cancellation
  ) throws(PlotError) -> InputFile {
    do throws(AudioFileError) {
      return try input.opened(cancellation)
    } catch {
      // A wait that was cancelled ends as an interrupted read.
      if cancellation.isCancelled { throw .cancelled }
      throw .file(error)
    }
  }

  static func reader(
    of input: borrowing InputFile, _ settings: PlotSettings
  ) throws(PlotError) -> any AudioFileReader {
    do throws(AudioFileError) {
      return try AudioFile.reader(
        for: input, salvaging: settings.salvages, track: settings.track)
    } catch {
      throw .file(error)
    }
  }

  /// Refuses a picture that would replace a source, under any name, or must not replace what is there.
  static func check(
    _ output: ConversionOutput, existing: ExistingOutput, against source: FileIdentity
  ) throws(PlotError) {
    guard case .file(let path) = output else { return }
    if FileIdentity(path: path) == source { throw .inPlace(path) }
    if existing != .replace, FileStatus(path: path, followingLinks: false) != nil {
      throw .file(.outputExists(path))
    }
  }

  /// Writes a picture's bytes, whole or not at all.
  static func write(
    _ bytes: [UInt8], to output: ConversionOutput, existing: ExistingOutput,
    making folders: CreatedFolders, _ cancellation: Cancellation
  ) throws(PlotError) {
    try write(to: output, existing: existing, making: folders, cancellation) {
      (append) throws(PlotError) in try append(bytes)
    }
  }

  /// Writes what `content` appends piece by piece, whole or not at all.
  static func write(
    to output: ConversionOutput, existing: ExistingOutput, making folders: CreatedFolders,
    _ cancellation: Cancellation,
    _ content: (_ append: ([UInt8]) throws(PlotError) -> Void) throws(PlotError) -> Void
  ) throws(PlotError) {
    let file = try onFiles { () throws(AudioFileError) in try create(output, making: folders) }
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
      try file.commit(replacing: existing == .replace, isCancelled: { cancellation.isCancelled })
    } catch {
      throw .file(error)
    }
  }

  private static func create(
    _ output: ConversionOutput, making folders: CreatedFolders
  ) throws(AudioFileError) -> OutputFile {
    switch output {
    case .standardOutput: return try OutputFile(standardOutput: .standardOutput)
    case .file(let path):
      if FileStatus(path: path.folder) == nil { try folders.make(path.folder) }
      return try OutputFile(path: path)
    }
  }

  /// Runs work on files, telling its errors as those of pictures.
  static func onFiles<Result: ~Copyable>(
    _ work: () throws(AudioFileError) -> Result
  ) throws(PlotError) -> Result {
    do throws(AudioFileError) {
      return try work()
    } catch {
      throw .file(error)
    }
  }
}

/// Runs work on a picture that goes to `path`, telling its errors as those of that file.
func drawing<Result>(
  _ path: FilePath, _ work: () throws(RenderingError) -> Result
) throws(PlotError) -> Result {
  do throws(RenderingError) {
    return try work()
  } catch {
    throw .cannotDraw(path, error)
  }
}
