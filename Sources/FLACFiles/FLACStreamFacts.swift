internal import AudioContainers
internal import AudioIO
internal import AudioModel
internal import CFLAC
internal import SystemPackage

/// What a FLAC stream's metadata say about its audio, checked.
struct FLACStreamFacts {
  let spec: AudioSpec
  /// Bits of a sample, 4 to 32.
  let bitDepth: Int
  var warnings: [String]

  init(_ metadata: FLACMetadataCollector, path: FilePath) throws(AudioFileError) {
    guard let info = metadata.streamInfo else {
      throw .malformed(path, reason: "it has no readable FLAC stream information")
    }
    // RFC 9639 section 8.2: "A sample rate of 0 MAY be used when non-audio is represented."
    guard info.sample_rate > 0 else {
      throw .limitExceeded(path, reason: "a sample rate of 0 Hz")
    }
    let channels = Int(info.channels)
    bitDepth = Int(info.bits_per_sample)
    guard (1...8).contains(channels), (4...32).contains(bitDepth) else {
      throw .limitExceeded(path, reason: "\(channels) channels of \(bitDepth) bits")
    }
    warnings = metadata.warnings
    var layout = FLACLayout.standard(channelCount: channels)
    if let text = metadata.maskText {
      if let told = FLACLayout.layout(mask: text, channelCount: channels) {
        layout = told
      } else {
        warnings.append("the channel mask does not fit \(channels) channels and is ignored")
      }
    }
    spec = AudioSpec(sampleRate: Int(info.sample_rate), layout: layout)
  }

  /// The narrowest format that holds the stream's samples.
  var sampleFormat: SampleFormat {
    switch bitDepth {
    case ...8: .int8
    case ...16: .int16
    case ...24: .int24
    default: .int32
    }
  }
}

/// How many frames a FLAC stream will give.
struct FLACLength {
  let frames: Int
  /// Whether the whole stream was decoded.
  let isCounted: Bool
  /// What the user should know about frames that are lost.
  var warnings: [String] = []

  /// Takes the declared length, or decodes the whole stream where none is declared and to salvage.
  init(
    of input: borrowing InputFile, _ stream: FLACBlockSource.Expectation, declared: Int?,
    sampleRate: Int
  ) throws(AudioFileError) {
    isCounted = stream.salvaging || declared == nil
    if !isCounted, let declared {
      frames = declared
      return
    }
    var counting = stream
    counting.checksMD5 = stream.salvaging
    let blocks = try FLACBlockSource(input, counting)
    while try blocks.next() != nil {}
    frames = blocks.decodedFrames + blocks.silentFrames
    guard blocks.isDamaged else { return }
    guard blocks.decodedFrames > 0 else {
      throw .truncated(input.path, expected: declared, found: 0)
    }
    if blocks.decodedFrames == declared, blocks.silentFrames == 0 {
      warnings = ["the audio does not match its MD5 signature"]
    } else {
      warnings = [
        SalvageReport(
          decoded: blocks.decodedFrames, silent: blocks.silentFrames, declared: declared,
          sampleRate: sampleRate
        ).text
      ]
    }
  }
}

extension FLACBlockSource.Expectation {
  /// What to hold a file to: native FLAC, or Ogg FLAC, a single link of it.
  init(
    _ input: borrowing InputFile, format: AudioFormat, salvaging: Bool
  ) throws(AudioFileError) {
    self.init(
      salvaging: salvaging, inOgg: format.container == .ogg, lacksLastPage: false,
      checksMD5: true)
    guard inOgg else { return }
    // libFLAC decodes the first logical stream; others may run beside it.
    let first = try OggPage(of: input, at: 0)
    let end = try OggStreamEnd(of: input, serialNumber: first?.serialNumber)
    lacksLastPage = end?.isWhole != true
  }
}
