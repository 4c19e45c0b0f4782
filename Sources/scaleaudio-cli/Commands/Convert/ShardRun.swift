import AudioIO
internal import FoundationEssentials
import ScaleAudio
import ScaleAudioRuns

/// One run of `scaleaudio convert --run`: a shard, from its plan to the exit status.
final class ShardRun {
  private let folder: RunFolder
  private let options: ShardOptions
  private let work: RunOptions
  private let interruption: Interruption

  init(
    _ folder: RunFolder, _ options: ShardOptions, _ work: RunOptions, _ interruption: Interruption
  ) {
    (self.folder, self.options) = (folder, options)
    (self.work, self.interruption) = (work, interruption)
  }

  /// Converts the shard, records and reports it, and returns the exit status.
  func run() async -> Int32 {
    do {
      let plan = try folder.plan()
      let number = try options.shard?.choice.number(
        in: ProcessInfo.processInfo.environment, offset: options.shardOffset ?? 0, of: plan.shards)
      guard let number else { return ExitStatus.usage }
      let request = try FrozenOptions(plan.options).request(interruption.cancellation)
      let shard = try ShardWork(
        folder, plan, shard: number, request, cancellation: interruption.cancellation)
      if let threads = work.threads { Batch.threadCount = threads }
      var batch = shard.batch
      work.apply(to: &batch)
      var failures: [AudioFileError] = []
      return await RunLog.run(
        batch, work, interruption, input: nil,
        onEvent: { event in
          do throws(AudioFileError) {
            try shard.note(event)
          } catch {
            if failures.isEmpty { failures.append(error) }
          }
        },
        onEnd: { log in for failure in failures { log.fail(failure) } })
    } catch {
      return RunLog.status(of: error, work, interruption)
    }
  }
}

extension FrozenOptions {
  /// The request of the options, without inputs; reads a time map.
  func request(_ cancellation: Cancellation) throws -> BatchRequest {
    // The parser requires an input.
    let convert = try ConvertCommand.parse(arguments + ["--", "x"])
    var request = convert.options.request(convert.input, convert.track)
    try request.readMap(convert.options.map, cancellation)
    return request
  }
}
