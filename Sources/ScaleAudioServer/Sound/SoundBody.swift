internal import AudioIO
internal import ScaleAudio

/// A range of bytes of a WAV file, rendered while it is sent.
final class SoundBody: BodySource {
  private struct State: @unchecked Sendable {
    /// The sound, while no call uses it.
    var sound: Sound?
    var isClosed = false
    var isRunning = false
  }
  private static let blockFrames = 4096

  private let pool: SoundPool
  private let hearing: Hearing
  private let form: WAVForm
  private let bytes: Range<Int>
  /// The number of the beginning from which the bytes go on.
  let run: Int
  private let state: Locked<State>
  /// The next byte of the file.
  private let position: Locked<Int>

  /// The bytes in a range of the file; `nil` if too many ranges are being rendered.
  init?(
    _ pool: SoundPool, _ hearing: Hearing, _ form: WAVForm, _ bytes: Range<Int>
  ) throws(ConversionError) {
    let first = max(0, bytes.lowerBound - form.header.count) / form.frameByteCount
    guard let sound = try pool.take(hearing, at: min(first, form.frameCount)) else { return nil }
    (self.pool, self.hearing, self.form, self.bytes) = (pool, hearing, form, bytes)
    run = sound.run
    state = Locked(State(sound: sound))
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
    // Padding of an odd length follows the last frame.
    if frame >= form.frameCount { return passed([0]) }
    guard let sound = begin() else { return nil }
    // Playback comes before conversions.
    CoreBudget.shared.occupy()
    defer { CoreBudget.shared.release() }
    do throws(AudioFileError) {
      // No further than the range, so that the next one can go on.
      let asked = bytes.upperBound - form.header.count - 1
      let wanted = min(
        Self.blockFrames, form.frameCount - frame, asked / form.frameByteCount + 1 - frame)
      let block = Block(.float64, sampleCount: wanted * form.spec.channelCount)
      let made = try sound.read(into: block)
      if made == 0 { throw .changed(hearing.file.path) }
      let stored = sound.stored
      // Who has the last byte asks for the next range at once, which goes on with this sound.
      let offset = (frame + made) * form.frameByteCount + form.header.count
      end(sound, isLast: offset >= bytes.upperBound)
      let samples = block.samples(of: Double.self).span
      let rendered = form.bytes(
        samples.extracting(0..<made * form.spec.channelCount), from: frame, as: stored)
      return passed(rendered[passedBytes...].prefix(bytes.upperBound - position))
    } catch {
      end(nil)
      throw ConversionError.file(error)
    }
  }

  func close() {
    let sound = state.withLock { state in
      state.isClosed = true
      defer { state.sound = nil }
      return state.isRunning ? nil : state.sound
    }
    release(sound)
  }

  private func passed(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let bytes = Array(bytes)
    position.withLock { $0 += bytes.count }
    return bytes
  }

  private func begin() -> Sound? {
    state.withLock { state in
      if state.isClosed { return nil }
      state.isRunning = true
      defer { state.sound = nil }
      return state.sound
    }
  }

  /// Ends a call, the last one that needs the sound or another; without a sound, because it failed.
  private func end(_ sound: Sound?, isLast: Bool = false) {
    let isOver = state.withLock { state in
      state.isRunning = false
      if !state.isClosed, !isLast { state.sound = sound }
      return state.isClosed || isLast
    }
    if sound == nil { pool.drop() } else if isOver { release(sound) }
  }

  private func release(_ sound: Sound?) {
    if let sound { pool.give(sound, of: hearing) }
  }
}
