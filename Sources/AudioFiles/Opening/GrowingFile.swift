internal import AudioContainers
package import AudioIO
internal import AudioModel

extension AudioFile {
  /// Opens a file that is being written: the reader delivers what can be decoded completely from the current bytes.
  ///
  /// A WAV file whose header counts fewer bytes than it has is read to its end.
  package static func growingReader(
    for input: borrowing InputFile
  ) throws(AudioFileError) -> any FrameStream {
    guard input.raw == nil, let (raw, start) = try GrowingWAV.samples(of: input) else {
      return try reader(for: input, salvaging: true)
    }
    var samples = try InputFile(input, bytes: start..<input.size)
    samples.raw = raw
    return try reader(for: samples, salvaging: true)
  }
}

/// The samples of a WAV file whose header counts fewer bytes than it has.
private enum GrowingWAV {
  /// The offset and the declaration of its samples; `nil` for all other files, including complete WAV files.
  static func samples(
    of input: borrowing InputFile
  ) throws(AudioFileError) -> (RawPCM, start: Int)? {
    let head = try AudioFormat.FileHead(of: input, at: 0)
    guard AudioFormat.Container.wav.recognizes(head),
      let header = try? AudioFormat.named("wav")?.header(of: input),
      let stray = header.strayOffset, let declared = header.declaredBytes, declared > 0,
      stray - header.audioOffset - declared <= 1, let encoding = header.encoding,
      encoding.sampleFormat != nil, let channels = header.channelCount,
      (1...2).contains(channels), let rate = header.sampleRate.flatMap({ Int(exactly: $0) }),
      RawPCM.sampleRateRange.contains(rate)
    else { return nil }
    let spec = AudioSpec(sampleRate: rate, layout: .assumed(channelCount: channels))
    return (RawPCM(encoding: encoding, spec: spec), header.audioOffset)
  }
}
