import ScaleAudio

/// A path as one line of text that cannot change the terminal.
func escapedForTerminal(_ path: FilePath) -> String {
  path.printable
}
