import AudioModel
import SystemPackage
import TestSupport
import Testing

@testable import AudioContainers
@testable import AudioIO

/// MP4, ASF, and text chunks, against the programs that know them.
@Suite("Other tags")
struct OtherTagTests {
  private func read(_ fixture: AudioFixture, _ name: String) throws -> TagContents {
    try TagReader.read(InputFile(path: fixture.path(name)), sampleRate: 48000)
  }

  /// Writes `y.m4a` with metadata that fits into it.
  private func write(_ fixture: AudioFixture, _ metadata: Metadata) throws {
    #expect(MP4Items.notCarried(of: metadata).map(\.text) == [])
    try fixture.write(
      "y.m4a", Signal.tones(frames: 4800, channels: 1), as: "m4a-alac", layout: .mono,
      metadata: metadata)
  }

  private func sound(_ fixture: AudioFixture, _ name: String, _ options: String...) throws {
    try fixture.run(
      "sox", "-R", "-n", "-r", "48000", "-c", "2", "-b", "16", "s.wav", "synth", "0.2", "pinknoise",
      "vol", "0.4")
    let made = try Tool.run(
      "ffmpeg", ["-v", "error", "-i", "s.wav"] + options + [name], in: fixture.folder.path)
    try #require(made.status == 0, "\(made.errorText)")
  }

  /// Tags that AtomicParsley writes and reads.
  @Test func itemsOfITunesComeBack() throws {
    let fixture = try AudioFixture()
    try Tagger(fixture: fixture).makePictures()
    try sound(fixture, "a.m4a")
    try fixture.run(
      "AtomicParsley", "a.m4a", "-o", "x.m4a", "--rDNSatom", "value", "name=Free",
      "domain=com.apple.iTunes", "--title", "Tïtle", "--artist", "Ä", "--albumArtist",
      "AA", "--tracknum", "3/12", "--disk", "1/2", "--year", "2001-02-03", "--genre", "Own",
      "--compilation", "true", "--gapless", "true", "--bpm", "120", "--advisory", "explicit",
      "--stik", "Audiobook", "--lyrics", "l", "--comment", "c", "--copyright", "(c)", "--grouping",
      "g", "--composer", "co", "--description", "d", "--longdesc", "ld", "--encodingTool", "tool",
      "--encodedBy", "by", "--sortOrder", "name", "sort", "--TVShowName", "show", "--TVEpisodeNum",
      "7", "--purchaseDate", "2001-02-03T04:05:06Z", "--cnID", "4000000000", "--artwork", "red.png",
      "--artwork", "blue.jpg")
    let contents = try read(fixture, "x.m4a")
    let metadata = contents.metadata
    #expect(contents.notCarried.map(\.text) == [])
    #expect(metadata.values("TRACKNUMBER") + metadata.values("TRACKTOTAL") == ["3", "12"])
    #expect(metadata.values("ENCODER") == ["tool"])
    #expect(metadata.values("BPM") == ["120"])
    #expect(metadata.values("ITUNESADVISORY") == ["4"])
    #expect(metadata.values("COMPILATION") == ["1"])
    #expect(metadata.values("GAPLESSPLAYBACK") == ["1"])
    #expect(metadata.values("Free") == ["value"])
    #expect(metadata.values("ITUNESCATALOGID") == ["4000000000"])
    #expect(metadata.pictures.map(\.mimeType) == ["image/png", "image/jpeg"])
    try write(fixture, metadata)
    func list(_ name: String) throws -> [Substring] {
      try fixture.run("AtomicParsley", name, "-t").outputText.replacing("\u{FEFF}", with: "")
        .split(separator: "\n").sorted()
    }
    let (written, wanted) = (try list("y.m4a"), try list("x.m4a"))
    #expect(written == wanted)
  }

