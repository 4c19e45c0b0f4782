import ScaleAudio

/// The man page: the help of all commands, and what surrounds the program, as roff with the macros of man(7).
struct ManualPage {
  let tree: CommandTree
  /// The usage of each command, as its help has it.
  let usage: (_ command: String) -> String

  /// The day on which the wording was last revised, so that the page depends on nothing but the program.
  private static let date = "2026-11-30"

  var text: String {
    let convert = tree.defaultCommand
    let parts = Self.sections(of: convert.discussion)
    var page = Roff()
    page.begin(tree.program.uppercased(), Self.date, "\(tree.program) \(scaleAudioVersion)")
    page.section("NAME")
    page.line("\(tree.program) - make audio files longer or shorter, with or without their pitch")
    page.section("SYNOPSIS")
    for command in tree.commands where command.name != "help" { page.usage(usage(command.name)) }
    page.usage("\(tree.program) help [<command>]")
    page.section("DESCRIPTION")
    page.text(parts[""] ?? "")
    page.paragraph()
    page.line("The commands other than convert, which need not be named, are under COMMANDS.")
    page.section("METHODS")
    page.text(parts["METHODS"] ?? "")
    page.section("OPTIONS")
    for (group, options) in Self.groups(convert.entries) {
      page.subsection(group)
      for option in Self.joined(options) { page.option(option) }
    }
    page.section("COMMANDS")
    for command in tree.commands where ![convert.name, "help"].contains(command.name) {
      put(command, besides: convert, &page)
    }
    page.section("EXIT STATUS")
    page.text(parts["EXIT STATUS"] ?? "")
    for (title, entries) in ManualSurroundings.sections {
      page.section(title)
      for entry in entries { page.entry(entry.name, entry.meaning) }
    }
    page.section("EXAMPLES")
    page.text(parts["EXAMPLES"] ?? "")
    page.section("SEE ALSO")
    page.line(ManualSurroundings.otherPages)
    return page.text
  }

  /// Adds another command: its help, its own options, and the names of those that it shares with `convert`.
  private func put(
    _ command: CommandTree.Command, besides convert: CommandTree.Command, _ page: inout Roff
  ) {
    page.subsection("\(tree.program) \(command.name)")
    page.text(command.purpose + "\n\n" + command.discussion)
    let shared = command.options.filter { convert.entries.contains($0) }
    let own = command.entries.filter { !convert.entries.contains($0) }
    for option in Self.joined(own) { page.option(option) }
    if !shared.isEmpty {
      page.paragraph()
      page.line(
        "As in convert: "
          + shared.map { $0.names.joined(separator: " or ") }.joined(separator: ", ")
          + ".")
    }
  }

  /// The parts of a discussion by their headings, which are lines of capitals; the first one has none.
  private static func sections(of discussion: String) -> [String: String] {
    var (found, heading) = ([String: String](), "")
    for line in discussion.split(separator: "\n", omittingEmptySubsequences: false) {
      if Roff.isHeading(line) {
        heading = String(line)
      } else {
        found[heading, default: ""] += line + "\n"
      }
    }
    return found
  }

  /// The options with a switch and its opposite, which follows it with the same help, as one.
  private static func joined(_ options: [CommandTree.Option]) -> [CommandTree.Option] {
    options.reduce(into: []) { (found, option) in
      if let last = found.last, last.value == nil, last.purpose == option.purpose,
        option.names.allSatisfy({ $0.hasPrefix("--no-") })
      {
        found[found.count - 1].names += option.names
      } else {
        found.append(option)
      }
    }
  }

  /// Options by group, in the order in which the groups begin; those without one are last.
  private static func groups(
    _ options: [CommandTree.Option]
  ) -> [(title: String, options: [CommandTree.Option])] {
    var groups: [(title: String, options: [CommandTree.Option])] = []
    let (rest, titled) = (options.filter { $0.group == nil }, options.filter { $0.group != nil })
    for option in titled {
      let title = option.group ?? ""
      if let index = groups.firstIndex(where: { $0.title == title }) {
        groups[index].options.append(option)
      } else {
        groups.append((title, [option]))
      }
    }
    return groups + [("Help", rest)]
  }
}

/// Text with the macros of man(7), which groff and mandoc read.
private struct Roff {
  private(set) var text = "" {
    didSet { isAfterHead = false }
  }
  private var isAfterHead = false

  /// True for a line of a help that stands above its part: `EXIT STATUS`.
  static func isHeading(_ line: Substring) -> Bool {
    line.first?.isUppercase == true && line.allSatisfy { $0.isUppercase || $0 == " " }
  }

