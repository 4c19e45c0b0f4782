internal import AudioContainers
internal import AudioIO

/// Audio in blocks of equal size, the last of which may be incomplete.
///
/// libsndfile counts an incomplete block as a whole one or not at all, decodes it with bytes of the block before, and in
/// Wave64 takes what follows the audio for blocks.
struct BlockAudio {
  /// The frames that the blocks hold, with those of an incomplete last one if a decoder needs no more of it.
  let frameCount: Int
  let framesPerBlock: Int
  /// The number of bytes after the last frame.
  let leftoverBytes: Int
  /// The blocks with a header of their own, and zeros to the end of the last; `nil` if libsndfile reads the file itself.
  let view: SndFileView?

  /// True if libsndfile decodes ADPCM of a header: codes of 4 bits, of at most two channels, in blocks of whole words.
  static func reads(_ header: ContainerHeader) -> Bool {
    !["0x0002", "0x0011"].contains(header.encodingID) || Codec(header) != nil
  }

  /// The audio of a codec that libsndfile decodes; `nil` if its blocks have other sizes.
  init?(_ header: ContainerHeader, fileSize: Int) {
    guard let codec = Codec(header) else { return nil }
    let byteCount = header.availableBytes(fileSize: fileSize)
    let (blocks, rest) = byteCount.quotientAndRemainder(dividingBy: codec.bytes)
    let (whole, overflows) = blocks.multipliedReportingOverflow(by: codec.frames)
    let last = codec.frames(inStart: rest)
    guard !overflows, whole < Int.max - last else { return nil }
    frameCount = whole + last
    framesPerBlock = codec.frames
    leftoverBytes = last > 0 ? 0 : rest
    let end = header.audioOffset + byteCount - leftoverBytes
    let zeroCount = last > 0 ? codec.bytes - rest : 0
    view = codec.header(byteCount: end - header.audioOffset + zeroCount).map {
      SndFileView(ranges: [header.audioOffset..<end], head: $0, zeroCount: zeroCount)
    }
  }

  /// The way in which a codec fills its blocks.
  private struct Codec {
    /// The encoding as the header names it.
    let id: String
    let channelCount, sampleRate: Int
    /// The number of bytes and of frames in a block.
    let bytes, frames: Int

    init?(_ header: ContainerHeader) {
      guard let id = header.encodingID, let channelCount = header.channelCount, channelCount > 0,
        let sampleRate = header.sampleRate.flatMap({ Int(exactly: $0) })
      else { return nil }
      let bytes = id == "0x0040" ? 60 : header.bytesPerBlock ?? 0
      (self.id, self.channelCount, self.sampleRate) = (id, channelCount, sampleRate)
      self.bytes = bytes
      let isADPCM = header.bitsPerSample == 4 && channelCount <= 2
      switch id {
      // Microsoft ADPCM.
      case "0x0002":
        frames = 2 * (bytes - 6 * channelCount) / channelCount
        if !isADPCM || frames < 7 * channelCount { return nil }
      // IMA ADPCM, in words of 4 bytes for each channel.
      case "0x0011":
        frames = 1 + 2 * (bytes - 4 * channelCount) / channelCount
        if !isADPCM || frames < 9 || (bytes - 4 * channelCount) % (4 * channelCount) != 0 {
          return nil
        }
      // GSM 6.10.
      case "0x0031" where bytes == 65 && channelCount == 1: frames = 320
      case "GSM ", "ima4":
        guard bytes > 0, let frames = header.framesPerBlock, frames > 0 else { return nil }
        self.frames = frames
      // NMS ADPCM.
      case "0x0038" where bytes > 0: frames = 160
      // G.721, which has no blocks except those of libsndfile.
      case "0x0040" where header.bitsPerSample == 4: frames = 120
      default: return nil
      }
    }

    /// The frames that the first bytes of a block hold.
    ///
    /// As FFmpeg: GSM, NMS, and Apple's IMA ADPCM need whole blocks.
    func frames(inStart count: Int) -> Int {
      switch id {
      case "0x0002":
        count < 7 * channelCount ? 0 : 2 * (count - 6 * channelCount) / channelCount
      case "0x0011":
        count < 4 * channelCount ? 0 : 1 + (count - 4 * channelCount) / (4 * channelCount) * 8
      case "0x0040": 2 * count
      default: 0
      }
    }

    /// The header of Wave64 for this many bytes of blocks; `nil` for codecs in other containers.
    func header(byteCount: Int) -> [UInt8]? {
      guard ["0x0002", "0x0011", "0x0031"].contains(id), byteCount < Int.max / 2 else { return nil }
      let isGSM = id == "0x0031"
      let tag = isGSM ? 0x31 : id == "0x0002" ? 2 : 0x11
      var format = ByteWriter(isBigEndian: false)
      format.append16(tag)
      format.append16(channelCount)
      format.append32(sampleRate)
      format.append32(sampleRate.multipliedReportingOverflow(by: bytes).partialValue / frames)
      format.append16(bytes)
      format.append16(isGSM ? 0 : 4)
      format.append16(tag == 2 ? 4 : 2)
      format.append16(frames)
      // The coefficients are the standard ones.
      if tag == 2 { format.append16(0) }
      var chunks = ByteWriter(isBigEndian: false)
      chunks.appendWave64(Chunk(name: "fmt ", content: format.bytes))
      chunks.appendWave64Header("data", size: byteCount)
      var file = ByteWriter(isBigEndian: false)
      file.appendWave64Header("riff", size: 16 + chunks.bytes.count + byteCount)
      file.appendWave64Name("wave")
      file.append(chunks.bytes)
      return file.bytes
    }
  }
}
