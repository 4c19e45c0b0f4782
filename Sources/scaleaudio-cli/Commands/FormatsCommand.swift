import ArgumentParser
import ScaleAudio
import SystemPackage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Prints the table of formats.
struct FormatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats",
    abstract: "List every format: what is read and written, and what it can hold.",
    discussion: """
      With --json, one array with an object for each format: id (as --format takes it), name, \
      extensions, read, written, lossless, sampleFormats (how samples can be stored), channels (least, \
      most), sampleRates (absent: any up to highestSampleRate), layouts (the named ones that can be \
      written), anyLayout (whether any set of WAVE's 18 speakers can), holds (tags, pictures, chapters, \
      marks), writtenAs (what takes its place where it is not written itself) and longAs (what takes its \
      place where the audio is too long for it).
      """)

  @Flag(help: "Print JSON rather than a table.")
  var json = false

  func run() throws {
    let facts = AudioFormat.all.map { FormatRecord($0) }
    let text =
      json
      ? FormatRecord.json(facts)
      : FormatListing(facts).text(columns: Self.columns)
    do {
      try FileDescriptor.standardOutput.writeAll(text.utf8)
    } catch {
      throw ExitCode(ExitStatus.someFailed)
    }
  }

  /// The width of the terminal on standard output; of anything else, what the whole table needs.
  private static var columns: Int {
    var size = winsize()
    guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0,
      size.ws_col > 0
    else { return FormatListing.mostColumns }
    return Int(size.ws_col)
  }
}
