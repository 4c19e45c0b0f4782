internal import AudioModel
internal import CSndFile
internal import SystemPackage

/// Reads what libsndfile reads.
final class SndFileReader<Sample: PCMSample>: AudioFileReader {
  let source: SourceDescription
  var clippedSamples: Int { 0 }
  private let path: FilePath
  private let handle: SndFileHandle
  private var framesLeft: Int
  private var scratch: [Int16] = []

  init(
    _ input: borrowing InputFile, format: AudioFormat, salvaging: Bool
  ) throws(AudioFileError) {
    path = input.path
    let descriptor = try input.duplicate()
    do throws(SndFileFailure) {
      handle = try SndFileHandle(descriptor: descriptor, mode: Int32(SFM_READ))
    } catch {
      throw .malformed(input.path, reason: error.message)
    }
    let info = handle.info
    let channels = Int(info.channels)
    source = SourceDescription(
      spec: AudioSpec(
        sampleRate: Int(info.samplerate), layout: .assumed(channelCount: channels)),
      frameCount: Int(info.frames), format: format, codec: "PCM", sampleFormat: .int16)
    framesLeft = source.frameCount
  }

  @specialized(where Sample == Int16)
  func read(into buffer: inout MutableSpan<Sample>) throws(AudioFileError) -> Int {
    let channels = source.spec.channelCount
    let wanted = min(buffer.count / channels, framesLeft)
    if wanted == 0 { return 0 }
    if scratch.count < wanted * channels {
      scratch = Array(repeating: 0, count: wanted * channels)
    }
    let got = Int(sf_readf_short(handle.pointer, &scratch, sf_count_t(wanted)))
    guard got > 0 else {
      throw .truncated(
        path, expected: source.frameCount, found: source.frameCount - framesLeft)
    }
    for i in 0..<got * channels { buffer[i] = Sample(integer: Int32(scratch[i]), bitDepth: 16) }
    framesLeft -= got
    return got
  }
}
