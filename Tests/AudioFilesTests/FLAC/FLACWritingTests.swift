import AudioModel
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AudioFiles
@testable import AudioIO
@testable import FLACFiles

@Suite("Writing FLAC")
struct FLACWritingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    arguments: [
      (1, 0x4), (2, 0x3), (3, 0x7), (4, 0x33), (5, 0x37), (6, 0x3F), (7, 0x70F), (8, 0x63F),
    ] as [(Int, UInt32)])
  func otherProgramsReadEverySample(channels: Int, mask: UInt32) throws {
    let layout = try #require(ChannelLayout(mask: mask, channelCount: channels))
    let fixture = Fixture.noise(frames: 10_007, channels: channels)
    let samples = fixture.samples.map { Int16($0) }
    for format in ["flac", "oga"] {
      let path = folder.file("out.\(format)")
      try encode(samples, as: .of(format, frames: 10_007, layout: layout), to: path)
      #expect(try Tool.run("flac", ["-st", path.string]).status == 0)
      #expect(try difference(folder.decode(path), samples) == nil)
      #expect(try ffprobe("duration_ts", path) == "10007")
    }
    let path = folder.file("out.flac")
    try Files.write(fixture.raw, to: folder.file("in.raw"))
    let digest = try Tool.run("md5sum", [folder.file("in.raw").string]).outputText.prefix(32)
    #expect(try folder.metaflac(["--show-md5sum"], path) == digest + "\n")
    #expect(try folder.metaflac(["--show-total-samples"], path) == "10007\n")
    // Five and six channels mean two layouts each; the others speak for themselves.
    let hasMask = try folder.metaflac(["--list"], path).contains(FLACLayout.maskField)
    #expect(hasMask == (5...6).contains(channels))
  }

  private func ffprobe(_ entry: String, _ path: FilePath) throws -> String {
    let tool = try Tool.run(
      "ffprobe",
      ["-v", "error", "-show_entries", "stream=\(entry)", "-of", "csv=p=0", path.string])
    #expect(tool.status == 0 && tool.errors.isEmpty, "\(tool.errorText)")
    return tool.outputText.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test(
    arguments: [
      (0x60F, 6, "5.1(side)", "0x060f"), (0x707, 6, "6.0", "0x0707"),
      (0x603, 4, "quad(side)", "0x0603"),
      (0xFF, 8, "7.1(wide-side)", "0x00ff"), (0x103, 3, "3.0(back)", "0x0103"),
      (0x4003, 3, "", "0x4003"),
    ] as [(UInt32, Int, String, String)])
  func otherLayoutsAreWrittenAsMasks(
    mask: UInt32, channels: Int, name: String, text: String
  ) throws {
    let layout = try #require(ChannelLayout(mask: mask, channelCount: channels))
    for format in ["flac", "oga"] {
      let path = folder.file("out.\(format)")
      let samples = [Int16](repeating: 1, count: 100 * channels)
      try encode(samples, as: .of(format, frames: 100, layout: layout), to: path)
      if format == "flac" {
        #expect(
          try folder.metaflac(["--show-tag=\(FLACLayout.maskField)"], path)
            == "\(FLACLayout.maskField)=\(text)\n")
        if !name.isEmpty, mask != 0xFF { #expect(try ffprobe("channel_layout", path) == name) }
      }
      #expect(try Decoded(path).source.spec.layout == layout)
    }
  }

  @Test func unknownLayoutsGetAnEmptyMask() throws {
    let path = folder.file("out.flac")
    try encode(
      [Int16](repeating: 5, count: 60), as: .of("flac", frames: 10, layout: .unspecified(6)),
      to: path)
    #expect(
      try folder.metaflac(["--show-tag=\(FLACLayout.maskField)"], path)
        == "\(FLACLayout.maskField)=0x0000\n")
    #expect(try Decoded(path).source.spec.layout == .unspecified(6))
    try encode(
      [Int16](repeating: 5, count: 20), as: .of("flac", frames: 10, layout: .unspecified(2)),
      to: path)
    #expect(try folder.metaflac(["--show-tag=\(FLACLayout.maskField)"], path) == "")
  }

  @Test func channelsArePutInTheOrderOfTheMask() throws {
    // The order of Vorbis; every speaker carries its number in the mask.
    let layout = VorbisLayout.layout(channelCount: 8)
    let frame = try #require(layout.speakers).map { Int16($0.rawValue) * 100 }
    let path = folder.file("out.flac")
    let samples = (0..<5000).flatMap { _ in frame }
    try encode(samples, as: .of("flac", frames: 5000, layout: layout), to: path)
    let decoded = try folder.decode(path)
    #expect(decoded.count == 40_000)
    // FL FR FC LFE BL BR SL SR
    #expect(
      Set(stride(from: 0, to: 40_000, by: 8).map { Array(decoded[$0..<$0 + 8]) })
        == [[0, 100, 200, 300, 400, 500, 900, 1000]])
  }

  @Test func commentsAndPicturesAreVerbatim() throws {
    let data = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* $0) }
    let comments = [
      ("TITLE", "Zoë"), ("artist", "日本 🎵"), ("Artist", "e\u{301}"), ("EMPTY", ""),
      ("LINES", "one\ntwo"), ("A", "b=c"),
    ].map { Metadata.Comment(name: $0.0, value: $0.1) }
    let picture = Metadata.Picture(
      type: 3, mimeType: "image/x-test", description: "Ünder", width: 640, height: 480, depth: 24,
      colors: 7, data: data)
    let stale = Metadata.Comment(name: "WaveFormatExtensible_Channel_Mask", value: "0x1")
    for format in ["flac", "oga"] {
      let path = folder.file("out.\(format)")
      let warnings = try encode(
        [1, 2, 3, 4],
        as: .of(
          format, frames: 2, layout: .stereo,
          metadata: Metadata(
            comments: comments + [stale, Metadata.Comment(name: "NAMÉ", value: "x")],
            pictures: [picture, Self.icon(size: 32), Self.icon(size: 16), picture])), to: path)
      #expect(
        warnings == [
          "tag NAMÉ",
          "a picture of type 1 (3 bytes)",
        ])
      let source = try Decoded(path).source
      #expect(source.metadata.comments == comments)
      #expect(source.metadata.pictures == [picture, Self.icon(size: 32), picture])
      #expect(source.spec.layout == .stereo)
    }
    let path = folder.file("out.flac")
    let tags = try folder.metaflac(["--no-utf8-convert", "--export-tags-to=-"], path)
    #expect(tags == comments.map { "\($0.name)=\($0.value)\n" }.joined())
    let exported = folder.file("picture")
    _ = try folder.metaflac(["--export-picture-to=\(exported.string)"], path)
    #expect(try Files.read(exported) == data)
    let list = try folder.metaflac(["--list", "--block-type=PICTURE"], path)
    for line in [
      "type: 3 (Cover (front))", "MIME type: image/x-test", "description: Ünder", "width: 640",
      "height: 480", "depth: 24", "colors: 7", "data length: 70000",
    ] {
      #expect(list.contains(line), "\(line)")
    }
  }

  private static func icon(size: UInt32) -> Metadata.Picture {
    Metadata.Picture(
      type: 1, mimeType: "image/png", description: "", width: size, height: size, depth: 24,
      colors: 0, data: [1, 2, 3])
  }

  @Test func seekPointsAreTenSecondsApart() throws {
    let path = folder.file("out.flac")
    let frames = 35 * 8000
    try encode(
      [Int16](repeating: 9, count: frames),
      as: .of("flac", frames: frames, layout: .mono, rate: 8000), to: path)
    let list = try folder.metaflac(["--list", "--block-type=SEEKTABLE"], path)
    let numbers = list.split(separator: "\n").filter { $0.contains("sample_number=") }
      .compactMap { $0.split(separator: "=").dropFirst().first?.split(separator: ",").first }
      .compactMap { Int($0) }
    try #require(numbers.count == 4)
    // A point names the beginning of the frame that holds its sample.
    for (index, number) in numbers.enumerated() {
      #expect(number <= index * 80_000 && index * 80_000 - number < 4608)
    }
    #expect(try folder.metaflac(["--list", "--block-type=PADDING"], path).contains("length: 4096"))
    let rest = folder.file("rest.wav")
    #expect(
      try Tool.run("flac", ["-sd", "--skip=0:25.5", "-o", rest.string, path.string]).status == 0)
    #expect(try Files.read(rest).count == 44 + 2 * (frames - 25 * 8000 - 4000))
  }

  @Test(arguments: [0, 1, 2, 15, 4096])
  func shortFilesAreExact(frames: Int) throws {
    for format in ["flac", "oga"] {
      let path = folder.file("out.\(format)")
      let samples = Fixture.noise(frames: frames, channels: 2).samples.map { Int16($0) }
      try encode(samples, as: .of(format, frames: frames, layout: .stereo), to: path)
      #expect(try Tool.run("flac", ["-st", path.string]).status == 0)
      #expect(try difference(Decoded(path).samples, samples) == nil)
      if frames > 0 { #expect(try difference(folder.decode(path), samples) == nil) }
    }
  }

  @Test func compressionLevelsChangeOnlyTheSize() throws {
    let fixture = Fixture.music(frames: 50_000, channels: 2)
    let samples = fixture.samples.map { Int16($0) }
    var sizes: [Int] = []
    for level in [0, 5, 8] {
      let path = folder.file("\(level).flac")
      try encode(
        samples,
        as: .of(
          "flac", frames: 50_000, layout: .stereo, options: EncodingOptions(compressionLevel: level)
        ),
        to: path)
      #expect(try difference(folder.decode(path), samples) == nil)
      sizes.append(try Files.read(path).count)
    }
    #expect(sizes[0] > sizes[1] && sizes[1] >= sizes[2])
    try encode(samples, as: .of("flac", frames: 50_000, layout: .stereo), to: folder.file("d"))
    #expect(try Files.read(folder.file("d")) == Files.read(folder.file("5.flac")))
  }

  @Test(arguments: [
    EncodingOptions(compressionLevel: 9), EncodingOptions(compressionLevel: -1),
    EncodingOptions(bitRate: 128_000), EncodingOptions(quality: 5),
  ])
  func optionsOfOtherFormatsAreRefused(options: EncodingOptions) throws {
    let output = try OutputFile(path: folder.file("out.flac"))
    let error = #expect(throws: AudioFileError.self) {
      _ = try AudioFile.writer(
        to: output,
        as: .of("flac", frames: 1, layout: .mono, options: options))
    }
    guard case .encoderFailed(_, _, let remedy)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(remedy == .set(.compressionLevel, to: "from 0 to 8"))
    #expect(try folder.names().isEmpty)
  }

  @Test(arguments: [0, 1_048_576, 10_000_000])
  func ratesOutOfRangeAreRefused(rate: Int) throws {
    let output = try OutputFile(path: folder.file("out.flac"))
    let error = #expect(throws: AudioFileError.self) {
      _ = try AudioFile.writer(
        to: output, as: .of("flac", frames: 1, layout: .mono, rate: rate))
    }
    guard case .cannotHold? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [1, 11_025, 65_537, 192_000, 655_351, 1_048_575])
  func unusualRatesAreWritten(rate: Int) throws {
    let path = folder.file("out.flac")
    try encode([1, -2, 3], as: .of("flac", frames: 3, layout: .mono, rate: rate), to: path)
    #expect(try folder.metaflac(["--show-sample-rate"], path) == "\(rate)\n")
    #expect(try difference(folder.decode(path), [1, -2, 3]) == nil)
  }

  @Test func otherLengthsThanAnnouncedAreErrors() throws {
    let path = folder.file("out.flac")
    for count in [9, 11] {
      #expect(throws: AudioFileError.self) {
        try encode(
          [Int16](repeating: 0, count: count), as: .of("flac", frames: 10, layout: .mono), to: path)
      }
      #expect(try folder.names().isEmpty)
    }
  }

  @Test func equalInputGivesEqualBytes() throws {
    let samples = Fixture.noise(frames: 9000, channels: 2).samples.map { Int16($0) }
    for format in ["flac", "oga"] {
      for name in ["a", "b"] {
        try encode(samples, as: .of(format, frames: 9000, layout: .stereo), to: folder.file(name))
      }
      #expect(try Files.read(folder.file("a")) == Files.read(folder.file("b")))
    }
  }
}