  /// The head and the foot of each page.
  mutating func begin(_ title: String, _ date: String, _ version: String) {
    text = ".TH \(title) 1 \(date) \"\(version)\" \"User Commands\"\n"
  }

  mutating func section(_ title: String) { head(".SH \"\(title)\"") }
  mutating func subsection(_ title: String) { head(".SS \"\(title)\"") }

  private mutating func head(_ line: String) {
    text += line + "\n"
    isAfterHead = true
  }

  /// Begins a paragraph, unless a heading or another one did.
  mutating func paragraph() {
    if !isAfterHead, !text.hasSuffix(".PP\n") { text += ".PP\n" }
  }

  mutating func line(_ line: String) { text += Self.escapedLine(line) + "\n" }

  /// One usage a line, which continues where it does not begin with the name of the program: `scaleaudio info <path> ...`.
  mutating func usage(_ usage: String) {
    var calls: [String] = []
    for line in usage.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
      if line.hasPrefix("scaleaudio ") || calls.isEmpty {
        calls.append(String(line))
      } else {
        calls[calls.count - 1] += " " + line
      }
    }
    for call in calls {
      let marked = Self.escaped(call)
        .replacing(/<([^>]*)>/) { "\\fI\($0.1)\\fR" }
        .replacing(/(^|[\[( ])((?:\\-)+[a-z][a-z\\-]*)/) { "\($0.1)\\fB\($0.2)\\fR" }
        .replacing(/^scaleaudio( [a-z]+)?/) { "\\fB\($0.0)\\fR" }
      text += ".TP\n\(marked)\n"
    }
  }

  /// The text of a help: indented lines stay lines, empty lines end paragraphs, and headings are bold.
  mutating func text(_ help: String) {
    var table: [Substring] = []
    for line in help.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("  ") || line.isEmpty && !table.isEmpty {
        table.append(line.dropFirst(2))
        continue
      }
      putTable(&table)
      if line.isEmpty {
        paragraph()
      } else {
        text += Self.isHeading(line) ? ".B \(line)\n" : Self.escapedLine(String(line)) + "\n"
      }
    }
    putTable(&table)
    while text.hasSuffix(".PP\n") { text.removeLast(4) }
  }

  /// Adds lines as they are, indented like paragraphs where 80 columns have room for that.
  private mutating func putTable(_ lines: inout [Substring]) {
    guard !lines.isEmpty else { return }
    let hasParagraph = lines.last?.isEmpty == true
    while lines.last?.isEmpty == true { lines.removeLast() }
    let longest = lines.map(\.count).max() ?? 0
    paragraph()
    text += ".nf\n.in \(max(3, min(7, 79 - longest)))n\n"
    for line in lines { text += Self.escapedLine(String(line)) + "\n" }
    text += ".in\n.fi\n"
    if hasParagraph { paragraph() }
    lines = []
  }

  /// An option or an operand with its meaning.
  mutating func option(_ option: CommandTree.Option) {
    let names =
      (option.names.filter { !$0.hasPrefix("--") } + option.names.filter { $0.hasPrefix("--") })
      .map { "\\fB\(Self.escaped($0))\\fR" }.joined(separator: ", ")
    let value =
      option.names.isEmpty || option.value != nil
      ? ["\\fI\(Self.escaped(option.valueName))\\fR"] : []
    let head = ((names.isEmpty ? [] : [names]) + value).joined(separator: " ")
    var details: [String] = []
    if !option.choices.isEmpty {
      details.append("values: " + option.choices.joined(separator: ", "))
    }
    if let initial = option.initial { details.append("default: \(initial)") }
    let end = details.isEmpty ? "" : " (\(details.joined(separator: "; ")))"
    text += ".TP\n\(head)\n\(Self.escapedLine(option.purpose + end))\n"
    for paragraph in option.discussion.split(separator: "\n") {
      text += ".IP\n\(Self.escapedLine(String(paragraph)))\n"
    }
  }

  /// A name with its meaning.
  mutating func entry(_ name: String, _ meaning: String) {
    text += ".TP\n\\fB\(Self.escaped(name))\\fR\n\(Self.escapedLine(meaning))\n"
  }

  private static func escapedLine(_ line: String) -> String {
    let text = escaped(line).replacing(/`([^`]*)`/) { "\\fB\($0.1)\\fR" }
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }

  /// Hyphens that are typed, and backslashes.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("~", with: "\\(ti")
      .replacing("^", with: "\\(ha").replacing("'", with: "\\(aq")
  }
}
