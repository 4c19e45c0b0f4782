import AudioIO
import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Marks, loops and settings of files, which stay with their audio.
@Suite struct PracticeStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func identity(_ name: String) throws -> AudioIdentity {
    let input = try ConversionInput.file(folder.file(name)).opened(Cancellation())
    return try AudioIdentity(of: input) { false }
  }

  private static var notes: PracticeNotes {
    var notes = PracticeNotes(name: "a.wav")
    notes.marks = [.init(start: 61.5, title: "solo")]
    notes.loops = [.init(start: 1.25, end: 2, title: "the \"hard\"\tbar")]
    (notes.speed, notes.semitones) = (0.75, -2)
    return notes
  }

  /// A cue sheet has 99 tracks, the first in time, and minutes of three digits; labels have all.
  @Test func cueSheetsEndAtTrack99() {
    var notes = PracticeNotes(name: "a.wav")
    notes.marks = (0..<149).reversed().map { .init(start: Double($0) * 120.5, title: "mark \($0)") }
    notes.loops = [.init(start: 60, end: 61, title: "loop")]
    let lines = notes.cueSheet.split(separator: "\n")
    #expect(lines.filter { $0.contains("TRACK") }.count == 99)
    #expect(lines[4...6] == ["  TRACK 02 AUDIO", "    TITLE \"loop\"", "    INDEX 01 01:00:00"])
    // 97 * 120.5 s = 194 min 48.5 s; half a second has 37.5 frames.
    #expect(
      lines.suffix(3) == [
        "  TRACK 99 AUDIO", "    TITLE \"mark 97\"", "    INDEX 01 194:48:38",
      ])
    #expect(notes.labels.split(separator: "\n").count == 150)
  }

  /// A file that is moved, tagged or put into another container is the same audio; another cut is not.
  @Test func theIdentityIsThatOfTheAudio() throws {
    try Program.shell(
      """
      sox -n -r 44100 -c 2 -b 16 a.wav synth 30 pinknoise
      mkdir b; cp a.wav "b/other name.wav"
      flac --silent -T TITLE=Tune a.wav -o a.flac
      ffmpeg -v error -i a.wav -metadata title=Tune -c:a libmp3lame a.mp3
      ffmpeg -v error -i a.mp3 -c copy -metadata title=Other -metadata artist=Ann b.mp3
      sox a.wav shorter.wav trim 0 29.9
      sox a.wav later.wav reverse
      """, in: folder.path
    ).succeeded()
    let first = try identity("a.wav")
    #expect(try identity("b/other name.wav") == first)
    #expect(try identity("a.flac") == first)
    #expect(try identity("a.mp3") == identity("b.mp3"))
    #expect(Set(try ["a.wav", "a.mp3", "shorter.wav", "later.wav"].map(identity)).count == 4)
  }

  /// Episodes begin alike; they differ where no frame can be gone to, or the length is not stated, too.
  @Test func episodesDiffer() throws {
    try Program.shell(
      """
      sox -n -r 44100 -b 16 intro.wav synth 15 pinknoise
      for name in one two; do
        sox -n -r 44100 -b 16 rest.wav synth 30 pinknoise
        sox intro.wav rest.wav $name.wav
        ffmpeg -v error -i $name.wav -c:a libmp3lame -q:a 4 -write_xing 0 $name.mp3
        ffmpeg -v error -i $name.wav -c:a libmp3lame -q:a 4 -write_xing 0 -id3v2_version 3 \
          -metadata title=Tagged -write_id3v1 1 tagged-$name.mp3
        ffmpeg -v error -i $name.wav -c:a adpcm_ima_qt $name.aiff
        ffmpeg -v error -i $name.wav -c:a libvorbis $name.ogg
        head -c $(($(stat -c %s $name.ogg) * 9 / 10)) $name.ogg > cut-$name.ogg
      done
      """, in: folder.path
    ).succeeded()
    for name in ["wav", "mp3", "aiff", "ogg"] {
      #expect(try identity("one.\(name)") != identity("two.\(name)"), "\(name)")
      #expect(try identity("one.\(name)") == identity("one.\(name)"), "\(name)")
    }
    #expect(try identity("cut-one.ogg") != identity("cut-two.ogg"))
    #expect(try identity("one.mp3") == identity("tagged-one.mp3"))
  }

  /// Of damaged files, the samples up to the damage count.
  @Test func damagedFilesHaveAnIdentity() throws {
    try Program.shell(
      """
      sox -n -r 44100 -b 16 a.flac synth 60 pinknoise
      head -c 1500000 a.flac > cut.flac
      sox -n -r 44100 -b 16 b.flac synth 60 whitenoise
      head -c 1500000 b.flac > other.flac
      """, in: folder.path
    ).succeeded()
    #expect(try identity("cut.flac") == identity("cut.flac"))
    #expect(try identity("cut.flac") != identity("other.flac"))
  }

  @Test func whatIsKeptIsReadAgain() throws {
    try Program.shell("sox -n -r 8000 a.wav synth 1 sine 300", in: folder.path).succeeded()
    let store = PracticeStore(folder: folder.file("new/state"))
    let identity = try identity("a.wav")
    #expect(store.stored(identity) == .nothing)
    // Nothing begins no file.
    #expect(try store.change(identity, name: "a.wav") { _ in } == .nothing)
    #expect(store.stored(identity) == .nothing)
    #expect(try store.change(identity, name: "a.wav") { $0 = Self.notes } == .notes(Self.notes))
    #expect(store.stored(identity) == .notes(Self.notes))
    let path = store.path(of: identity).string
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    // As another program reads it.
    let read = try Program.shell(
      "python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); print(d[\"version\"], d[\"speed\"], d[\"loops\"][0][\"end\"])' '\(path)'",
      in: folder.path
    ).succeeded()
    #expect(read.outputText == "1 0.75 2\n")
    try store.change(identity, name: "a.wav") { $0 = PracticeNotes(name: "a.wav") }
    #expect(store.stored(identity) == .notes(PracticeNotes(name: "a.wav")))
  }

  /// A file that is damaged or of a later version stays as it is, byte for byte.
  @Test(arguments: [
    (#"{"version": 2, "name": "a", "new": {}}"#, true), ("", false), ("{", false),
    (#"{"version": 1}"#, false), (#"{"version": 0, "name": "a", "marks": [], "loops": []}"#, false),
    (#"{"version": 1, "name": "a", "marks": [{"start": -1, "title": ""}], "loops": []}"#, false),
    (
      #"{"version": 1, "name": "a", "marks": [], "loops": [{"start": 2, "end": 1, "title": ""}]}"#,
      false
    ),
  ])
  func whatCannotBeReadStays(_ text: String, isLater: Bool) throws {
    try Program.shell("sox -n -r 8000 a.wav synth 1 sine 300", in: folder.path).succeeded()
    let store = PracticeStore(folder: folder.file("state"))
    let identity = try identity("a.wav")
    try store.change(identity, name: "a.wav") { $0 = Self.notes }
    let path = store.path(of: identity)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path.string))
    #expect(store.stored(identity) == .unusable(path, isLater: isLater))
    let stored = try store.change(identity, name: "a.wav") { $0 = Self.notes }
    #expect(stored == .unusable(path, isLater: isLater))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path.string)) == Data(text.utf8))
  }

  /// Changes by several programs at once are all kept.
  @Test func changesAddUp() async throws {
    try Program.shell("sox -n -r 8000 a.wav synth 1 sine 300", in: folder.path).succeeded()
    let store = PracticeStore(folder: folder.file("state"))
    let identity = try identity("a.wav")
    try store.change(identity, name: "a.wav") { $0.speed = 0.5 }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for mark in 0..<25 {
            let moment = Double(writer * 25 + mark)
            try store.change(identity, name: "a.wav") {
              $0.marks.append(.init(start: moment, title: ""))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    guard case .notes(let notes) = store.stored(identity) else {
      Issue.record("nothing is stored")
      return
    }
    #expect(notes.marks.map(\.start).sorted() == (0..<100).map(Double.init))
    #expect(notes.speed == 0.5)
  }

  /// Notes that could not be read again are not written.
  @Test func notesThatAreTooLongAreRefused() throws {
    try Program.shell("sox -n -r 8000 a.wav synth 1 sine 300", in: folder.path).succeeded()
    let store = PracticeStore(folder: folder.file("state"))
    let identity = try identity("a.wav")
    try store.change(identity, name: "a.wav") { $0 = Self.notes }
    let long = String(repeating: "x", count: 1 << 22)
    #expect(throws: AudioFileError.self) {
      try store.change(identity, name: "a.wav") { $0.marks[0].title = long }
    }
    #expect(store.stored(identity) == .notes(Self.notes))
  }

  @Test func labelsAndCueSheets() {
    #expect(
      Self.notes.labels == "1.250000\t2.000000\tthe \"hard\" bar\n61.500000\t61.500000\tsolo\n")
    #expect(
      Self.notes.cueSheet == """
        FILE "a.wav" WAVE
          TRACK 01 AUDIO
            TITLE "the 'hard' bar"
            INDEX 01 00:01:19
          TRACK 02 AUDIO
            TITLE "solo"
            INDEX 01 01:01:38

        """)
  }
}
