import SystemPackage
import TestSupport
import Testing

/// What the programs of FLAC report about files.
extension TemporaryFolder {
  /// What `flac` decodes a file to.
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

  /// What `metaflac` prints.
  func metaflac(_ options: [String], _ path: FilePath) throws -> String {
    let tool = try Tool.run("metaflac", options + [path.string])
    #expect(tool.status == 0, "\(tool.errorText)")
    return tool.outputText
  }
}
