#if FFmpeg
  import AudioFiles
  import AudioModel
  import TestSupport
  import Testing

  @testable import AudioIO

  /// The one rule for whatever FFmpeg's libraries demux: a file that holds less than its container declares is an error,
  /// and a warning with `--salvage`.
  @Suite("Containers that end early")
  struct CutContainerTests {
    /// Containers that declare how long they are.
    static let declaring = [
      ("x.flv", "-c:a libmp3lame -ar 44100"), ("aac.flv", "-c:a aac"),
      ("x.avi", "-c:a libmp3lame"), ("pcm.avi", "-c:a pcm_s16le"),
      ("x.rm", "-c:a ac3"), ("x.ast", "-c:a pcm_s16be_planar"),
      ("x.mmf", "-ar 8000 -ac 1 -c:a adpcm_yamaha"),
    ]

    @Test(arguments: declaring)
    func anywhere(name: String, options: String) throws {
      let fixture = try AudioFixture.noise(name, options, seconds: 4)
      let whole = try fixture.read(name)
      #expect(whole.source.warnings.map(\.text) == [])
      let bytes = try fixture.bytes(name)
      for part in [0.35, 0.62, 0.83] {
        try fixture.put("cut", bytes.prefix(Int(Double(bytes.count) * part) | 1))
        let found = try #require(fixture.refusal("cut"), "\(name) \(part)")
        #expect(["truncated", "malformed"].contains(found.errorClass))
        let salvaged = try fixture.read("cut", salvaging: true).source
        #expect(salvaged.frameCount < whole.source.frameCount)
        #expect(salvaged.warnings.map(\.text).contains { $0.contains("salvaged") })
      }
    }

    /// Cut where a unit of the container ends: only the declared length shows it.
    @Test(arguments: [
      ("x.rm", "-c:a ac3"), ("x.ast", "-c:a pcm_s16be_planar"),
      ("x.flv", "-c:a libmp3lame -ar 44100"),
    ])
    func betweenUnits(name: String, options: String) throws {
      let fixture = try AudioFixture.noise(name, options, seconds: 2)
      let bytes = try fixture.bytes(name)
      let starts = Self.units(bytes, name)
      try #require(starts.count > 1)
      try fixture.put("cut", bytes.prefix(starts[starts.count / 2]))
      let found = try #require(fixture.refusal("cut"))
      #expect(found.errorClass == "truncated")
      let salvaged = try fixture.read("cut", salvaging: true).source
      #expect(
        salvaged.warnings.map(\.text).contains { $0.contains("salvaged") && $0.contains(" of ") })
    }

    /// mkvmerge stretches the times of packets, and FFmpeg reads them without gaps. A cut file has fewer.
    @Test(arguments: ["x.flac", "x.opus", "x.mp3", "x.wav", "x.m4a"])
    func stretchedTimes(name: String) throws {
      let fixture = try AudioFixture.noise(name, "-ar 48000", seconds: 3)
      try fixture.run("mkvmerge", "-q", "-o", "x.mka", "--sync", "0:0,2/1", name)
      let read = try fixture.read("x.mka")
      #expect(
        read.samples.count == (try fixture.decodeWithFFmpeg("x.mka")).count)
      let warnings = read.source.warnings.map(\.text)
      #expect(warnings.contains { $0.contains("are read without gaps") }, "\(warnings)")
      let counts = warnings.joined().matches(of: /[0-9,]+/).map { String($0.output) }
      #expect(counts.contains { $0.hasPrefix("14") && $0.contains(",") }, "\(warnings)")
      // The estimate is that of the packets, not of their times.
      let estimated = try AudioFile.reader(
        for: InputFile(path: fixture.path("x.mka")), salvaging: false, estimates: .ofAnyPass
      ).source
      #expect(estimated.lengthBasis == .estimated)
      #expect(abs(estimated.frameCount - read.source.frameCount) < 12_000)
      let bytes = try fixture.bytes("x.mka")
      try fixture.put("cut", bytes.prefix(bytes.count * 2 / 3))
      #expect(fixture.refusal("cut") != nil)
    }

    /// Clusters in the middle of Matroska that a Void element of the same size replaces. The packets reach the end.
    @Test(arguments: ["-c:a flac", "-c:a libopus", "-c:a pcm_s16le", "-c:a libmp3lame"])
    func holes(options: String) throws {
      let fixture = try AudioFixture.noise(
        "x.mka", "\(options) -ar 48000 -cluster_time_limit 500", seconds: 6)
      let whole = try fixture.read("x.mka").source.frameCount
      try fixture.put("hole.mka", try Self.withHole(try fixture.bytes("x.mka")))
      #expect(fixture.refusal("hole.mka")?.errorClass == "truncated")
      let salvaged = try fixture.read("hole.mka", salvaging: true).source
      #expect(whole - salvaged.frameCount > 48000)
      #expect(salvaged.warnings.map(\.text).contains { $0.contains("salvaged") })
    }

    /// The bytes of Matroska in which a Void element of the same size replaces three clusters in the middle.
    private static func withHole(_ whole: [UInt8]) throws -> [UInt8] {
      var bytes = whole
      let starts = bytes.indices.filter { bytes[$0...].starts(with: [0x1F, 0x43, 0xB6, 0x75]) }
      try #require(starts.count > 8)
      let hole = starts[starts.count / 2]..<starts[starts.count / 2 + 3]
      let size = (0..<7).reversed().map { UInt8(truncatingIfNeeded: (hole.count - 9) >> (8 * $0)) }
      bytes.replaceSubrange(
        hole, with: [0xEC, 0x01] + size + Array(repeating: 0, count: hole.count - 9))
      return bytes
    }

    /// The sound of a film may pause, and a part may be missing: both are read, and named with the times of ffprobe.
    @Test(arguments: [
      ("-map 0 -map 0", "-c:a flac"), ("-map 0 -map 0", "-c:a libopus"),
      ("-map 0 -map 1 -c:v mpeg4", "-c:a aac"), ("-map 0 -map 1 -c:v mpeg4", "-c:a pcm_s16le"),
      ("-map 0 -live 1", "-c:a libmp3lame"),
    ])
    func pausesAreNamed(map: String, codec: String) throws {
      let fixture = try AudioFixture.noise("x.flac", "-ar 48000", seconds: 6)
      try fixture.run(
        "sh", "-c",
        "ffmpeg -v error -i x.flac -f lavfi -i testsrc=s=64x64:r=25:d=6 \(map) \(codec) -cluster_time_limit 500 x.mkv"
      )
      func pauses(_ name: String) throws -> [String] {
        try fixture.read(name).source.warnings.map(\.text).filter { $0.contains("pause") }
      }
      #expect(try pauses("x.mkv") == [])
      try fixture.put("hole.mkv", try Self.withHole(try fixture.bytes("x.mkv")))
      let packets = try fixture.run(
        "ffprobe", "-v", "error", "-select_streams", "a:0", "-show_entries",
        "packet=pts_time,duration_time", "-of", "csv=p=0", "hole.mkv"
      ).outputText.split(separator: "\n").map { $0.split(separator: ",").compactMap { Double($0) } }
      let ends = packets.map { $0[0] + $0[1] }
      let gaps = zip(packets.dropFirst(), ends).map { $0[0] - $1 }
      let widest = try #require(gaps.indices.max { gaps[$0] < gaps[$1] })
      let warnings = try pauses("hole.mkv")
      let times = warnings.joined().matches(of: /([0-9.]+) s/).compactMap { Double($0.output.1) }
      try #require(times.count == 2, "\(warnings)")
      #expect(gaps[widest] > 1 && abs(times[0] - gaps[widest]) < 0.03, "\(times)")
      #expect(abs(times[1] - ends[widest]) < 0.03, "\(times)")
    }

    /// Recorders in browsers write times of capture in milliseconds, which jitter.
    @Test func jitterIsNoPause() throws {
      let fixture = try AudioFixture.noise("x.flac", "-ar 48000", seconds: 6)
      try fixture.run(
        "sh", "-c",
        "ffmpeg -v error -i x.flac -f lavfi -i testsrc=s=64x64:r=25:d=6 -c:v libvpx -c:a libopus -bsf:a 'setts=ts=TS+9*mod(N*7\\,3)' -live 1 x.webm"
      )
      let read = try fixture.read("x.webm")
      #expect(read.source.warnings.map(\.text) == [])
      #expect(read.samples.count == (try fixture.decodeWithFFmpeg("x.webm")).count)
    }

    /// The starts of the tags, packets or blocks of a file.
    private static func units(_ bytes: [UInt8], _ name: String) -> [Int] {
      var starts: [Int] = []
      func number(_ offset: Int, _ count: Int) -> Int {
        bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
      }
      var position = 13
      if name.hasSuffix("ast") { position = 0x40 }
      if name.hasSuffix("rm") {
        let data = Array("DATA".utf8)
        position = 18 + (bytes.indices.first { bytes[$0...].starts(with: data) } ?? bytes.count)
      }
      while position + 15 < bytes.count {
        starts.append(position)
        switch name.split(separator: ".").last {
        case "ast": position += 0x20 + 2 * number(position + 4, 4)
        case "rm":
          if number(position, 2) != 0 { return starts }
          position += number(position + 2, 2)
        default: position += 15 + number(position + 1, 3)
        }
      }
      return starts
    }
  }
#endif
