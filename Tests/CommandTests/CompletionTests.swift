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
    // A word without a completion stays as it was typed.
    ("scaleaudio -f Samples/mu", ["-f", "Samples/mu"]),
    ("scaleaudio formats Samples/mu", ["formats", "Samples/mu"]),
  ]

  /// Sourced by the user, and loaded by the shell itself from where `scripts/install` puts them. All shells at once,
  /// because they are waited for.
  @Test func complete() throws {
    let folder = try TemporaryFolder()
    for name in [
      "Samples/music.flac", "Samples/speech.flac", "Samples/Folder one/inner/x.wav",
      "two words.wav", "-dash.wav",
    ] {
      try folder.write(name, [])
    }
    let results = try TemporaryFolder()
    try results.write("lines", Array(Self.lines.map { $0.line + "\n" }.joined().utf8))
    try Programs.require("zsh", "fish")
    let driver = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Support/complete.py").path
    try Program.shell(
      """
      R='\(results.path.string)'
      for shell in bash zsh fish; do
        "$scaleaudio" --generate-completion-script $shell > "$R/$shell" || exit
        for installed in '' installed; do
          python3 '\(driver)' $shell "$R/$shell" $installed < "$R/lines" > "$R/$shell-$installed" &
          jobs="$jobs $!"
        done
      done
      for job in $jobs; do wait $job || status=1; done
      exit $status
      """, in: folder.path
    ).succeeded()
    for shell in ["bash", "zsh", "fish"] {
      for installed in ["", "installed"] {
        try check(results.bytes("\(shell)-\(installed)"), shell)
      }
    }
  }

  private func check(_ output: [UInt8], _ shell: String) throws {
    let words = try output.split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode([String].self, from: Data($0))
    }
    try #require(words.count == Self.lines.count)
    for (found, expected) in zip(words, Self.lines) {
      // zsh takes its slash after a folder away when the line is run.
      let words = expected.words.map {
        shell == "zsh" && $0.hasSuffix("/") ? String($0.dropLast()) : $0
      }
      #expect(found == words, "\(shell): \(expected.line)")
    }
  }
}
