public import AudioModel

/// A device, or a substitute for one, that plays interleaved samples.
///
/// An output asks for samples from a thread of its own, shortly before they are heard. All calls may come from any
/// other thread, one at a time.
package protocol SoundOutput: AnyObject, Sendable {
  /// The sample rate and the channel layout that the output takes: as near to those asked for as it can.
  var spec: AudioSpec { get }
  /// The name of the device for people.
  var name: String { get }
  /// Frames delivered that are not heard yet.
  var queuedFrames: Int { get }
  /// How often the device had nothing to play while it was running.
  var underrunCount: Int { get }
  /// The sentence for people while the output accepts no samples.
  var stallMessage: String { get }

  /// Begins to ask for samples.
  ///
  /// - Parameters:
  ///   - deliver: Fills a buffer with whole frames, and returns how many frames it filled; fewer than fit only at the
  ///     end, or while nothing is ready. It neither waits nor allocates.
  ///   - onEvent: Called from the output's thread with each event of the device.
  func start(
    delivering deliver: @escaping @Sendable (UnsafeMutableBufferPointer<Float>) -> Int,
    onEvent: @escaping @Sendable (SoundEvent) -> Void
  ) throws(SoundError)

  /// Stops the sound at once, keeping what is queued.
  func pause() throws(SoundError)
  /// Goes on after ``pause()``, with what was queued first.
  func resume() throws(SoundError)
  /// Discards what is queued, so that the next sample delivered is heard next; returns the frames that were not heard.
  func discard() throws(SoundError) -> Int
  /// Throws if the output cannot take so many more frames.
  func reserve(frames: Double) throws(SoundError)
  /// Begins to hold twice as much, while the sound goes on; `false` if only another output can. If the device refuses
  /// later, it reports ``SoundEvent/cannotGrow``.
  func grow() -> Bool
  /// Returns when everything delivered was heard.
  func drain() throws(SoundError)
  /// Ends the sound and releases the device.
  func close()
}

extension SoundOutput {
  package var stallMessage: String { "\(name): the sound device accepts no sound" }
  package func reserve(frames: Double) throws(SoundError) {}
  package func grow() -> Bool { false }
}

/// An event of an output that has its cause outside of the program.
package enum SoundEvent: Hashable, Sendable {
  /// The sound continues on another device of this name.
  case moved(String)
  /// The device is gone: nothing is heard until another output is opened.
  case lost(String)
  /// Another program asks for silence, and later takes that back.
  case corked(Bool)
  /// The machine or the device went to sleep, and later woke up.
  case suspended(Bool)
  /// The device does not hold more than before.
  case cannotGrow
}

/// Why nothing can be heard.
public struct SoundError: ErrorWithRemedy, Hashable {
  /// The problem, with the name of the device if there is one.
  public let message: String
  /// A way to solve the problem; `nil` if none is known.
  public let remedy: Remedy?
  /// True if a retry may succeed, as when a disk that was full has room again.
  public let isWorthRetrying: Bool

  /// The same as ``message``: no file is at fault.
  public var cause: String { message }

  package init(_ message: String, remedy: Remedy? = nil, isWorthRetrying: Bool = false) {
    self.message = message
    self.remedy = remedy
    self.isWorthRetrying = isWorthRetrying
  }
}
