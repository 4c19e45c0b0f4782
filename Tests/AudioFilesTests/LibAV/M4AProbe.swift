#if FFmpeg
  import AudioModel
  import Foundation
  import SystemPackage
  import TestSupport
  import Testing
  @testable import AudioContainers

  /// Facts that ffprobe and ffmpeg find in a file.
  struct M4AProbe {
    struct Report: Decodable {
      struct Stream: Decodable {
        var codec_name: String?
        var codec_type: String
        var sample_rate: String?
        var channels: Int?
        var channel_layout: String?
        var duration_ts: Int?
        var time_base: String?
        var bits_per_raw_sample: String?
        var bit_rate: String?
      }
      struct Format: Decodable {
        var duration: String?
        var tags: [String: String]?
      }
      struct Chapter: Decodable {
        var time_base: String
        var start: Int
        var end: Int
        var tags: [String: String]?
      }
      var streams: [Stream]
      var format: Format
      var chapters: [Chapter]
    }

    let report: Report
    var audio: Report.Stream { report.streams[0] }

    /// `complaining` expects ffprobe to complain about malformed packets.
    init(_ path: FilePath, complaining: Bool = false) throws {
      let tool = try Tool.run(
        "ffprobe",
        [
          "-v", "error", "-show_streams", "-show_format", "-show_chapters", "-of", "json",
          path.string,
        ])
      try #require(tool.status == 0 && (complaining || tool.errors.isEmpty), "\(tool.errorText)")
      report = try JSONDecoder().decode(Report.self, from: Data(tool.output))
      try #require(report.streams.first?.codec_type == "audio")
    }

    /// The samples that ffmpeg decodes, as raw bytes in one of its formats.
    static func decode(_ path: FilePath, as format: String) throws -> [UInt8] {
      let tool = try Tool.run(
        "ffmpeg", ["-v", "error", "-i", path.string, "-map", "0:a", "-f", format, "-"])
      #expect(tool.status == 0 && tool.errors.isEmpty, "\(tool.errorText)")
      return tool.output
    }

    /// The samples of several files that ffmpeg decodes in one run.
    static func decode(
      _ paths: [FilePath], as format: String, in folder: TemporaryFolder
    ) throws -> [[UInt8]] {
      let outputs = paths.indices.flatMap {
        ["-map", "\($0):a", "-f", format, folder.file("\($0).raw").string]
      }
      let tool = try Tool.run(
        "ffmpeg", ["-v", "error", "-y"] + paths.flatMap { ["-i", $0.string] } + outputs)
      #expect(tool.status == 0 && tool.errors.isEmpty, "\(tool.errorText)")
      return try paths.indices.map {
        try Array(Data(contentsOf: URL(fileURLWithPath: folder.file("\($0).raw").string)))
      }
    }
  }
#endif
