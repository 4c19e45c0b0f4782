import Glibc

// Network file systems and those of programs (FUSE) may end every call early when a signal arrives, also those that a
// local one never ends early. System's calls that open, read and write begin again by themselves; these do the same for
// the others.

/// Makes a call into the system, again while signals interrupt it; returns its result, -1 with `errno` set.
package func uninterrupted(_ call: () -> Int32) -> Int32 {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

/// The same for a call that returns a pointer; `nil` with `errno` set, to 0 if there is no error.
package func uninterrupted<Pointer>(_ call: () -> Pointer?) -> Pointer? {
  while true {
    errno = 0
    if let result = call() { return result }
    if errno != EINTR { return nil }
  }
}
