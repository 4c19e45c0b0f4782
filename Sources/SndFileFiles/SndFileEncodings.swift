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

  /// The error for an encoding variant that libsndfile does not decode, with the identifier from the header.
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
    case .xi:
      // ModPlug marks its ADPCM in the header of the first sample, in a byte that is otherwise reserved.
      return try input.bytes(at: 298 + 17, count: 1) == [0xAD] ? "ADPCM" : nil
    case .nist:
      guard let coding = try NISTHeader(of: input).coding else { return nil }
      let isRead = ["pcm", "alaw", "ulaw", "mu-law"].contains(coding.lowercased())
      return isRead ? nil : "`\(coding)`"
    default:
      guard let id = header?.encodingID, let known = known(format.container) else { return nil }
      if known.contains(id) {
        if isPlanar(header, format) { return "stereo in two halves" }
        return header.flatMap { BlockAudio.reads($0) ? width($0, id) : "a variant of ADPCM" }
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

  /// Returns true if an SVX file stores two channels one after the other; Electronic Arts, "8SVX", chunk CHAN.
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
}
