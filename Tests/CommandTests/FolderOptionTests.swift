import ScaleAudio
import TestSupport
import Testing

@Suite("Folders and lists on the command line", .tags(.threaded))
struct FolderOptionTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("Music/b.flac", Sound.flac)
    try folder.write("Music/a.wav", Sound.wav)
    try folder.write("Music/deep/er/c.WAV", Sound.wav)
    try folder.write("Music/deep/noext", Sound.flac)
    try folder.write("Music/readme.txt", Array("no audio here".utf8))
    try folder.write("Music/.hidden.wav", Sound.wav)
    try folder.write("Music/.git/d.wav", Sound.wav)
  }

  /// The inputs of a dry run.
  private func planned(_ arguments: String...) throws -> [String] {
    let run = try Tool.run(Program.path, ["-n", "-f", "1"] + arguments, in: folder.path)
    #expect(run.status == 0 || run.status == 66, "\(run.errorText)")
    return run.outputText.split(separator: "\n").map {
      String($0.prefix(upTo: $0.range(of: " -> ")?.lowerBound ?? $0.endIndex))
    }
  }

  @Test func dotIsNamedByItsRealName() throws {
    try Program.run("-f", "2", ".", in: folder.file("Music/deep")).succeeded()
    #expect(folder.exists("Music/deep-x2/er/c.WAV"))
    #expect(folder.exists("Music/deep-x2/noext.flac"))
  }

  @Test func optionsChoose() throws {
    #expect(try planned("Music", "--no-recursive") == ["Music/a.wav", "Music/b.flac"])
    #expect(
      try planned("Music", "--include", "*.wav", "--include", "*.[fF]lac", "--exclude", "b*")
        == ["Music/a.wav"])
    try Program.shell("cd Music && ln -s nowhere dead.wav", in: folder.path).succeeded()
    let run = try Program.run("-n", "-f", "1", "--follow-symlinks", "Music", in: folder.path)
    #expect(run.status == 1)
    #expect(run.errorText.contains("Music/dead.wav"))
  }

  @Test func namesAreBytes() throws {
    try Program.shell(
      #"""
      mkdir odd && cd odd
      for name in 'a b' $'new\nline' $'e\xcc\x81' $'\xc3\xa9' $'bad\xff\xfe' $'\xf4\x8f\xba\x80' $'esc\e[31m'; do
        cp ../Music/a.wav "$name.wav"
      done
      """#, in: folder.path
    ).succeeded()
    let whole = try Program.run("-f", "1", "odd", in: folder.path).succeeded()
    #expect(!whole.errors.contains(0x1B))
    try Program.shell(
      #"diff <(cd odd; ls | od -c) <(cd odd-x1; ls | od -c)"#, in: folder.path
    ).succeeded()
    try Program.shell(
      #"$scaleaudio -f 2 odd/*.wav && ls odd/*-x2.wav | od -c | head -1; ls odd | grep -c x2"#,
      in: folder.path
    ).succeeded()
    #expect(
      try Program.shell("ls odd/bad*-x2.wav -b", in: folder.path).outputText.contains(
        #"bad\377\376-x2.wav"#))
    #expect(try Program.run("-f", "1", "--resume", "odd", in: folder.path).status == 0)
  }

  @Test func pathsFromAFile() throws {
    let list = Array("Music/a.wav\n\nMusic/b.flac\n".utf8)
    try folder.write("list", list)
    let lines = try Program.run("-n", "-f", "1", "--files-from", "list", in: folder.path)
    // The format and the length follow.
    let names = lines.outputText.split(separator: "\n").map { line in
      line.firstRange(of: "  ").map { String(line[..<$0.lowerBound]) }
    }
    #expect(names == ["Music/a.wav -> Music/a-x1.wav", "Music/b.flac -> Music/b-x1.flac"])
    let piped = try Program.run(
      "-n", "-f", "1", "--files-from", "-", in: folder.path, input: list)
    #expect(piped.output == lines.output)
    let nulls = try Program.run(
      "-n", "-f", "1", "--files-from", "-", "-0", in: folder.path,
      input: Array("Music/a.wav\0Music/b.flac\0".utf8))
    #expect(nulls.output == lines.output)
    #expect(try Program.run("-f", "1", "--files-from", "none", in: folder.path).status == 66)
  }

  /// One path, several or none: `-o` is a folder, and the status is that of the files.
  @Test func theLengthOfAListChangesNothing() throws {
    for (list, status) in [("", 0), ("Music/a.wav\n", 0), ("Music/a.wav\nMusic/b.flac\n", 0)] {
      try folder.write("list", Array(list.utf8))
      let run = try Program.run(
        "-f", "1.5", "--overwrite", "--files-from", "list", "-o", "out", in: folder.path)
      #expect(run.status == status, "\(list): \(run.errorText)")
    }
    #expect(folder.exists("out/a-x1.5.wav") && folder.exists("out/b-x1.5.flac"))
    for list in ["none.wav\n", "none.wav\nMusic/a.wav\n"] {
      try folder.write("list", Array(list.utf8))
      for command in [["-f", "1.5", "--overwrite", "-o", "out"], ["info"]] {
        let run = try Tool.run(
          Program.path, command + ["--files-from", "list"], in: folder.path)
        #expect(run.status == 1, "\(list) \(command): \(run.errorText)")
      }
    }
  }

  @Test func foldersBelowABaseAreKept() throws {
    try folder.write("two/deep/u.wav", Sound.wav)
    let list = Array("Music/a.wav\ntwo/deep/u.wav\n".utf8)
    try Program.run(
      "-f", "1.5", "--files-from", "-", "--base", ".", "-o", "out", in: folder.path, input: list
    ).succeeded()
    #expect(folder.exists("out/Music/a.wav") && folder.exists("out/two/deep/u.wav"))
    let outside = try Program.run(
      "-f", "1.5", "--base", "two", "Music/a.wav", "-o", "out", in: folder.path)
    #expect(outside.status == 64)
    #expect(outside.errorText.contains("Music/a.wav: not inside two"), "\(outside.errorText)")
  }

  @Test func unreadableFoldersAreErrorsAndTheRestIsDone() throws {
    try folder.write("Music/locked/x.wav", Sound.wav)
    // Root may read everything, so another user runs this one.
    let run = try Program.shell(
      """
      chmod 000 Music/locked; chmod 777 .
      if [ "$(id -u)" = 0 ]; then
        dir=$(mktemp -d) && chmod 755 "$dir" && cp "$scaleaudio" "$dir/scaleaudio"
        setpriv --reuid=65534 --regid=65534 --clear-groups "$dir/scaleaudio" -f 1 Music
        status=$?; rm -r "$dir"; exit $status
      else
        "$scaleaudio" -f 1 Music
      fi
      """, in: folder.path)
    _ = try Program.shell("chmod 755 Music/locked", in: folder.path)
    #expect(run.status == 1, "\(run.errorText)")
    #expect(run.errorText.contains("Music/locked"))
    #expect(run.errorText.lowercased().contains("permission denied"))
    #expect(folder.exists("Music-x1/deep/er/c.WAV"))
  }

  @Test func nothingFound() throws {
    try folder.write("empty/readme.txt", [])
    #expect(try Program.run("-f", "1", "empty", in: folder.path).status == 66)
    #expect(try Program.run("-f", "1", "missing.wav", "gone", in: folder.path).status == 66)
    #expect(try Program.run("-f", "1", "missing.wav", "Music/a.wav", in: folder.path).status == 1)
    #expect(!folder.exists("empty-x1"))
  }
}
