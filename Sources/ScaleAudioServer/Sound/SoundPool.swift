internal import AudioIO
internal import ScaleAudio

/// The facts about a sound without reading its frames.
struct SoundProperties: Sendable {
  let form: WAVForm
  let fileFrameCount: Int
  let factor: Double
  let isPreview: Bool
  /// The file when it was read.
  let stamp: FileStamp?
}

/// Sounds that are open, kept for the requests that continue where others ended.
///
/// Opening may take long, and beginning in the middle needs a lead-in: a page that asks for one range after another
/// gets one sound throughout.
final class SoundPool: Sendable {
  /// One hearing in one depth.
  struct Key: Hashable, Sendable {
    let hearing: Hearing
    /// `nil` for what the source needs.
    let depth: WAVForm.Depth?
  }

  private struct Idle: @unchecked Sendable {
    let hearing: Hearing
    /// No thread uses it.
    let sound: Sound
  }
  private struct State: Sendable {
    var idle: [Idle] = []
    var facts: [Key: SoundProperties] = [:]
    var busy = 0
    /// The number of the newest beginning.
    var run = 0
  }
  private static let (maximumIdle, maximumBusy, maximumFacts) = (6, 16, 1000)

  private let state = Locked(State())

  /// The facts of a hearing; what had to be opened for them is kept.
  func facts(_ key: Key) throws(ConversionError) -> SoundProperties {
    let stamp = FileStatus(path: key.hearing.file.path, followingLinks: false)?.stamp
    let known = state.withLock { state in
      let known = state.facts[key]
      // Sounds of the earlier file are useless.
      if let known, known.stamp != stamp {
        state.idle.removeAll { $0.hearing.file.id == key.hearing.file.id }
      }
      return known
    }
    if let known, known.stamp == stamp { return known }
    let sound = try Sound(key.hearing)
    let isDeep = sound.source.sampleFormat.map { $0.bitDepth > 16 } ?? false
    let depth = key.depth ?? (isDeep ? .int24 : .int16)
    let source = sound.source
    guard let form = WAVForm(source.spec, frameCount: source.frameCount, depth: depth) else {
      throw .cannotScale(key.hearing.file.path, .outOfRange("too long for a browser"))
    }
    let facts = SoundProperties(
      form: form, fileFrameCount: sound.fileFrameCount, factor: sound.factor,
      isPreview: sound.isPreview, stamp: stamp)
    state.withLock { state in
      if state.facts.count >= Self.maximumFacts { state.facts.removeAll() }
      state.facts[key] = facts
    }
    keep(sound, of: key.hearing)
    return facts
  }

  /// A sound for a range that begins at a frame; `nil` if too many are in use.
  func take(_ hearing: Hearing, at frame: Int) throws(ConversionError) -> Sound? {
    let (isFree, kept, run) = state.withLock { state in
      guard state.busy < Self.maximumBusy else { return (false, nil as Idle?, 0) }
      state.busy += 1
      state.run += 1
      let fitting = state.idle.firstIndex { $0.hearing == hearing && $0.sound.position == frame }
      let index = fitting ?? state.idle.firstIndex { $0.hearing == hearing }
      return (true, index.map { state.idle.remove(at: $0) }, state.run)
    }
    guard isFree else { return nil }
    do throws(ConversionError) {
      let sound: Sound
      if let kept { sound = kept.sound } else { sound = try Sound(hearing) }
      try ConversionError.files(sound.begin(atFrame: frame, run: run))
      return sound
    } catch {
      drop()
      throw error
    }
  }

  /// Ends the use of a sound that works.
  func give(_ sound: Sound, of hearing: Hearing) {
    drop()
    keep(sound, of: hearing)
  }

  /// Ends the use of a sound that failed.
  func drop() { state.withLock { $0.busy -= 1 } }

  private func keep(_ sound: Sound, of hearing: Hearing) {
    let idle = Idle(hearing: hearing, sound: sound)
    state.withLock { state in
      state.idle.append(idle)
      if state.idle.count > Self.maximumIdle { state.idle.removeFirst() }
    }
  }
}
