/// A part of the work on a file that goes on block by block, and can go on beside the other parts.
///
/// Steps of one stage are done one after another, though not always on the same thread; what a stage
/// uses is used by no other.
protocol PipelineStage: AnyObject, Sendable {
  /// Frames of the source that the stage is done with.
  var framesDone: Int { get }
  /// Whether a step can be done now. Once one can, it can until it is done.
  var isReady: Bool { get }
  /// Does a step: a block at most. Returns whether there are more to come.
  func step() throws(ConversionError) -> Bool
  /// Tells the next stage that there will be no more, and why, behind what it already has.
  func fail(_ failure: ConversionError)
}
