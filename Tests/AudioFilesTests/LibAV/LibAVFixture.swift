#if FFmpeg
  import AudioModel
  import Foundation
  import SystemPackage
  import TestSupport
  import Testing

  @testable import AudioFiles
  @testable import AudioIO

  extension AudioFixture {
    /// A file of noise at 48 kHz by ffmpeg, with test pictures of a size if one is given.
    static func noise(
      _ name: String, _ options: String, seconds: Int, pictures size: String? = nil
    ) throws -> AudioFixture {
      let fixture = try AudioFixture()
      let video = size.map { ["-f", "lavfi", "-i", "testsrc=d=\(seconds):s=\($0):r=25"] } ?? []
      let made = try Tool.run(
        "ffmpeg",
        ["-v", "error"] + video + ["-f", "lavfi", "-i", "anoisesrc=d=\(seconds):r=48000:seed=1"]
          + options.split(separator: " ").map(String.init) + [name], in: fixture.folder.path)
      try #require(made.status == 0, "\(made.errorText)")
      return fixture
    }

    /// The reason that a file is not read; `nil` if it is.
    func refusal(_ name: String) -> AudioFileError? {
      do {
        _ = try read(name)
        return nil
      } catch {
        return error as? AudioFileError
      }
    }

    /// Makes `x.wav`, noise of 16 bits, which no codec makes constant.
    func makeNoise(frames: Int, channels: Int = 2, rate: Int = 44100) throws {
      let data = Raw.bytes(Signal.noise(frames: frames, channels: channels))
      try put("x.wav", Wave.file(channels: channels, bits: 16, rate: rate, data: data))
    }

    /// Lets ffmpeg make a file of `x.wav`.
    func encode(_ name: String, _ options: String) throws {
      try encode(name, options.split(separator: " ").map(String.init))
    }

    /// Lets ffmpeg make a file of `x.wav`.
    func encode(_ name: String, _ options: [String]) throws {
      let result = try Tool.run(
        "ffmpeg", ["-v", "error", "-y", "-i", "x.wav"] + options + [name], in: folder.path)
      try #require(result.status == 0, "\(options): \(result.errorText)")
    }

    /// The samples that ffmpeg decodes of a file's first track, in a raw format of this name.
    func decode(_ name: String, as format: String, _ options: [String] = []) throws -> [UInt8] {
      let result = try Tool.run(
        "ffmpeg",
        ["-v", "error"] + options
          + ["-i", name, "-map", "0:a:0", "-f", format, "-c:a", "pcm_\(format)", "-"],
        in: folder.path)
      try #require(result.status == 0, "\(name): \(result.errorText)")
      return result.output
    }

    /// Everything that a reader gives of a file, in the type of sample that is asked for.
    func read<Sample: PCMSample>(
      _ name: String, as type: Sample.Type, salvaging: Bool = false, track: Int? = nil
    ) throws -> (source: SourceDescription, samples: [Sample]) {
      let input = try InputFile(path: path(name))
      let reader = try AudioFile.reader(for: input, salvaging: salvaging, track: track)
      let channels = reader.source.spec.channelCount
      var samples: [Sample] = []
      var block = [Sample](repeating: .silence, count: 1009 * channels)
      while true {
        var span = block.mutableSpan
        let frames = try reader.read(into: &span)
        if frames == 0 { break }
        samples += block[0..<frames * channels]
      }
      #expect(samples.count == reader.source.frameCount * channels, "\(name)")
      return (reader.source, samples)
    }

    /// The format by the content.
    func sniff(_ name: String) throws -> AudioFormat? {
      let input = try InputFile(path: path(name))
      return try ContentSniffer.format(of: input)
    }
  }

  /// MP4 files changed by hand.
  enum MP4Bytes {
    /// The file with another edit list in its only track; the index must be after the data.
    static func replacingEdits(
      of file: [UInt8], with edits: [(duration: Int, mediaTime: Int)]
    ) throws -> [UInt8] {
      func number(_ value: Int) -> [UInt8] { Wave.le(value, 4).reversed() }
      let content =
        [0, 0, 0, 0] + number(edits.count)
        + edits.flatMap { number($0.duration) + number($0.mediaTime) + [0, 1, 0, 0] }
      let old = try #require(place(of: "elst", in: file))
      let oldSize = file[old..<old + 4].reduce(0) { $0 << 8 | Int($1) }
      var file = file
      file.replaceSubrange(
        old..<old + oldSize, with: number(content.count + 8) + Array("elst".utf8) + content)
      for parent in ["edts", "trak", "moov"] {
        let start = try #require(place(of: parent, in: file))
        let size = file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        file.replaceSubrange(start..<start + 4, with: number(size + content.count + 8 - oldSize))
      }
      return file
    }

    /// The start of the last box of this type.
    private static func place(of type: String, in file: [UInt8]) -> Int? {
      let pattern = Array(type.utf8)
      return file.indices.dropLast(4).last { file[$0..<$0 + 4].elementsEqual(pattern) }
        .map { $0 - 4 }
    }
  }

  /// Artificial speech: AMR has no encoder here, but every sequence of bits decodes.
  enum AMR {
    /// Bytes of a frame without its first, by frame type (RFC 4867 section 5.3; 3GPP TS 26.101).
    private static let narrow = [12, 13, 15, 17, 19, 20, 26, 31, 5]
    private static let wide = [17, 23, 32, 36, 40, 46, 50, 58, 60, 5]

    /// A file of a frame of each of these types.
    static func file(_ types: [Int], isWide: Bool = false) -> [UInt8] {
      let sizes = isWide ? wide : narrow
      var state: UInt32 = 7
      var bytes = Array((isWide ? "#!AMR-WB\n" : "#!AMR\n").utf8)
      for type in types {
        bytes.append(UInt8(type << 3 | 4))
        for _ in 0..<(sizes.indices.contains(type) ? sizes[type] : 0) {
          state = state &* 1_664_525 &+ 1_013_904_223
          bytes.append(UInt8(truncatingIfNeeded: state >> 24))
        }
      }
      return bytes
    }
  }
#endif
