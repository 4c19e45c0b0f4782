internal import FoundationEssentials

extension RunPlan {
  /// Reads what ``json`` writes; `nil` for anything else.
  init?(json: [UInt8]) {
    guard let plan = try? JSONDecoder().decode(RunPlan.self, from: Data(json)),
      plan.schema == "run-1", plan.shards > 0
    else { return nil }
    self = plan
  }

  /// The plan as JSON for people too.
  var json: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { return [] }
    return Array(data)
  }
}
