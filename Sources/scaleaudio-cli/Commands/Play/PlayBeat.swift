import AudioIO
import AudioPlayer
internal import Dispatch
import Glibc
import ScaleAudio

/// The length of a beat of a file: tapped, stated by the file, or estimated from its sound.
struct PlayBeat {
  private var tapped: Double?
  private var taps: [ContinuousClock.Instant] = []
  private let found = Locked<Double?>(nil)
  private var isSought = false

  /// In seconds of the file; `nil` until it is known.
  var seconds: Double? { tapped ?? found.withLock { $0 } }

  /// `: 120 BPM`, or nothing.
  var words: String { seconds.map { ": \(Quantities.decimal(60 / $0, digits: 1)) BPM" } ?? "" }

  /// Finds the tempo as `info --tempo` does, on a thread of its own.
  mutating func find(in track: Track) {
    guard !isSought, case .file = track.item.input, !track.item.isPipe else { return }
    isSought = true
    let (input, raw) = (track.item.input, track.item.raw)
    DispatchQueue(label: "scaleaudio.tempo", qos: .utility).async { [found] in
      let request = InspectionRequest(measuresTempo: true, raw: raw)
      guard let tempo = try? InspectionReport(of: input, request).tempo, tempo.isClear else {
        return
      }
      found.withLock { $0 = 60 / tempo.beatsPerMinute }
    }
  }

  /// Takes a tap with the beat, at a rate; four of them make a tempo.
  mutating func tap(rate: Double, now: ContinuousClock.Instant = .now) {
    if let last = taps.last, now - last > .seconds(2) { taps = [] }
    taps.append(now)
    if taps.count > 16 { taps.removeFirst() }
    guard taps.count >= 4, let first = taps.first else { return }
    tapped = (now - first) / .seconds(1) / Double(taps.count - 1) * rate
  }
}
