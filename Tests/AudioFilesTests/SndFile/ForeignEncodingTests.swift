import AudioFiles
import AudioModel
import TestSupport
import Testing

@testable import AudioIO

/// Encodings that libsndfile does not decode, in containers that it reads: another library decodes them, or they
/// are refused by name. None is read as PCM.
@Suite("Encodings foreign to libsndfile")
struct ForeignEncodingTests {
  private static let body = (0..<8000).map { UInt8(truncatingIfNeeded: $0 * 37) }
  /// The time constant of 8 kHz.
  private static let period: UInt8 = 131

  /// A Creative Voice file of blocks: a type, and its content.
  private static func voc(_ blocks: (UInt8, [UInt8])...) -> [UInt8] {
    Array("Creative Voice File\u{1A}".utf8) + [26, 0, 0x0A, 1, 0x29, 0x11]
      + blocks.flatMap { [$0.0] + $0.1.count.littleEndianBytes(3) + $0.1 } + [0]
  }

  private static func svx(compression: UInt8, channels: Int? = nil) -> [UInt8] {
    var chunks =
      Array("VHDR".utf8) + 20.bigEndianBytes(4) + body.count.bigEndianBytes(4)
      + 0.bigEndianBytes(8) + 8000.bigEndianBytes(2) + [1, compression] + 65536.bigEndianBytes(4)
    if let channels {
      chunks += Array("CHAN".utf8) + 4.bigEndianBytes(4) + channels.bigEndianBytes(4)
    }
    chunks += Array("BODY".utf8) + body.count.bigEndianBytes(4) + body
    return Array("FORM".utf8) + (chunks.count + 4).bigEndianBytes(4) + Array("8SVX".utf8) + chunks
  }

  private static func refusal(_ fixture: AudioFixture, _ name: String) -> String {
    do {
      _ = try fixture.read(name)
      return "read"
    } catch {
      return (error as? AudioFileError)?.message ?? "\(error)"
    }
  }

  /// An odd number of blocks of 65 bytes, and the byte that pads them.
  @Test func gsmPaddingIsNotABlock() throws {
    let fixture = try AudioFixture()
    try fixture.run(
      "sox", "-R", "-r", "8000", "-c", "1", "-n", "-e", "gsm", "x.wav", "synth", "2.5", "sine",
      "300")
    #expect(try fixture.read("x.wav").source.frameCount == 20_000)
  }

  #if FFmpeg
    /// 4 bits, 2.6 bits, 2 bits, and Creative's 16 bits to 4.
    @Test(
      arguments: [
        ("four", [1]), ("two-and-a-half", [2]), ("two", [3]), ("creative", [0, 2]),
      ] as [(String, [UInt8])])
    func adpcmInVoiceFiles(name: String, codec: [UInt8]) throws {
      let fixture = try AudioFixture()
      let block =
        codec.count == 1
        ? (UInt8(1), [Self.period] + codec + [0x80] + Self.body)
        : (UInt8(9), 8000.littleEndianBytes(4) + [4, 1] + codec + [0, 0, 0, 0] + Self.body)
      try fixture.put("x.voc", Self.voc(block))
      let read = try fixture.read("x.voc")
      #expect(read.source.codec.contains("ADPCM"))
      #expect(read.samples == (try fixture.decodeWithFFmpeg("x.voc")))
    }

    @Test(arguments: [UInt8(1), 2]) func compressedAmigaFiles(compression: UInt8) throws {
      let fixture = try AudioFixture()
      try fixture.put("x.8svx", Self.svx(compression: compression))
      #expect(try fixture.read("x.8svx").samples == fixture.decodeWithFFmpeg("x.8svx"))
    }

    /// The channels are stored one after the other.
    @Test func stereoAmigaFiles() throws {
      let fixture = try AudioFixture()
      try fixture.put("x.8svx", Self.svx(compression: 0, channels: 6))
      let samples = try fixture.read("x.8svx").samples
      let signed = Self.body.map { Int16(Int8(bitPattern: $0)) * 256 }
      #expect(samples == (0..<4000).flatMap { [signed[$0], signed[$0 + 4000]] })
    }

