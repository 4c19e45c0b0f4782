import AudioContainers
import AudioFiles
import AudioIO
import AudioModel
import SystemPackage

/// The readers, each fed alone, the way of tags and of marks from one file into another, the reports about
/// how a file stores its audio, the walkers of containers, texts that contain times, and whole conversions.
enum FuzzTarget: String, CaseIterable {
  case flac, vorbis, sndfile, mpeg, libav, tags, facts, marks, walkers, texts, convert

  /// Feeds a file to the target; the readers get those of their formats, strictly and then salvaging.
  func run(_ descriptor: FileDescriptor) {
    do {
      let input = try InputFile(descriptor: descriptor, path: "input")
      switch self {
      case .tags: try Self.carryTags(of: input)
      case .facts: for salvages in [false, true] { Self.findFacts(of: input, salvages: salvages) }
      case .marks: Self.carryMarks(of: input)
      case .walkers: Walkers.walk(input)
      case .texts: Texts.scale(try input.bytes(at: 0, count: input.size))
      case .convert: try FuzzConversion(of: input)?.run(descriptor)
      case .flac, .vorbis, .sndfile, .mpeg, .libav:
        guard let format = try ContentSniffer.format(of: input), takes(format) else { return }
        for salvages in [false, true] { Self.read(input, salvages: salvages) }
      }
    } catch {
      // A named error is one of the right answers.
    }
  }

  private func takes(_ format: AudioFormat) -> Bool {
    switch format.codec {
    case .flac: self == .flac
    case .vorbis: self == .vorbis
    case .mpegLayer1, .mpegLayer2, .mpegLayer3: self == .mpeg
    default: self == (format.library.type is any DemuxingLibrary.Type ? .libav : .sndfile)
    }
  }

  /// Reads all tags of a file of any kind, and renders them as ID3v2 and as a movie of MP4.
  private static func carryTags(of input: borrowing InputFile) throws {
    let head = try AudioFormat.FileHead(of: input, at: 0)
    let container = AudioFormat.all.first { $0.container.recognizes(head) }?.container ?? .other
    let contents = try TagReader.read(
      input, in: container, TagReading(sampleRate: 44100, framesPerMPEGFrame: 1152))
    let spec = AudioSpec(sampleRate: 44100, layout: .stereo)
    let metadata = contents.metadata.takingChapterComments(sampleRate: 44100)
      .scaled(by: 1.5, from: 44100, to: 66150, sampleRate: 44100)
    precondition(metadata.chapters.allSatisfy { (0...66150).contains($0.start) })
    var notCarried: [MetadataLoss] = []
    _ = try TagWriter.id3(
      of: metadata, spec: spec, frameCount: 66150, notCarried: &notCarried, path: "output")
    let stream = PacketStream(
      codec: .alac, spec: spec, frameCount: 66150, delay: 0, framesPerPacket: 4096, bitDepth: 16,
      configuration: [UInt8](repeating: 0, count: 24))
    _ = MP4Movie(stream: stream, metadata: metadata)
  }

  /// Reads the marks of a file by the header of every container, and makes the chunks that hold them.
  private static func carryMarks(of input: borrowing InputFile) {
    for format in AudioFormat.all {
      do {
        guard let header = try format.container.header?(input) else { continue }
        let reader = try MarkReader.read(input, header, form: format.metadata)
        _ = UnsupportedChunks.losses(
          in: header, of: format.metadata, besides: reader.foreignChunks)
        let metadata = reader.added(to: Metadata())
          .scaled(by: 1.5, from: 44100, to: 66150, sampleRate: 44100)
        _ = try AttachedChunks(
          OutputDescription(
            spec: AudioSpec(sampleRate: 44100, layout: .stereo), frameCount: 66150, format: format,
            options: EncodingOptions(), metadata: metadata, sourceBitRate: nil), path: "output")
      } catch {
        // A named error is one of the right answers.
      }
    }
  }

  /// Opens a file of any format as `info` does.
  private static func findFacts(of input: borrowing InputFile, salvages: Bool) {
    do {
      let reader = try AudioFile.reader(
        for: input, salvaging: salvages, estimates: salvages ? .none : .ofDecoding)
      check(reader.source.storage)
      if !salvages { try reader.checkEnd(of: input) }
    } catch {
      // A named error is one of the right answers.
    }
  }

  private static func check(_ facts: StorageDescription) {
    precondition(facts.averageBitRate ?? 0 >= 0)
    precondition(facts.tracks.isEmpty || facts.tracks.count { $0.isSelected } == 1)
  }

  /// No more than this many samples are decoded of one input.
  private static let maximumSamples = 4_000_000
  /// A value that no decoder writes: where it remains, nothing was written.
  private static let unwritten = 1e300

  /// Longer files are not sought in.
  private static let maximumSamplesSought = 200_000

  /// Compares what a reader delivers from several frames on with all its samples: the ends, and places that the samples
  /// draw, so that an input is always sought in the same way.
  private static func seek(
    _ reader: any FrameStream, _ samples: [Double]
  ) throws(AudioFileError) {
    let (channels, frames) = (reader.source.spec.channelCount, reader.source.frameCount)
    var state = samples.reduce(UInt64(frames)) { ($0 ^ $1.bitPattern) &* 0x100_0000_01B3 }
    let drawn = (0..<8).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % (frames + 1)
    }
    // After a damaged frame, libmpg123 sums in another order.
    let slack = reader.source.format.container == .mpegAudio ? 2e-7 : 0
    for place in [0, frames, frames - 1] + drawn where place >= 0 {
      try reader.seek(toFrame: place)
      var buffer = [Double](repeating: unwritten, count: 100 * channels)
      var span = buffer.mutableSpan
      let count = try reader.read(into: &span)
      precondition(count > 0 || place == frames, "nothing at frame \(place) of \(frames)")
      let expected = samples[place * channels..<(place + count) * channels]
      precondition(
        zip(buffer, expected).allSatisfy { $0 == $1 || abs($0 - $1) <= slack },
        "other samples at frame \(place) of \(frames)")
    }
  }

  private static func read(_ input: borrowing InputFile, salvages: Bool) {
    do {
      let reader = try AudioFile.reader(for: input, salvaging: salvages)
      let source = reader.source
      precondition(source.frameCount >= 0)
      precondition((1...AudioLimits.channelCount).contains(source.spec.channelCount))
      precondition((1...AudioLimits.sampleRate).contains(source.spec.sampleRate))
      let channels = source.spec.channelCount
      var buffer = [Double](repeating: unwritten, count: 1024 * channels)
      var frames = 0
      var samples: [Double] = []
      while frames * channels < maximumSamples {
        for index in buffer.indices { buffer[index] = unwritten }
        var span = buffer.mutableSpan
        let count = try reader.read(into: &span)
        precondition(count >= 0 && count <= 1024)
        precondition(!buffer.prefix(count * channels).contains(unwritten), "unwritten samples")
        frames += count
        if samples.count < maximumSamplesSought { samples += buffer.prefix(count * channels) }
        if count == 0 {
          precondition(frames == source.frameCount, "\(frames) of \(source.frameCount) frames")
          if samples.count == frames * channels { try seek(reader, samples) }
          return
        }
      }
    } catch {
      // A named error is one of the right answers.
    }
  }
}
