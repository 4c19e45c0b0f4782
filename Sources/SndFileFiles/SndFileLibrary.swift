internal import AudioContainers
package import AudioIO
package import AudioModel
internal import CSndFile

/// libsndfile: the formats read and written through it, in groups in the order of the table, and the codecs in the
/// containers of PCM.
package enum SndFileLibrary: AudioLibrary {
  package static func reader(
    for input: borrowing InputFile, format: AudioFormat, options: ReadingOptions
  ) throws(AudioFileError) -> any FrameStream {
    try SndFileReader(input, format: format, options)
  }

  package static func writer(
    to output: borrowing OutputFile, as description: OutputDescription
  ) throws(AudioFileError) -> any AudioFileWriter {
    try SndFileWriter(output, description)
  }

  /// None: the formats that are written are lossy.
  package static func sampleFormats(of format: AudioFormat) -> [SampleFormat] { [] }

  /// The codecs that libsndfile decodes, for which its error on a damaged file is reported.
  package static let codecs: Set<AudioFormat.Codec> = [.pcm, .adpcm, .gsm, .mpegLayer3]

  /// Returns true if the header of a file states an encoding that libsndfile does not decode.
  package static func isForeign(
    _ input: borrowing InputFile, format: AudioFormat
  ) throws(AudioFileError) -> Bool {
    try SndFileEncodings.name(input, format.header(of: input), format: format) != nil
  }

  private static func sndFile(_ major: Int, _ subtype: Int) -> AudioFormat.Library {
    AudioFormat.Library(SndFileLibrary.self, code: Int32(major | subtype))
  }

  /// CAF with ALAC in builds without FFmpeg.
  ///
  /// It is not written: libsndfile 1.2.0 writes beyond the end of its packet table if many packets
  /// exceed 16 KiB, as in stereo noise, and prints to standard output. The output is PCM in the
  /// same container.
  package static let cafALAC = AudioFormat(
    id: "caf-alac", name: "CAF with ALAC", extensions: ["caf"], container: .caf, codec: .alac,
    library: sndFile(SF_FORMAT_CAF, SF_FORMAT_ALAC_16), isWritable: false, channels: 1...8,
    layouts: .coreAudio, fallbackID: "caf")

  package static let opus = AudioFormat(
    id: "opus", name: "Ogg Opus", extensions: ["opus", "ogg"], container: .ogg, codec: .opus,
    library: sndFile(SF_FORMAT_OGG, SF_FORMAT_OPUS), isLossless: false,
    channels: 1...255, layouts: .vorbis, sampleRates: [8000, 12000, 16000, 24000, 48000])

  package static let mpegAudio: [AudioFormat] = [
    AudioFormat(
      id: "mp3", name: "MP3", extensions: ["mp3"], container: .mpegAudio, codec: .mpegLayer3,
      library: sndFile(SF_FORMAT_MPEG, SF_FORMAT_MPEG_LAYER_III),
      isLossless: false, channels: 1...2,
      sampleRates: [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000]),
    AudioFormat(
      id: "mp2", name: "MPEG audio layer II", extensions: ["mp2", "mpa"], container: .mpegAudio,
      codec: .mpegLayer2,
      library: sndFile(SF_FORMAT_MPEG, SF_FORMAT_MPEG_LAYER_II),
      isLossless: false, isWritable: false, channels: 1...2, fallbackID: "mp3"),
    AudioFormat(
      id: "mp1", name: "MPEG audio layer I", extensions: ["mp1"], container: .mpegAudio,
      codec: .mpegLayer1,
      library: sndFile(SF_FORMAT_MPEG, SF_FORMAT_MPEG_LAYER_I),
      isLossless: false, isWritable: false, channels: 1...2, fallbackID: "mp3"),
  ]

  /// Formats of old samplers, trackers and handhelds, which are only read.
  package static let samplers: [AudioFormat] = [
    readOnly(
      "svx", "Amiga 8SVX and 16SV", ["svx", "8svx", "16sv", "iff"], .svx, SF_FORMAT_SVX),
    readOnly("paf", "Ensoniq PARIS", ["paf"], .paf, SF_FORMAT_PAF),
    readOnly("avr", "Audio Visual Research", ["avr"], .avr, SF_FORMAT_AVR),
    readOnly("mpc2k", "Akai MPC 2000", ["mpc2k", "snd"], .mpc2k, SF_FORMAT_MPC2K),
    readOnly("xi", "Fasttracker 2 instrument", ["xi"], .xi, SF_FORMAT_XI, SF_FORMAT_DPCM_16),
    readOnly("sds", "MIDI Sample Dump", ["sds"], .sds, SF_FORMAT_SDS),
    readOnly("wve", "Psion WVE", ["wve"], .wve, SF_FORMAT_WVE, SF_FORMAT_ALAW, isLossless: false),
  ]

  /// A format that is read and not written; its audio is written to WAV.
  private static func readOnly(
    _ id: String, _ name: String, _ extensions: [String], _ container: AudioFormat.Container,
    _ major: Int, _ subtype: Int = SF_FORMAT_PCM_16, isLossless: Bool = true
  ) -> AudioFormat {
    AudioFormat(
      id: id, name: name, extensions: extensions, container: container,
      library: sndFile(major, subtype), isLossless: isLossless, isWritable: false,
      fallbackID: "wav")
  }

  /// Formats of speech and signal processing, which are only read.
  package static let science: [AudioFormat] = [
    readOnly("nist", "NIST Sphere", ["nist", "sph"], .nist, SF_FORMAT_NIST),
    readOnly("ircam", "IRCAM", ["ircam", "sf"], .ircam, SF_FORMAT_IRCAM),
    readOnly("pvf", "Portable Voice", ["pvf"], .pvf, SF_FORMAT_PVF),
    readOnly("mat5", "MATLAB 5", ["mat5", "mat"], .mat5, SF_FORMAT_MAT5),
    readOnly("mat4", "MATLAB 4", ["mat4", "mat"], .mat4, SF_FORMAT_MAT4),
    readOnly("htk", "HTK waveform", ["htk"], .htk, SF_FORMAT_HTK),
  ]
}
