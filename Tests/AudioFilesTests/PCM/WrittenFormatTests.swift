import AudioFiles
import AudioModel
import TestSupport
import Testing

@testable import AudioIO
@testable import PCMFiles

/// Every format of PCM that is written, read back by another program.
@Suite("Written PCM", .tags(.packageTraits))
struct WrittenFormatTests {
  static let lossless = ["wav", "wavex", "rf64", "w64", "aiff", "aifc", "caf", "au"]

  @Test(arguments: lossless)
  func losslessFormatKeepsEverySample(id: String) throws {
    let fixture = try AudioFixture()
    let format = try #require(AudioFormat.named(id))
    let samples = Signal.tones(frames: 5003, channels: 2)
    let name = "x.\(format.extensions[0])"
    try fixture.write(name, samples, as: id, layout: .stereo, rate: 44100)
    #expect(try fixture.decodeWithFFmpeg(name) == samples)
    let read = try fixture.read(name)
    #expect(read.samples == samples)
    #expect(read.source.format.id == id)
    #expect(read.source.spec.sampleRate == 44100)
    #expect(read.source.frameCount == 5003)
    #expect(read.source.warnings.map(\.text) == [])
  }

  /// An odd number of bytes has the same length in other programs: padding is not audio.
  @Test(
    arguments: ["wav", "rf64", "w64", "aiff", "aifc", "caf", "au"],
    [SampleFormat.int8, .int24])
  func oddSizesKeepTheirLength(id: String, sampleFormat: SampleFormat) throws {
    let fixture = try AudioFixture()
    let samples = Signal.tones(frames: 4999, channels: 1)
    var metadata = Metadata()
    metadata.comments = [Metadata.Comment(name: "TITLE", value: "odd")]
    try fixture.write(
      "x.\(id)", samples, as: id, layout: .mono, metadata: metadata, sampleFormat: sampleFormat)
    #expect(try fixture.decodeWithFFmpeg("x.\(id)").count == 4999)
    #expect(try fixture.probe("x.\(id)", "duration_ts") == "4999")
    let read = try fixture.read("x.\(id)")
    #expect(read.source.frameCount == 4999)
    #expect(read.samples.count == 4999)
    if id != "au", id != "w64" { #expect(read.source.metadata.values("TITLE") == ["odd"]) }
  }

  @Test func everyLosslessRowIsTested() {
    let tested = Set(Self.lossless)
    let rows = AudioFormat.all.filter {
      $0.isWritable && $0.library.type == PCMLibrary.self && $0.container != .raw
    }
    #expect(Set(rows.map(\.id)) == tested)
  }

  @Test(arguments: ["wav", "rf64", "w64", "aiff", "aifc", "caf", "au"], [1, 2])
  func shortFloatFilesAreExact(id: String, channels: Int) throws {
    let fixture = try AudioFixture()
    for frames in 0...9 {
      let samples = Signal.tones(frames: frames, channels: channels)
      try fixture.write(
        "x.\(id)", samples, as: id, layout: channels == 1 ? .mono : .stereo, sampleFormat: .float32)
      let read = try fixture.read("x.\(id)")
      #expect(read.source.frameCount == frames)
      #expect(read.samples.count == frames * channels)
      // sox reads no RF64, and no AIFF without audio.
      if id == "rf64" || frames == 0 { continue }
      let shown = try fixture.run("soxi", "-s", "x.\(id)").outputText
      #expect(Int(shown.trimmingCharacters(in: .whitespacesAndNewlines)) == frames)
    }
  }

  @Test(arguments: [0, 1, 2, 4095, 4096, 4097])
  func smallLengthsAreExact(frames: Int) throws {
    let fixture = try AudioFixture()
    let samples = Signal.tones(frames: frames, channels: 2)
    for id in ["wav", "w64", "aiff", "aifc", "caf", "au", "rf64"] {
      try fixture.write("x.\(id)", samples, as: id, layout: .stereo)
      #expect(try fixture.read("x.\(id)").samples == samples, "\(id)")
    }
  }

  @Test func missingFramesAreAnError() throws {
    let fixture = try AudioFixture()
    let output = try OutputFile(path: fixture.path("x.wav"))
    let writer = try AudioFile.writer(
      to: output,
      as: OutputDescription(
        spec: AudioSpec(sampleRate: 8000, layout: .mono), frameCount: 100,
        format: try #require(AudioFormat.named("wav")), options: EncodingOptions(),
        metadata: Metadata(), sourceBitRate: nil))
    try writer.write([1, 2, 3].span)
    #expect(throws: AudioFileError.self) { try writer.finish() }
  }

  /// FFmpeg treats a `data` chunk of size 0 as one that extends to the end of the file.
  @Test(arguments: ["wav", "wavex", "rf64", "w64", "aiff", "caf", "au"])
  func filesWithoutAudioAreEmpty(kind: String) throws {
    let fixture = try AudioFixture()
    var metadata = Metadata()
    metadata.comments = [
      .init(name: "TITLE", value: "Nothing"), .init(name: "MOOD", value: "calm"),
    ]
    try fixture.write("x", [] as [Int16], as: kind, layout: .stereo, metadata: metadata)
    let read = try fixture.read("x")
    #expect(read.source.frameCount == 0)
    if ["wav", "wavex"].contains(kind) {
      #expect(read.source.metadata.comments.contains(metadata.comments[0]))
      #expect(try fixture.decodeWithFFmpeg("x") == [])
      let frames = try fixture.run("sndfile-info", "x").outputText
      #expect(frames.contains("Frames      : 0"))
    }
  }
}
