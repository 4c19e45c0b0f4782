internal import AudioContainers
internal import AudioIO
internal import SystemPackage

/// The encodings in containers that libsndfile decodes. It reads some others as if they were PCM.
enum SndFileEncodings {
  /// Throws `unsupported` if libsndfile does not decode the encoding that the header states.
  static func check(
    _ input: borrowing InputFile, _ header: ContainerHeader?, format: AudioFormat
  ) throws(AudioFileError) {
    if let foreign = try name(input, header, format: format) {
      throw .unsupported(input.path, reason: "its encoding (\(foreign)) cannot be decoded")
    }
  }

  /// The error for a variant of an encoding that libsndfile does not decode, by the identifier in the header.
  static func lack(_ path: FilePath, _ header: ContainerHeader? = nil) -> AudioFileError {
    let name = header?.encodingID.map { " (\($0))" } ?? ""
    return .unsupported(
      path, reason: "the variant of its encoding\(name) cannot be decoded",
      remedy: .act("convert it to WAV with the program that made it"))
  }

  /// The name of an encoding that libsndfile does not decode; `nil` if it does, or no header states it.
  static func name(
    _ input: borrowing InputFile, _ header: ContainerHeader?, format: AudioFormat
  ) throws(AudioFileError) -> String? {
    switch format.container {
    case .voc:
      let file = try VOCFile(of: input, encodingOnly: true)
      guard let encoding = file.encoding, encoding.bytesPerFrame == nil else { return nil }
      return "VOC codec \(encoding.codec)"
    case .xi:
      // ModPlug marks its ADPCM in the header of the first sample, in a byte that is otherwise reserved.
      return try input.bytes(at: 298 + 17, count: 1) == [0xAD] ? "ADPCM" : nil
    case .nist:
      return try nistCoding(input)
    default:
      guard let id = header?.encodingID, let known = known(format.container) else { return nil }
      if known.contains(id) {
        if isPlanar(header, format) { return "stereo in two halves" }
        return header.flatMap { width($0, id) }
      }
      switch format.container {
      case .wav, .rf64, .wave64: return "WAVE format \(id)"
      case .au: return "AU encoding \(id)"
      case .svx: return "compression \(id)"
      default: return "`\(id)`"
      }
    }
  }

  private static func known(_ container: AudioFormat.Container) -> Set<String>? {
    switch container {
    // PCM, Microsoft ADPCM, floating point, A-law, µ-law, IMA ADPCM, GSM 6.10, NMS ADPCM, G.721, MP3.
    case .wav, .rf64:
      [
        "0x0001", "0x0002", "0x0003", "0x0006", "0x0007", "0x0011", "0x0031", "0x0038", "0x0040",
        "0x0055",
      ]
    case .wave64: ["0x0001", "0x0002", "0x0003", "0x0006", "0x0007", "0x0011", "0x0031"]
    case .aiff, .aiffC:
      [
        "NONE", "twos", "sowt", "raw ", "in24", "in32", "23ni", "42ni", "fl32", "FL32", "fl64",
        "FL64", "ulaw", "ULAW", "alaw", "ALAW", "ima4", "GSM ", "DWVW",
      ]
    case .caf: ["lpcm", "alaw", "ulaw", "alac"]
    // µ-law, 8 to 32 bits, floating point, G.721, G.723, A-law.
    case .au: ["1", "2", "3", "4", "5", "6", "7", "23", "25", "26", "27"]
    case .svx: ["0"]
    default: nil
    }
  }

  /// Whether an SVX file has two channels, one after the other; Electronic Arts, "8SVX", chunk CHAN.
  private static func isPlanar(_ header: ContainerHeader?, _ format: AudioFormat) -> Bool {
    format.container == .svx && header?.svxChannels == 6
  }

