internal import AudioModel
internal import CSndFile
internal import SystemPackage

/// Writes what libsndfile writes.
final class SndFileWriter<Sample: PCMSample>: AudioFileWriter {
  private let path: FilePath
  private let channels: Int
  private var handle: SndFileHandle?
  private var scratch: [Int16] = []

  init(_ output: borrowing OutputFile, _ description: OutputDescription) throws(AudioFileError) {
    path = output.path
    channels = description.spec.channelCount
    guard case .sndFile(let major, let subtype) = description.format.library else {
      throw .encoderFailed(path, reason: "not a format of libsndfile's")
    }
    var info = SF_INFO()
    info.samplerate = Int32(description.spec.sampleRate)
    info.channels = Int32(channels)
    info.format = major | subtype
    do {
      handle = try SndFileHandle(
        descriptor: try output.descriptor.duplicate(), mode: Int32(SFM_WRITE), info: info)
    } catch let failure as SndFileFailure {
      throw .encoderFailed(path, reason: failure.message)
    } catch {
      throw .cannotWrite(path, error as? Errno ?? .ioError)
    }
  }

  @specialized(where Sample == Int16)
  func write(_ frames: Span<Sample>) throws(AudioFileError) {
    guard let pointer = handle?.pointer else { return }
    if scratch.count < frames.count { scratch = Array(repeating: 0, count: frames.count) }
    for i in 0..<frames.count { scratch[i] = Int16(nearest: frames[i].doubleValue) }
    let count = sf_count_t(frames.count / channels)
    guard sf_writef_short(pointer, scratch, count) == count else {
      throw .encoderFailed(path, reason: String(cString: sf_strerror(pointer)))
    }
  }

  func finish() throws(AudioFileError) {
    handle = nil
  }
}
