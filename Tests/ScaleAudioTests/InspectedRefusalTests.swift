#if FFmpeg
  import Foundation
  import ScaleAudio
  import TestSupport
  import Testing

  @testable import AudioContainers

  /// Inspections and conversions agree about which files are refused.
  @Suite("Inspected files: refused ones")
  struct InspectedRefusalTests {
    let bench: Workbench

    init() throws { bench = try Workbench() }

    /// The problems for which an inspection of the headers, one of the whole file, and a conversion refuse a file;
    /// `nil` for none.
    private func problems(_ name: String) throws -> [String?] {
      func problem(counting: Bool) -> String? {
        do throws(AudioFileError) {
          let file = ConversionInput.file(bench.folder.file(name))
          return try InspectionReport(of: file, .init(countsFrames: counting)).problem?.message
        } catch {
          return error.message
        }
      }
      var ofConversion: String?
      do {
        try bench.convert(name, to: "out/", .by(1.5), .linear)
      } catch let error as ConversionError {
        ofConversion = error.message
      }
      return [problem(counting: false), problem(counting: true), ofConversion]
    }

    private func refusals(_ name: String) throws -> [Bool] { try problems(name).map { $0 != nil } }

    private func make(_ name: String, _ options: String) throws {
      try bench.shell(
        "ffmpeg -v error -f lavfi -i anoisesrc=d=1:r=48000:seed=1 -ac 2 \(options) \(name)")
    }

    /// Streams of frames that end within the last one: their headers suffice.
    @Test(arguments: [
      ("x.aac", ""), ("x.wv", "-c:a wavpack"), ("x.tta", ""), ("x.m4a", ""), ("x.mka", "-c:a flac"),
      ("x.wav", ""), ("x.flac", ""), ("x.opus", ""),
    ])
    func cutInTheLastFrame(name: String, options: String) throws {
      try make(name, options)
      #expect(try refusals(name) == [false, false, false])
      let bytes = try bench.bytes(name)
      // At the end of WavPack and True Audio is a tag.
      if !["x.wv", "x.tta"].contains(name) {
        try bench.folder.write("cut-\(name)", Array(bytes.dropLast(37)))
        #expect(try refusals("cut-\(name)") == [true, true, true])
      }
      try bench.folder.write("half-\(name)", Array(bytes.prefix(bytes.count * 9 / 20 | 1)))
      #expect(try refusals("half-\(name)") == [true, true, true])
    }

    /// A FLAC file that declares fewer frames than it has.
    @Test(arguments: [1, 20_000])
    func moreThanFLACDeclares(count: Int) throws {
      try make("x.flac", "")
      var bytes = try bench.bytes("x.flac")
      // The total is in the low 36 bits of the 8 bytes from 18 on.
      let total = 48_000 - count
      for index in 0..<4 { bytes[25 - index] = UInt8(truncatingIfNeeded: total >> (8 * index)) }
      try bench.folder.write("low.flac", bytes)
      for problem in try problems("low.flac") {
        let problem = try #require(problem)
        #expect(problem.contains("it contains more than the \(total) frames"), "\(problem)")
      }
    }

    /// A frame of ADTS without its end.
    @Test func damageInHeaders() throws {
      try make("x.aac", "")
      let bytes = try bench.bytes("x.aac")
      let starts = ADTSFrames.starts(in: bytes)
      let middle = starts.count / 2
      try bench.folder.write(
        "lost.aac", Array(bytes[..<(starts[middle] + 90)] + bytes[starts[middle + 1]...]))
      #expect(try refusals("lost.aac") == [true, true, true])
    }

    /// Damage within packets is found by decoding.
    @Test(arguments: [("x.aac", ""), ("x.m4a", "-c:a alac"), ("x.wv", "-c:a wavpack")])
    func damagedPackets(name: String, options: String) throws {
      try make(name, options)
      var bytes = try bench.bytes(name)
      for offset in bytes.count / 2..<bytes.count / 2 + 64 {
        bytes[offset] = UInt8(truncatingIfNeeded: 0x5A &* offset)
      }
      try bench.folder.write("damaged-\(name)", bytes)
      let found = try refusals("damaged-\(name)")
      #expect(Array(found.dropFirst()) == [true, true])
    }

    @Test(arguments: [
      ("video.mp4", "-an -f lavfi -i testsrc=d=1:s=64x48 -map 1:v"),
      ("video.mkv", "-an -f lavfi -i testsrc=d=1:s=64x48 -map 1:v"),
      ("aac.wav", "-c:a aac -f wav"),
      (
        "encrypted.mp4",
        "-encryption_scheme cenc-aes-ctr -encryption_key 76a6c65c5ea762046bd749a2e632ccbb "
          + "-encryption_kid a7e61c373e219033c21091fa607bf3b8"
      ),
    ])
    func refusedByTheirHeaders(name: String, options: String) throws {
      let input = "-f lavfi -i anoisesrc=d=1:r=48000:seed=1"
      let rest = options.replacing("-an -f lavfi", with: "-f lavfi")
      try bench.shell("ffmpeg -v error \(input) \(rest) \(name)")
      #expect(try refusals(name) == [true, true, true])
    }

    /// The length of the audio, not of the video, and what is converted.
    @Test(arguments: ["x.mkv", "x.mp4", "x.avi", "x.ts", "x.webm", "x.mov"])
    func lengthBesideVideo(name: String) throws {
      try bench.shell(
        "ffmpeg -v error -f lavfi -i testsrc=d=5:s=64x48:r=10 "
          + "-f lavfi -i anoisesrc=d=2:r=48000:seed=1 \(name)")
      let report = try bench.inspect(name)
      let source = report.source
      let seconds = source.spec.seconds(frames: source.frameCount)
      #expect(abs(seconds - 2) < 0.1, "\(seconds)")
      let video = try #require(source.storage.video)
      #expect(video.contains("64 x 48") || name == "x.ts")
    }
  }
#endif
