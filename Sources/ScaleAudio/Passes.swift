/// How far the passes that one conversion makes through its source have come, told as if they were one.
struct Passes {
  /// How many there are.
  let count: Int
  /// Input frames of each.
  let frameCount: Int
  private var done = 0

  /// So many passes, at least 1, before the first.
  init(_ count: Int, frameCount: Int) {
    self.count = max(1, count)
    self.frameCount = frameCount
  }

  /// The input frames of all passes in proportion, when `frames` of the one in work are done: after the
  /// last, `frameCount`.
  func progress(_ frames: Int) -> Int {
    // Parts of a file first, so that no product leaves the range of Int.
    frameCount / count * done + (frameCount % count * done + frames) / count
  }

  /// Goes on to the next pass.
  mutating func advance() { done += 1 }
}
