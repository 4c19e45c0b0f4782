internal import AudioFiles
internal import AudioIO
internal import AudioModel
internal import SystemPackage

extension NamedFacts {
  /// The facts about a file, which is opened; `nil` if it cannot be read.
  init?(of path: FilePath, _ settings: ConversionSettings, _ files: FilePolicy) {
    guard
      let file = try? ConversionInput.file(path).opened(
        Cancellation(), raw: files.raw, tagEncoding: files.tagEncoding, beneath: files.inputRoots),
      let source = try? AudioFile.reader(
        for: file, salvaging: files.salvages, track: settings.track, estimates: .ofDecoding
      ).source
    else { return nil }
    title = source.metadata.values("TITLE").first
    track = source.metadata.values("TRACKNUMBER").first.flatMap { text in
      Int(text.prefix { $0.isASCII && $0.isNumber }).map { $0 < 10 ? "0\($0)" : "\($0)" }
    }
    let planned = try? PlannedOutput(source, input: .file(path), settings: settings)
    sampleRate = planned?.spec.sampleRate ?? source.spec.sampleRate
  }
}
