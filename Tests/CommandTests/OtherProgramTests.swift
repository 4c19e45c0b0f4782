import Foundation
import TestSupport
import Testing

@testable import scaleaudio_cli

/// Options of other programs are answered with what does the same here, and that works.
@Suite("Options of other programs")
struct OtherProgramTests {
  private let bench: Workbench

  /// 50 seconds with a chapter.
  init() throws {
    bench = try Workbench()
    try bench.shell(
      """
      sox -D -R -n -r 44100 -c 1 -b 16 in.wav synth 50 sine 440 vol 0.5
      flac -s -T CHAPTER001=00:00:00.000 -T CHAPTER001NAME=One in.wav
      """)
  }

  private func run(_ arguments: [String]) throws -> Tool {
    try Tool.run(Program.path, arguments, in: bench.folder.path)
  }

  @Test func namesAreThoseOfOtherPrograms() throws {
    let convert = try #require(ScaleAudioCommand.tree).defaultCommand
    let names = OtherPrograms.answers.flatMap(\.names)
    #expect(Set(names).count == names.count)
    for name in names { #expect(convert.parsedOption(name) == nil, "\(name)") }
  }

  @Test(arguments: OtherPrograms.answers.indices)
  func theyAreAnswered(index: Int) throws {
    let answer = OtherPrograms.answers[index]
    for name in answer.names {
      let refused = try run([name, "in.flac"])
      #expect(refused.status == 64 && refused.outputText.isEmpty)
      let line = refused.errorText.prefix { $0 != "\n" }
      #expect(line == "Error: Unknown option '\(name)'\(answer.text)")
    }
    for remedy in answer.remedy.split(separator: " or ") {
      let words = remedy.split(separator: " ").map { $0 == "IN" ? "in.flac" : String($0) }
        .map { $0 == "OUT" ? "out.wav" : $0 }
      let done =
        if words[0] != "scaleaudio" {
          try run(["-n", "--format", "wav"] + words + ["in.flac"])
        } else {
          switch words[1] {
          case "play" where !words.contains("-o"): try run(words.dropFirst() + ["-o", "heard.wav"])
          case "verify": try verified(Array(words.dropFirst()))
          default: try run(Array(words.dropFirst()))
          }
        }
      #expect(done.status == 0, "\(remedy): \(done.errorText)")
    }
  }

  /// The comparison of an output that is there.
  private func verified(_ words: [String]) throws -> Tool {
    try run(["--speed", "2", "in.flac"]).succeeded()
    return try run(words)
  }

  /// Four times as long.
  @Test func playRepeatsAFile() throws {
    try run(["play", "--loop", "4", "in.flac", "-o", "out.wav"]).succeeded()
    #expect(try bench.shell("soxi -s out.wav").outputText == "8820000\n")
  }

  @Test(arguments: [
    ("version", "For the version, write scaleaudio --version."),
    ("trim", "For a part of a file, write --from 0:30 --to 0:45."),
    ("join", "scaleaudio joins no files; sox a.wav b.wav out.wav does."),
  ])
  func wordsAreAnswered(word: String, answer: String) throws {
    let refused = try run([word])
    #expect(
      refused.status == 64
        && refused.errorText.hasPrefix("Error: No command or file named '\(word)'. \(answer)\n"))
  }

  @Test func mergeSaysThatItJoinsNoAudio() throws {
    for arguments in [["a.wav", "b.wav", "-o", "c.wav"], ["a.wav", "b.wav"], ["in.wav"]] {
      let refused = try run(["merge"] + arguments)
      #expect(refused.status != 0 && refused.errorText.contains(MergeCommand.scope))
    }
    #expect(
      try run(["merge", "--chek", "run"]).errorText.contains("Did you mean '--check'?"))
  }

  @Test func verifyNamesTheCommandForTwoFolders() throws {
    try bench.shell("mkdir in out && cp in.wav in/a.wav && cp in.wav out/b.wav")
    let compared = try run(["verify", "in", "out"])
    let hint = try #require(compared.errorText.firstMatch(of: /write: scaleaudio (.*)\n/))
    #expect(compared.status == 1)
    #expect(String(hint.1) == "verify out --against in")
  }
}
