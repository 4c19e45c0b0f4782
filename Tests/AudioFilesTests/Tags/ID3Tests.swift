import AudioModel
import SystemPackage
import TestSupport
import Testing

@testable import AudioIO

/// ID3v2 before MP3 and in the chunks of WAV and AIFF, frame by frame.
@Suite("ID3v2")
struct ID3Tests {
  private static let frames = #"""
    def frames(add):
        add(TIT2(encoding=3, text='T')); add(TPE1(encoding=1, text=['Ä', 'ж'])); add(TPE2(encoding=3, text='AA'))
        add(TALB(encoding=3, text='A')); add(TRCK(encoding=3, text='03/12')); add(TPOS(encoding=0, text='1'))
        add(TDRC(text='2001-02-03 04:05:06')); add(TDOR(text='1999')); add(TCON(encoding=3, text=['Rock', 'Own']))
        add(TXXX(encoding=3, desc='mixedCase', text=['a', 'b'])); add(TXXX(encoding=3, desc='Поле', text='ж'))
        add(TXXX(encoding=3, desc='MusicBrainz Album Id', text='id'))
        add(COMM(encoding=3, lang='eng', desc='', text='c1')); add(COMM(encoding=3, lang='deu', desc='', text='c2'))
        add(COMM(encoding=3, lang='XXX', desc='what: it is', text='c3'))
        add(USLT(encoding=3, lang='fra', desc='d', text='l\nl')); add(POPM(email='', rating=1, count=0))
        add(POPM(email='a@b', rating=255, count=70000)); add(WOAR(url='http://a')); add(WOAR(url='http://b'))
        add(WCOM(url='http://c')); add(WXXX(encoding=3, desc='ж', url='http://d')); add(WXXX(encoding=3, desc='', url='http://e'))
        add(UFID(owner='http://musicbrainz.org', data=b'12')); add(UFID(owner='o', data=b'34'))
        add(TIPL(encoding=3, people=[['producer', 'P'], ['vocals', 'V'], ['mix', 'M']]))
        add(TMCL(encoding=3, people=[['guitar', 'G'], ['bass', 'B']])); add(TCMP(encoding=3, text='1'))
        add(TSSE(encoding=3, text='enc')); add(TENC(encoding=3, text='by')); add(TLEN(text='100'))
        add(TSOP(encoding=3, text='s')); add(TKEY(encoding=3, text='Am')); add(TDTG(text='2020'))
        add(MVNM(encoding=3, text='mv')); add(GRP1(encoding=3, text='grp')); add(TZZZ(3, ['own']) if 'TZZZ' in globals() else TRSN(encoding=3, text='r'))
        add(SYLT(encoding=3, lang='eng', format=2, type=1, desc='w', text=[('one', 10), ('two 🎵', 90)]))
        add(APIC(encoding=3, mime='image/png', type=3, desc='d 🎵', data=data('red.png')))
        add(CHAP(element_id='chp0', start_time=0, end_time=70, start_offset=0xffffffff, end_offset=0xffffffff, sub_frames=[
            TIT2(encoding=3, text='Eins 🎵'), WXXX(encoding=3, desc='', url='http://c.example')]))
        add(CHAP(element_id='chp1', start_time=70, end_time=100, start_offset=0xffffffff, end_offset=0xffffffff, sub_frames=[
            TIT2(encoding=3, text='CHAPTER two'), APIC(encoding=3, mime='image/png', type=3, desc='', data=data('red.png'))]))
        add(CTOC(element_id='toc', flags=CTOCFlags.TOP_LEVEL | CTOCFlags.ORDERED, child_element_ids=['chp0', 'chp1'], sub_frames=[]))

    def fill(name, version):
        f = mutagen.File(name)
        if f.tags is None: f.add_tags()
        frames(f.tags.add)
        if version == 3: f.tags.update_to_v23()
        f.save(v2_version=version)

    def contents(name):
        import re
        return {key: re.sub(r'encoding=<[^>]*>', '', repr(f)) for key, f in mutagen.File(name).tags.items()}

    def differences(a, b):
        a, b = contents(a), contents(b)
        return ['%s: %s | %s' % (k, a.get(k), b.get(k)) for k in sorted(set(a) | set(b)) if a.get(k) != b.get(k)]


