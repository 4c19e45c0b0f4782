import Foundation
import ScaleAudio
import TestSupport
import Testing

@Suite("Tags in other containers")
struct TagTests {
  /// Of two ID3 tags the first counts; what only the second has is added, contradictions are reported.
  @Test(arguments: ["mp3", "wav", "aiff"])
  func secondTagsAreReported(format: String) throws {
    let bench = try Workbench()
    try bench.shell(
      """
      sox -R -n -r 44100 -c 1 -b 16 plain.\(format == "mp3" ? "wav" : format) synth 1 sine 440
      lame --quiet plain.wav plain.mp3
      python3 -c '
      import io, struct, sys
      from mutagen.id3 import ID3, TIT2, TPE1, TALB
      def tag(*frames):
          tags, file = ID3(), io.BytesIO()
          for frame in frames: tags.add(frame)
          tags.save(file)
          return file.getvalue()
      first = tag(TIT2(encoding=3, text="one"), TPE1(encoding=3, text="same"))
      second = tag(TIT2(encoding=3, text="two"), TPE1(encoding=3, text="same"), TALB(encoding=3, text="more"))
      data = open("plain." + sys.argv[1], "rb").read()
      if sys.argv[1] == "mp3":
          data = first + second + data
      else:
          name, order = (b"id3 ", "<I") if sys.argv[1] == "wav" else (b"ID3 ", ">I")
          for tag in first, second:
              data += name + struct.pack(order, len(tag)) + tag + bytes(len(tag) % 2)
          data = data[:4] + struct.pack(order, len(data) - 8) + data[8:]
      open("in." + sys.argv[1], "wb").write(data)
      ' \(format)
      """)
    let report = try bench.convert("in.\(format)", to: "out.\(format)", .by(2))
    let reported = report.notCarried.map(\.text).joined(separator: ", ")
    #expect(reported.contains("TITLE of another ID3 tag"), "\(reported)")
    #expect(!reported.contains("ARTIST of") && !reported.contains("ALBUM of"))
    let read = try bench.run(
      "python3", "-c",
      """
      import mutagen, sys
      tags = mutagen.File(sys.argv[1]).tags
      print(tags["TIT2"], tags["TPE1"], tags["TALB"])
      """, "out.\(format)")
    #expect(read.outputText == "one same more\n")
  }
}
