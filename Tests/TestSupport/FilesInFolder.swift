import Foundation
public import SystemPackage

extension TemporaryFolder {
  /// Creates a folder with these files.
  public convenience init(_ files: [String: [UInt8]]) throws {
    try self.init()
    for (name, bytes) in files { try write(name, bytes) }
  }

  /// Writes a file, making the folders it needs.
  @discardableResult
  public func write(_ name: String, _ bytes: [UInt8]) throws -> FilePath {
    let url = URL(fileURLWithPath: file(name).string)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return file(name)
  }

  /// The content of a file.
  public func bytes(_ name: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: file(name).string)))
  }

  /// True for the name of a file or folder in the folder.
  public func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: file(name).string)
  }

  /// Removes a file, or a folder with its content.
  public func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: file(name).string)
  }

  /// Every file below the folder, hidden ones too, sorted; folders end in a slash.
  public func tree() throws -> [String] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: path.string)
    return try names.map { name in
      let kind = try FileManager.default.attributesOfItem(atPath: file(name).string)[.type]
      return kind as? FileAttributeType == .typeDirectory ? name + "/" : name
    }.sorted()
  }
}

extension Signal {
  /// A 16-bit WAV file of interleaved samples.
  public static func wav(_ samples: [Int16], channels: Int = 1, rate: Int = 8000) -> [UInt8] {
    func number(_ value: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let format =
      number(1, 2) + number(channels, 2) + number(rate, 4) + number(2 * channels * rate, 4)
      + number(2 * channels, 2) + number(16, 2)
    let data = Raw.bytes(samples)
    let body =
      Array("WAVEfmt ".utf8) + number(16, 4) + format + Array("data".utf8) + number(data.count, 4)
      + data
    return Array("RIFF".utf8) + number(body.count, 4) + body
  }
}
