import Foundation
import ScaleAudio
import TestSupport
import Testing

@testable import scaleaudio_cli

/// An error that the program makes, and what its remedy leads to.
struct RemedyProof: Sendable, CustomTestStringConvertible {
  /// The remedy that the error has to name.
  let remedy: Remedy
  /// A line of bash that makes files beside those of ``prelude``.
  let making: String
  /// The arguments that fail, separated by blanks.
  let arguments: String
  /// A line of bash that succeeds if the remedy led to what was asked for; `$way` holds the arguments.
  let check: String
  /// What a person may choose, by option or placeholder.
  var choices: [String: [String]] = [:]
  /// What to do for remedies in words: a line of bash, and other arguments if it is to be run with others.
  var deeds: [Deed] = []
  /// Options that the chosen one replaces.
  var replaced: [String] = []
  /// A line of bash around the program and its arguments, which stand for `%`.
  var around = "%"
  var namedOutput: FilePath?
  var needsRoot = false

  var testDescription: String { "\(arguments): \(remedy.sentence(namedOutput: namedOutput))" }

  typealias Deed = (line: String, arguments: String?)

  /// One way to follow a remedy.
  struct Way {
    var arguments: String
    /// A line of bash to be run before.
    var deed = ""
    var isMended = false
  }

  /// Functions that tests use, and files: 1 s and 15 s of mono, and six channels.
  static let prelude = """
    set -e
    count() { echo $(($(ffmpeg -v error -i "$1" -ac 1 -f s16le - | wc -c) / 2)); }
    frames() { n=${@: -1}; for f in "${@:1:$#-1}"; do c=$(count "$f"); [ $c = $n ] || { echo "$f: $c" >&2; return 1; }; done; }
    within() { n=$(count "$1"); [ $((n - $2)) -le $3 ] && [ $(($2 - n)) -le $3 ] || { echo "$1: $n" >&2; return 1; }; }
    near() { n=$(count "$1"); [ $n -ge $2 ] && [ $n -lt $(($2 + 5000)) ] || { echo "$1: $n" >&2; return 1; }; }
    """
  private static let files = """
    sox -R -n -r 8000 -c 1 -b 16 a.wav synth 1 pinknoise
    sox -R -n -r 8000 -c 1 -b 16 long.wav synth 15 pinknoise
    sox -R -n -r 44100 -c 6 -b 16 six.wav synth 0.5 pinknoise
    """
  private static let base = Result { () throws -> TemporaryFolder in
    let folder = try TemporaryFolder()
    try Program.shell(prelude + "\n" + files, in: folder.path).succeeded()
    return folder
  }

  /// The run of the program in a new folder; with a remedy that was followed, also the check.
  func outcome(of way: Way) throws -> Tool {
    let folder = try TemporaryFolder()
    let disk =
      needsRoot ? "mkdir disk; mount -t tmpfs -o size=2M tmpfs disk; trap 'umount disk' EXIT" : ""
    let run = around.replacing("%", with: "$scaleaudio \(way.arguments)")
    return try Program.shell(
      """
      \(Self.prelude)
      cp \(try Self.base.get().path.string)/*.wav .
      \(disk)
      \(making)
      \(way.deed)
      way='\(way.arguments.replacing("'", with: ""))'
      \(run)
      \(way.isMended ? check : "")
      """, in: folder.path)
  }

  // MARK: - Following

  private static let flags: Set = [
    "--salvage", "--overwrite", "--skip-existing", "--resume", "--single-channel",
    "--keep-extension", "--allow-layout-loss", "--strict",
  ]

  /// The ways that a sentence names, each with the first and the last of the values that it lists.
  func ways(following sentence: String) -> [Way] {
    var ways = deeds.map {
      Way(arguments: $0.arguments ?? arguments, deed: $0.line, isMended: true)
    }
    let words = sentence.split(separator: " ").map(String.init)
    var done = 0
    for (place, word) in words.enumerated() where place >= done {
      let option = word.trimming(in: "(:,;")
      guard option.hasPrefix("--") || option == "-o" else { continue }
      if place > 1, words[place - 2...place - 1] == ["leave", "out"] {
        // All that are listed go: `--from, --to and --only`.
        let listed = words[place...].prefix { $0.hasPrefix("-") || $0 == "and" }
        done = listed.endIndex
        var line = arguments
        for name in listed where name != "and" { line = without(name.trimming(in: ",;"), line) }
        ways.append(Way(arguments: line, isMended: true))
        continue
      }
      // In brackets, it goes with the option before.
      let start = word.hasPrefix("(") ? ways.last?.arguments ?? arguments : arguments
      let values =
        Self.flags.contains(option) ? [""] : self.values(of: option, words[(place + 1)...])
      for value in values {
        var line = without(option, start)
        for other in replaced { line = without(other, line) }
        ways.append(Way(arguments: "\(line) \(option) \(value)", isMended: true))
      }
    }
    return ways
  }

  private func values(of option: String, _ words: ArraySlice<String>) -> [String] {
    if let chosen = choices[option] { return chosen }
    var values: [String] = []
    for word in words {
      let isOption = word.hasPrefix("--") || word == "-o"
      if isOption || ["keeps", "for", "(smallest)"].contains(word) {
        break
      }
      if ["or", "from", "to", "such", "as", "(best)"].contains(word) { continue }
      let value = word.trimming(in: ",;")
      values += choices[value] ?? [value]
      if value.hasSuffix("'") { break }
    }
    return values.count > 3 ? [values[0], values[values.count - 1]] : values
  }

  /// Arguments without an option and its value.
  private func without(_ option: String, _ arguments: String) -> String {
    var words = arguments.split(separator: " ").map(String.init)
    let names = ["-o", "--output"].contains(option) ? ["-o", "--output"] : [option]
    while let place = words.firstIndex(where: names.contains) {
      words.removeSubrange(place..<min(words.count, place + (Self.flags.contains(option) ? 1 : 2)))
    }
    return words.joined(separator: " ")
  }
}

extension String {
  fileprivate func trimming(in characters: String) -> String {
    trimmingCharacters(in: CharacterSet(charactersIn: characters))
  }
}
