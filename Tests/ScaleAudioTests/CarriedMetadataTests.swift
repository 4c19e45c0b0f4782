import ScaleAudio
import TestSupport
import Testing

@Suite("Reported metadata loss")
struct CarriedMetadataTests {
  /// Marks have the titles of chapters, comments their addresses too, and only ID3v2 their pictures.
  @Test(
    arguments: [
      ("mp3", []), ("flac", ["pictures of chapters"]),
      ("wav", ["pictures of chapters", "addresses of chapters"]),
      ("caf", ["pictures of chapters", "addresses of chapters"]),
    ] as [(String, [String])])
  func partsOfChaptersAreNamed(kind: String, lost: [String]) async throws {
    let folder = try TemporaryFolder()
    let code = """
      import subprocess
      from mutagen.mp3 import MP3
      from mutagen.id3 import APIC, CHAP, TIT2, WXXX
      subprocess.run('sox -R -n -r 48000 -c 1 x.wav synth 0.5 noise'.split(), check=True)
      subprocess.run('lame --quiet x.wav x.mp3'.split(), check=True)
      f = MP3('x.mp3'); f.add_tags()
      f.tags.add(CHAP(element_id='c', start_time=0, end_time=500, start_offset=0xffffffff, end_offset=0xffffffff,
          sub_frames=[TIT2(encoding=3, text='One'), WXXX(encoding=3, desc='', url='http://a'),
                      APIC(encoding=3, mime='image/png', type=3, desc='', data=b'\\x89PNG\\r\\n\\x1a\\n')]))
      f.save()
      """
    let made = try Tool.run("python3", ["-c", code], in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
    let report = try await scale(folder.file("x.mp3"), to: folder.file("y.\(kind)"), by: 1.5)
    #expect(report.notCarried.map(\.text) == lost)
  }

  /// The languages of comments go to ID3 only; English is what programs write without being asked.
  @Test(
    arguments: [("mp3", []), ("aiff", []), ("flac", ["languages of tags (deu)"])]
      as [(String, [String])])
  func languagesOfTagsAreNamed(kind: String, lost: [String]) async throws {
    let folder = try TemporaryFolder()
    let code = """
      import subprocess
      from mutagen.mp3 import MP3
      from mutagen.id3 import COMM
      subprocess.run('sox -R -n -r 48000 -c 1 x.wav synth 0.5 noise'.split(), check=True)
      subprocess.run('lame --quiet x.wav x.mp3'.split(), check=True)
      f = MP3('x.mp3'); f.add_tags()
      f.tags.add(COMM(encoding=3, lang='deu', desc='', text='Wort'))
      f.tags.add(COMM(encoding=3, lang='eng', desc='', text='word'))
      f.save()
      """
    let made = try Tool.run("python3", ["-c", code], in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
    let report = try await scale(folder.file("x.mp3"), to: folder.file("y.\(kind)"), by: 1.5)
    #expect(report.notCarried.map(\.text) == lost)
  }

  /// The language of a track stays in MP4, and is a tag elsewhere.
  @Test func theLanguageOfATrackIsATagElsewhere() async throws {
    let folder = try TemporaryFolder()
    let made = try Tool.run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "sine=d=0.5", "-metadata:s:a", "language=deu", "x.m4a"],
      in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
    for (name, said) in [("y.m4a", "stream_tags"), ("y.flac", "format_tags")] {
      let report = try await scale(folder.file("x.m4a"), to: folder.file(name), by: 1.5)
      #expect(report.notCarried.map(\.text) == [])
      let probe = try Tool.run(
        "ffprobe", ["-v", "error", "-show_entries", said, "-of", "csv=p=0", name], in: folder.path)
      #expect(probe.outputText.contains("deu"), "\(name): \(probe.outputText)")
    }
  }

  /// The header of the movie states it, as phones write it; a date in the tags comes first.
  @Test(arguments: [nil, "1999"])
  func theTimeOfTheRecordingBecomesTheDate(date: String?) async throws {
    let folder = try TemporaryFolder()
    let tags = date.map { ["-metadata", "date=\($0)"] } ?? []
    let made = try Tool.run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "sine=d=0.5", "-metadata"]
        + ["creation_time=2020-05-06T07:08:09Z"] + tags + ["x.m4a"], in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
    _ = try await scale(folder.file("x.m4a"), to: folder.file("y.flac"), by: 1.5)
    let said = try Tool.run("metaflac", ["--show-tag=DATE", "y.flac"], in: folder.path)
    #expect(said.outputText == "DATE=\(date ?? "2020-05-06T07:08:09Z")\n")
  }

  /// A tag of this name in a container is not the language of a track, which says nothing by default.
  @Test func aTagOfTheLanguageIsCarried() async throws {
    let folder = try TemporaryFolder()
    let made = try Tool.run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "sine=d=0.5", "-metadata", "language=Deutsch", "x.flv"],
      in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
    _ = try await scale(folder.file("x.flv"), to: folder.file("y.flac"), by: 1.5)
    let said = try Tool.run("metaflac", ["--show-tag=LANGUAGE", "y.flac"], in: folder.path)
    #expect(said.outputText == "LANGUAGE=Deutsch\n")
  }
}
