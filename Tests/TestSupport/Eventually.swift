import Foundation

/// Waits until something is so, for at most `seconds`; returns whether it came to be.
public func eventually(within seconds: Double = 10, _ isSo: () throws -> Bool) rethrows -> Bool {
  let end = Date(timeIntervalSinceNow: seconds)
  while Date() < end {
    if try isSo() { return true }
    usleep(5_000)
  }
  return try isSo()
}
