import Foundation
import TestSupport
import Testing

@testable import AudioModel

/// mutagen, which shares no code with TagLib: it tags files and reports what is in them.
struct Tagger {
  let fixture: AudioFixture

  /// The tags of one file, under names of the test's own.
  struct Said: Decodable, Equatable {
    var title, artist, custom, lyrics, long: [String]
    var rating: String?
    var track: String?
    var pictures: [Picture]

    struct Picture: Decodable, Equatable {
      var type: Int?
      var description, mime: String
      var bytes: Int
    }
  }

  /// Puts the same tags, in each format's own way, into a file.
  func tag(_ name: String) throws { try python("tag('\(name)')") }

  /// The content of files.
  func read(_ names: [String]) throws -> [Said] {
    let list = names.map { "read('\($0)')" }.joined(separator: ",")
    let text = try python("print(json.dumps([\(list)]))")
    return try JSONDecoder().decode([Said].self, from: Data(text.utf8))
  }

  @discardableResult
  func python(_ code: String) throws -> String {
    let run = try Tool.run(
      "python3", ["-"], in: fixture.folder.path, input: Array((Self.script + code).utf8))
    try #require(run.status == 0, "\(run.errorText)")
    return run.outputText
  }

  /// Audio of every format, and three pictures.
  func makeAudio() throws {
    try fixture.run(
      "sox", "-R", "-n", "-r", "48000", "-c", "1", "-b", "16", "x.wav", "synth", "0.1", "pinknoise",
      "vol", "0.4")
    try fixture.run("sox", "x.wav", "x.aiff")
    try fixture.run("flac", "-s", "x.wav")
    try fixture.run("lame", "--quiet", "x.wav", "x.mp3")
    try fixture.run("oggenc", "-Q", "x.wav")
    try fixture.run("opusenc", "--quiet", "x.wav", "x.opus")
    try fixture.run("ffmpeg", "-v", "error", "-i", "x.wav", "x.m4a")
    try makePictures()
  }

  func makePictures() throws {
    for (color, size, name) in [
      ("red", "32x32", "red.png"), ("green", "40x30", "green.png"), ("blue", "64x48", "blue.jpg"),
    ] {
      try fixture.run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=s=\(size):c=\(color):d=1", "-frames:v",
        "1", name)
    }
  }

  private static let script = #"""
    import base64, json, mutagen
    from mutagen.flac import FLAC, Picture
    from mutagen.id3 import CTOCFlags, Frames
    from mutagen.mp4 import MP4, MP4Cover, MP4FreeForm
    from mutagen.oggopus import OggOpus
    from mutagen.oggvorbis import OggVorbis
    globals().update(Frames)

    LONG = 'long 長い ' * 8000
    ARTISTS = ['First', 'שלום עולם', 'Third']
    PICTURES = [(3, 'red.png', 'image/png', 'Front 🎵'), (4, 'green.png', 'image/png', 'Back'),
                (8, 'blue.jpg', 'image/jpeg', 'שלום')]

    def data(name): return open(name, 'rb').read()

    def blocks():
        made = []
        for kind, name, mime, words in PICTURES:
            block = Picture()
            block.type, block.mime, block.desc, block.data = kind, mime, words, data(name)
            made.append(block)
        return made

    def tag(name):
        f = mutagen.File(name)
        if isinstance(f, MP4):
            f['\xa9nam'], f['\xa9ART'], f['\xa9lyr'] = ['Ünï 日本 🎵'], ARTISTS, ['line 1\nline 2']
            f['trkn'] = [(3, 12)]
            for key, values in (('My Field', ['one', 'two']), ('Long', [LONG]),
                                ('RATING:me@example.org', ['0.7686'])):
                f['----:com.apple.iTunes:' + key] = [MP4FreeForm(v.encode()) for v in values]
            f['covr'] = [MP4Cover(data(n), 13 if m == 'image/jpeg' else 14) for _, n, m, _ in PICTURES]
        elif isinstance(f, (FLAC, OggVorbis, OggOpus)):
            f['TITLE'], f['ARTIST'], f['My Field'], f['Long'] = 'Ünï 日本 🎵', ARTISTS, ['one', 'two'], LONG
            f['LYRICS'], f['RATING:me@example.org'] = 'line 1\nline 2', '0.7686'
            f['TRACKNUMBER'], f['TRACKTOTAL'] = '3', '12'
            if isinstance(f, FLAC):
                for block in blocks(): f.add_picture(block)
            else:
                f['metadata_block_picture'] = [base64.b64encode(b.write()).decode() for b in blocks()]
        else:
            if f.tags is None: f.add_tags()
            add = f.tags.add
            add(TIT2(encoding=3, text='Ünï 日本 🎵'))
            add(TPE1(encoding=3, text=ARTISTS))
            add(TXXX(encoding=3, desc='My Field', text=['one', 'two']))
            add(TXXX(encoding=3, desc='Long', text=LONG))
            add(USLT(encoding=3, lang='eng', desc='', text='line 1\nline 2'))
            add(POPM(email='me@example.org', rating=196, count=0))
            add(TRCK(encoding=3, text='3/12'))
            for kind, name, mime, words in PICTURES:
                add(APIC(encoding=3, mime=mime, type=kind, desc=words, data=data(name)))
        f.save()

    def picture(kind, words, mime, bytes):
        return {'type': kind, 'description': words, 'mime': mime, 'bytes': len(bytes)}

    def read(name):
        f = mutagen.File(name)
        t = f.tags
        if isinstance(f, MP4):
            free = lambda key: [v.decode() for v in t.get('----:com.apple.iTunes:' + key, [])]
            pictures = [picture(None, '', 'image/jpeg' if c.imageformat == 13 else 'image/png', c)
                        for c in t.get('covr', [])]
            return dict(title=t['\xa9nam'], artist=t['\xa9ART'], custom=free('My Field'),
                        lyrics=t['\xa9lyr'], long=free('Long'), rating=free('RATING:me@example.org')[0],
                        track='%d/%d' % t['trkn'][0], pictures=pictures)
        if isinstance(f, (FLAC, OggVorbis, OggOpus)):
            found = f.pictures if isinstance(f, FLAC) else [
                Picture(base64.b64decode(v)) for v in t.get('metadata_block_picture', [])]
            return dict(title=t['title'], artist=t['artist'], custom=t['my field'], lyrics=t['lyrics'],
                        long=t['long'], rating=t['rating:me@example.org'][0],
                        track=t['tracknumber'][0] + '/' + t['tracktotal'][0],
                        pictures=[picture(p.type, p.desc, p.mime, p.data) for p in found])
        order = {words: index for index, (_, _, _, words) in enumerate(PICTURES)}
        found = sorted(t.getall('APIC'), key=lambda p: order.get(p.desc, 9))
        return dict(title=t['TIT2'].text, artist=t['TPE1'].text, custom=t['TXXX:My Field'].text,
                    lyrics=[u.text for u in t.getall('USLT')], long=t['TXXX:Long'].text,
                    rating='%.4f' % (t['POPM:me@example.org'].rating / 255), track=str(t['TRCK']),
                    pictures=[picture(int(p.type), p.desc, p.mime, p.data) for p in found])


    """#
}
