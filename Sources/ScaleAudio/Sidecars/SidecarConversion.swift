internal import AudioIO
internal import AudioModel
internal import SystemPackage

/// Scales the sidecars of one conversion.
///
/// Sidecars are published after the audio. A problem with a sidecar is a warning: the conversion itself has
/// succeeded.
final class SidecarConversion {
  private(set) var warnings: [AudioWarning] = []
  /// The published files.
  private(set) var outputs: [FilePath] = []
  private let files: FilePolicy
  private var prepared: [Prepared] = []

  /// A sidecar that is written but not published yet.
  private final class Prepared {
    let sidecar: Sidecar
    private var file: OutputFile?

    init(
      _ sidecar: Sidecar, _ content: [UInt8], beneath roots: [FilePath]
    ) throws(AudioFileError) {
      self.sidecar = sidecar
      let file = try OutputFile(path: sidecar.output, beneath: roots)
      do {
        try file.descriptor.writeAll(toAbsoluteOffset: 0, content)
      } catch {
        throw .cannotWrite(sidecar.output, error as? Errno ?? .ioError)
      }
      self.file = consume file
    }

    func commit(replacing: Bool, syncing: Bool) throws(AudioFileError) {
      try file.take()?.commit(replacing: replacing, syncing: syncing)
    }
  }

  /// Reads, scales and writes the sidecars of the input without publishing them.
  ///
  /// Throws only errors that would also affect the audio: a full disk, a folder without write permission.
  init(
    input: FilePath, output: FilePath, source: SourceDescription, plan: ConversionPlan,
    files: FilePolicy
  ) throws(AudioFileError) {
    self.files = files
    let scale = TimeScale(
      factor: plan.factor, inputFrames: source.frameCount, outputFrames: plan.output.frameCount,
      sampleRate: source.spec.sampleRate, outputRate: plan.output.spec.sampleRate,
      map: plan.timeMap, part: plan.part?.frames)
    let names = SidecarNames(
      input: input.nameBytes, output: output.nameBytes, inputFormat: source.format,
      outputFormat: plan.output.format)
    for sidecar in Sidecar.find(beside: input, output: output) where isFree(sidecar) {
      guard let content = content(of: sidecar, scale, names) else { continue }
      prepared.append(try Prepared(sidecar, content, beneath: files.outputRoots))
    }
  }

  /// True if a sidecar's output may be written, given the files that exist.
  private func isFree(_ sidecar: Sidecar) -> Bool {
    guard FileStatus(path: sidecar.output, followingLinks: false) != nil else { return true }
    if FileIdentity(path: sidecar.output) == FileIdentity(path: sidecar.path) {
      warn(sidecar, "its output would replace it; left unchanged")
      return false
    }
    if files.existing == .refuse { warnAboutExisting(sidecar) }
    return files.existing == .replace
  }

  private func content(
    of sidecar: Sidecar, _ scale: TimeScale, _ names: SidecarNames
  ) -> [UInt8]? {
    do throws(AudioFileError) {
      if let content = try sidecar.content(scale, names, beneath: files.inputRoots) {
        return content
      }
      if sidecar.form.isExpected {
        warn(sidecar, "contains no readable times for this audio; not converted")
      }
    } catch {
      if sidecar.form.isExpected { warn(sidecar, error.cause) }
    }
    return nil
  }

  /// Publishes the sidecars.
  func commit() {
    for one in prepared {
      do throws(AudioFileError) {
        try one.commit(replacing: files.existing == .replace, syncing: files.syncsOutput)
        outputs.append(one.sidecar.output)
      } catch {
        if case .outputExists = error {
          if files.existing == .refuse { warnAboutExisting(one.sidecar) }
        } else {
          warn(one.sidecar, error.cause)
        }
      }
    }
    prepared = []
  }

  private func warnAboutExisting(_ sidecar: Sidecar) {
    warn(
      sidecar, "\(sidecar.output.printable) exists and is kept")
  }

  private func warn(_ sidecar: Sidecar, _ text: String) {
    warnings.append(AudioWarning(.sidecar, "sidecar \(sidecar.path.printable): \(text)"))
  }
}

extension FilePath {
  /// The bytes of the last component.
  fileprivate var nameBytes: [UInt8] {
    lastComponent.map { FilePath(root: nil, [$0]).bytes } ?? []
  }
}
