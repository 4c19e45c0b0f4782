#if Serve
  import ArgumentParser
  import AudioModel
  import ScaleAudio
  import ScaleAudioServer

  /// Converts the choices on the page to options of `convert`, so that both have the same meaning.
  struct ServeProgram: ServerProgram {
    let outputFolder: FilePath?
    /// The folders that are served.
    let folders: [FilePath]
    /// The user's defaults and presets; `nil` if there are none, or they are ignored.
    let configuration: Configuration?
    /// True if the page is on the desktop of this machine.
    var showsFolders = false

    var presets: [PresetDescription] {
      Preset.all(with: configuration).map {
        PresetDescription(id: $0.name, description: $0.purpose, speed: speed(of: $0))
      }
    }

    /// The speed that a preset of the user sets.
    private func speed(of preset: Preset) -> Double? {
      guard preset.configured.contains(where: { ConfiguredOption.lengths.contains($0.key) }),
        let request = try? request(Choice { $0 == "preset" ? preset.name : nil })
      else { return nil }
      switch request.settings.time {
      case .factor(let factor), .speed(let factor), .tempo(let factor): return 1 / factor.value
      case .unchanged, .duration, .frames, .map, .bpm: return nil
      }
    }

    func request(_ choice: Choice) throws(Problem) -> BatchRequest {
      if choice[.map] != nil,
        [.factor, .tempo, .speed, .duration].contains(where: { choice[$0] != nil })
      {
        throw Problem(
          cause: "a map sets the length", remedy: "leave out factor, tempo, speed and duration")
      }
      do {
        var expansion = PresetExpansion(
          Self.options(choice) + ["--", "-"], commands: [], configuration: configuration)
        let parsed = try ConfiguredRun.parsed(&expansion, configuration, ConvertCommand.self)
        guard let convert = parsed as? ConvertCommand else {
          throw ValidationError("These settings cannot be read.")
        }
        var request = convert.request.batch
        if let text = choice[.map] {
          let map = try TimeMapRequest(text: Array(text.utf8), path: "map")
          request.settings.time = .map(map)
        }
        if let outputFolder {
          request.destination = .folder(outputFolder)
          // Files keep their folders below that of the output, as when a folder is converted.
          request.base = folders.count == 1 ? folders[0] : nil
        }
        return request
      } catch let error as TimeMapError {
        throw Problem(cause: error.message)
      } catch {
        throw Self.problem(refusing: error)
      }
    }

    func command(_ choice: Choice, _ files: ChosenFiles) -> String {
      var words = ["scaleaudio"]
      if let map = choice[.map] {
        // A file that the shell makes on the way.
        let lines = map.split(separator: "\n").map { Self.word(String($0)) }
        words += ["--map", "<(printf '%s\\n' \(lines.joined(separator: " ")))"]
      }
      words += Self.options(choice, isShown: true).map(Self.word)
      if let outputFolder {
        words += ["-o", Self.word(outputFolder)]
        if folders.count == 1 { words += ["--base", Self.word(folders[0])] }
      }
      switch files.existing {
      case .refuse: break
      case .replace: words.append("--overwrite")
      case .skip: words.append("--skip-existing")
      }
      if files.resumes { words.append("--resume") }
      let inputs = files.inputs.map(Self.word)
      if inputs.contains(where: { $0.hasPrefix("-") }) { words.append("--") }
      return (words + inputs).joined(separator: " ")
    }

    func showFolder(_ folder: FilePath) -> Bool { OpenedPage.show(folder) }

    func problem(_ error: any ErrorWithRemedy) -> Problem {
      Problem(cause: error.cause, remedy: error.remedy?.onPage)
    }

    /// The options for a choice, as they would be typed.
    ///
    /// - Parameter isShown: False for those that are parsed: a tempo stands for a map, which is read from a text.
    private static func options(_ choice: Choice, isShown: Bool = false) -> [String] {
      choice.values.flatMap { setting, value -> [String] in
        switch setting {
        case .map: isShown ? [] : ["--tempo", "1x"]
        case .factor: ["-f", value]
        case .mono: ["--mono"]
        case .salvage: ["--salvage"]
        case .loudness where value == "guard": ["--guard"]
        case .preset, .tempo, .speed, .duration, .method, .quality, .pitch, .formants, .loudness,
          .format, .bits:
          ["--\(setting.rawValue)", value]
        }
      }
    }

    /// The parser's message about settings that it refuses, without the options that the page does not show.
    private static func problem(refusing error: any Error) -> Problem {
      if let error = error as? ConfigurationError { return Problem(cause: error.message) }
      var message = String(ConvertCommand.message(for: error).prefix { $0 != "\n" })
      if message.hasPrefix("The value "), let option = message.firstRange(of: ">': ") {
        message = String(message[option.upperBound...])
      }
      return Problem(cause: message.replacing("--", with: ""))
    }

    /// A path as a shell word.
    private static func word(_ path: FilePath) -> String {
      let bytes = path.bytes
      let isPlain =
        bytes.starts(with: "./".utf8) && bytes.count > 2 && !bytes.starts(with: "./-".utf8)
      return word(isPlain ? Array(bytes.dropFirst(2)) : Array(bytes))
    }

    private static func word(_ text: String) -> String { word(Array(text.utf8)) }

    /// Bytes as a shell word of printable text. Other bytes become escapes that bash, zsh and ksh understand.
    static func word(_ bytes: [UInt8]) -> String {
      let text = String(validating: bytes, as: UTF8.self)
      guard let text, bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
        return "$'" + bytes.map(escaped).joined() + "'"
      }
      if !bytes.isEmpty, bytes.allSatisfy({ $0 >= 0x80 || isPlain($0) }) { return text }
      return "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// True if a byte has no special meaning in any shell.
    private static func isPlain(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-_./,:=+%@".utf8.contains(byte)
      }
    }

    /// A byte within `$'...'`.
    private static func escaped(_ byte: UInt8) -> String {
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\\"): "\\" + String(UnicodeScalar(byte))
      case 0x20..<0x7F: String(UnicodeScalar(byte))
      default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
  }
#endif
