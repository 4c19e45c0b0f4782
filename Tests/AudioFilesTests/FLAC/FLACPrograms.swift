import SystemPackage
import TestSupport
import Testing

/// Reports of the programs of FLAC about files.
extension TemporaryFolder {
  /// The samples that `flac` decodes.
  func decode(_ path: FilePath) throws -> [Int16] {
    let raw = file("out.raw")
    let tool = try Tool.run(
      "flac",
      [
        "-sdf", "--force-raw-format", "--endian=little", "--sign=signed", "-o", raw.string,
        path.string,
      ])
    #expect(tool.status == 0, "\(tool.errorText)")
    return Raw.int16(try Files.read(raw))
  }

  /// The output of `metaflac`.
  func metaflac(_ options: [String], _ path: FilePath) throws -> String {
    let tool = try Tool.run("metaflac", options + [path.string])
    #expect(tool.status == 0, "\(tool.errorText)")
    return tool.outputText
  }
}
