internal import AudioFiles
internal import AudioIO
internal import AudioModel
internal import SystemPackage

/// Chooses the format of an output by its name and its input.
enum OutputFormat {
  /// The format that the extension of `output` stands for.
  static func named(by output: FilePath) throws(PlanningError) -> AudioFormat {
    guard let format = output.extension.flatMap(AudioFormat.forExtension), format.isWritable else {
      throw .unknownExtension(output)
    }
    return format
  }

  /// True if the extension of `output` stands for a format that can be written.
  static func isNamed(by output: FilePath) -> Bool {
    output.extension.flatMap(AudioFormat.forExtension)?.isWritable ?? false
  }

  /// Refuses an output whose extension stands for other formats than `format`.
  static func check(_ output: FilePath, holds format: AudioFormat) throws(PlanningError) {
    guard let name = output.extension?.lowercased(), !format.extensions.contains(name) else {
      return
    }
    let others = AudioFormat.all.filter { $0.extensions.contains(name) }
    // An extension can stand for one container with several codecs.
    let isSameKind = others.contains {
      $0.container == format.container && ($0.codec == format.codec || name == "mp4")
    }
    guard let other = others.first, !isSameKind else { return }
    throw .otherExtension(output, other: other.name, format: format.name)
  }

  /// The format of an output that the user named; `nil` for the input's own.
  static func named(
    by output: FilePath, for input: FilePath, raw: RawPCM? = nil
  ) throws(PlanningError) -> AudioFormat? {
    let named = try named(by: output)
    // Some extensions stand for several formats; the input's own comes first among them.
    let own = SniffedFormat.of(input, raw: raw)?.writtenForm
    if let own, let name = output.extension?.lowercased(), own.extensions.contains(name) {
      return nil
    }
    return named
  }

  /// The extension of the output of `input` in `format`, or in its own format; `nil` if the input's
  /// extension stays.
  static func fileExtension(
    for input: FilePath, _ format: AudioFormat?, raw: RawPCM? = nil
  ) -> String? {
    guard let written = format ?? SniffedFormat.of(input, raw: raw)?.writtenForm else {
      return nil
    }
    if let own = input.extension?.lowercased(), written.extensions.contains(own) { return nil }
    return written.extensions.first
  }
}

extension OutputFormat {
  /// The extension of the output of `input` as ``fileExtension(for:_:raw:)`` finds it, without opening an input
  /// whose own extension shows its format.
  static func fileExtension(
    byName input: FilePath, _ format: AudioFormat?, raw: RawPCM? = nil
  ) -> String? {
    let named = input.extension.flatMap(AudioFormat.forExtension)
    let isShown = format == nil && raw == nil && named?.container != .raw
    return fileExtension(for: input, isShown ? named?.writtenForm : format, raw: raw)
  }
}

/// The format of a file by its content.
enum SniffedFormat {
  /// The format of the regular file at `path`, or of its declaration as raw; `nil` if it is not recognized or
  /// cannot be read.
  static func of(_ path: FilePath, raw: RawPCM? = nil) -> AudioFormat? {
    if let raw { return .raw(raw.encoding) }
    guard FileStatus(path: path)?.kind == .file, let input = try? InputFile(path: path)
    else { return nil }
    return try? ContentSniffer.format(of: input)
  }
}
