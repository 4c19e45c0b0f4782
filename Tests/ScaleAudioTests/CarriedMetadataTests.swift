import ScaleAudio
import TestSupport
import Testing

@Suite("Reported metadata loss")
struct CarriedMetadataTests {
  /// The losses of a conversion of an MP3 file with these frames, in Python.
  private func notCarried(_ frames: String..., to kind: String) throws -> [String] {
    let bench = try Workbench()
    try bench.shell("sox -R -n -r 48000 -c 1 x.wav synth 0.5 noise && lame --quiet x.wav x.mp3")
    let adding = frames.map { "f.tags.add(\($0))\n" }.joined()
    try bench.run(
      "python3", "-c",
      "from mutagen.mp3 import MP3\nfrom mutagen.id3 import APIC, CHAP, COMM, TIT2, WXXX\nf = MP3('x.mp3'); f.add_tags()\n"
        + adding + "f.save()")
    return try bench.convert("x.mp3", to: "y.\(kind)", .by(1.5)).notCarried.map(\.text)
  }

  /// Marks have the titles of chapters, comments their addresses too, and only ID3v2 their pictures.
  @Test(
    arguments: [
      ("mp3", []), ("flac", ["pictures of chapters"]),
      ("wav", ["pictures of chapters", "addresses of chapters"]),
      ("caf", ["pictures of chapters", "addresses of chapters"]),
    ] as [(String, [String])])
  func partsOfChaptersAreNamed(kind: String, lost: [String]) throws {
    let chapter = #"""
      CHAP(element_id='c', start_time=0, end_time=500, start_offset=0xffffffff, end_offset=0xffffffff,
          sub_frames=[TIT2(encoding=3, text='One'), WXXX(encoding=3, desc='', url='http://a'),
                      APIC(encoding=3, mime='image/png', type=3, desc='', data=b'\x89PNG\r\n\x1a\n')])
      """#
    #expect(try notCarried(chapter, to: kind) == lost)
  }

  /// The languages of comments go to ID3 only; English is what programs write without being asked.
  @Test(
    arguments: [("mp3", []), ("aiff", []), ("flac", ["languages of tags (deu)"])]
      as [(String, [String])])
  func languagesOfTagsAreNamed(kind: String, lost: [String]) throws {
    let german = "COMM(encoding=3, lang='deu', desc='', text='Wort')"
    let english = "COMM(encoding=3, lang='eng', desc='', text='word')"
    #expect(try notCarried(german, english, to: kind) == lost)
  }

  /// The language of a track stays in MP4, and is a tag elsewhere.
  @Test func theLanguageOfATrackIsATagElsewhere() throws {
    let bench = try Workbench()
    try bench.shell("ffmpeg -v error -f lavfi -i sine=d=0.5 -metadata:s:a language=deu x.m4a")
    for (name, said) in [("y.m4a", "stream_tags"), ("y.flac", "format_tags")] {
      let report = try bench.convert("x.m4a", to: name, .by(1.5))
      #expect(report.notCarried == [])
      #expect(try bench.entries(said, of: name).contains("deu"), "\(name)")
    }
  }

  /// The header of the movie states it, as phones write it; a date in the tags comes first.
  @Test(arguments: [nil, "1999"])
  func theTimeOfTheRecordingBecomesTheDate(date: String?) throws {
    let bench = try Workbench()
    let tags = date.map { "-metadata date=\($0)" } ?? ""
    try bench.shell(
      "ffmpeg -v error -f lavfi -i sine=d=0.5 -metadata creation_time=2020-05-06T07:08:09Z \(tags) x.m4a"
    )
    try bench.convert("x.m4a", to: "y.flac", .by(1.5))
    let said = try bench.run("metaflac", "--show-tag=DATE", "y.flac")
    #expect(said.outputText == "DATE=\(date ?? "2020-05-06T07:08:09Z")\n")
  }

  /// A tag of this name in a container is not the language of a track, which says nothing by default.
  @Test func aTagOfTheLanguageIsCarried() throws {
    let bench = try Workbench()
    try bench.shell("ffmpeg -v error -f lavfi -i sine=d=0.5 -metadata language=Deutsch x.flv")
    try bench.convert("x.flv", to: "y.flac", .by(1.5))
    let said = try bench.run("metaflac", "--show-tag=LANGUAGE", "y.flac")
    #expect(said.outputText == "LANGUAGE=Deutsch\n")
  }
}