  /// Items with one meaning: equal values are one, others stay what they are, as mutagen sees it.
  @Test func itemsOfOneMeaningStayApart() throws {
    let fixture = try AudioFixture()
    try sound(fixture, "x.m4a")
    func said(_ name: String, _ change: String = "") throws -> String {
      try fixture.run(
        "python3", "-c",
        """
        from mutagen.mp4 import MP4
        f = MP4('\(name)')
        free = '----:com.apple.iTunes:'
        \(change)
        print(sorted((k, [bytes(v) if k[0] == '-' else v for v in (f[k] if isinstance(f[k], list)
            else [f[k]])]) for k in f if 'too' not in k))
        """
      ).outputText
    }
    let wanted = try said(
      "x.m4a",
      """
      f['soar'] = ['Sort']; f[free + 'ARTISTSORT'] = b'Sort'
      f['cpil'] = True; f[free + 'COMPILATION'] = b'no'
      f[free + 'MusicBrainz Album Release Country'] = b'US'; f[free + 'RELEASECOUNTRY'] = b'GB'
      f[free + 'MusicBrainz Artist Id'] = b'id'; f[free + 'MUSICBRAINZ_ARTISTID'] = b'id'
      f.save()
      del f[free + 'ARTISTSORT']; del f[free + 'MUSICBRAINZ_ARTISTID']
      """)
    let metadata = try read(fixture, "x.m4a").metadata
    #expect(metadata.values("ARTISTSORT") == ["Sort"])
    #expect(metadata.values("COMPILATION") == ["1"])
    #expect(metadata.values("RELEASECOUNTRY") == ["US"])
    #expect(metadata.values("----:com.apple.iTunes:RELEASECOUNTRY") == ["GB"])
    #expect(metadata.values("MUSICBRAINZ_ARTISTID") == ["id"])
    try write(fixture, metadata)
    #expect(try said("y.m4a") == wanted)
  }

