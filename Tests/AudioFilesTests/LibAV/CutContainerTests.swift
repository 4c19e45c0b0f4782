#if FFmpeg
  import AudioFiles
  import AudioModel
  import TestSupport
  import Testing

  @testable import AudioIO

  /// Files that end earlier than their container declares, after a whole packet.
  @Suite("Containers that end early")
  struct CutContainerTests {
    /// A whole file of two seconds, with video if it is for that.
    private static func make(_ name: String, _ options: String) throws -> AudioFixture {
      let hasVideo = name.hasSuffix(".mpg") || options.contains("flv1")
      return try .noise(name, options, seconds: 2, pictures: hasVideo ? "64x64" : nil)
    }

    /// Cut anywhere.
    @Test(arguments: [
      ("x.rm", "-c:a ac3"), ("y.rm", "-c:a real_144 -ac 1 -ar 8000"),
      ("x.ast", "-c:a pcm_s16be_planar"),
      ("x.flv", "-c:a libmp3lame -ar 44100"), ("v.flv", "-c:v flv1 -c:a libmp3lame -ar 44100"),
      ("x.mpg", "-c:a mp2"), ("x.thd", "-c:a truehd -strict -2"),
      ("x.adx", "-c:a adpcm_adx -ac 2 -ar 44100"),
    ])
    func anywhere(name: String, options: String) throws {
      let fixture = try Self.make(name, options)
      let whole = try fixture.read(name)
      let bytes = try fixture.bytes(name)
      for part in [0.35, 0.62, 0.83] {
        try fixture.put("cut", bytes.prefix(Int(Double(bytes.count) * part) | 1))
        let found = try #require(fixture.refusal("cut"), "\(name) \(part)")
        #expect(["truncated", "malformed"].contains(found.errorClass))
        let salvaged = try fixture.read("cut", salvaging: true).source
        #expect(salvaged.frameCount < whole.source.frameCount)
        #expect(salvaged.warnings.contains { $0.contains("salvaged") })
      }
    }

    /// Cut where a unit of the container ends: only the promised length shows it.
    @Test(arguments: [
      ("x.rm", "-c:a ac3"), ("x.ast", "-c:a pcm_s16be_planar"),
      ("x.flv", "-c:a libmp3lame -ar 44100"), ("v.flv", "-c:v flv1 -c:a libmp3lame -ar 44100"),
    ])
    func betweenUnits(name: String, options: String) throws {
      let fixture = try Self.make(name, options)
      let bytes = try fixture.bytes(name)
      let starts = Self.units(bytes, name)
      try #require(starts.count > 1)
      try fixture.put("cut", bytes.prefix(starts[starts.count / 2]))
      let found = try #require(fixture.refusal("cut"))
      #expect(found.errorClass == "truncated")
    }

    /// Units that are missing in the middle, or bytes that are not a unit, after which a demuxer continues silently.
    @Test(arguments: [
      ("x.nut", "-c:a pcm_s16le", -40_001), ("x.flv", "-c:a libmp3lame -ar 44100", -6001),
      ("x.flv", "-c:a libmp3lame -ar 44100", 400), ("x.adx", "-c:a adpcm_adx -ac 2", 400),
      ("x.ast", "-c:a pcm_s16be_planar", 400),
    ])
    func inTheMiddle(name: String, options: String, change: Int) throws {
      let fixture = try Self.make(name, options)
      let bytes = try fixture.bytes(name)
      let middle = bytes.count / 2
      // Bits that end ADX, and that begin no tag.
      let inserted = [UInt8](repeating: 0xF5, count: max(0, change))
      try fixture.put("bad", bytes[..<middle] + inserted + bytes[(middle + max(0, -change))...])
      let found = try #require(fixture.refusal("bad"), "\(name) \(change)")
      #expect(["truncated", "malformed"].contains(found.errorClass))
      let salvaged = try fixture.read("bad", salvaging: true).source
      #expect(salvaged.warnings.contains { $0.contains("salvaged") })
    }

    /// Where the tags, packets or blocks of a file begin.
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
