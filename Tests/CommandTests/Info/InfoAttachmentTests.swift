import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Tags, pictures, chapters and marks.
@Suite("scaleaudio info: what is attached")
struct InfoAttachmentTests {
  let bench: Workbench

  init() throws { bench = try Workbench() }

  private func tag(_ facts: [String: Any], _ name: String) -> [String] {
    (facts["tags"] as? [[String: Any]] ?? [])
      .filter { $0["name"] as? String == name }.compactMap { $0["value"] as? String }
  }

  @Test func tagsAndPicturesOfFLAC() throws {
    try bench.shell(
      "sox -R -n -r 44100 -c 1 -b 16 x.flac synth 1 sine 440 && "
        + "ffmpeg -v error -f lavfi -i color=red:size=32x24 -frames:v 1 back.png && "
        + "metaflac --remove-all-tags --set-tag='TITLE=Zwei Töne' --set-tag=ARTIST=One "
        + "--set-tag=ARTIST=Two --set-tag=\"LYRICS=first line\nsecond line\" "
        + "--import-picture-from='4||The back||back.png' x.flac")
    let facts = try bench.info("x.flac")
    #expect(tag(facts, "TITLE") == ["Zwei Töne"])
    #expect(tag(facts, "ARTIST") == ["One", "Two"])
    #expect(tag(facts, "LYRICS") == ["first line\nsecond line"])
    let pictures = try #require(facts["pictures"] as? [[String: Any]])
    #expect(pictures.count == 1)
    #expect(pictures[0]["type"] as? Int == 4)
    #expect(pictures[0]["kind"] as? String == "back cover")
    #expect(pictures[0]["mime"] as? String == "image/png")
    #expect(pictures[0]["width"] as? Int == 32)
    #expect(pictures[0]["height"] as? Int == 24)
    #expect(pictures[0]["description"] as? String == "The back")
    #expect(pictures[0]["bytes"] as? Int == (try bench.bytes("back.png")).count)
    let text = try Program.run("info", "x.flac", in: bench.folder.path).outputText
    #expect(text.contains("  Tags         TITLE   Zwei Töne\n"))
    #expect(text.contains("               LYRICS  first line …\n"))
    #expect(text.contains("back cover, 32 x 24, image/png, "))
  }

  /// Chapters that players do not list are marked: by flags of Matroska, and outside ID3's table of contents.
  @Test func hiddenChapters() throws {
    func atom(_ second: Int, _ title: String, _ flag: String = "") -> String {
      "<ChapterAtom><ChapterTimeStart>00:00:0\(second)</ChapterTimeStart>\(flag)<ChapterDisplay>"
        + "<ChapterString>\(title)</ChapterString><ChapterLanguage>eng</ChapterLanguage></ChapterDisplay></ChapterAtom>"
    }
    let xml =
      "<?xml version=\"1.0\"?><Chapters><EditionEntry>" + atom(0, "One")
      + atom(1, "Two", "<ChapterFlagHidden>1</ChapterFlagHidden>")
      + atom(2, "Three", "<ChapterFlagEnabled>0</ChapterFlagEnabled>") + atom(3, "Four")
      + "</EditionEntry></Chapters>"
    try bench.folder.write("c.xml", Array(xml.utf8))
    try bench.shell(
      "sox -R -n -r 44100 -c 1 -b 16 x.wav synth 4 sine 440; mkvmerge -q -o x.mka --chapters c.xml x.wav; sox x.wav x.mp3"
    )
    try bench.run(
      "python3", "-c",
      """
      from mutagen.id3 import CHAP, CTOC, CTOCFlags, ID3, TIT2
      tags = ID3()
      for number, title in enumerate(['One', 'Two', 'Three', 'Four']):
          tags.add(CHAP(element_id=title, start_time=1000 * number, end_time=1000 * number + 1000, sub_frames=[TIT2(3, title)]))
      tags.add(CTOC(element_id='toc', flags=CTOCFlags.TOP_LEVEL, child_element_ids=['One', 'Four'], sub_frames=[]))
      tags.save('x.mp3')
      """)
    for name in ["x.mka", "x.mp3"] {
      let chapters = try #require(try bench.info(name)["chapters"] as? [[String: Any]])
      #expect(chapters.map { $0["title"] as? String } == ["One", "Two", "Three", "Four"])
      #expect(chapters.map { $0["hidden"] as? Bool } == [nil, true, true, nil], "\(name)")
      let text = try Program.run("info", name, in: bench.folder.path).outputText
      #expect(text.contains("Two (hidden)\n") && text.contains("Three (hidden)\n"))
      #expect(text.contains("One\n") && text.contains("Four\n"))
    }
  }

  /// No text in a tag can control a terminal.
  @Test func controlCharacters() throws {
    try bench.shell("sox -R -n -r 44100 -c 1 -b 16 x.flac synth 0.1 sine 440")
    try bench.shell("metaflac --set-tag=$'TITLE=a\\e[31mb' x.flac")
    let text = try Program.run("info", "x.flac", in: bench.folder.path).outputText
    #expect(text.contains("a\\u{1b}[31mb"))
    #expect(!text.contains("\u{1b}"))
  }

