internal import AudioFiles
package import AudioIO
package import SystemPackage

/// The paths of inputs below the folder whose tree their outputs mirror.
package struct MirroredBase {
  private let folder: FilePath
  private let resolved: FilePath
  /// The folders of inputs, and their paths below the base.
  private var places: [FilePath: FilePath] = [:]

  /// Paths below `folder`.
  package init(_ folder: FilePath) {
    self.folder = folder
    resolved = RealPath.resolve(folder)
  }

  /// The path below the base of the folder of a file, or of a folder itself.
  package mutating func place(
    of path: FilePath, isFolder: Bool
  ) throws(PlanningError) -> FilePath {
    let inner = isFolder ? path : path.folder
    if let known = places[inner] { return known }
    let place = RealPath.relative(RealPath.resolve(inner), from: resolved)
    if place.components.first?.kind == .parentDirectory { throw .notBelow(path, base: folder) }
    places[inner] = place
    return place
  }
}

/// The outputs of a request for inputs that arrive one by one, named as in a ``Batch``.
///
/// Inputs whose names show their format are not opened.
package struct OutputNames {
  private let request: BatchRequest
  private let folder: FilePath
  private let namings: [OutputNaming]
  /// The settings of each output of an input.
  package let settings: [ConversionSettings]

  /// The names below `folder`.
  package init(_ request: BatchRequest, below folder: FilePath) throws(PlanningError) {
    settings = [request.settings] + request.otherSettings
    for variant in settings {
      let missing = request.template?.placeholders.first { variant.text(of: $0) == nil }
      if let missing { throw .placeholderWithoutValue(missing) }
    }
    namings = settings.map { request.naming($0) }
    self.request = request
    self.folder = folder
  }

  /// The outputs of one input.
  ///
  /// - Parameters:
  ///   - source: The input.
  ///   - below: Its path below the folder that is mirrored; `nil` for a file that was named itself.
  ///   - id: The name of the part of the input that is converted, instead of the file's name; `nil` for none.
  ///   - part: The part; it becomes part of the name if `id` is `nil`.
  ///   - index: The number of the input, from 1.
  ///   - count: The number of the last input.
  package func outputs(
    of source: FilePath, below: FilePath?, id: [UInt8]?, part: TimeRange?, index: Int, count: Int
  ) -> [FilePath] {
    let fileExtension = OutputFormat.fileExtension(
      byName: source, request.settings.format, raw: request.files.raw)
    let named = id.map { Self.named($0, like: source) } ?? source
    return zip(settings, namings).map { (settings, wholeNaming) in
      var (settings, naming) = (settings, wholeNaming)
      var relative = below
      if let part { settings.part = part }
      if let part, id == nil {
        naming = request.naming(settings)
        relative = below.map {
          Self.named(FileName($0).stem + Array("-\(part.name)".utf8), like: $0)
        }
      } else if id != nil {
        relative = below.map { $0.removingLastComponent().appending(named.lastComponent ?? "_") }
      }
      let tree = relative == nil ? folder : request.tree(of: wholeNaming, below: folder)
      var output = NamedOutput(
        source: named, relativePath: relative ?? named, isMirrored: relative != nil, index: index,
        count: count, settings: settings, fileExtension: fileExtension)
      if request.template?.needsFacts(settings) == true {
        output.facts = NamedFacts(of: source, settings, request.files)
      }
      return tree.appending(output.path(naming).components)
    }
  }

  /// A path in the same folder with another stem.
  private static func named(_ stem: [UInt8], like path: FilePath) -> FilePath {
    let slash = UInt8(ascii: "/")
    let name = stem.map { $0 == slash || $0 == 0 ? UInt8(ascii: "_") : $0 }
    let ending = FileName(path).dotted(nil)
    return path.removingLastComponent().appending(FilePath(bytes: name + ending).components)
  }

  /// The required format of an output with this name; `nil` for the format of its source.
  package static func format(
    of output: FilePath, from source: FilePath, _ settings: ConversionSettings, raw: RawPCM?
  ) -> AudioFormat? {
    if let format = settings.format { return format }
    return try? OutputFormat.named(by: output, for: source, raw: raw)
  }
}
