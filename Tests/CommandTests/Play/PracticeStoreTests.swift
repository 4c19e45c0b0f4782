import AudioFiles
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
    return try AudioIdentity(of: AudioFile.listeningReader(for: input).0) { false }
  }

  private static var notes: PracticeNotes {
    var notes = PracticeNotes(name: "a.wav")
    notes.marks = [.init(start: 61.5, title: "solo")]
    notes.loops = [.init(start: 1.25, end: 2, title: "the \"hard\"\tbar")]
    (notes.speed, notes.semitones) = (0.75, -2)
    return notes
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
    try store.store(PracticeNotes(name: "a.wav"), identity)
    #expect(store.stored(identity) == .nothing)
    try store.store(Self.notes, identity)
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
    try store.store(PracticeNotes(name: "a.wav"), identity)
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
    try store.store(Self.notes, identity)
    let path = store.path(of: identity)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path.string))
    #expect(store.stored(identity) == .unusable(path, isLater: isLater))
    try store.store(Self.notes, identity)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path.string)) == Data(text.utf8))
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
