internal import ScaleAudio

/// Selects the shard of a run for a task.
public enum ShardChoice: Hashable, Sendable {
  /// The shard that a scheduler's variables name.
  case auto
  /// The shard with this number, from 1; `of` is the number of shards that the caller expects.
  case number(Int, of: Int?)

  /// A variable of a scheduler that gives the index of a task.
  struct Variable {
    let name: String
    /// The number to add to the index to get the number of a shard.
    let added: Int
    /// Another variable that must also be set; `nil` for none.
    var companion: String?
  }

  /// In order of priority. The indices of Slurm's arrays are chosen by the user, so they are numbers of shards; the
  /// others start at 0.
  ///
  /// Slurm also sets its rank in the script of a batch, where it is meaningless; only `srun` sets the node of a step.
  static let variables = [
    Variable(name: "SLURM_ARRAY_TASK_ID", added: 0),
    Variable(name: "SLURM_PROCID", added: 1, companion: "SLURM_STEP_NODELIST"),
    Variable(name: "JOB_COMPLETION_INDEX", added: 1),
    Variable(name: "AWS_BATCH_JOB_ARRAY_INDEX", added: 1),
    Variable(name: "CLOUD_RUN_TASK_INDEX", added: 1),
    Variable(name: "BATCH_TASK_INDEX", added: 1),
  ]

  /// The number of the shard, from 1, among `shards`.
  ///
  /// The number of tasks that schedulers also give is ignored: for a part of an array it is not the number of shards.
  ///
  /// - Parameters:
  ///   - environment: The variables of the process.
  ///   - offset: Added to the index, for arrays above the limit of a scheduler.
  ///   - shards: The number of shards of the plan.
  public func number(
    in environment: [String: String], offset: Int, of shards: Int
  ) throws(RunError) -> Int {
    let index: Int
    switch self {
    case .number(let number, let count):
      if let count, count != shards { throw .otherShardCount(count, shards: shards) }
      index = number
    case .auto: index = try Self.index(in: environment)
    }
    let (number, overflow) = index.addingReportingOverflow(offset)
    guard !overflow, (1...shards).contains(number) else {
      throw .noSuchShard(number, shards: shards)
    }
    return number
  }

  private static func index(in environment: [String: String]) throws(RunError) -> Int {
    for variable in variables {
      guard let value = environment[variable.name], !value.isEmpty,
        variable.companion.map({ environment[$0] != nil }) ?? true
      else { continue }
      guard let index = Int(value), index >= 0, index < Int(Int32.max) else {
        throw .badIndex(variable: variable.name, value: value)
      }
      return index + variable.added
    }
    throw .noIndex(variables: variables.map(\.name))
  }
}
