internal import AudioIO
internal import SystemPackage
internal import Waveforms

/// The picture of a conversion: its source above its result, on one time axis.
struct ConversionPicture {
  /// The picture's path: beside the result, under its name.
  let path: FilePath
  private let output: FilePath
  private let files: FilePolicy

  init(of output: FilePath, _ files: FilePolicy) {
    self.output = output
    self.files = files
    path = output.removingLastComponent().appending(
      FilePath(bytes: FileName(output).stem + Array(".png".utf8)).components)
  }

  /// Draws the source, from its beginning, and the published result. Returns a warning if that fails, because the
  /// conversion itself has succeeded.
  func draw(
    _ source: any FrameStream, of input: FilePath, identity: FileIdentity,
    cancellation: Cancellation
  ) -> String? {
    do throws(PlotError) {
      try PlotError.check(.file(path), against: identity, existing: files.existing)
      let bytes = try picture(of: source, input, cancellation)
      try PlotFiles.write(
        bytes, to: .file(path), existing: files.existing, keepingReplaced: files.keepsReplaced,
        making: CreatedFolders(), beneath: files.outputRoots, cancellation)
      return nil
    } catch {
      if case .file(.outputExists) = error {
        return "picture \(path.printable) exists and is kept"
      }
      return "no picture: \(error.message)"
    }
  }

  private func picture(
    of source: any FrameStream, _ input: FilePath, _ cancellation: Cancellation
  ) throws(PlotError) -> [UInt8] {
    let settings = PlotSettings()
    let file = try PlotFiles.open(.file(output), beneath: files.outputRoots, cancellation)
    let sources = [
      try PlotSource(source, path: input, settings: settings),
      try PlotSource(try PlotFiles.reader(of: file, settings), path: output, settings: settings),
    ]
    let picture = try drawing(path) { () throws(RenderingError) in
      try WaveformPicture(settings: settings.picture, outlines: sources.map(\.outline))
    }
    var tracks: [WaveformTrack] = []
    for (index, source) in sources.enumerated() {
      let lanes = try source.lanes(
        reducedBy: picture.reducers(forTrack: index), columns: picture.columnCount(ofTrack: index),
        cancellation: cancellation)
      tracks.append(WaveformTrack(outline: source.outline, lanes: lanes))
    }
    return try drawing(path) { () throws(RenderingError) in
      try picture.render(WaveformScene(tracks: tracks), as: .png)
    }
  }
}
