#if os(Linux)
  import AudioModel
  import Foundation
  import TestSupport
  import Testing

  @testable import AudioPlayer

  /// Playing into ALSA's own file device, which has no clock.
  @Suite("Sound through ALSA", .serialized)
  struct ALSATests {
    /// A configuration of devices that nobody else sees; ALSA reads it once for the process.
    private static let folder: TemporaryFolder? = {
      guard let folder = try? TemporaryFolder() else { return nil }
      let text = """
        pcm.recorded {
          @args [ FILE ]
          @args.FILE { type string }
          type file
          slave.pcm { type null }
          file $FILE
          format raw
        }
        """
      let path = folder.file("asound.conf").string
      try? text.write(toFile: path, atomically: true, encoding: .utf8)
      setenv("ALSA_CONFIG_PATH", path, 1)
      return folder
    }()

    let folder: TemporaryFolder

    init() throws { folder = try #require(Self.folder) }

    private func recorded(_ path: String) throws -> [Int] {
      NumberedSound.numbers(
        inFloats: Array(try Data(contentsOf: URL(fileURLWithPath: path))))
    }

    @Test func theFileIsWhatWasDelivered() throws {
      let path = folder.file("plain.raw").string
      let output = try SoundOutputs.open(.alsa("recorded:\(path)"), spec: NumberedSound.spec)
      #expect(output.spec == NumberedSound.spec)
      let sound = NumberedSound(end: 50_000)
      try sound.start(output)
      try output.drain()
      output.close()
      #expect(sound.next == 50_000)
      #expect(try recorded(path) == Array(0..<50_000))
      #expect(output.underrunCount == 0)
      #expect(sound.events == [])
    }

    @Test func pausingLosesNothing() throws {
      let path = folder.file("paused.raw").string
      let output = try SoundOutputs.open(.alsa("recorded:\(path)"), spec: NumberedSound.spec)
      let sound = NumberedSound(end: 400_000)
      try sound.start(output)
      for _ in 1...5 {
        try output.pause()
        let next = sound.next
        usleep(5_000)
        #expect(sound.next == next)
        try output.resume()
      }
      try output.drain()
      output.close()
      #expect(try recorded(path) == Array(0..<400_000))
    }

    @Test func missingDevicesAreNamed() throws {
      let error = #expect(throws: SoundError.self) {
        try SoundOutputs.open(.alsa("none"), spec: NumberedSound.spec)
      }
      #expect(error?.message == "no sound device has the name none")
      #expect(error?.remedy != nil)
    }
  }
#endif