    """#

  /// The frames that went in come out again.
  @Test(arguments: ["mp3", "wav", "aiff"])
  func everyFrameComesBack(kind: String) throws {
    let fixture = try AudioFixture()
    let tagger = Tagger(fixture: fixture)
    try tagger.makePictures()
    try fixture.write(
      "x.\(kind)", Signal.tones(frames: 4800, channels: 1), as: kind, layout: .mono)
    try tagger.python(Self.frames + "fill('x.\(kind)', 4)")
    let source = try fixture.read("x.\(kind)").source
    #expect(source.notCarried.map(\.text) == [])
    #expect(source.warnings.map(\.text) == [])
    try fixture.write(
      "y.\(kind)", Signal.tones(frames: 4800, channels: 1), as: kind, layout: .mono,
      metadata: source.metadata)
    #expect(
      try tagger.python(Self.frames + "print(differences('x.\(kind)', 'y.\(kind)'))") == "[]\n")
  }

  /// Version 2.3 is read, and its parts of a date are put together.
  @Test func version3BecomesVersion4() throws {
    let fixture = try AudioFixture()
    let tagger = Tagger(fixture: fixture)
    try tagger.makePictures()
    try fixture.write("x.mp3", Signal.tones(frames: 4800, channels: 1), as: "mp3", layout: .mono)
    try tagger.python(Self.frames + "fill('x.mp3', 3)")
    #expect(try fixture.bytes("x.mp3")[3] == 3)
    let read = try fixture.read("x.mp3").source.metadata
    #expect(read.values("TITLE") == ["T"])
    #expect(read.values("DATE") == ["2001-02-03T04:05"])
    #expect(read.values("PERFORMER:guitar") + read.values("INVOLVEDPEOPLE:guitar") == ["G"])
    // mutagen sorts its frames.
    let remarks = read.comments.filter { $0.name == "COMMENT" }.sorted { $0.value < $1.value }
    #expect(remarks.map(\.value) == ["c1", "c2"])
    #expect(remarks.map(\.language) == ["eng", "deu"])
    #expect(read.chapters.map(\.title) == ["Eins 🎵", "CHAPTER two"])
    #expect(read.pictures.count == 1)
  }

  /// Other programs write a year in the frames of two versions, and a comment in two invalid languages.
  @Test func equalValuesCollapse() throws {
    func frame(_ id: String, _ content: [UInt8]) -> [UInt8] {
      Array(id.utf8) + [0, 0, 0, UInt8(content.count), 0, 0] + content
    }
    let fixture = try AudioFixture()
    let quality = Array("Quality music".utf8)
    let body =
      frame("TYER", [0] + Array("2023".utf8)) + frame("TDRC", [0] + Array("2023".utf8))
      + frame("COMM", [0, 0, 0, 0, 0] + quality)
      + frame("COMM", [0] + Array("XXX".utf8) + [0] + quality)
      + frame("COMM", [0] + Array("eng".utf8) + [0] + quality)
    try fixture.write("a.mp3", Signal.tones(frames: 4800, channels: 1), as: "mp3", layout: .mono)
    let size = [21, 14, 7, 0].map { UInt8(body.count >> $0 & 0x7F) }
    try fixture.put(
      "x.mp3", Array("ID3".utf8) + [3, 0, 0] + size + body + fixture.bytes("a.mp3"))
    let read = try fixture.read("x.mp3").source.metadata
    #expect(read.values("DATE") == ["2023"])
    let remarks = read.comments.filter { $0.name == "COMMENT" }
    #expect(remarks.map(\.value) == ["Quality music", "Quality music"])
    #expect(remarks.map(\.language) == [nil, "eng"])
  }

  /// Version 2.2 has names of three letters, and pictures with a format instead of a MIME type.
  @Test func version2IsRead() throws {
    func frame(_ id: String, _ content: [UInt8]) -> [UInt8] {
      Array(id.utf8) + [0, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
    }
    let fixture = try AudioFixture()
    try Tagger(fixture: fixture).makePictures()
    let picture = try fixture.bytes("blue.jpg")
    let body =
      frame("TT2", [0] + Array("Title".utf8)) + frame("TP1", [1, 0xFF, 0xFE, 0x36, 0x04])
      + frame("TYE", [0] + Array("1998".utf8))
      // The picture claims to be PNG and is JPEG.
      + frame("PIC", [0] + Array("PNG".utf8) + [4] + Array("back".utf8) + [0] + picture)
      + frame("COM", [0] + Array("eng".utf8) + [0] + Array("words".utf8))
      // A short frame that ends with the tag.
      + frame("TRK", [0] + Array("7".utf8))
    try fixture.write("a.mp3", Signal.tones(frames: 4800, channels: 1), as: "mp3", layout: .mono)
    let size = [21, 14, 7, 0].map { UInt8(body.count >> $0 & 0x7F) }
    try fixture.put(
      "x.mp3", Array("ID3".utf8) + [2, 0, 0] + size + body + fixture.bytes("a.mp3"))
    let read = try fixture.read("x.mp3").source.metadata
    #expect(read.values("TITLE") == ["Title"])
    #expect(read.values("ARTIST") == ["ж"])
    #expect(read.values("DATE") == ["1998"])
    #expect(read.values("COMMENT") == ["words"])
    #expect(read.values("TRACKNUMBER") == ["7"])
    #expect(
      read.pictures == [
        Metadata.Picture(
          type: 4, mimeType: "image/jpeg", description: "back", width: 64, height: 48, depth: 24,
          colors: 0, data: picture)
      ])
  }

  @Test func timesAreFrames() throws {
    let fixture = try AudioFixture()
    let tagger = Tagger(fixture: fixture)
    try tagger.makePictures()
    try fixture.write("x.mp3", Signal.tones(frames: 4800, channels: 1), as: "mp3", layout: .mono)
    try tagger.python(Self.frames + "fill('x.mp3', 4)")
    let read = try fixture.read("x.mp3").source.metadata
    #expect(read.chapters.map(\.start) == [0, 70 * 48])
    #expect(read.chapters.map(\.end) == [70 * 48, 100 * 48])
    #expect(read.chapters[0].address == "http://c.example")
    #expect(read.chapters[1].picture?.mimeType == "image/png")
    #expect(read.syncedLyrics.first?.lines.map(\.start) == [480, 4320])
    // Times may count MPEG frames instead: 1152 frames each here.
    try tagger.python(
      "f = mutagen.File('x.mp3'); f.tags.setall('SYLT', [SYLT(encoding=3, lang='eng', format=1, "
        + "type=1, desc='', text=[('one', 2)])]); f.save()")
    let counted = try fixture.read("x.mp3").source.metadata.syncedLyrics
    #expect(counted.first?.lines.map(\.start) == [2304])
  }

  /// A chapter outside the table of contents stays outside, and other forms leave it out.
  @Test func hiddenChaptersStayHidden() throws {
    let fixture = try AudioFixture()
    try fixture.write(
      "in.mp3", Signal.tones(frames: 48_000, channels: 1), as: "mp3", layout: .mono)
    let fill = """
      from mutagen.id3 import *
      from mutagen.id3 import CHAP, CTOC, TIT2
      t = ID3()
      for i in range(3):
          t.add(CHAP(element_id='c%d' % i, start_time=300 * i, end_time=300 * i + 300, start_offset=0xffffffff,
              end_offset=0xffffffff, sub_frames=[TIT2(encoding=3, text=str(i))]))
      t.add(CTOC(element_id='toc', flags=3, child_element_ids=['c0', 'c2'], sub_frames=[]))
      t.save('in.mp3')
      """
    try fixture.run("python3", "-c", fill)
    let read = try fixture.read("in.mp3").source.metadata
    #expect(read.chapters.map(\.isHidden) == [false, true, false])
    try fixture.write(
      "out.mp3", Signal.tones(frames: 48_000, channels: 1), as: "mp3", layout: .mono,
      metadata: read)
    let list =
      "from mutagen.id3 import ID3; t = ID3('out.mp3'); "
      + "print(len(t.getall('CHAP')), t.getall('CTOC')[0].child_element_ids)"
    #expect(try fixture.run("python3", "-c", list).outputText == "3 ['c0', 'c2']\n")
    for support in [[.chapters], [.chapterComments], [.marks]] as [TimeMarkSupport] {
      let arranged = read.arranged(for: support, sampleRate: 48_000)
      #expect(arranged.lost.contains(MetadataLoss(.chapter, "hidden chapters")))
      let titles =
        arranged.metadata.chapters.map(\.title) + arranged.metadata.marks.map(\.label)
        + arranged.metadata.comments.filter { $0.name.hasSuffix("NAME") }.map(\.value)
      #expect(titles == ["0", "2"])
    }
  }

  /// More than 255 chapters do not fit one table of contents.
  @Test func manyChaptersAreWritten() throws {
    let fixture = try AudioFixture()
    var metadata = Metadata()
    metadata.chapters = (0..<600).map { Metadata.Chapter(start: Double($0 * 48), title: "\($0)") }
    try fixture.write(
      "x.mp3", Signal.tones(frames: 48000, channels: 1), as: "mp3", layout: .mono,
      metadata: metadata)
    let probe = try fixture.run(
      "ffprobe", "-v", "error", "-show_entries", "chapter=start,end:chapter_tags=title", "-of",
      "csv=p=0", "x.mp3"
    ).outputText.split(separator: "\n")
    #expect(probe.count == 600)
    #expect(probe[599] == "599,1000,599")
    #expect(probe[0] == "0,1,0")
    let tables = try Tagger(fixture: fixture).python(
      "print(sorted((t.element_id, len(t.child_element_ids), int(t.flags)) "
        + "for t in mutagen.File('x.mp3').tags.getall('CTOC')))")
    #expect(tables == "[('toc', 3, 3), ('toc1', 255, 1), ('toc2', 255, 1), ('toc3', 90, 1)]\n")
  }

  /// An APE tag and ID3v1 after the audio have what ID3v2 lacks.
  @Test func tagsAfterTheAudioAreRead() throws {
    let fixture = try AudioFixture()
    let tagger = Tagger(fixture: fixture)
    try tagger.makePictures()
    try fixture.run(
      "sox", "-R", "-n", "-r", "48000", "-c", "1", "x.wav", "synth", "0.1", "pinknoise")
    try fixture.run(
      "lame", "--quiet", "--id3v1-only", "--tt", "Old", "--tg", "17", "--tn", "5", "x.wav", "x.mp3")
    try tagger.python(
      """
      from mutagen.apev2 import APEv2, APEValue, BINARY
      version1 = data('x.mp3')[-128:]
      t = APEv2()
      t['Artist'] = ['Ä', 'ж']; t['Track'] = '7/9'; t['Year'] = '1990'; t['MP3GAIN_MINMAX'] = '1,2'
      t['Cover Art (Front)'] = APEValue(b'name.png\\0' + data('red.png'), BINARY)
      t['Blob'] = APEValue(b'123', BINARY)
      t.save('x.mp3')
      whole = data('x.mp3')
      if whole[-128:] != version1: open('x.mp3', 'ab').write(version1)
      """)
    let read = try fixture.read("x.mp3").source
    #expect(read.metadata.values("ARTIST") == ["Ä", "ж"])
    #expect(read.metadata.values("TRACKNUMBER") == ["7"])
    #expect(read.metadata.values("TRACKTOTAL") == ["9"])
    #expect(read.metadata.values("DATE") == ["1990"])
    #expect(read.metadata.values("TITLE") == ["Old"])
    #expect(read.metadata.values("GENRE") == ["Rock"])
    #expect(read.metadata.pictures.map(\.type) == [3])
    #expect(read.metadata.pictures.map(\.data) == [try fixture.bytes("red.png")])
    #expect(read.notCarried.map(\.text) == ["tag Blob", "TRACKNUMBER of ID3v1"])
  }

  @Test func id3BeforeFLACIsRead() throws {
    let fixture = try AudioFixture()
    let tagger = Tagger(fixture: fixture)
    try fixture.write(
      "a.flac", Signal.tones(frames: 4800, channels: 1), as: "flac", layout: .mono,
      metadata: Metadata(comments: [.init(name: "TITLE", value: "own")]))
    try tagger.python(
      "t = mutagen.id3.ID3(); t.add(TIT2(encoding=3, text='other')); "
        + "t.add(TPE1(encoding=3, text='more')); t.save('tag')")
    try fixture.put("x.flac", fixture.bytes("tag") + fixture.bytes("a.flac"))
    let read = try fixture.read("x.flac").source.metadata
    #expect(read.values("TITLE") == ["own"])
    #expect(read.values("ARTIST") == ["more"])
  }
}
