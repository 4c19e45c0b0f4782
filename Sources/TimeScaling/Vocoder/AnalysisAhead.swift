internal import Dispatch

/// Cores that can do a part of a scaler's work while it does the rest.
package protocol SpareCores: AnyObject, Sendable {
  /// Queues work to run on its own thread when a core is free.
  ///
  /// `owner` can withdraw it until it starts, and must do so before it is released.
  func offer(by owner: AnyObject, _ work: @escaping @Sendable () -> Void)
  /// Withdraws the offers of an owner that have not started; returns whether there were any.
  func withdrawOffers(by owner: AnyObject) -> Bool
}

/// Analyzes frames of a vocoder in batches, each on a spare core while phases of the one before are computed.
///
/// If no core is free in that time, the vocoder's own thread does it afterwards. The frames are the same in either
/// case.
final class AnalysisAhead: @unchecked Sendable {
  // One thread at a time has the analysis; `done` and `cores` pass it on.
  private let analysis: VocoderAnalysis
  private let cores: any SpareCores
  private let done = DispatchSemaphore(value: 0)
  private var isOffered = false
  /// The output frame before which all blocks have their frames.
  private(set) var ready: Int
  /// The output frame at which the next batch ends.
  private var end: Int
  private let batchFrames: Int
  /// No batch ends after this output frame.
  private let last: Int

  /// The output frames of a batch, for a band with `hop` between its frames, the longest of all.
  static func batchFrames(hop: Int, channelCount: Int) -> Int {
    max(2, 16384 / (hop * channelCount)) * hop
  }

  /// - Parameter outputFrames: The output frames that will be made, if known. More may be.
  init(_ analysis: VocoderAnalysis, batchFrames: Int, outputFrames: Int, cores: any SpareCores) {
    (self.analysis, self.cores, self.batchFrames) = (analysis, cores, batchFrames)
    ready = analysis.next
    end = analysis.next + batchFrames
    last = outputFrames
  }

  /// Makes the next batch ready, and lets the one after it begin.
  ///
  /// Returns how many source frames are lacking; if there are any, they must be put before the next call.
  func takeBatch() -> Int {
    if isOffered {
      isOffered = false
      if !cores.withdrawOffers(by: self) { done.wait() }
    }
    var lacking = analysis.advance(to: end)
    if lacking > 0 { return lacking }
    let isLast = end >= last
    if !isLast {
      lacking = analysis.lacking(to: end + batchFrames)
      if lacking > 0 { return lacking }
    }
    ready = end
    end += batchFrames
    if !isLast {
      isOffered = true
      cores.offer(by: self) { [self] in
        _ = analysis.advance(to: end)
        done.signal()
      }
    }
    return 0
  }

  /// Ends work ahead of time that has not begun.
  func stop() {
    if isOffered { _ = cores.withdrawOffers(by: self) }
  }
}
