internal import AudioIO
internal import AudioModel
internal import SystemPackage

/// A text file beside an input, named like it, and its scaled copy.
struct Sidecar: Hashable {
  /// Longer files are not sidecars.
  private static let maximumBytes = 1 << 20

  let form: SidecarForm
  let path: FilePath
  /// The path of the copy: beside the audio's output, with its stem.
  let output: FilePath

  /// The sidecars that exist beside an input.
  static func find(beside input: FilePath, output: FilePath) -> [Sidecar] {
    var found: [Sidecar] = []
    for form in SidecarForm.allCases {
      for ending in [form.rawValue, form.rawValue.uppercased()] {
        let path = FileName(input).sibling(of: input, ending: ending)
        guard FileStatus(path: path)?.kind == .file else { continue }
        found.append(
          Sidecar(
            form: form, path: path, output: FileName(output).sibling(of: output, ending: ending)))
        break
      }
    }
    return found
  }

  /// The bytes of the copy; `nil` if the file is not in its form. For `folders`, see ``FilePolicy/inputRoots``.
  func content(
    _ scale: TimeScale, _ names: SidecarNames, beneath folders: [FilePath]
  ) throws(AudioFileError) -> [UInt8]? {
    let file = try InputFile(path: path, beneath: folders)
    guard file.size <= Self.maximumBytes,
      let text = SidecarText(try file.bytes(at: 0, count: file.size)),
      let scaled = form.scaled(text, scale, names)
    else { return nil }
    return text.encoded(scaled)
  }
}

extension FileName {
  /// The path of a file in the same folder with the same stem and another extension.
  fileprivate func sibling(of path: FilePath, ending: String) -> FilePath {
    path.removingLastComponent().appending(FilePath(bytes: stem + dotted(ending)).components)
  }
}
