import AudioModel
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AudioContainers
@testable import AudioFiles
@testable import AudioIO

@Suite("Writing Ogg Vorbis")
struct VorbisWritingTests {
  let folder: TemporaryFolder
  let path: FilePath

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("out.ogg")
  }

  private func ogginfo(_ path: FilePath) throws -> String {
    let tool = try Tool.run("ogginfo", [path.string])
    #expect(tool.status == 0, "\(tool.outputText)")
    #expect(!tool.outputText.lowercased().contains("warning"), "\(tool.outputText)")
    return tool.outputText
  }

  @Test(arguments: [1, 2, 6], [0, 1, 2, 63, 64, 65, 1023, 1024, 5000, 40_013])
  func theLengthIsExact(channels: Int, frames: Int) throws {
    let layout = VorbisLayout.layout(channelCount: channels)
    let samples = Fixture.music(frames: frames, channels: channels).samples.map { Int16($0) }
    try encode(samples, as: .of("ogg", frames: frames, layout: layout), to: path)
    if frames > 0 {
      #expect(try ogginfo(path).contains("Channels: \(channels)"))
      #expect(try VorbisReadingTests.oggdec(path, in: folder).count == frames * channels)
      let probe = try Tool.run(
        "ffprobe",
        ["-v", "error", "-show_entries", "stream=duration_ts", "-of", "csv=p=0", path.string])
      #expect(probe.outputText == "\(frames)\n" && probe.errors.isEmpty)
    }
    #expect(try Decoded(path).frames == frames)
    let pages = OggBytes.pages(try Files.read(path))
    #expect(pages[0].size == 58)
    #expect(try OggStreamEnd(of: InputFile(path: path))?.granulePosition == Int64(frames))
  }

  @Test func outputsAreCloseToTheSource() throws {
    let samples = Fixture.music(frames: 44_100, channels: 2).samples.map { Int16($0) }
    var errors: [Double] = []
    for quality in [-1.0, 5, 10] {
      try encode(
        samples,
        as: .of(
          "ogg", frames: 44_100, layout: .stereo, options: EncodingOptions(quality: quality)),
        to: path)
      let decoded = try VorbisReadingTests.oggdec(path, in: folder)
      try #require(decoded.count == samples.count)
      let error = zip(samples, decoded).reduce(0.0) { $0 + pow(Double($1.0) - Double($1.1), 2) }
      let power = samples.reduce(0.0) { $0 + pow(Double($1), 2) }
      errors.append(10 * log10(error / power))
    }
    #expect(errors[0] > errors[1] && errors[1] > errors[2])
    #expect(errors[2] < -30, "\(errors)")
  }

  @Test(arguments: [0x3F, 0x63F, 0x33, 0x7, 0x37, 0x70F] as [UInt32])
  func ffmpegFindsEverySpeaker(mask: UInt32) throws {
    let channels = mask.nonzeroBitCount
    let layout = try #require(ChannelLayout(mask: mask, channelCount: channels))
    let speakers = try #require(layout.speakers)
    var samples: [Int16] = []
    for frame in 0..<44_100 {
      let tone = sin(2 * Double.pi * 50 * Double(frame) / 44_100)
      for speaker in speakers { samples.append(Int16(tone * VorbisReadingTests.level(speaker))) }
    }
    try encode(
      samples,
      as: .of("ogg", frames: 44_100, layout: layout, options: EncodingOptions(quality: 8)),
      to: path)
    // ffmpeg puts the channels of a Vorbis stream into the order of the WAVE mask.
    let tool = try Tool.run(
      "ffmpeg", ["-v", "error", "-i", path.string, "-f", "s16le", "-c:a", "pcm_s16le", "-"])
    let decoded = Raw.int16(tool.output)
    #expect(decoded.count == samples.count)
    for (channel, speaker) in speakers.enumerated() {
      let level = VorbisReadingTests.measuredLevel(decoded, channel: channel, of: channels)
      #expect(
        abs(level / VorbisReadingTests.level(speaker) - 1) < 0.22, "\(speaker): \(level)")
    }
  }

  @Test func layoutsThatVorbisLacksAreRefused() throws {
    for layout in [
      ChannelLayout(mask: 0x60F, channelCount: 6), .unspecified(6), .unspecified(3),
      ChannelLayout(mask: 0xFF, channelCount: 8), ChannelLayout(mask: 0x1, channelCount: 1),
    ] {
      let output = try OutputFile(path: path)
      let error = #expect(throws: AudioFileError.self) {
        _ = try AudioFile.writer(
          to: output, as: .of("ogg", frames: 1, layout: #require(layout)))
      }
      guard case .cannotHold(_, reason: _, remedy: .useFormat(["flac", "wav"]))? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    #expect(try folder.names().isEmpty)
  }

  @Test(arguments: [
    EncodingOptions(compressionLevel: 5), EncodingOptions(quality: 10.5),
    EncodingOptions(quality: -1.1), EncodingOptions(quality: .nan),
    EncodingOptions(bitRate: 128_000, quality: 5), EncodingOptions(bitRate: 5),
    EncodingOptions(bitRate: -1), EncodingOptions(bitRate: .max),
    EncodingOptions(bitRate: 2_000_000),
  ])
  func optionsOutOfRangeAreRefused(options: EncodingOptions) throws {
    let output = try OutputFile(path: path)
    let error = #expect(throws: AudioFileError.self) {
      _ = try AudioFile.writer(
        to: output,
        as: .of("ogg", frames: 1, layout: .stereo, options: options))
    }
    switch error {
    case .encoderFailed(_, _, let remedy)?, .cannotHold(_, _, let remedy)?:
      #expect(remedy != nil)
    default: Issue.record("\(String(describing: error))")
    }
  }

  @Test(arguments: [1, 4000, 11_025, 96_000, 192_000, 1_000_000])
  func everyRateIsWrittenOrRefused(rate: Int) throws {
    do {
      try encode(
        [Int16](repeating: 7, count: 100), as: .of("ogg", frames: 100, layout: .mono, rate: rate),
        to: path)
      #expect(try ogginfo(path).contains("Rate: \(rate)"))
      #expect(try Decoded(path).frames == 100)
    } catch let error as AudioFileError {
      guard case .cannotHold = error else {
        Issue.record("\(error)")
        return
      }
      #expect(try folder.names().isEmpty)
    }
  }

  @Test func theBitRateIsCloseToTheRequestedOne() throws {
    let samples = Fixture.noise(frames: 88_200, channels: 2).samples.map { $0 / 4 }
      .map { Int16($0) }
    var sizes: [Int] = []
    for (options, source) in [
      (EncodingOptions(bitRate: 64_000), nil), (EncodingOptions(bitRate: 192_000), nil),
      (EncodingOptions(), 192_000), (EncodingOptions(), 9_000_000), (EncodingOptions(), nil),
      (EncodingOptions(quality: 5), nil),
    ] as [(EncodingOptions, Int?)] {
      try encode(
        samples,
        as: .of(
          "ogg", frames: 88_200, layout: .stereo, options: options, sourceBitRate: source),
        to: path)
      sizes.append(try Files.read(path).count)
    }
    #expect(sizes[0] < sizes[1])
    #expect(sizes[1] == sizes[2])
    // A rate beyond Vorbis, or none, falls back to quality 5.
    #expect(sizes[3] == sizes[5] && sizes[4] == sizes[5])
  }

  @Test func commentsAndPicturesAreVerbatim() throws {
    let png = try Self.png(in: folder)
    let comments = [
      ("TITLE", "Zoë"), ("artist", "日本 🎵"), ("Artist", "e\u{301}"), ("EMPTY", ""), ("A", "b=c"),
    ].map { Metadata.Comment(name: $0.0, value: $0.1) }
    let pictures = [3, 4].map {
      Metadata.Picture(
        type: $0, mimeType: "image/png", description: "Ünder", width: 8, height: 8, depth: 24,
        colors: 0, data: png)
    }
    let warnings = try encode(
      [1, 2],
      as: .of(
        "ogg", frames: 2, layout: .mono,
        metadata: Metadata(
          comments: comments + [Metadata.Comment(name: "a=b", value: "x")], pictures: pictures)),
      to: path)
    #expect(warnings == ["tag a=b"])
    let source = try Decoded(path).source
    #expect(source.metadata == Metadata(comments: comments, pictures: pictures))
    let list = try Tool.run("vorbiscomment", ["-R", "-l", path.string]).outputText
    for comment in comments { #expect(list.contains("\(comment.name)=\(comment.value)\n")) }
    let tool = try Tool.run(
      "ffmpeg",
      ["-v", "error", "-i", path.string, "-map", "0:v:0", "-c", "copy", "-f", "data", "-"])
    #expect(tool.output == png, "\(tool.errorText)")
  }

  private static func png(in folder: TemporaryFolder) throws -> [UInt8] {
    let path = folder.file("cover.png")
    let tool = try Tool.run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=8x8", "-frames:v", "1", path.string])
    #expect(tool.status == 0)
    return try Files.read(path)
  }

  @Test func otherLengthsThanAnnouncedAreErrors() throws {
    for count in [9, 11] {
      #expect(throws: AudioFileError.self) {
        try encode(
          [Int16](repeating: 0, count: count), as: .of("ogg", frames: 10, layout: .mono), to: path)
      }
      #expect(try folder.names().isEmpty)
    }
  }

  @Test func equalInputGivesEqualBytes() throws {
    let samples = Fixture.noise(frames: 9000, channels: 2).samples.map { Int16($0) }
    for name in ["a", "b"] {
      try encode(samples, as: .of("ogg", frames: 9000, layout: .stereo), to: folder.file(name))
    }
    #expect(try Files.read(folder.file("a")) == Files.read(folder.file("b")))
  }
}