  /// The depth of PCM in WAV that libsndfile does not decode: integers of more than 32 bits, floating point of 16 or
  /// 24 bits.
  private static func width(_ header: ContainerHeader, _ id: String) -> String? {
    guard let format = header.waveFormat, format.count >= 16, let bytes = header.bytesPerFrame,
      let channels = header.channelCount, channels > 0, bytes >= channels
    else { return nil }
    let bits = bytes / channels * 8
    switch id {
    case "0x0001": return bits > 32 ? "PCM of \(bits) bits" : nil
    case "0x0003": return bits != 32 && bits != 64 ? "floating point of \(bits) bits" : nil
    default: return nil
    }
  }

  /// The coding of a NIST file if it is compressed, as in `sample_coding -s26 pcm,embedded-shorten-v2.00`.
  private static func nistCoding(
    _ input: borrowing InputFile
  ) throws(AudioFileError) -> String? {
    let header = String(decoding: try input.bytes(at: 0, count: 1024), as: UTF8.self)
    for line in header.split(whereSeparator: \.isNewline) {
      let words = line.split(separator: " ")
      guard words.count == 3, words[0] == "sample_coding" else { continue }
      let coding = words[2].lowercased()
      return ["pcm", "alaw", "ulaw", "mu-law"].contains(coding) ? nil : "`\(words[2])`"
    }
    return nil
  }
}

extension VOCFile {
  /// The audio of all blocks after a WAV header; `nil` if it is one block that libsndfile reads itself.
  ///
  /// libsndfile reads one block, and treats the terminator of 8-bit files as a sample.
  func view(fileSize: Int, path: FilePath) throws(AudioFileError) -> SndFileView? {
    guard !isOneBlock, let encoding, let width = encoding.bytesPerFrame, width > 0 else {
      return nil
    }
    if let changeOffset {
      throw .unsupported(
        path, reason: "its sample rate, channels, or encoding change at byte \(changeOffset)")
    }
    var ranges: [Range<Int>] = []
    var patches: [HeaderPatch] = []
    var length = Self.headByteCount
    for part in parts {
      switch part {
      case .sound(let range):
        let range = min(range.lowerBound, fileSize)..<min(range.upperBound, fileSize)
        let whole = range.lowerBound..<range.upperBound - range.count % width
        ranges.append(whole)
        length += whole.count
      case .silence(let frames):
        // These bytes of the file are replaced.
        var left = frames * width
        guard length + left < 1 << 28 else {
          throw .limitExceeded(path, reason: "it declares \(frames) frames of silence")
        }
        patches.append(HeaderPatch(offset: length, bytes: silence(byteCount: left)))
        length += left
        while left > 0 {
          ranges.append(0..<min(left, fileSize))
          left -= min(left, fileSize)
        }
      }
    }
    let head = head(encoding, width: width, byteCount: length - Self.headByteCount)
    patches.append(HeaderPatch(offset: 0, bytes: head))
    return SndFileView(ranges: [0..<head.count] + ranges, patches: patches)
  }

  private static let headByteCount = 44

  private func silence(byteCount: Int) -> [UInt8] {
    let byte: UInt8 = [0: 0x80, 6: 0xD5, 7: 0xFF][encoding?.codec ?? 4] ?? 0
    return [UInt8](repeating: byte, count: byteCount)
  }

  private func head(_ encoding: Encoding, width: Int, byteCount: Int) -> [UInt8] {
    let tag = [6: 6, 7: 7][encoding.codec] ?? 1
    let rate = encoding.sampleRate
    let format =
      tag.littleEndianBytes(2) + encoding.channelCount.littleEndianBytes(2)
      + rate.littleEndianBytes(4) + (rate &* width).littleEndianBytes(4)
      + width.littleEndianBytes(2)
      + (8 * width / encoding.channelCount).littleEndianBytes(2)
    return Array("RIFF".utf8) + (byteCount + 36).littleEndianBytes(4) + Array("WAVEfmt ".utf8)
      + format.count.littleEndianBytes(4) + format + Array("data".utf8)
      + byteCount.littleEndianBytes(4)
  }
}
