import Foundation
import ScaleAudio
import TestSupport
import Testing

@Suite("Outputs that are not regular files")
struct StreamOutputTests {
  let folder: TemporaryFolder
  let expected: [UInt8]

  init() throws {
    folder = try TemporaryFolder(["in.wav": Sound.wav])
    #expect(try Program.run("-f", "2", "in.wav", "-o", "ref.wav", in: folder.path).status == 0)
    expected = try folder.bytes("ref.wav")
  }

  private func kind(_ name: String) throws -> String {
    try Tool.run("stat", ["-c", "%F", name], in: folder.path).outputText
  }

  @Test(arguments: ["", "--overwrite", "--skip-existing"])
  func aNamedPipeIsWritten(option: String) throws {
    try Program.shell(
      """
      mkfifo p.wav
      cat p.wav > got.wav &
      $scaleaudio -f 2 \(option) in.wav -o p.wav; status=$?
      wait; exit $status
      """, in: folder.path
    ).succeeded()
    #expect(try folder.bytes("got.wav") == expected)
    #expect(try kind("p.wav") == "fifo\n")
  }

  @Test func otherStreams() throws {
    let run = try Program.shell(
      """
      $scaleaudio -q -f 2 in.wav -o >(cat > a.wav); while ! [ -s a.wav ]; do sleep 0.1; done
      $scaleaudio -q -f 2 in.wav -o /dev/stdout | cat > b.wav
      $scaleaudio -q -f 2 --overwrite in.wav -o /dev/null && ln -s /dev/null n.wav \
        && $scaleaudio -q -f 2 --overwrite --resume in.wav -o n.wav && echo fine
      """, in: folder.path)
    #expect(run.outputText == "fine\n", "\(run.errorText)")
    #expect(try folder.bytes("b.wav") == expected)
    #expect(try kind("n.wav") == "symbolic link\n")
    #expect(try kind("/dev/null") == "character special file\n")
    #expect(!FileManager.default.fileExists(atPath: "/dev/.scaleaudio.jsonl"))
    let full = try Program.run(
      "-f", "2", "--overwrite", "in.wav", "-o", "/dev/full", in: folder.path)
    #expect(full.status == 75)
    #expect(full.errorText.contains("no space left"))
    #expect(try kind("/dev/full") == "character special file\n")
  }

  @Test func socketsAndDanglingLinksAreRefused() throws {
    try Program.shell(
      "python3 -c \"import socket; socket.socket(socket.AF_UNIX).bind('s.wav')\"; ln -s none d.wav",
      in: folder.path
    ).succeeded()
    for (name, reason, stays) in [
      ("s.wav", "a socket", "socket\n"), ("d.wav", "a broken symbolic link", "symbolic link\n"),
    ] {
      for options in [[], ["--overwrite"]] {
        let run = try Tool.run(
          Program.path, ["-f", "2", "in.wav", "-o", name] + options, in: folder.path)
        #expect(run.status == 1)
        if !options.isEmpty { #expect(run.errorText.contains(reason), "\(run.errorText)") }
        #expect(try kind(name) == stays)
      }
    }
    #expect(!folder.exists("none"))
  }

  @Test func aLinkToAFileIsFollowed() throws {
    try folder.write("far/target.wav", [1])
    _ = try Program.shell("ln -s far/target.wav link.wav", in: folder.path)
    let refused = try Program.run("-f", "2", "in.wav", "-o", "link.wav", in: folder.path)
    #expect(refused.status == 1 && refused.errorText.contains("already exists"))
    #expect(try folder.bytes("far/target.wav") == [1])
    try Program.run("-f", "2", "--overwrite", "in.wav", "-o", "link.wav", in: folder.path)
      .succeeded()
    #expect(try kind("link.wav") == "symbolic link\n")
    #expect(try folder.bytes("far/target.wav") == expected)
  }

  @Test func nothingIsWrittenBesideAStream() throws {
    for option in ["--plot", "--sidecars"] {
      let run = try Program.run("-f", "2", option, "in.wav", "-o", "/dev/null", in: folder.path)
      #expect(run.status == 64 && run.errorText.contains("a pipe or a device"))
    }
  }
}
