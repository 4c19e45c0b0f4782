import TestSupport
import Testing

@testable import AudioContainers
@testable import AudioIO
@testable import AudioModel

/// ID3v1 beside ID3v2, as programs write both: 30 bytes without an encoding.
@Suite("ID3v1 beside other tags")
struct ID3v1Tests {
  private let fixture: AudioFixture

  init() throws {
    fixture = try AudioFixture()
    try fixture.run(
      "sox", "-R", "-n", "-r", "44100", "-c", "1", "s.wav", "synth", "0.2", "sine", "440")
  }

  private static let texts = [
    "Song", "abcdefghijklmnopqrstuvwxyz0123", "abcdefghijklmnopqrstuvwxyz01234",
    "A rather long title of a song that has no end", "A title with spaces at thirty  and more",
    "A title of twenty-seven ch   and more", "Größe",
    "Größenwahn für Anfänger und Fortgeschrittene",
    "Песня", "Песня о далёкой Родине, очень длинная", "日本語のとても長い曲名はここで切れるはずです",
    "Song 🎻 it", "Don’t – stop “now”", "trail ", "Ann; Bob", "Łódź", "2 €",
  ]

  private func notCarried(_ name: String) throws -> [String] {
    try TagReader.read(InputFile(path: fixture.path(name)), sampleRate: 44100)
      .notCarried.map(\.text)
  }

  /// Texts that are cut, in another encoding or transliterated say nothing else.
  @Test(arguments: texts)
  func id3v1InOtherEncodingMatches(text: String) throws {
    let comment = "c " + text
    try fixture.run(
      "lame", "--quiet", "--add-id3v2", "--tt", text, "--ta", text, "--tl", text, "--ty", "2020",
      "--tc", comment, "--tn", "3/9", "--tg", "Own genre", "s.wav", "lame.mp3")
    for version in ["3", "4"] {
      try fixture.run(
        "ffmpeg", "-v", "error", "-i", "s.wav", "-write_id3v1", "1", "-id3v2_version", version,
        "-metadata", "title=\(text)", "-metadata", "artist=\(text)", "-metadata", "date=2020-05-06",
        "-metadata", "comment=\(comment)", "-metadata", "track=3/9", "-metadata",
        "genre=Death Metal;Rock", "ffmpeg\(version).mp3")
    }
    try Tagger(fixture: fixture).python(
      """
      import shutil, sys
      for version in 3, 4:
          name = f'mutagen{version}.mp3'
          shutil.copy('lame.mp3', name)
          mutagen.File(name).delete()
          f = mutagen.File(name); f.add_tags()
          text = '''\(text)'''
          f.tags.add(TIT2(encoding=1, text=[text])); f.tags.add(TPE1(encoding=1, text=[text, 'Second']))
          f.tags.add(COMM(encoding=1, lang='deu', desc='d', text='c ' + text))
          f.tags.add(TRCK(encoding=0, text=['3/9'])); f.tags.add(TCON(encoding=0, text=['(17)(4)']))
          if version == 3: f.tags.update_to_v23()
          f.save(v2_version=version, v1=2)
      """)
    for name in ["lame", "ffmpeg3", "ffmpeg4", "mutagen3", "mutagen4"] {
      let bytes = try fixture.bytes("\(name).mp3")
      #expect(bytes.suffix(128).starts(with: Array("TAG".utf8)))
      #expect(try notCarried("\(name).mp3") == [], "\(name)")
    }
    // The described comment, cut, is no comment of its own.
    let tags = try TagReader.read(InputFile(path: fixture.path("mutagen4.mp3")), sampleRate: 44100)
    #expect(tags.metadata.values("COMMENT") == [])
  }

  private func put(
    _ name: String, title: String, artist: String, album: String, year: String, comment: String,
    genre: UInt8, after frames: String
  ) throws {
    try fixture.run("lame", "--quiet", "-t", "s.wav", name)
    try Tagger(fixture: fixture).python(
      "f = mutagen.File('\(name)')\nif f.tags is None: f.add_tags()\n\(frames)\nf.save()")
    func field(_ text: String, _ count: Int) -> [UInt8] {
      (Array(text.utf8) + Array(repeating: 0, count: 30)).prefix(count) + []
    }
    try fixture.put(
      name,
      fixture.bytes(name) + Array("TAG".utf8) + field(title, 30) + field(artist, 30)
        + field(album, 30) + field(year, 4) + field(comment, 28) + [0, 7, genre])
  }

  /// Another text, number, year or genre; a shorter text that was not cut; and what only ID3v1 has.
  @Test func contradictionsAreNamed() throws {
    try put(
      "x.mp3", title: "Song", artist: "Other", album: "Only here", year: "1999", comment: "Grass",
      genre: 17,
      after: """
        f.tags.add(TIT2(encoding=3, text='Song two')); f.tags.add(TPE1(encoding=3, text='Ann'))
        f.tags.add(TDRC(encoding=3, text='2020')); f.tags.add(TRCK(encoding=3, text='3'))
        f.tags.add(COMM(encoding=3, lang='eng', desc='', text='Grüße')); f.tags.add(TCON(encoding=3, text='Jazz'))
        """)
    #expect(
      try notCarried("x.mp3")
        == ["TITLE", "ARTIST", "DATE", "COMMENT", "TRACKNUMBER", "GENRE"]
        .map { "\($0) of ID3v1" })
    let tags = try TagReader.read(InputFile(path: fixture.path("x.mp3")), sampleRate: 44100)
    #expect(tags.metadata.values("ALBUM") == ["Only here"])
    #expect(tags.metadata.values("TITLE") == ["Song two"])
  }

  /// Tags between the audio and ID3v1: APE is read wherever it is, Lyrics3 and the enhanced tag are named.
  @Test func tagsBeforeID3v1AreReadOrNamed() throws {
    try put(
      "x.mp3", title: "Song", artist: "Ann", album: "", year: "", comment: "", genre: 255,
      after: "from mutagen.apev2 import APEv2\na = APEv2(); a['Own'] = 'v'; a.save('x.mp3')")
    let file = try fixture.bytes("x.mp3")
    let lyrics = "LYRICSBEGIN" + "IND0000200" + "INF00004info" + "000033" + "LYRICS200"
    let enhanced = Array("TAG+".utf8) + [UInt8](repeating: 0, count: 223)
    try fixture.put("y.mp3", file.dropLast(128) + Array(lyrics.utf8) + enhanced + file.suffix(128))
    let tags = try TagReader.read(InputFile(path: fixture.path("y.mp3")), sampleRate: 44100)
    #expect(tags.metadata.values("OWN") == ["v"])
    #expect(tags.metadata.values("TITLE") == ["Song"])
    #expect(tags.notCarried.map(\.text) == ["an enhanced ID3v1 tag", "a Lyrics3 tag"])
    let (plain, more) = (try fixture.read("x.mp3").samples, try fixture.read("y.mp3").samples)
    #expect(plain.count == more.count && plain.elementsEqual(more))
  }
}
