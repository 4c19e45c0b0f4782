import TestSupport
import Testing

@Suite("The option for resuming")
struct ResumeOptionTests {
  @Test func whatIsPrintedAndRecorded() throws {
    let folder = try TemporaryFolder(["in/a.wav": Sound.wav, "in/sub/b.flac": Sound.flac])
    try Program.run("-f", "2", "in/a.wav", "-o", "out/", "--resume", in: folder.path).succeeded()
    let listed = try Program.run(
      "-n", "-f", "2", "--resume", "in/a.wav", "in/sub/b.flac", "-o", "out", in: folder.path)
    let lines = listed.outputText.split(separator: "\n")
    #expect(lines.count == 2 && lines.first == "in/a.wav -> out/a-x2.wav (skipped: done before)")
    #expect(
      lines.last?.hasPrefix("in/sub/b.flac -> out/b-x2.flac  FLAC (16-bit) 44100 Hz stereo, ")
        == true, "\(listed.outputText)")
    #expect(!folder.exists("out/b-x2.flac"))
    let again = try Program.run(
      "-f", "2", "in/a.wav", "-o", "out/", "--resume", "--json", in: folder.path)
    #expect(again.status == 0 && again.errorText.contains("skipped"), "\(again.errorText)")
    #expect(again.outputText.contains(#""reason":"already-done""#))
    let other = try Program.run(
      "-f", "2", "in/a.wav", "-o", "out/", "--resume", "--mono", in: folder.path)
    #expect(other.status == 1 && other.errorText.contains("already exists"))
    try folder.write("two/a.wav", Sound.wav)
    let list = try Program.run(
      "-f", "2", "--resume", "--overwrite", "--files-from", "-", "-o", "out", in: folder.path,
      input: Array("two/a.wav\n".utf8))
    #expect(list.status == 1)
    #expect(list.errorText.contains("the same as for in/a.wav"), "\(list.errorText)")
  }
}
