internal import AudioIO
internal import FoundationEssentials
public import ScaleAudio

/// The frozen plan of a run: `plan.json` in its folder.
public struct RunPlan: Codable, Hashable, Sendable {
  /// The unit of weights.
  public enum Measure: String, Codable, Hashable, Sendable {
    /// The length of the input, in microseconds.
    case microseconds
    /// The size of the input file, in bytes.
    case bytes
  }

  /// The line with the greatest weight, which limits how short a run can become with more shards.
  public struct Longest: Codable, Hashable, Sendable {
    /// Its number.
    public let line: Int
    /// Its input.
    public let input: String
    /// Its weight.
    public let weight: Int
  }

  /// The version of the form of this file.
  public private(set) var schema = "run-1"
  /// The version of the program that made the plan.
  public let version: String
  /// The options as the program that made the plan spells them. Only that program can interpret them.
  public let options: [String]
  /// The meaning of the options for each output of an input: equal for outputs made in the same way.
  public let parameters: [String]
  /// The number of shards, numbered from 1.
  public let shards: Int
  /// The number of inputs.
  public let lines: Int
  /// The folder of the outputs, as it was named.
  public let output: String
  /// The unit of weights.
  public let measure: Measure
  /// The weight of all inputs.
  public let total: Int
  /// The weight of the heaviest shard.
  public let heaviest: Int
  /// The longest input; `nil` if there are none.
  public let longest: Longest?
  /// The SHA-256 of options, version, number of shards and all lines. All files of the run contain it.
  public let digest: String

  /// The number of outputs.
  public var outputs: Int { lines * parameters.count }
}

/// A folder with the plan of a run, its shards and its records.
public struct RunFolder: Hashable, Sendable {
  /// The folder.
  public let path: FilePath

  /// The run in `path`.
  public init(_ path: FilePath) { self.path = path }

  /// The plan.
  public var planFile: FilePath { path.appending("plan.json") }
  /// The folder of the lines of each shard.
  public var shards: FilePath { path.appending("shards") }
  /// The folder of the records.
  public var records: FilePath { path.appending("records") }

  /// The file of a shard.
  public func shardFile(_ number: Int) -> FilePath {
    shards.appending("\(Self.name(number)).jsonl")
  }

  /// `0007`; a number with more digits stays as it is.
  static func name(_ number: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// Reads the plan.
  public func plan() throws(RunError) -> RunPlan {
    let bytes: [UInt8]
    do throws(AudioFileError) {
      let reader = try LineReader(planFile, separator: 0)
      bytes = try reader.next() ?? []
    } catch .cannotOpen(_, .noSuchFileOrDirectory) {
      throw .noPlan(path, reason: "there is no plan.json")
    } catch {
      throw .file(error)
    }
    guard let plan = RunPlan(json: bytes) else {
      throw .noPlan(planFile, reason: "it is damaged, or was made by another program")
    }
    return plan
  }

  /// The lines of a shard, in the order in which they were named.
  public func lines(of shard: Int) throws(RunError) -> [RunLine] {
    let path = shardFile(shard)
    let reader = try RunError.files(LineReader(path))
    var lines: [RunLine] = []
    while let bytes = try RunError.files(reader.next()) {
      guard let line = RunLine(bytes[...]) else {
        throw .badLine(path, number: reader.number, reason: "not a line of the plan")
      }
      lines.append(line)
    }
    return lines
  }
}

extension RunPlan {
  /// Parses a plan that ``json`` has written; `nil` for any other bytes.
  init?(json: [UInt8]) {
    guard let plan = try? JSONDecoder().decode(RunPlan.self, from: Data(json)),
      plan.schema == "run-1", plan.shards > 0
    else { return nil }
    self = plan
  }

  /// The plan as JSON that people can read, too.
  var json: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { return [] }
    return Array(data)
  }
}
