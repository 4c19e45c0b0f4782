import AudioFiles
import AudioModel
import PCMFiles
import TestSupport
import Testing

@testable import AudioContainers
@testable import AudioIO

extension AudioFormat.Container {
  /// WAV under another name.
  fileprivate static let renamed = Self(
    "renamed", metadata: .riff, header: RIFFHeader.read, tags: ChunkTags.readRIFF,
    recognizes: { head in head.has("TRYL") && head.has("WAVE", at: 8) })
}

/// A container is its value and a row of the table: no other code has a list of containers.
@Suite("A container that is not in the table")
struct NewContainerTests {
  private let fixture: AudioFixture
  private let samples = Signal.noise(frames: 1000, channels: 2)

  init() throws {
    fixture = try AudioFixture()
    var metadata = Metadata()
    metadata.marks = [Metadata.Mark(id: 1, start: 100, label: "here")]
    metadata.comments = [Metadata.Comment(name: "TITLE", value: "Hello")]
    try fixture.write("a.wav", samples, as: "wav", layout: .stereo, metadata: metadata)
    try fixture.put("a.new", Array("TRYL".utf8) + fixture.bytes("a.wav").dropFirst(4))
  }

  private func row() throws -> AudioFormat {
    let wav = try #require(AudioFormat.named("wav"))
    return AudioFormat(
      id: "renamed", name: "Renamed", extensions: ["new"], container: .renamed,
      library: wav.library, isWritable: false, fallbackID: "wav")
  }

  @Test func signatureIsItsOwn() throws {
    let bytes = try fixture.bytes("a.new")
    let head = AudioFormat.FileHead(bytes: Array(bytes.prefix(64)), fileSize: bytes.count)
    #expect(AudioFormat.Container.renamed.recognizes(head))
    #expect(!AudioFormat.all.contains { $0.container.recognizes(head) })
  }

  @Test func audioTagsAndMarksAreRead() throws {
    let input = try InputFile(path: fixture.path("a.new"))
    let reader = try PCMLibrary.reader(
      for: input, format: try row(), options: ReadingOptions())
    #expect(reader.source.frameCount == 1000)
    #expect(reader.source.metadata.marks.map(\.label) == ["here"])
    #expect(reader.source.metadata.marks.map(\.start) == [100])
    #expect(reader.source.metadata.comments.contains { $0.name == "TITLE" && $0.value == "Hello" })
    var block = [Int16](repeating: 0, count: 2000)
    var span = block.mutableSpan
    #expect(try reader.read(into: &span) == 1000)
    #expect(block == samples)
    #expect(reader.source.format.containerName == "Renamed")
  }

  @Test func truncatedFilesAreRefused() throws {
    try fixture.put("cut.new", try fixture.bytes("a.new").prefix(1000))
    let input = try InputFile(path: fixture.path("cut.new"))
    let row = try row()
    do throws(AudioFileError) {
      _ = try PCMLibrary.reader(for: input, format: row, options: ReadingOptions())
      Issue.record("a truncated file was read")
    } catch {
      guard case .truncated = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test func readOnlyFormatsHoldNothing() throws {
    #expect(try row().holds == [])
    #expect(AudioFormat.named("wav")?.holds == [.tags, .pictures, .marks])
    let chunks: TimeMarkSupport = [
      .instrument, .idleLoops, .loopProperties, .broadcastExtension, .foreignChunks,
    ]
    #expect(AudioFormat.named("oga")?.timeMarks == chunks.union([.chapterComments, .cueSheet]))
    #expect(AudioFormat.named("ogg")?.timeMarks == [.chapterComments])
  }
}
