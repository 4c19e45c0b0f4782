internal import AudioModel
internal import CFLAC
internal import SystemPackage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Reads FLAC through libFLAC.
final class FLACReader<Sample: PCMSample>: AudioFileReader {
  let source: SourceDescription
  var clippedSamples: Int { 0 }
  private let path: FilePath
  private let decoder: FLACDecoder
  private var framesLeft: Int

  init(
    _ input: borrowing InputFile, format: AudioFormat, salvaging: Bool
  ) throws(AudioFileError) {
    path = input.path
    decoder = try FLACDecoder(input)
    guard let info = decoder.streamInfo else {
      throw .malformed(path, reason: "no stream information")
    }
    source = SourceDescription(
      spec: AudioSpec(
        sampleRate: Int(info.sample_rate), layout: .assumed(channelCount: Int(info.channels))),
      frameCount: Int(info.total_samples), format: format, codec: "FLAC", sampleFormat: .int16)
    framesLeft = source.frameCount
  }

  func read(into buffer: inout MutableSpan<Sample>) throws(AudioFileError) -> Int {
    let channels = source.spec.channelCount
    let wanted = min(buffer.count / channels, framesLeft)
    var done = 0
    while done < wanted {
      if decoder.pending.isEmpty, try !decoder.decodeBlock() {
        throw .truncated(
          path, expected: source.frameCount, found: source.frameCount - framesLeft + done)
      }
      let samples = min(decoder.pending.count, (wanted - done) * channels)
      for (i, value) in decoder.pending.prefix(samples).enumerated() {
        buffer[done * channels + i] = Sample(integer: value, bitDepth: decoder.bitDepth)
      }
      decoder.pending.removeFirst(samples)
      done += samples / channels
    }
    framesLeft -= done
    return done
  }
}

/// libFLAC's decoder and what its callbacks left.
final class FLACDecoder {
  private let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
  private let path: FilePath
  var streamInfo: FLAC__StreamMetadata_StreamInfo?
  var bitDepth = 16
  var pending: ArraySlice<Int32> = []
  private var failure: String?

  init(_ input: borrowing InputFile) throws(AudioFileError) {
    path = input.path
    guard let decoder = FLAC__stream_decoder_new() else {
      throw .cannotOpen(path, .noMemory)
    }
    self.decoder = decoder
    let descriptor = try input.duplicate()
    guard let file = fdopen(descriptor.rawValue, "rb") else {
      throw .cannotOpen(path, Errno(rawValue: errno))
    }
    let status = FLAC__stream_decoder_init_FILE(
      decoder, file,
      { _, frame, buffer, client in
        guard let frame, let buffer, let client else {
          return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT
        }
        let me = Unmanaged<FLACDecoder>.fromOpaque(client).takeUnretainedValue()
        let header = frame.pointee.header
        me.bitDepth = Int(header.bits_per_sample)
        var samples: [Int32] = []
        for i in 0..<Int(header.blocksize) {
          for channel in 0..<Int(header.channels) { samples.append(buffer[channel]?[i] ?? 0) }
        }
        me.pending = samples[...]
        return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
      },
      { _, metadata, client in
        guard let metadata, let client else { return }
        let me = Unmanaged<FLACDecoder>.fromOpaque(client).takeUnretainedValue()
        if metadata.pointee.type == FLAC__METADATA_TYPE_STREAMINFO {
          me.streamInfo = metadata.pointee.data.stream_info
        }
      },
      { _, status, client in
        guard let client else { return }
        Unmanaged<FLACDecoder>.fromOpaque(client).takeUnretainedValue().failure = "status \(status)"
      },
      Unmanaged.passUnretained(self).toOpaque())
    guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK,
      FLAC__stream_decoder_process_until_end_of_metadata(decoder) != 0
    else { throw .malformed(path, reason: "not a readable FLAC stream") }
  }

  deinit { FLAC__stream_decoder_delete(decoder) }

  /// Decodes one block into `pending`; `false` at the end of the stream.
  func decodeBlock() throws(AudioFileError) -> Bool {
    pending = []
    while pending.isEmpty {
      guard FLAC__stream_decoder_process_single(decoder) != 0, failure == nil else {
        throw .malformed(path, reason: failure ?? "decoder failed")
      }
      if FLAC__stream_decoder_get_state(decoder) == FLAC__STREAM_DECODER_END_OF_STREAM {
        return false
      }
    }
    return true
  }
}
