/// A text file beside an input that has its name, and what becomes of it.
struct Sidecar: Hashable {
  /// Longer files are none that people wrote.
  private static let mostBytes = 1 << 20

  let form: SidecarForm
  let path: FilePath
  /// Beside the audio's output, with its stem.
  let output: FilePath

  /// Those that are there, for an input and its output.
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

  /// The bytes of the output; `nil` when the file is not of its form.
  func content(_ scale: TimeScale, _ names: SidecarNames) throws(AudioFileError) -> [UInt8]? {
    let file = try InputFile(path: path)
    guard file.size <= Self.mostBytes,
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
