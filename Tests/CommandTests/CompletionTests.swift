import Foundation
import TestSupport
import Testing

/// The completions in real shells, which `scripts/setup --test` installs.
@Suite("Completions in real shells")
struct CompletionTests {
  /// A command line up to its tab, and the words that the program then gets.
  private static let lines: [(line: String, words: [String])] = [
    ("scaleaudio -f 1.5 Samples/mu", ["-f", "1.5", "Samples/music.flac"]),
    ("scaleaudio Samples/mu", ["Samples/music.flac"]),
    ("scaleaudio -f 2 Samples/music.flac two", ["-f", "2", "Samples/music.flac", "two words.wav"]),
    ("scaleaudio -o Samples/mu", ["-o", "Samples/music.flac"]),
    ("scaleaudio -f 2 Samp", ["-f", "2", "Samples/"]),
    ("scaleaudio -f 2 Samples/Folder\\ one/in", ["-f", "2", "Samples/Folder one/inner/"]),
    ("scaleaudio --files-from Samples/mu", ["--files-from", "Samples/music.flac"]),
    ("scaleaudio --dry", ["--dry-run"]),
    ("scaleaudio -f 2 --meth", ["-f", "2", "--method"]),
    ("scaleaudio --method str", ["--method", "stretch"]),
    ("scaleaudio --method=str", ["--method=stretch"]),
    ("scaleaudio Samples/music.flac --bits f3", ["Samples/music.flac", "--bits", "f32"]),
    ("scaleaudio convert --sidec", ["convert", "--sidecars"]),
    ("scaleaudio -f 1.5 -- -da", ["-f", "1.5", "--", "-dash.wav"]),
    ("scaleaudio inf", ["info"]),
    ("scaleaudio info --leve", ["info", "--levels"]),
    ("scaleaudio info Samples/mu", ["info", "Samples/music.flac"]),
    ("scaleaudio plot --style spec", ["plot", "--style", "spectrogram"]),
    ("scaleaudio plot Samples/mu", ["plot", "Samples/music.flac"]),
    ("scaleaudio play --device sp", ["play", "--device", "speakers"]),
    ("scaleaudio play --device=hd", ["play", "--device=hdmi"]),
    ("scaleaudio formats --js", ["formats", "--json"]),
    ("scaleaudio help plo", ["help", "plot"]),
    // What has no completion stays as it was typed.
    ("scaleaudio -f Samples/mu", ["-f", "Samples/mu"]),
    ("scaleaudio formats Samples/mu", ["formats", "Samples/mu"]),
  ]

  /// Sourced by the user, and loaded by the shell itself from where `scripts/install` puts them.
  @Test(arguments: ["bash", "zsh", "fish"], [false, true])
  func complete(shell: String, isInstalled: Bool) throws {
    let folder = try TemporaryFolder()
    for name in [
      "Samples/music.flac", "Samples/speech.flac", "Samples/Folder one/inner/x.wav",
      "two words.wav", "-dash.wav",
    ] {
      try folder.write(name, [])
    }
    let script = try Tool.run(Program.path, ["--generate-completion-script", shell])
    #expect(script.status == 0, "\(script.errorText)")
    let path = try folder.write("completions/\(shell)", script.output)
    let driver = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Support/complete.py").path
    let typed = Self.lines.map { $0.line + "\n" }.joined()
    let run = try Tool.run(
      "python3", [driver, shell, path.string] + (isInstalled ? ["installed"] : []), in: folder.path,
      input: Array(typed.utf8))
    #expect(run.status == 0, "\(run.errorText)")
    let words = try run.outputText.split(separator: "\n").map {
      try JSONDecoder().decode([String].self, from: Data($0.utf8))
    }
    try #require(words.count == Self.lines.count)
    for (found, expected) in zip(words, Self.lines) {
      // zsh takes its slash after a folder away when the line is run.
      let words = expected.words.map {
        shell == "zsh" && $0.hasSuffix("/") ? String($0.dropLast()) : $0
      }
      #expect(found == words, "\(expected.line)")
    }
  }
}