  /// A value that an item cannot hold goes into a free one, and nothing is invented.
  @Test func malformedNumbersStayText() throws {
    let fixture = try AudioFixture()
    let metadata = Metadata(comments: [
      .init(name: "TRACKNUMBER", value: "A1"), .init(name: "BPM", value: "85.6"),
      .init(name: "COMPILATION", value: "yes"), .init(name: "RATING", value: "80"),
      .init(name: "ENCODEDBY", value: "by"), .init(name: "a:b:c", value: "colons"),
    ])
    try write(fixture, metadata)
    let tags = try Tagger(fixture: fixture).python(
      "print(sorted((k, v) for k, v in mutagen.File('y.m4a').tags.items() if k != '©too'))")
    #expect(
      tags.contains("('----:com.apple.iTunes:TRACKNUMBER', [MP4FreeForm(b'A1'"), "\(tags)")
    #expect(tags.contains("('----:com.apple.iTunes:COMPILATION', [MP4FreeForm(b'yes'"))
    #expect(tags.contains("('©enc', ['by'])"))
    #expect(tags.contains("('----:com.apple.iTunes:a:b:c', [MP4FreeForm(b'colons'"))
    #expect(tags.contains("('tmpo', [86])"))
    #expect(tags.contains("('rate', ['80'])"))
    #expect(!tags.contains("trkn"))
  }

  @Test func asfIsRead() throws {
    let fixture = try AudioFixture()
    let tagger = Tagger(fixture: fixture)
    try tagger.makePictures()
    try sound(fixture, "x.wma", "-c:a", "wmav2")
    try tagger.python(
      """
      import struct
      from mutagen.asf import ASFByteArrayAttribute
      f = mutagen.File('x.wma')
      f['Rating'] = ['rated']
      f['Title'] = ['Tïtle']; f['Author'] = ['Ä']; f['WM/AlbumTitle'] = ['Al']; f['WM/Genre'] = ['a', 'b']
      f['WM/TrackNumber'] = ['4']; f['Own/Field'] = ['mine']; f['WM/SharedUserRating'] = [75]
      png = data('red.png')
      f['WM/Picture'] = [ASFByteArrayAttribute(struct.pack('<BI', 4, len(png)) + 'image/png\\0'.encode('utf-16-le')
                                               + 'back ж\\0'.encode('utf-16-le') + png)]
      f.save()
      """)
    let contents = try read(fixture, "x.wma")
    #expect(contents.metadata.values("RATING") == ["rated"])
    #expect(contents.metadata.values("TITLE") == ["Tïtle"])
    #expect(contents.metadata.values("ARTIST") == ["Ä"])
    #expect(contents.metadata.values("ALBUM") == ["Al"])
    #expect(contents.metadata.values("GENRE").sorted() == ["a", "b"])
    #expect(contents.metadata.values("TRACKNUMBER") == ["4"])
    #expect(contents.metadata.values("Own/Field") == ["mine"])
    #expect(contents.metadata.values("WM/SharedUserRating") == ["75"])
    #expect(contents.metadata.pictures.map(\.description) == ["back ж"])
    #expect(contents.metadata.pictures.map(\.type) == [4])
    #expect(contents.metadata.pictures.map(\.data) == [try fixture.bytes("red.png")])
  }

  /// A few plain tags need no ID3v2 in WAV; FFmpeg and libsndfile read them.
  @Test(arguments: ["wav", "rf64", "aiff", "caf"])
  func textChunksAreReadByOtherPrograms(kind: String) throws {
    let fixture = try AudioFixture()
    let metadata = Metadata(comments: [
      .init(name: "TITLE", value: "Tïtle"), .init(name: "ARTIST", value: "odd"),
      .init(name: "COPYRIGHT", value: "(c) ж"), .init(name: "COMMENT", value: "words"),
    ])
    try fixture.write(
      "x.\(kind)", Signal.tones(frames: 4801, channels: 1), as: kind, layout: .mono,
      metadata: metadata)
    let tags = try fixture.run(
      "ffprobe", "-v", "error", "-show_entries", "format_tags", "-of", "default=nw=1", "x.\(kind)"
    ).outputText
    for value in ["=Tïtle\n", "=odd\n", "=(c) ж\n", "=words\n"] {
      #expect(tags.contains(value), "\(value) in \(tags)")
    }
    if kind == "wav" { #expect(!(try fixture.bytes("x.wav")).containsText("id3 ")) }
    let info = try fixture.run("sndfile-info", "x.\(kind)").outputText
    #expect(info.contains("Frames      : 4801"))
    #expect(!info.contains("*** "), "\(info)")
    let read = try fixture.read("x.\(kind)").source
    #expect(
      Set(read.metadata.comments.map { "\($0.name)=\($0.value)" })
        == Set(metadata.comments.map { "\($0.name)=\($0.value)" }))
    #expect(read.warnings == [])
    #expect(read.notCarried.map(\.text) == [])
  }

  /// The header counts what was appended, to the byte.
  @Test(arguments: ["wav", "rf64", "aiff"], [1, 2])
  func sizesInHeadersAreRight(kind: String, parity: Int) throws {
    let fixture = try AudioFixture()
    let metadata = Metadata(comments: [
      .init(name: "TITLE", value: String(repeating: "x", count: 100 + parity)),
      .init(name: "OWN", value: "y"),
    ])
    try fixture.write(
      "x.\(kind)", Signal.tones(frames: 4801, channels: 1), as: kind, layout: .mono,
      metadata: metadata)
    let bytes = try fixture.bytes("x.\(kind)")
    let field =
      kind == "rf64" ? Array(bytes[20..<28].reversed()) : Array(bytes[4..<8])
    let reported = (kind == "wav" ? field.reversed() : field).reduce(0) { $0 << 8 | Int($1) }
    #expect(reported == bytes.count - 8)
    #expect(bytes.count % 2 == 0)
    #expect(bytes.containsText(kind == "aiff" ? "ID3 " : "id3 "))
  }

  @Test func infoOfOtherProgramsIsRead() throws {
    let fixture = try AudioFixture()
    try sound(
      fixture, "x.wav", "-metadata", "title=Tïtle", "-metadata", "track=7", "-metadata",
      "IENG=engineer", "-bitexact")
    let read = try fixture.read("x.wav").source.metadata
    #expect(read.values("TITLE") == ["Tïtle"])
    #expect(read.values("TRACKNUMBER") == ["7"])
  }
}

extension [UInt8] {
  fileprivate func containsText(_ text: String) -> Bool {
    let pattern = Array(text.utf8)
    return indices.dropLast(pattern.count - 1).contains { self[$0...].starts(with: pattern) }
  }
}
