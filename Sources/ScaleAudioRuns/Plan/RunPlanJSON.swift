internal import FoundationEssentials

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
