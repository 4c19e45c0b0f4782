import AudioFiles
import AudioIO
import AudioPlayer
internal import Dispatch
import Glibc
import ScaleAudio

/// The levels of a file over its length, measured on a thread of its own while it plays.
///
/// A long file that can be read at any frame is sampled, so that it takes little time.
final class PlayOverview: Sendable {
  private static let segmentCount = 1000
  private static let blockFrames = 4096
  /// Frames above which a file is sampled.
  private static let maximumFrames = 1 << 25

  /// The mean square of each segment measured so far.
  private let squares = Locked<[Double]>([])
  private let cancellation = Cancellation()

  /// Measures the file of a track; a pipe is left out, since it can be read once, and a part is, since the whole is not
  /// its picture.
  init(_ track: Track) {
    frameCount = track.source.frameCount
    guard case .file(let path) = track.item.input, !track.item.isPipe,
      track.item.conversion?.part == nil
    else {
      return
    }
    let (raw, follows) = (track.item.raw, track.item.follows)
    DispatchQueue(label: "scaleaudio.overview", qos: .utility).async { [squares, cancellation] in
      try? Self.measure(path, raw, grows: follows, cancellation) { square in
        squares.withLock { $0.append(square) }
      }
    }
  }

  func cancel() { cancellation.cancel() }

  /// The frames that were there when the file was opened.
  let frameCount: Int

  var isComplete: Bool { squares.withLock { $0.count } >= Self.segmentCount }

  /// The level of each column of a window in dB, as far as they are measured, if all columns are so many frames.
  func levels(columns: Int, of total: Int) -> [Double] {
    let columns = frameCount < total ? max(1, columns * frameCount / total) : columns
    let squares = squares.withLock { $0 }
    var levels: [Double] = []
    for column in 0..<columns {
      let first = column * Self.segmentCount / columns
      let end = max(first + 1, (column + 1) * Self.segmentCount / columns)
      guard end <= squares.count else { break }
      let mean = squares[first..<end].reduce(0, +) / Double(end - first)
      levels.append(mean > 0 ? 10 * log10(mean) : -.infinity)
    }
    return levels
  }

  private static func measure(
    _ path: FilePath, _ raw: RawPCM?, grows: Bool, _ cancellation: Cancellation,
    _ add: (Double) -> Void
  ) throws {
    let input = try ConversionInput.file(path).opened(cancellation, raw: raw)
    let reader =
      grows
      ? try AudioFile.growingReader(for: input) : try AudioFile.listeningReader(for: input).0
    let (count, channels) = (reader.source.frameCount, reader.source.spec.channelCount)
    var isSampled = false
    if case .direct = reader.seeking { isSampled = count > maximumFrames }
    let block = Block(.float32, sampleCount: blockFrames * channels)
    var (frame, sum, length) = (0, 0.0, 0)
    for segment in 0..<segmentCount {
      let start = count / segmentCount * segment + count % segmentCount * segment / segmentCount
      let next = segment + 1
      let end = count / segmentCount * next + count % segmentCount * next / segmentCount
      if isSampled {
        try reader.seek(toFrame: start)
        frame = start
      }
      let last = isSampled ? min(end, start + blockFrames) : end
      while frame < last, !cancellation.isCancelled {
        let wanted = min(blockFrames, last - frame) * channels
        let made = try reader.read(into: block.buffer.extracting(0..<wanted))
        if made == 0 { return }
        for sample in block.samples(of: Float.self).prefix(made * channels) where sample.isFinite {
          sum += Double(sample * sample)
        }
        length += made * channels
        frame += made
      }
      if cancellation.isCancelled { return }
      add(length > 0 ? sum / Double(length) : 0)
      (sum, length) = (0, 0)
    }
  }
}
