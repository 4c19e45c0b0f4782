#if FFmpeg
  @testable import AudioIO
  import Foundation
  import TestSupport
  import Testing

  /// Encrypted audio is refused by name, never decoded to noise or called damaged.
  @Suite("Encrypted audio through FFmpeg's libraries")
  struct LibAVEncryptionTests {
    private static let encryption =
      "-encryption_scheme cenc-aes-ctr -encryption_key 76a6c65c5ea762046bd749a2e632ccbb "
      + "-encryption_kid a7e61c373e219033c21091fa607bf3b8"

    private func expectRefusal(
      _ fixture: AudioFixture, _ name: String, track: Int? = nil
    ) throws {
      for salvaging in [false, true] {
        let error = #expect(throws: AudioFileError.self, "\(name)") {
          try fixture.read(name, as: Int16.self, salvaging: salvaging, track: track)
        }
        guard case .unsupported = error else {
          Issue.record("\(name): \(String(describing: error))")
          continue
        }
        #expect(error?.cause.contains("encrypted") == true, "\(name)")
      }
    }

    @Test(arguments: [
      ("x.mp4", "-c:a aac"), ("x.m4a", "-c:a alac"), ("x.mov", "-c:a aac"),
      ("flac.mp4", "-c:a flac -strict -2"), ("opus.mp4", "-c:a libopus"),
      ("part.mp4", "-c:a aac -movflags frag_keyframe+empty_moov"),
    ])
    func commonEncryptionIsRefused(name: String, options: String) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 30_000)
      try fixture.encode(name, "\(options) \(Self.encryption)")
      try expectRefusal(fixture, name)
    }

    /// iTunes' and Audible's sample entries, and a scheme in an entry that looks plain.
    @Test(arguments: [("x.m4p", "drms"), ("x.aax", "aavd"), ("x.m4a", "mp4a")])
    func encryptionsOfStoresAreRefused(name: String, entry: String) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 30_000)
      try fixture.encode("made.mp4", "-c:a aac \(Self.encryption)")
      var bytes = try fixture.bytes("made.mp4")
      let place = try #require(bytes.firstRange(of: "enca".utf8))
      bytes.replaceSubrange(place, with: entry.utf8)
      try fixture.put(name, bytes)
      try expectRefusal(fixture, name)
    }

    /// Scrambled packets of a transport stream, which libavformat leaves out.
    @Test(arguments: [188, 192]) func scrambledTransportStreamIsNoNoise(packet: Int) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 90_000)
      try fixture.encode(
        "plain.ts", "-c:a ac3 -f mpegts" + (packet == 192 ? " -mpegts_m2ts_mode 1" : ""))
      #expect(try fixture.read("plain.ts", as: Int16.self).source.frameCount > 80_000)
      var bytes = try fixture.bytes("plain.ts")
      let sound = packet == 192 ? 0x1100 : 0x100
      var count = 0
      for place in stride(from: packet - 188, to: bytes.count, by: packet)
      where Int(bytes[place + 1] & 0x1F) << 8 | Int(bytes[place + 2]) == sound {
        count += 1
        bytes[place + 3] |= 0x80
        let field = bytes[place + 3] & 0x20 == 0 ? 0 : 1 + Int(bytes[place + 4])
        for index in (place + 4 + field)..<(place + 188) {
          bytes[index] ^= UInt8(truncatingIfNeeded: index &* 97 &+ index >> 6)
        }
      }
      try #require(count > 10)
      try fixture.put("x.ts", bytes)
      for salvaging in [false, true] {
        #expect(throws: AudioFileError.self) {
          try fixture.read("x.ts", as: Int16.self, salvaging: salvaging)
        }
      }
    }

    @Test func anotherTrackIsRead() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 30_000)
      try fixture.encode("x.mp4", "-c:a aac \(Self.encryption)")
      // Encrypted video beside plain audio.
      try fixture.run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:d=0.5", "-c:v", "libx264",
        "-encryption_scheme", "cenc-aes-ctr", "-encryption_key",
        "76a6c65c5ea762046bd749a2e632ccbb", "-encryption_kid",
        "a7e61c373e219033c21091fa607bf3b8", "video.mp4")
      var bytes = try fixture.bytes("video.mp4")
      #expect(bytes.indices.dropLast(4).contains { bytes[$0..<$0 + 4].elementsEqual("encv".utf8) })
      try fixture.encode("plain.mov", "-c:a pcm_s16le")
      bytes = try fixture.bytes("plain.mov")
      #expect(try fixture.read("plain.mov", as: Int16.self).source.frameCount == 30_000)
    }

    /// A track with ContentEncodings, as a player's packager writes it.
    @Test(arguments: [("libopus", "x.webm", true), ("aac", "x.mka", false)])
    func encryptedMatroskaIsRefused(codec: String, name: String, withKey: Bool) throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 30_000, rate: 48000)
      try fixture.encode("plain.\(name.suffix(4))", "-c:a \(codec)")
      try fixture.run(
        "python3", "-c",
        """
        import sys
        def read(b, at, keep):
            n = 1
            while not b[at] & (0x80 >> (n - 1)): n += 1
            v = int.from_bytes(b[at:at + n], 'big')
            return (v if keep else v & ((1 << 7 * n) - 1)), at + n
        def element(i, content):
            return i.to_bytes((i.bit_length() + 7) // 8, 'big') + (
                (1 << 56) | len(content)).to_bytes(8, 'big') + content
        def parts(b):
            at, found = 0, []
            while at < len(b):
                i, at = read(b, at, True)
                n, at = read(b, at, False)
                found.append((i, b[at:at + n]))
                at += n
            return found
        encryption = element(0x47E1, b'\\x05') + (element(0x47E2, bytes(range(16))) if \(
          withKey ? "True" : "False") else b'')
        encodings = element(0x6D80, element(0x6240, element(0x5031, b'\\x00') +
            element(0x5032, b'\\x01') + element(0x5033, b'\\x01') + element(0x5035, encryption)))
        def join(b, path):
            return b''.join(
                element(i, join(c, path[1:]) + (encodings if len(path) == 1 else b''))
                if path and i == path[0] else element(i, c) for i, c in parts(b)
                if i != 0x114D9B74 and i != 0x1C53BB6B)
        data = open('plain.\(name.suffix(4))', 'rb').read()
        open('\(name)', 'wb').write(join(data, [0x18538067, 0x1654AE6B, 0xAE]))
        """)
      try expectRefusal(fixture, name)
    }

    @Test func audibleIsRefused() throws {
      let fixture = try AudioFixture()
      // The file's size, the magic, a table of contents with one entry.
      let head: [UInt8] = [0, 0, 2, 0, 0x57, 0x90, 0x75, 0x36, 0, 0, 0, 1, 0, 0, 0, 0]
      try fixture.put("x.aa", head + [UInt8](repeating: 7, count: 496))
      try expectRefusal(fixture, "x.aa")
    }

    /// The object of Windows Media's rights management in the header.
    @Test func protectedWindowsMediaIsRefused() throws {
      let fixture = try AudioFixture()
      try fixture.makeNoise(frames: 30_000)
      try fixture.encode("plain.wma", "-c:a wmav2")
      var bytes = try fixture.bytes("plain.wma")
      let object: [UInt8] =
        [
          0xFB, 0xB3, 0x11, 0x22, 0x23, 0xBD, 0xD2, 0x11, 0xB4, 0xB7, 0x00, 0xA0, 0xC9, 0x55,
          0xFC, 0x6E,
        ] + Wave.le(24 + 16, 8) + [UInt8](repeating: 0, count: 16)
      let size = bytes[16..<24].reversed().reduce(0) { $0 << 8 | Int($1) }
      let count = bytes[24..<28].reversed().reduce(0) { $0 << 8 | Int($1) }
      bytes.replaceSubrange(16..<24, with: Wave.le(size + object.count, 8))
      bytes.replaceSubrange(24..<28, with: Wave.le(count + 1, 4))
      bytes.insert(contentsOf: object, at: 30)
      try fixture.put("x.wma", bytes)
      try expectRefusal(fixture, "x.wma")
    }
  }
#endif