    @Test(arguments: [
      ("adpcm_yamaha", "wav", 2, 44100), ("g722", "wav", 1, 16000), ("g726", "wav", 1, 8000),
      ("pcm_s64le", "wav", 2, 44100), ("adpcm_yamaha", "w64", 2, 44100), ("ac3", "w64", 2, 48000),
      ("g722", "au", 1, 16000), ("adpcm_ima_qt", "caf", 2, 44100), ("libgsm", "caf", 1, 8000),
      ("libmp3lame", "caf", 2, 44100), ("libopus", "caf", 2, 48000),
      ("adpcm_ms", "caf", 2, 44100), ("ac3", "caf", 2, 44100),
    ])
    func encodingsOfOtherPrograms(codec: String, kind: String, channels: Int, rate: Int) throws {
      let fixture = try AudioFixture()
      let made = try Tool.run(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "sine=r=\(rate):d=0.7", "-ac", "\(channels)", "-ar",
          "\(rate)", "-c:a", codec, "x.\(kind)",
        ], in: fixture.folder.path)
      try #require(made.status == 0, "\(made.errorText)")
      let expected = try fixture.decodeWithFFmpeg("x.\(kind)")
      let read = try fixture.read("x.\(kind)")
      #expect(read.source.frameCount == expected.count / channels)
      #expect(abs(read.source.frameCount - rate * 7 / 10) < 2400)
      #expect(zip(read.samples, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
      let input = try InputFile(path: fixture.path("x.\(kind)"))
      let reader = try AudioFile.reader(for: input, salvaging: true)
      #expect(reader.source.frameCount == read.source.frameCount)
    }

    /// The packet table states the encoder's delay, which ffmpeg does not remove.
    @Test func packetTablesAreAppliedToAAC() throws {
      let fixture = try AudioFixture()
      try fixture.run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=r=44100:d=1", "-ac", "2", "-c:a", "aac",
        "x.aac")
      try fixture.put("caf.py", Array(Self.cafWriter.utf8))
      try fixture.run("python3", "caf.py", "x.aac", "x.caf", "44100", "2", "44100", "1024")
      let all = try fixture.decodeWithFFmpeg("x.caf")
      let read = try fixture.read("x.caf")
      #expect(read.source.frameCount == 44100)
      let expected = all.dropFirst(2048).prefix(88200)
      #expect(zip(read.samples, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    }

    @Test(arguments: ["pcm_s16le", "pcm_alaw", "pcm_u8"])
    func voiceFilesOfManyBlocks(codec: String) throws {
      let fixture = try AudioFixture()
      try fixture.run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=r=8000:d=2", "-c:a", codec, "x.voc")
      let read = try fixture.read("x.voc")
      #expect(read.source.format.id == "voc")
      #expect(read.source.frameCount == 16000)
      #expect(read.samples == (try fixture.decodeWithFFmpeg("x.voc")))
    }
  #endif

  @Test func unknownEncodingsAreNamed() throws {
    let fixture = try AudioFixture()
    try fixture.put("x.wav", Wave.file(channels: 1, bits: 8, tag: 0x1234, data: Self.body))
    #expect(
      Self.refusal(fixture, "x.wav").contains("not supported: its encoding (WAVE format 0x1234)"))
    try fixture.put("x.8svx", Self.svx(compression: 7))
    #expect(Self.refusal(fixture, "x.8svx").contains("not supported: its encoding (compression 7)"))
  }

  /// A GUID that begins as PCM's does, but is not.
  @Test func otherGUIDsAreNotPCM() throws {
    let fixture = try AudioFixture()
    let fields = [0xFE, 0xFF, 1, 0] + 8000.littleEndianBytes(4) + 16000.littleEndianBytes(4)
    let format =
      fields + [2, 0, 16, 0, 22, 0, 16, 0, 4, 0, 0, 0, 1, 0] + [UInt8](repeating: 9, count: 14)
    let chunks =
      Array("WAVEfmt ".utf8) + 40.littleEndianBytes(4) + format + Array("data".utf8)
      + Self.body.count.littleEndianBytes(4) + Self.body
    try fixture.put("x.wav", Array("RIFF".utf8) + chunks.count.littleEndianBytes(4) + chunks)
    #expect(
      Self.refusal(fixture, "x.wav").contains("not supported: its encoding (WAVE format GUID"))
  }

  /// The GUID may be turned around with the other fields, or, as by sox, only its tag.
  @Test(
    arguments: [1, 3],
    [[3, 2, 1, 0, 5, 4, 7, 6], [0, 1, 2, 3, 4, 5, 6, 7], [1, 0, 2, 3, 4, 5, 6, 7]])
  func bigEndianExtensibleFiles(tag: UInt8, order: [Int]) throws {
    let fixture = try AudioFixture()
    let width = tag == 1 ? 2 : 4
    let fields: [UInt8] = [tag, 0, 0, 0, 0, 0, 0x10, 0]
    let guid =
      order.map { fields[$0] }
      + [0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    let format =
      [0xFF, 0xFE, 0, 2] + 8000.bigEndianBytes(4) + (16000 * width).bigEndianBytes(4)
      + (2 * width).bigEndianBytes(2) + (8 * width).bigEndianBytes(2) + [0, 22]
      + (8 * width).bigEndianBytes(2) + [0, 0, 0, 3] + guid
    let values: [Int16] = [0, 1, -1, 16384, -32768, 32767]
    let data = values.flatMap { value in
      width == 2
        ? Int(UInt16(bitPattern: value)).bigEndianBytes(2)
        : Int((Float(value) / 32768).bitPattern).bigEndianBytes(4)
    }
    let chunks =
      Array("WAVEfmt ".utf8) + 40.bigEndianBytes(4) + format + Array("data".utf8)
      + data.count.bigEndianBytes(4) + data
    try fixture.put("x.wav", Array("RIFX".utf8) + chunks.count.bigEndianBytes(4) + chunks)
    let read = try fixture.read("x.wav")
    #expect(read.samples == values)
    #expect(read.source.spec.layout == .stereo)
  }

  /// Writes CAF of the packets of an ADTS file: input, output, rate, channels, frames, delay.
  private static let cafWriter = """
    import struct,sys
    def chunk(n,b): return n+struct.pack('>q',len(b))+b
    def desc(t,b): return bytes([t,0x80,0x80,0x80,len(b)])+b
    d=open(sys.argv[1],'rb').read(); p=0; packets=[]
    while p+7<=len(d):
        n=(d[p+3]&3)<<11|d[p+4]<<3|d[p+5]>>5
        packets.append(d[p+(7 if d[p+1]&1 else 9):p+n]); h=d[p:p+7]; p+=n
    rate,channels,frames,delay=map(int,sys.argv[3:])
    asc=struct.pack('>H',2<<11|(h[2]>>2&15)<<7|((h[2]&1)<<2|h[3]>>6)<<3)
    config=bytes([0x40,0x15,0,0,0])+struct.pack('>II',128000,128000)+desc(5,asc)
    kuki=desc(3,b'\\0\\0\\0'+desc(4,config)+desc(6,b'\\2'))
    sizes=b''.join((bytes([0x80|len(p)>>7]) if len(p)>127 else b'')+bytes([len(p)&127]) for p in packets)
    table=struct.pack('>qqii',len(packets),frames,delay,len(packets)*1024-frames-delay)+sizes
    open(sys.argv[2],'wb').write(b'caff\\0\\1\\0\\0'
        +chunk(b'desc',struct.pack('>d4sIIIII',rate,b'aac ',0,0,1024,channels,0))
        +chunk(b'kuki',kuki)+chunk(b'pakt',table)+chunk(b'data',b'\\0\\0\\0\\0'+b''.join(packets)))
    """
}
