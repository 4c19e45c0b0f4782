/// The files of pictures: sources opened, pictures written.
enum PlotFiles {
  static func open(
    _ input: ConversionInput, _ cancellation: Cancellation
  ) throws(PlotError) -> InputFile {
    do throws(AudioFileError) {
      switch input {
      case .file(let path):
        return try InputFile(path: path, isCancelled: { cancellation.isCancelled })
      case .standardInput:
        return try InputFile(
          standardInput: .standardInput, isCancelled: { cancellation.isCancelled })
      }
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
      return try AudioFiles.reader(
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
    try onFiles { () throws(AudioFileError) in
      let file: OutputFile
      switch output {
      case .standardOutput: file = try OutputFile(standardOutput: .standardOutput)
      case .file(let path):
        if FileStatus(path: path.folder) == nil { try folders.make(path.folder) }
        file = try OutputFile(path: path)
      }
      do {
        try file.descriptor.writeAll(toAbsoluteOffset: 0, bytes)
      } catch {
        throw .cannotWrite(output.path, error as? Errno ?? .ioError)
      }
      try file.commit(
        replacing: existing == .replace, isCancelled: { cancellation.isCancelled })
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
