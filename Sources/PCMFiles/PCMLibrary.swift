internal import AudioContainers
package import AudioIO
package import AudioModel

/// Samples that are stored one by one: linear PCM and G.711, in containers and without one.
package enum PCMLibrary: AudioLibrary {
  package static func reader(
    for input: borrowing InputFile, format: AudioFormat, options: ReadingOptions
  ) throws(AudioFileError) -> any FrameStream {
    try PCMReader(input, PCMSource(input, format: format, options))
  }

  package static func writer(
    to output: borrowing OutputFile, as description: OutputDescription
  ) throws(AudioFileError) -> any AudioFileWriter {
    try PCMWriter(output, description)
  }

  package static func sampleFormats(of format: AudioFormat) -> [SampleFormat] {
    SampleFormat.allCases
  }

  /// Returns true if the header of a file states an encoding that is read here; other libraries read codecs in the same
  /// containers.
  package static func reads(
    _ input: borrowing InputFile, format: AudioFormat
  ) throws(AudioFileError) -> Bool {
    if input.raw != nil { return true }
    return try format.header(of: input)?.encoding != nil
  }

  /// How a format stores samples.
  static func encoding(
    of format: AudioFormat, storing sampleFormat: SampleFormat
  ) -> RawPCM.Encoding? {
    if format.container == .raw { return rawEncoding(of: format, storing: sampleFormat) }
    let isRIFF = format.metadata == .riff || format.container == .wave64
    return RawPCM.Encoding(
      bytesPerSample: sampleFormat.bitDepth / 8, isFloat: sampleFormat.isFloat,
      isBigEndian: !isRIFF,
      // AIFF-C of signed 8-bit samples would be plain AIFF.
      isSigned: !isRIFF && format.container != .aiffC)
  }

  // MARK: Formats

  private static let library = AudioFormat.Library(PCMLibrary.self)

  /// A little less than 4 GiB: the sizes in a RIFF or IFF file are 32 bits wide and count the headers.
  private static let maximumBytes = 0xFFFF_0000

  package static let riff: [AudioFormat] = [
    AudioFormat(
      id: "wav", name: "WAV", extensions: ["wav", "wave", "bwf"], container: .wav,
      library: library, layouts: .waveMask, maximumBytes: maximumBytes, fallbackID: "rf64"),
    extensibleWAV,
    AudioFormat(
      id: "rf64", name: "RF64", extensions: ["rf64", "wav"], container: .rf64,
      library: library, layouts: .waveMask),
    AudioFormat(
      id: "w64", name: "Sony Wave64", extensions: ["w64"], container: .wave64,
      library: library, layouts: .waveMask),
  ]

  static let extensibleWAV = AudioFormat(
    id: "wavex", name: "WAV (extensible)", extensions: ["wav", "wave"], container: .wav,
    library: library, layouts: .waveMask, maximumBytes: maximumBytes, fallbackID: "rf64")

  package static let apple: [AudioFormat] = [
    AudioFormat(
      id: "aiff", name: "AIFF", extensions: ["aiff", "aif"], container: .aiff,
      library: library, layouts: .coreAudio, maximumBytes: maximumBytes),
    AudioFormat(
      id: "aifc", name: "AIFF-C", extensions: ["aifc", "aif", "aiff"], container: .aiffC,
      library: library, layouts: .coreAudio, maximumBytes: maximumBytes),
    AudioFormat(
      id: "caf", name: "CAF", extensions: ["caf"], container: .caf, library: library,
      layouts: .coreAudio),
  ]

  package static let au = AudioFormat(
    id: "au", name: "AU", extensions: ["au", "snd"], container: .au, library: library)

  /// Headerless files in an encoding. They state no layout; channels are in the order of the WAVE mask.
  package static func raw(_ encoding: RawPCM.Encoding) -> AudioFormat {
    let code = RawPCM.Encoding.allCases.firstIndex(of: encoding) ?? 0
    return AudioFormat(
      id: "raw", name: "raw PCM", extensions: ["raw", "pcm"], container: .raw,
      library: AudioFormat.Library(PCMLibrary.self, code: Int32(code)), layouts: .waveMask)
  }

  /// How a headerless format stores samples, in the byte order of its own encoding; `nil` for formats with a header.
  package static func rawEncoding(
    of format: AudioFormat, storing sampleFormat: SampleFormat
  ) -> RawPCM.Encoding? {
    guard format.container == .raw else { return nil }
    let own = RawPCM.Encoding.allCases[Int(format.library.code)]
    return RawPCM.Encoding(
      bytesPerSample: sampleFormat.bitDepth / 8, isFloat: sampleFormat.isFloat,
      isBigEndian: own.isBigEndian, isSigned: own == .s8)
  }
}
