#if FFmpeg
  import AudioModel
  import Foundation
  import SystemPackage
  import TestSupport
  import Testing

  @testable import AudioFiles
  @testable import AudioIO

  @Suite("Channel layouts in M4A")
  struct M4ALayoutTests {
    let folder: TemporaryFolder
    let path: FilePath

    init() throws {
      folder = try TemporaryFolder()
      path = folder.file("out.m4a")
    }

    private func layout(_ mask: UInt32) throws -> ChannelLayout {
      try #require(ChannelLayout(mask: mask, channelCount: mask.nonzeroBitCount))
    }

    /// Frames in which every channel has a level of its own, each half the one before in mask order.
    private func levels(_ layout: ChannelLayout, frames: Int) -> [Int16] {
      let inMaskOrder = layout.inMaskOrder.speakers ?? []
      let halvings = (layout.speakers ?? []).map { inMaskOrder.firstIndex(of: $0) ?? 0 }
      return (0..<frames).flatMap { frame in
        let tone = 20000 * sin(2 * Double.pi * 50 * Double(frame) / 44100)
        return halvings.map { Int16(tone / Double(1 << $0)) }
      }
    }

    /// The loudest sample of each channel.
    private func peaks(_ samples: [Int16], channels: Int) -> [Int] {
      (0..<channels).map { channel in
        stride(from: channel, to: samples.count, by: channels).reduce(0) {
          max($0, Int(samples[$1].magnitude))
        }
      }
    }

    /// ffmpeg finds each speaker where it belongs, also when the channels came in another order.
    @Test(arguments: [
      (0x4, "mono"), (0x3, "stereo"), (0x7, "3.0"), (0x107, "4.0"), (0x37, "5.0"), (0x3F, "5.1"),
      (0x63F, "7.1"), (0xB, "2.1"), (0x33, "quad"), (0x603, "quad(side)"), (0xF, "3.1"),
      (0x607, "5.0(side)"), (0x60F, "5.1(side)"), (0x103, "3.0(back)"),
    ])
    func layoutsOfAACAreWritten(mask: Int, name: String) throws {
      let layout = try layout(UInt32(mask))
      for given in [layout, try #require(ChannelLayout((layout.speakers ?? []).reversed()))] {
        try encode(
          levels(given, frames: 20_480),
          as: .of(
            "m4a", frames: 20_480, layout: given,
            options: EncodingOptions(bitRate: 128_000 * given.channelCount)),
          to: path)
        #expect(try M4AProbe(path).audio.channel_layout == name)
        // libavcodec's encoder takes a few packets to find its way into a tone.
        let decoded = Raw.int16(try M4AProbe.decode(path, as: "s16le"))
          .dropFirst(10_240 * layout.channelCount).prefix(9000 * layout.channelCount)
        let found = peaks(Array(decoded), channels: layout.channelCount)
        for (index, peak) in found.enumerated() {
          let wanted = 20000 >> index
          #expect(abs(peak - wanted) < wanted / 4 + 40, "\(name): \(found)")
        }
      }
    }

    @Test(arguments: [
      (0x4, "mono"), (0x3, "stereo"), (0x7, "3.0"), (0x107, "4.0"), (0x37, "5.0"), (0x3F, "5.1"),
      (0x13F, "6.1(back)"), (0xFF, "7.1(wide)"),
    ])
    func layoutsOfALACAreWritten(mask: Int, name: String) throws {
      let layout = try layout(UInt32(mask))
      let samples = levels(layout, frames: 5000)
      for given in [layout, try #require(ChannelLayout((layout.speakers ?? []).reversed()))] {
        for format in ["m4a-alac", "caf-alac"] {
          try encode(
            levels(given, frames: 5000), as: .of(format, frames: 5000, layout: given), to: path)
          #expect(try M4AProbe(path).audio.channel_layout == name)
          #expect(try difference(Raw.int16(M4AProbe.decode(path, as: "s16le")), samples) == nil)
        }
        // libsndfile returns the channels in the order of the file, which the layout tag states.
        let own = try Decoded(path)
        let order = try #require(own.source.spec.layout.order(for: layout))
        let arranged = (0..<own.frames).flatMap { frame in
          order.map { own.samples[frame * order.count + $0] }
        }
        #expect(difference(arranged, samples) == nil)
      }
    }

    /// Packets of a few frames are not left to libavcodec, which would end the program.
    @Test(arguments: [1, 2, 4097])
    func shortPacketsOfManyChannelsAreKept(frames: Int) throws {
      var paths: [FilePath] = []
      var samples: [[Int16]] = []
      var deepPaths: [FilePath] = []
      var deepBytes: [[UInt8]] = []
      for mask: UInt32 in [0x7, 0x107, 0x37, 0x3F, 0x13F, 0xFF] {
        let layout = try layout(mask)
        let fixture = Fixture.noise(frames: frames, channels: layout.channelCount)
        for format in ["m4a-alac", "caf-alac"] {
          paths.append(folder.file("\(format)-\(mask)"))
          samples.append(fixture.samples.map { Int16($0) })
          try encode(
            samples[samples.count - 1], as: .of(format, frames: frames, layout: layout),
            to: paths[paths.count - 1])
        }
        var description = try OutputDescription.of("m4a-alac", frames: frames, layout: layout)
        description.sampleFormat = .int24
        let deep = fixture.samples.map { Int24(lowBits: Int64($0) << 8 | 5) }
        deepPaths.append(folder.file("deep-\(mask)"))
        let output = try OutputFile(path: deepPaths[deepPaths.count - 1])
        let writer = try AudioFile.writer(to: output, as: description)
        try writer.write(deep.span)
        try writer.finish()
        try output.commit(replacing: true)
        deepBytes.append(
          deep.flatMap { sample in
            (0..<3).map { UInt8(truncatingIfNeeded: sample.value >> Int32(8 * $0)) }
          })
      }
      for (path, (decoded, wanted)) in zip(
        paths, zip(try M4AProbe.decode(paths, as: "s16le", in: folder), samples))
      {
        #expect(difference(Raw.int16(decoded), wanted) == nil, "\(path)")
      }
      #expect(try M4AProbe.decode(deepPaths, as: "s24le", in: folder) == deepBytes)
    }

    @Test(arguments: [
      ("m4a-alac", 0x33), ("m4a-alac", 0x60F), ("m4a-alac", 0x63F), ("caf-alac", 0x60F),
      ("m4a", 0x1003), ("m4a", 0xFF), ("m4a", 0x10F),
    ])
    func layoutsWithoutACodeAreRefused(format: String, mask: Int) throws {
      let layout = try layout(UInt32(mask))
      let row = try #require(AudioFormat.named(format))
      let spec = AudioSpec(sampleRate: 44100, layout: layout)
      let refusal = try #require(row.refusal(of: spec, frameCount: 1))
      #expect(refusal.reason.contains("\(row.name) cannot store the layout \(layout)"))
      #expect(refusal.remedy != nil)
      let output = try OutputFile(path: path)
      let error = #expect(throws: AudioFileError.self) {
        _ = try AudioFile.writer(to: output, as: .of(format, frames: 1, layout: layout))
      }
      #expect(error?.errorClass == "cannot-hold")
    }

    @Test func unknownLayoutsOfMoreThanTwoChannelsAreRefused() throws {
      for format in ["m4a", "m4a-alac"] {
        let row = try #require(AudioFormat.named(format))
        for channels in [1, 2] {
          let spec = AudioSpec(sampleRate: 44100, layout: .unspecified(channels))
          #expect(row.refusal(of: spec, frameCount: 1) == nil)
        }
        let spec = AudioSpec(sampleRate: 44100, layout: .unspecified(6))
        #expect(
          row.refusal(of: spec, frameCount: 1)?.reason.contains("the source has none") == true)
      }
    }
  }
#endif
