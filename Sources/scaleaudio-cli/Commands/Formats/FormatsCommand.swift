import ArgumentParser
import ScaleAudio

/// Prints the table of formats.
struct FormatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats",
    abstract: "List the formats: which can be read and written, and what they can hold.",
    discussion: """
      With --json, an array with an object per format: id (for --format), name, extensions, read, written, \
      lossless, sampleFormats, channels (least, most), sampleRates (absent: any up to highestSampleRate), \
      layouts (the named ones that can be written), anyLayout (whether any set of WAVE's 18 speakers can be \
      written), holds (tags, pictures, chapters, marks), writtenAs (the format written instead, if it cannot \
      be written) and longAs (the format written for audio that is too long for it).
      """)

  @Flag(help: "Print JSON instead of a table.")
  var json = false

  func run() throws {
    let records = AudioFormat.all.map { FormatRecord($0) }
    let text =
      json
      ? records.jsonLine
      : Array(FormatListing(records).text(columns: TerminalWindow.textColumns).utf8)
    var output = StandardOutput()
    output.write(text)
    if output.failure != nil { throw ExitCode(ExitStatus.someFailed) }
  }
}
