import AudioModel
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import AudioContainers
@testable import AudioIO
@testable import FLACFiles
@testable import VorbisFiles

@Suite("Writing where there is no space")
struct FullDiskTests {
  /// An output on which every write fails with ENOSPC.
  private func full() throws -> OutputCursor {
    OutputCursor(descriptor: try FileDescriptor.open("/dev/full", .readWrite))
  }

  @Test(arguments: ["flac", "oga"])
  func flacReportsTheCause(format: String) throws {
    let description = try OutputDescription.of(format, frames: 10, layout: .mono)
    let inOgg = format == "oga"
    let settings = FLACEncoder.Settings(
      channelCount: 1, bitDepth: 16, sampleRate: 44100, frameCount: 10, compressionLevel: 5,
      serialNumber: inOgg ? 1 : nil)
    #expect(throws: AudioFileError.cannotWrite("x", .noSpace)) {
      _ = try FLACEncoder(
        full(), settings,
        blocks: FLACMetadataBlocks(description, inOgg: inOgg, path: "x"), path: "x")
    }
  }

  @Test func vorbisReportsTheCause() throws {
    let description = try OutputDescription.of("ogg", frames: 10, layout: .mono)
    #expect(throws: AudioFileError.cannotWrite("x", .noSpace)) {
      _ = try VorbisEncoder(
        full(), setup: VorbisEncoderSetup(description, path: "x"),
        comments: VorbisComments(Metadata()), serialNumber: 1, path: "x")
    }
  }

  /// An output that holds a limited number of bytes.
  private func limited(to count: Int) throws -> OutputCursor {
    // Glibc's module leaves out memfd_create and the seals of Linux: MFD_ALLOW_SEALING is 2,
    // F_ADD_SEALS 1033, F_SEAL_GROW 4.
    typealias Create = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32
    let create = unsafeBitCast(try #require(dlsym(nil, "memfd_create")), to: Create.self)
    let descriptor = create("limited", 2)
    try #require(descriptor >= 0)
    #expect(ftruncate(descriptor, count) == 0)
    #expect(fcntl(descriptor, 1033, 4) == 0)
    return OutputCursor(descriptor: FileDescriptor(rawValue: descriptor))
  }

  /// In the headers, in the audio, and in what is written last.
  @Test(arguments: [100, 9000, 25_000, 40_000])
  func flacReportsFailuresWhileWriting(bytes: Int) throws {
    let samples = Fixture.noise(frames: 20_000, channels: 1).samples
    let description = try OutputDescription.of("flac", frames: 20_000, layout: .mono)
    let output = try limited(to: bytes)
    #expect(throws: AudioFileError.cannotWrite("x", .notPermitted)) {
      let stream = try SegmentedFLAC(
        output,
        FLACEncoder.Settings(
          channelCount: 1, bitDepth: 16, sampleRate: 44100, frameCount: 20_000,
          compressionLevel: 5, serialNumber: nil),
        blocks: FLACMetadataBlocks(description, inOgg: false, path: "x"), path: "x")
      try stream.encode(samples.span, order: [0])
      try stream.finish()
    }
  }

  @Test(arguments: [30, 2000, 8000, 18_000])
  func vorbisReportsFailuresWhileWriting(bytes: Int) throws {
    let samples = Fixture.noise(frames: 44_100, channels: 1).samples
    let description = try OutputDescription.of(
      "ogg", frames: 44_100, layout: .mono, options: EncodingOptions(quality: 10))
    let output = try limited(to: bytes)
    #expect(throws: AudioFileError.cannotWrite("x", .notPermitted)) {
      let encoder = try VorbisEncoder(
        output, setup: VorbisEncoderSetup(description, path: "x"),
        comments: VorbisComments(Metadata()), serialNumber: 1, path: "x")
      for start in stride(from: 0, to: 44_000, by: 1000) {
        try encoder.encode(frameCount: 1000) { channels in
          for frame in 0..<1000 { channels[0]?[frame] = Float(samples[start + frame]) / 32768 }
        }
      }
      try encoder.finish()
    }
  }
}
