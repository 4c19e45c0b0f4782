public import ScaleAudio

/// Why a run cannot be planned, worked on or merged.
public enum RunError: ErrorWithRemedy, Hashable, Sendable {
  /// A file cannot be read or written.
  case file(AudioFileError)
  /// The folder of the run cannot take the plan.
  case cannotPlan(AudioFileError)
  /// The outputs cannot be planned.
  case planning(PlanningError)
  /// The folder already has a plan.
  case planExists(FilePath)
  /// The folder has no plan, or one that cannot be read.
  case noPlan(FilePath, reason: String)
  /// The plan was made by another version of the program.
  case otherVersion(FilePath, planned: String, own: String)
  /// The meaning of the planned options has changed, for example because a time map has changed.
  case changedOptions(FilePath)
  /// A file of the run belongs to another plan.
  case otherPlan(FilePath)
  /// A line of a list of inputs cannot be used.
  case badLine(FilePath, number: Int, reason: String)
  /// Outputs already exist: the first ones, and their number.
  case outputsExist([FilePath], count: Int)
  /// Inputs are parts of files, and a setting selects parts, too.
  case partsTwice(FilePath)
  /// The number of shards is not within ``shardRange``.
  case shardCount(Int)
  /// No variable of a scheduler gives the number of a shard.
  case noIndex(variables: [String])
  /// A variable of a scheduler is not a number.
  case badIndex(variable: String, value: String)
  /// The plan has no shard with this number.
  case noSuchShard(Int, shards: Int)
  /// The expected number of shards is not that of the plan.
  case otherShardCount(Int, shards: Int)

  /// The valid numbers of shards.
  public static let shardRange = 1...1_000_000

  /// A way to solve the problem; `nil` if none is known.
  public var remedy: Remedy? {
    switch self {
    case .cannotPlan(let error) where error.remedy == .chooseOutputFile:
      .act("name another run folder")
    case .file(let error), .cannotPlan(let error): error.remedy
    case .planning(let error): error.remedy
    case .planExists: .act("continue it with convert, or name another run folder")
    case .noPlan: .act("make the plan first")
    case .otherVersion(_, let planned, _): .act("use version \(planned), or plan again")
    case .changedOptions, .otherPlan: .act("plan again, in another run folder")
    case .outputsExist: .chooseOutput
    case .partsTwice: .act("leave out --from, --to and --only")
    case .noIndex: .act("name the shard")
    case .badLine, .shardCount, .badIndex, .noSuchShard, .otherShardCount: nil
    }
  }

  /// The file at fault; `nil` if none is.
  public var path: FilePath? {
    switch self {
    case .file(let error), .cannotPlan(let error): error.path
    case .planExists(let path), .noPlan(let path, _), .otherVersion(let path, _, _),
      .changedOptions(let path), .otherPlan(let path), .badLine(let path, _, _),
      .partsTwice(let path):
      path
    default: nil
    }
  }

  /// The file's name and the cause; for a plan with conflicts, one line for each.
  public var message: String {
    if case .planning(let error) = self { return error.message }
    return path.map { "\($0.printable): \(cause)" } ?? cause
  }

  /// The cause, without the file's name.
  public var cause: String {
    switch self {
    case .file(let error), .cannotPlan(let error): return error.cause
    case .planning(let error): return error.cause
    case .planExists: return "already contains a plan"
    case .noPlan(_, let reason): return "no plan: \(reason)"
    case .otherVersion(_, let planned, let own):
      return "planned by version \(planned), but this is \(own)"
    case .changedOptions: return "this version interprets the plan's options differently"
    case .otherPlan: return "belongs to another plan"
    case .badLine(_, let number, let reason): return "line \(number): \(reason)"
    case .outputsExist(let paths, let count):
      let shown = paths.map { "\($0.printable): already exists" }
      let more = count - paths.count
      return (shown + (more > 0 ? ["and \(more) more like these"] : [])).joined(separator: "\n")
        + "\nNothing was planned"
    case .partsTwice: return "the list and the options both select parts of files"
    case .shardCount(let count):
      let range = Self.shardRange
      return "\(count) shards are not within \(range.lowerBound) to \(range.upperBound)"
    case .noIndex(let variables):
      return
        "no shard number: none of \(variables.joined(separator: ", ")) is set"
    case .badIndex(let variable, let value): return "\(variable) is not an index: '\(value)'"
    case .noSuchShard(let number, let shards):
      return "there is no shard \(number): the plan has 1 to \(shards)"
    case .otherShardCount(let count, let shards):
      return "the plan has \(shards) shards, not \(count)"
    }
  }
}

extension RunError: CustomStringConvertible {
  /// The ``message``.
  public var description: String { message }

  /// Runs work on files; its errors become errors of this type.
  static func files<Result: ~Copyable>(
    _ work: @autoclosure () throws(AudioFileError) -> Result
  ) throws(Self) -> Result {
    try lifting(Self.file, work)
  }

  /// Runs planning; its errors become errors of this type.
  static func planning<Result>(
    _ work: @autoclosure () throws(PlanningError) -> Result
  ) throws(Self) -> Result {
    try lifting(Self.planning, work)
  }
}
