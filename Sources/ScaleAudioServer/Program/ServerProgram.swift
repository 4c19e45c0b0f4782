package import AudioModel
package import ScaleAudio
package import SystemPackage

/// The part of the server that depends on the program: its option grammar, its presets and its words for
/// errors.
package protocol ServerProgram: Sendable {
  /// The folder for outputs; `nil` for beside their inputs.
  var outputFolder: FilePath? { get }
  /// The presets that a choice can name.
  var presets: [PresetDescription] { get }
  /// True if folders can be shown on the desktop of the person who sees the page.
  var showsFolders: Bool { get }

  /// The batch that converts inputs as chosen; its inputs are empty.
  func request(_ choice: Choice) throws(Problem) -> BatchRequest
  /// The command line that does the same, ready to be pasted into a shell.
  func command(_ choice: Choice, _ files: ChosenFiles) -> String
  /// Shows a folder on the desktop; false if that failed.
  func showFolder(_ folder: FilePath) -> Bool
  /// Words an error for people.
  func problem(_ error: any ErrorWithRemedy) -> Problem
}

/// A preset, for people.
package struct PresetDescription: Encodable, Hashable, Sendable {
  let id: String
  let description: String
  /// The speed that it sets; `nil` if it leaves that to the page.
  let speed: Double?

  package init(id: String, description: String, speed: Double?) {
    (self.id, self.description, self.speed) = (id, description, speed)
  }
}

/// The choices made on the page: the names of settings and their values, as text.
package struct Choice: Hashable, Sendable {
  /// The settings that a choice can have, in the order of a command line.
  package enum Setting: String, CaseIterable, Sendable {
    case preset, factor, tempo, speed, duration, map, method, quality, pitch, formants, loudness,
      mono, format, bits, salvage
  }

  /// The value of each setting that was chosen, in the order of ``Setting``.
  package let values: [(setting: Setting, value: String)]

  /// The settings among named values; other names are ignored, and so are empty values.
  package init(_ value: (String) -> String?) {
    values = Setting.allCases.compactMap { setting in
      value(setting.rawValue).flatMap { $0.isEmpty ? nil : (setting, $0) }
    }
  }

  package subscript(setting: Setting) -> String? {
    values.first { $0.setting == setting }?.value
  }

  /// One text for each choice.
  var key: String { values.map { "\($0.setting.rawValue)=\($0.value)" }.joined(separator: "&") }

  package static func == (one: Choice, other: Choice) -> Bool { one.key == other.key }
  package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// The files of a batch, and what happens to outputs that exist.
package struct ChosenFiles: Sendable {
  /// The inputs: files, or the served folders for all of them.
  package let inputs: [FilePath]
  /// The folders that hold the inputs, below which no symbolic link is followed.
  package let roots: [FilePath]
  /// The treatment of an output that exists.
  package let existing: ExistingOutput
  /// True if finished work is skipped.
  package let resumes: Bool
}

/// Why something is not possible, for people.
package struct Problem: Error, Codable, Hashable, Sendable {
  /// The cause.
  package var cause: String
  /// A way to solve the problem; `nil` if none is known.
  package var remedy: String?

  package init(cause: String, remedy: String? = nil) {
    (self.cause, self.remedy) = (cause, remedy)
  }
}
