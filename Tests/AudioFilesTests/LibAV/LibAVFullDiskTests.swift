#if FFmpeg
  import AudioModel
  import Glibc
  import SystemPackage
  import TestSupport
  import Testing

  @testable import AudioContainers
  @testable import AudioIO

  @Suite("Writing M4A where there is no space")
  struct LibAVFullDiskTests {
    /// An output that holds so many bytes and no more.
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

    private func stream(_ codec: AudioFormat.PacketEncoding.Codec) -> PacketStream {
      PacketStream(
        codec: codec, spec: AudioSpec(sampleRate: 44100, layout: .mono), frameCount: 20 * 1024,
        delay: 0, framesPerPacket: 1024, bitDepth: 16,
        configuration: [UInt8](repeating: 0, count: 24))
    }

    private func fill(_ file: any PacketFile) throws {
      let packet = [UInt8](repeating: 7, count: 1000)
      for _ in 0..<20 { try packet.withUnsafeBytes { try file.append($0) } }
      try file.finish()
    }

    /// In the header, in the packets, and in what is written last.
    @Test(arguments: [10, 1000, 12_000, 20_500])
    func errorsNameTheCause(bytes: Int) throws {
      let movie = MP4Movie(stream: stream(.aac))
      #expect(throws: AudioFileError.cannotWrite("x", .notPermitted)) {
        try fill(MP4File(limited(to: bytes), brand: "M4A ", movie: movie, path: "x"))
      }
      #expect(throws: AudioFileError.cannotWrite("x", .notPermitted)) {
        try fill(
          ALACInCAF(limited(to: bytes > 20_000 ? 20_150 : bytes), stream: stream(.alac), path: "x"))
      }
    }

    @Test func aFullDeviceIsReported() throws {
      let full = OutputCursor(descriptor: try FileDescriptor.open("/dev/full", .readWrite))
      #expect(throws: AudioFileError.cannotWrite("x", .noSpace)) {
        try fill(ALACInCAF(full, stream: stream(.alac), path: "x"))
      }
    }
  }
#endif
