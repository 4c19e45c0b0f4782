internal import AudioIO
internal import ScaleAudio

/// A range of bytes of a WAV file, rendered while it is sent.
final class SoundBody: BodySource {
  private struct State: @unchecked Sendable {
    /// The reader, while no call uses it.
    var reader: SoundReader?
    var isClosed = false
    var isRunning = false
  }
  private static let blockFrames = 4096

  private let pool: SoundPool
  private let hearing: Hearing
  private let form: WAVForm
  private let bytes: Range<Int>
  private let state: Locked<State>
  /// The next byte of the file.
  private let position: Locked<Int>

  /// The bytes in a range of the file; `nil` if too many ranges are being rendered.
  init?(
    _ pool: SoundPool, _ hearing: Hearing, _ form: WAVForm, _ bytes: Range<Int>
  ) throws(ConversionError) {
    let first = max(0, bytes.lowerBound - form.header.count) / form.frameByteCount
    guard let reader = try pool.take(hearing, at: min(first, form.frameCount)) else { return nil }
    (self.pool, self.hearing, self.form, self.bytes) = (pool, hearing, form, bytes)
    state = Locked(State(reader: reader))
    position = Locked(bytes.lowerBound)
  }

  func next() throws -> [UInt8]? {
    let position = position.withLock { $0 }
    if position >= bytes.upperBound { return nil }
    if position < form.header.count {
      return passed(form.header[position..<min(form.header.count, bytes.upperBound)])
    }
    let (frame, passedBytes) = (position - form.header.count).quotientAndRemainder(
      dividingBy: form.frameByteCount)
    // What follows the last frame is the padding of an odd length.
    if frame >= form.frameCount { return passed([0]) }
    guard let reader = begin() else { return nil }
    // What is heard comes before conversions.
    CoreBudget.shared.occupy()
    defer { CoreBudget.shared.release() }
    do throws(ConversionError) {
      let wanted = min(Self.blockFrames, form.frameCount - frame)
      var block = [Double](repeating: 0, count: wanted * form.spec.channelCount)
      var samples = block.mutableSpan
      let made = try reader.read(into: &samples)
      if made == 0 { throw .file(.changed(hearing.file.path)) }
      end(reader)
      let rendered = form.bytes(
        block.span.extracting(0..<made * form.spec.channelCount), from: frame, as: reader.stored)
      return passed(rendered[passedBytes...].prefix(bytes.upperBound - position))
    } catch {
      end(nil)
      throw error
    }
  }

  func close() {
    let reader = state.withLock { state in
      state.isClosed = true
      defer { state.reader = nil }
      return state.isRunning ? nil : state.reader
    }
    release(reader)
  }

  private func passed(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let bytes = Array(bytes)
    position.withLock { $0 += bytes.count }
    return bytes
  }

  private func begin() -> SoundReader? {
    state.withLock { state in
      if state.isClosed { return nil }
      state.isRunning = true
      defer { state.reader = nil }
      return state.reader
    }
  }

  /// Ends a call; without a reader, because it failed.
  private func end(_ reader: SoundReader?) {
    let isClosed = state.withLock { state in
      state.isRunning = false
      if !state.isClosed { state.reader = reader }
      return state.isClosed
    }
    if reader == nil { pool.drop() } else if isClosed { release(reader) }
  }

  private func release(_ reader: SoundReader?) {
    if let reader { pool.give(reader, of: hearing) }
  }
}
