import Testing

@testable import ScaleAudioRuns

@Suite("Choosing a shard")
struct ShardChoiceTests {
  @Test(arguments: [
    (["SLURM_ARRAY_TASK_ID": "7"], 7),
    (["SLURM_PROCID": "6", "SLURM_STEP_NODELIST": "n1"], 7),
    (["JOB_COMPLETION_INDEX": "6"], 7),
    (["AWS_BATCH_JOB_ARRAY_INDEX": "6"], 7),
    (["CLOUD_RUN_TASK_INDEX": "6"], 7),
    (["BATCH_TASK_INDEX": "0"], 1),
    // An array of Slurm sets the rank too.
    (["SLURM_ARRAY_TASK_ID": "3", "SLURM_PROCID": "0", "SLURM_STEP_NODELIST": "n1"], 3),
    // Counts are not the number of shards, and are not looked at.
    (["SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_COUNT": "2", "SLURM_ARRAY_TASK_MAX": "7"], 7),
    (["CLOUD_RUN_TASK_INDEX": "1", "CLOUD_RUN_TASK_COUNT": "2"], 2),
  ])
  func theIndexComesFromTheScheduler(environment: [String: String], shard: Int) throws {
    #expect(try ShardChoice.auto.number(in: environment, offset: 0, of: 1000) == shard)
    #expect(try ShardChoice.auto.number(in: environment, offset: 900, of: 1000) == shard + 900)
  }

  @Test(arguments: [
    [:], ["SLURM_ARRAY_TASK_COUNT": "10"], ["JOB_COMPLETION_INDEX": ""],
    // The script of a batch has a rank, but is not a step.
    ["SLURM_PROCID": "0", "SLURM_JOB_ID": "5"],
  ])
  func withoutAnIndexItIsRefused(environment: [String: String]) {
    #expect {
      try ShardChoice.auto.number(in: environment, offset: 0, of: 10)
    } throws: {
      if case .noIndex(let names)? = $0 as? RunError {
        names.contains("JOB_COMPLETION_INDEX")
      } else {
        false
      }
    }
  }

  @Test(arguments: ["x", "-1", "1.5", "99999999999999999999"])
  func malformedIndicesAreRefused(value: String) {
    #expect(throws: RunError.badIndex(variable: "JOB_COMPLETION_INDEX", value: value)) {
      try ShardChoice.auto.number(in: ["JOB_COMPLETION_INDEX": value], offset: 0, of: 10)
    }
  }

  @Test func theNumberMustBeInThePlan() throws {
    #expect(try ShardChoice.number(10, of: 10).number(in: [:], offset: 0, of: 10) == 10)
    #expect(throws: RunError.otherShardCount(9, shards: 10)) {
      try ShardChoice.number(7, of: 9).number(in: [:], offset: 0, of: 10)
    }
    #expect(throws: RunError.noSuchShard(11, shards: 10)) {
      try ShardChoice.number(11, of: nil).number(in: [:], offset: 0, of: 10)
    }
    #expect(throws: RunError.noSuchShard(0, shards: 10)) {
      try ShardChoice.auto.number(in: ["SLURM_ARRAY_TASK_ID": "0"], offset: 0, of: 10)
    }
    #expect(throws: RunError.self) {
      try ShardChoice.auto.number(in: ["SLURM_ARRAY_TASK_ID": "7"], offset: .max, of: 10)
    }
  }
}
