import TestSupport
import Testing

/// Files of folders that are no audio.
@Suite("Other files of folders")
struct OtherFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder([
      "in/a.wav": Sound.wav, "in/sub/b.wav": Sound.wav, "in/cover.jpg": [0xFF, 0xD8, 1, 2],
      "in/sub/notes.txt": Array("notes".utf8), "in/.hidden": [1],
      "in/a.en.srt": Array("1\n00:00:00,010 --> 00:00:00,020\nx\n".utf8),
    ])
  }

  private func run(_ line: String) throws -> Tool {
    try Program.shell("$scaleaudio " + line, in: folder.path)
  }

  @Test func areCountedWithoutTheOption() throws {
    let run = try run("-f 2 in").succeeded()
    #expect(
      run.errorText.contains("2 other files (cover.jpg, notes.txt) not copied; --copy-others"),
      "\(run.errorText)")
    #expect(run.errorText.contains("1 text (a.en.srt) with times not copied; --sidecars"))
    #expect(
      try folder.tree().filter { $0.hasPrefix("in-x2/") && !$0.hasSuffix("/") }
        .filter { $0.contains(".") } == ["in-x2/a.wav", "in-x2/sub/b.wav"])
  }

  @Test func areMirrored() throws {
    try Program.shell("touch -d 2001-02-03T04:05:06Z in/cover.jpg", in: folder.path).succeeded()
    let options = "-f 1.5,2 --copy-others --sidecars -o out in"
    let first = try run(options).succeeded()
    #expect(first.errorText.contains("2 other files copied"), "\(first.errorText)")
    for tree in ["out/x1.5", "out/x2"] {
      #expect(try folder.bytes("\(tree)/cover.jpg") == [0xFF, 0xD8, 1, 2])
      #expect(folder.exists("\(tree)/sub/notes.txt") && folder.exists("\(tree)/a.en.srt"))
      #expect(!folder.exists("\(tree)/.hidden"))
    }
    let times = try Program.shell("stat -c %Y in/cover.jpg out/x2/cover.jpg", in: folder.path)
    #expect(Set(times.outputText.split(separator: "\n")).count == 1)
    // The same copies are no conflict, others are.
    try run("\(options) --skip-existing").succeeded()
    try folder.write("out/x2/cover.jpg", [0])
    let refused = try run(options)
    #expect(
      refused.status == 1 && refused.errorText.contains("out/x2/cover.jpg: "),
      "\(refused.errorText)")
    #expect(try folder.bytes("out/x2/cover.jpg") == [0])
    try run("\(options) --overwrite").succeeded()
    #expect(try folder.bytes("out/x2/cover.jpg") == [0xFF, 0xD8, 1, 2])
  }

  /// A copy of a file that has changed since is made again, and one that was edited is not lost.
  @Test func resumingRefreshesCopies() throws {
    let options = "-f 2 --copy-others --resume -o out in"
    try run(options).succeeded()
    #expect(!(try run(options).succeeded().errorText.contains("other file")))
    try folder.write("in/cover.jpg", [0xFF, 0xD8, 9])
    try Program.shell("touch -d 'now + 1 hour' in/cover.jpg", in: folder.path).succeeded()
    #expect(try run(options).succeeded().errorText.contains("1 other file copied"))
    #expect(try folder.bytes("out/cover.jpg") == [0xFF, 0xD8, 9])
    try folder.write("out/sub/notes.txt", Array("mine".utf8))
    try Program.shell("touch -d 'now + 2 hours' out/sub/notes.txt", in: folder.path).succeeded()
    let edited = try run(options)
    #expect(edited.status == 1 && edited.errorText.contains("out/sub/notes.txt: "))
    #expect(try folder.bytes("out/sub/notes.txt") == Array("mine".utf8))
  }

  @Test func areCountedByADryRun() throws {
    let foreseen = try run("-f 2 --copy-others -n -o out in").succeeded()
    #expect(
      foreseen.errorText.contains("; 2 other files copied, 9 bytes\n"), "\(foreseen.errorText)")
    #expect(!folder.exists("out"))
    let total = try run("-f 2 --copy-others -n --json -o out in").succeeded().outputText
    #expect(total.contains("\"copiedFiles\":2") && total.contains("\"copiedBytes\":9"))
    try run("-f 2 --copy-others -o out in").succeeded()
    let done = try run("-f 2 --copy-others -n --skip-existing -o out in").succeeded()
    #expect(!done.errorText.contains("other file"))
    #expect(try run("-f 2 -n -o other in").succeeded().errorText.contains("2 other files (cover"))
  }
}
