import ScaleAudio
import TestSupport
import Testing

@Suite("Standard input and output", .tags(.threaded))
struct StreamTests {
  let folder: TemporaryFolder
  let expected: [UInt8]

  init() throws {
    folder = try TemporaryFolder(["in.wav": Sound.wav, "in.flac": Sound.flac])
    #expect(try Program.run("-f", "1.5", "in.wav", "in.flac", in: folder.path).status == 0)
    expected = try folder.bytes("in-x1.5.wav")
  }

  @Test func throughPipes() throws {
    let run = try Program.shell("cat in.wav | $scaleaudio -f 1.5 - -o - | cat", in: folder.path)
    #expect(run.output == expected)
    let flac = try Program.run(
      "-f", "1.5", "-", "-o", "-", in: folder.path, input: Sound.flac)
    #expect(flac.output == (try folder.bytes("in-x1.5.flac")))
    let chosen = try Program.run(
      "-f", "1.5", "-", "-o", "-", "--format", "flac", in: folder.path, input: Sound.wav)
    try folder.write("piped.flac", chosen.output)
    #expect(try Tool.run("flac", ["-t", folder.file("piped.flac").string]).status == 0)
    #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
  }

  @Test func oneEndAtATime() throws {
    #expect(
      try Program.run("-f", "1.5", "in.wav", "-o", "-", in: folder.path).output == expected)
    try Program.run(
      "-f", "1.5", "-", "-o", "out.wav", in: folder.path, input: Sound.wav
    ).succeeded()
    #expect(try folder.bytes("out.wav") == expected)
  }

  @Test func namedPipes() throws {
    try Program.shell(
      "mkfifo pipe.wav; (cat in.wav > pipe.wav) & $scaleaudio -f 1.5 pipe.wav",
      in: folder.path
    ).succeeded()
    #expect(try folder.bytes("pipe-x1.5.wav") == expected)
    try Program.shell(
      "$scaleaudio -f 1.5 <(cat in.wav) -o sub.wav", in: folder.path
    ).succeeded()
    #expect(try folder.bytes("sub.wav") == expected)
    try Program.shell(
      "$scaleaudio -f 1.5 /dev/stdin -o dev.wav < in.wav", in: folder.path
    ).succeeded()
    #expect(try folder.bytes("dev.wav") == expected)
    let nowhere = try Program.shell("$scaleaudio -f 1.5 <(cat in.wav)", in: folder.path)
    #expect(nowhere.status == 64)
  }

  @Test(arguments: ["/dev/null", "/dev/zero", "socket"])
  func devicesAndSocketsAreRefused(name: String) throws {
    try Tool.run(
      "python3",
      ["-c", "import socket; socket.socket(socket.AF_UNIX).bind('socket')"], in: folder.path
    ).succeeded()
    let run = try Program.run("-f", "1", "-o", "out.wav", name, in: folder.path)
    #expect(run.status == 1)
    #expect(run.errorText.contains("not a file"))
    #expect(!folder.exists("out.wav"))
  }

  @Test func badInputMakesNoOutput() throws {
    let run = try Program.run(
      "-f", "1", "-", "-o", "-", in: folder.path, input: Array("not audio at all".utf8))
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errorText.contains("-: "))
    let empty = try Program.run("-f", "1", "-", "-o", "-", in: folder.path)
    #expect(empty.status == 1)
    #expect(empty.errorText.contains("empty"))
  }

  @Test func closedStreams() throws {
    let mute = try Program.shell(
      "$scaleaudio -f 1.5 --json --overwrite in.wav <&- >&- 2>&-", in: folder.path)
    #expect(mute.status == 1)
    #expect(try folder.bytes("in-x1.5.wav") == expected)
    let deaf = try Program.shell("$scaleaudio -f 1.5 - -o out.wav <&-", in: folder.path)
    #expect(deaf.status == 1)
    #expect(!folder.exists("out.wav"))
    let dumb = try Program.shell("$scaleaudio -f 1.5 in.wav -o - >&-", in: folder.path)
    #expect(dumb.status == 1)
  }

  @Test func aReaderThatLeaves() throws {
    try folder.write("long.wav", Sound.long)
    let run = try Program.shell(
      "$scaleaudio -f 1 long.wav -o - | head -c 10 > /dev/null; echo ${PIPESTATUS[0]}",
      in: folder.path)
    #expect(run.outputText == "141\n")
    #expect(run.errorText == "")
    let list = try Program.shell(
      "$scaleaudio info long.wav long.wav | head -c 1 > /dev/null; echo ${PIPESTATUS[0]}",
      in: folder.path)
    #expect(list.errorText == "" && ["0\n", "141\n"].contains(list.outputText))
  }
}