  /// However long and wide what is attached, a line stays a line.
  @Test func widths() throws {
    try bench.shell("sox -R -n -r 44100 -c 1 -b 16 x.flac synth 0.1 sine 440")
    let title = String(repeating: "音", count: 500)
    try bench.shell(
      "metaflac --set-tag=TITLE=\(title) --set-tag=ARTIST= --set-tag=A=\(title.prefix(20)) "
        + "--set-tag=A_NAME_OF_A_TAG_THAT_GOES_ON_AND_ON=1 --set-tag=COMMENT=$'\\n one \\ntwo' "
        + "--set-tag=CHAPTER001=00:00:00.050 --set-tag=CHAPTER001NAME=\(title) x.flac")
    let text = try Program.run("info", "x.flac", in: bench.folder.path).outputText
    let name = "A_NAME_OF_A_TAG_THAT_GO…"
    func row(_ name: String, _ value: String) -> String {
      name + String(repeating: " ", count: 26 - name.count) + value + "\n"
    }
    // 100 columns: 15 for labels, 26 for the name, 2 for a mark; 2 for each ideogram.
    #expect(text.contains(row("TITLE", String(repeating: "音", count: 28) + " …")))
    #expect(text.contains(row("ARTIST", "(empty)")))
    #expect(text.contains(row("A", String(title.prefix(20)))))
    #expect(text.contains(row(name, "1")))
    #expect(text.contains(row("COMMENT", " one …")))
    #expect(text.contains("  Chapters     0.050 s  " + String(repeating: "音", count: 37) + " …\n"))
  }

  @Test func marksOfWAV() throws {
    try bench.shell(
      """
      sox -R -n -r 44100 -c 1 -b 16 x.wav synth 2 sine 440 && python3 - <<'END'
      import struct
      cue = struct.pack('<I', 2) + b''.join(
          struct.pack('<II4sIII', n, at, b'data', 0, 0, at) for n, at in ((1, 11025), (2, 44100)))
      label = b'labl' + struct.pack('<I', 4 + 5) + struct.pack('<I', 1) + b'Here\\0' + b'\\0'
      region = b'ltxt' + struct.pack('<I', 20) + struct.pack('<II4sHHHH', 2, 22050, b'rgn ', 0, 0, 0, 0)
      adtl = b'adtl' + label + region
      bytes = bytearray(open('x.wav', 'rb').read())
      bytes += b'cue ' + struct.pack('<I', len(cue)) + cue
      bytes += b'LIST' + struct.pack('<I', len(adtl)) + adtl
      bytes[4:8] = struct.pack('<I', len(bytes) - 8)
      open('x.wav', 'wb').write(bytes)
      END
      """)
    let marks = try #require(try bench.info("x.wav")["marks"] as? [[String: Any]])
    #expect(marks.map { $0["kind"] as? String } == ["mark", "region"])
    #expect(marks.map { $0["startSeconds"] as? Double } == [0.25, 1])
    #expect(marks.map { $0["endSeconds"] as? Double } == [nil, 1.5])
    #expect(marks[0]["label"] as? String == "Here")
    let text = try Program.run("info", "x.wav", in: bench.folder.path).outputText
    #expect(text.contains("  Marks        0.250 s             mark  Here\n"))
    #expect(text.contains("               1.000 s to 1.500 s  region\n"))
  }

  @Test func tracksOfCueSheet() throws {
    try bench.shell(
      """
      sox -R -n -r 44100 -c 2 -b 16 x.flac synth 4 pinknoise
      printf 'FILE "x.flac" FLAC\\n TRACK 01 AUDIO\\n INDEX 01 00:00:00\\n TRACK 02 AUDIO\\n INDEX 01 00:02:00\\n' > x.cue
      metaflac --import-cuesheet-from=x.cue x.flac
      """)
    let marks = try #require(try bench.info("x.flac")["marks"] as? [[String: Any]])
    #expect(marks.map { $0["kind"] as? String } == ["track", "track"])
    #expect(marks.map { $0["startSeconds"] as? Double } == [0, 2])
    #expect(marks.map { $0["label"] as? String } == ["1", "2"])
  }

  #if FFmpeg
    /// As ffprobe reports them; the text lists only the first of many.
    @Test func chaptersOfAudiobook() throws {
      var meta = ";FFMETADATA1\n"
      for index in 0..<20 {
        meta +=
          "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(index * 100)\nEND=\(index * 100 + 100)\n"
          + "title=Chapter \(index + 1)\n"
      }
      try bench.folder.write("meta", Array(meta.utf8))
      try bench.shell(
        "sox -R -n -r 44100 -c 1 -b 16 x.wav synth 2 pinknoise && "
          + "ffmpeg -v error -i x.wav -i meta -map_metadata 1 -map_chapters 1 -c:a aac x.m4b")
      let chapters = try #require(try bench.info("x.m4b")["chapters"] as? [[String: Any]])
      let reported = try bench.shell("ffprobe -v error -show_chapters -of json x.m4b")
      let object = try JSONSerialization.jsonObject(with: Data(reported.output)) as? [String: Any]
      let expected = try #require(object?["chapters"] as? [[String: Any]])
      #expect(chapters.count == 20)
      for (chapter, other) in zip(chapters, expected) {
        let start = try #require(chapter["startSeconds"] as? Double)
        let wanted = try #require(Double(other["start_time"] as? String ?? ""))
        #expect(abs(start - wanted) < 0.0015)
        #expect(chapter["title"] as? String == (other["tags"] as? [String: String])?["title"])
      }
      let text = try Program.run("info", "x.m4b", in: bench.folder.path).outputText
      #expect(text.contains("0.700 s  Chapter 8\n"))
      #expect(!text.contains("Chapter 9"))
      #expect(text.contains("… and 12 more, which --json lists"))
    }
  #endif
}
