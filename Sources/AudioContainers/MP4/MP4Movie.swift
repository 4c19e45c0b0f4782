internal import AudioIO
package import AudioModel

/// The `moov` box of an M4A file: everything except the audio.
///
/// Source: ISO 14496-12 section 8.2.
package struct MP4Movie {
  package let stream: PacketStream
  let chapters: MP4Chapters
  /// The parts of the metadata that the file cannot hold.
  package let notCarried: [MetadataLoss]
  /// Warnings about changed chapters.
  package var warnings: [String] { chapters.warnings }
  /// The user data box: tags, pictures, and Nero's list of chapters.
  private let userData: [UInt8]
  /// The language of the audio, by the letters of ISO 639-2.
  private let language: String?
  /// When the recording was made, in seconds since 1904, of 32 bits; 0 if unknown.
  private let creationTime: Int
  /// The offset of the chapter titles in the file.
  var textOffset = 0
  /// The offset of the audio in the file.
  var audioOffset = 0

  package init(stream: PacketStream, metadata: Metadata = Metadata()) {
    self.stream = stream
    chapters = MP4Chapters(metadata.chapters, frameCount: stream.frameCount)
    notCarried = chapters.notCarried + MP4Items.notCarried(of: metadata)
    userData = Self.userData(metadata, chapters, stream)
    language = metadata.trackLanguage
    creationTime = metadata.creationTime
  }

  private static let audioTrack = 1
  private static let textTrack = 2
  /// About half a second with 1024 frames per packet.
  private static let packetsPerChunk = 20

  /// True if offsets may exceed 32 bits.
  private var hasLongOffsets: Bool { stream.maximumBytes > 0xF000_0000 }

  /// The size of the box with all packets, in bytes.
  var byteCount: Int {
    bytes(packetSizes: []).count + audioTable(packetSizes: []).missingBytes
  }

  /// The box; `packetSizes` holds the sizes of all packets, or none to compute the size of the box.
  func bytes(packetSizes: [UInt32]) -> [UInt8] {
    var bytes = ByteWriter()
    bytes.box("moov") { movie in
      putHeader(&movie)
      putAudioTrack(packetSizes, &movie)
      if !chapters.chapters.isEmpty { putTextTrack(&movie) }
      movie.append(userData)
    }
    return bytes.bytes
  }

  private func putHeader(_ bytes: inout ByteWriter) {
    let version = ByteWriter.timeVersion(stream.frameCount)
    bytes.box("mvhd", version: version) { box in
      box.putTime(creationTime, version)
      box.putTime(0, version)
      box.append32(stream.spec.sampleRate)
      box.putTime(stream.frameCount, version)
      // Normal speed and volume.
      box.append32(0x1_0000)
      box.append16(0x100)
      box.appendZeros(10)
      box.putUnityMatrix()
      box.appendZeros(24)
      box.append32(Self.textTrack + 1)
    }
  }

  private func audioTable(packetSizes: [UInt32]) -> MP4SampleTable {
    MP4SampleTable(
      durations: stream.durations, count: stream.packetCount, sizes: packetSizes,
      samplesPerChunk: Self.packetsPerChunk, offset: audioOffset, hasLongOffsets: hasLongOffsets)
  }

  private func putAudioTrack(_ packetSizes: [UInt32], _ bytes: inout ByteWriter) {
    let track = MP4Track(
      kind: .audio, id: Self.audioTrack, timescale: stream.spec.sampleRate,
      mediaStart: stream.delay, frameCount: stream.frameCount, language: language,
      chapterTrack: chapters.chapters.isEmpty ? nil : Self.textTrack,
      samples: audioTable(packetSizes: packetSizes))
    let rates = bitRates(packetSizes)
    track.put(&bytes) {
      stream.putSampleEntry(averageBitRate: rates.average, highestBitRate: rates.highest, &$0)
    }
  }

  /// Bits per second, on average and in the run of packets with the highest rate.
  private func bitRates(_ packetSizes: [UInt32]) -> (average: Int, highest: Int) {
    func rate(_ packets: ArraySlice<UInt32>) -> Int {
      if packets.isEmpty { return 0 }
      let bits = packets.reduce(0.0) { $0 + Double($1) } * 8
      let frames = Double(packets.count * stream.framesPerPacket)
      return Int(min(bits * Double(stream.spec.sampleRate) / frames, Double(UInt32.max)))
    }
    let highest = stride(from: 0, to: packetSizes.count, by: Self.packetsPerChunk).map {
      rate(packetSizes[$0..<min($0 + Self.packetsPerChunk, packetSizes.count)])
    }
    return (rate(packetSizes[...]), highest.max() ?? 0)
  }

  private func putTextTrack(_ bytes: inout ByteWriter) {
    let list = chapters.chapters
    let track = MP4Track(
      kind: .text, id: Self.textTrack, timescale: stream.spec.sampleRate,
      emptyStart: list[0].start, frameCount: list.reduce(0) { $0 + $1.frameCount },
      samples: MP4SampleTable(
        durations: list.map { (1, $0.frameCount) }, count: list.count,
        sizes: chapters.textSamples.map { UInt32(clamping: $0.count) },
        samplesPerChunk: list.count, offset: textOffset, hasLongOffsets: hasLongOffsets))
    track.put(&bytes, sampleEntry: Self.putTextEntry)
  }

  /// Source: Apple, "QuickTime File Format Specification", section Text Sample Description.
  private static func putTextEntry(_ bytes: inout ByteWriter) {
    bytes.box("text") { entry in
      entry.appendZeros(6)
      entry.append16(1)
      // Display flags, justification, background color, text box, font, style and color: none.
      entry.appendZeros(4 + 4 + 6 + 8 + 8 + 2 + 2 + 1 + 2 + 6)
      // The font's name, which is empty.
      entry.append8(0)
    }
  }

  private static func userData(
    _ metadata: Metadata, _ chapters: MP4Chapters, _ stream: PacketStream
  ) -> [UInt8] {
    var bytes = ByteWriter()
    bytes.box("udta") { data in
      chapters.putNeroList(sampleRate: stream.spec.sampleRate, &data)
      data.box("meta", version: 0) { meta in
        meta.box("hdlr", version: 0) { box in
          box.appendZeros(4)
          box.append("mdirappl")
          box.appendZeros(9)
        }
        meta.box("ilst") { MP4Items.put(metadata, gapless: gaplessText(stream), &$0) }
      }
    }
    return bytes.bytes
  }

  /// Delay, padding, and length in frames, in hexadecimal, in the form that iTunes uses; `nil` if there is no delay.
  private static func gaplessText(_ stream: PacketStream) -> String? {
    guard stream.delay > 0, stream.packetCount > 0 else { return nil }
    func hexadecimal(_ value: Int, _ digits: Int) -> String {
      let text = String(value, radix: 16, uppercase: true)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    let padding = stream.packetCount * stream.framesPerPacket - stream.decodedFrameCount
    let numbers =
      [hexadecimal(0, 8), hexadecimal(stream.delay, 8), hexadecimal(padding, 8)]
      + [hexadecimal(stream.frameCount, 16)] + Array(repeating: hexadecimal(0, 8), count: 8)
    return numbers.map { " " + $0 }.joined()
  }
}
