import AudioIO
internal import Dispatch
import ScaleAudio
import Waveforms

/// A cover that is decoded, and made for a place in a terminal, on a thread of its own.
final class TerminalCover: Sendable {
  /// A cover as a terminal takes it.
  struct Shown: Equatable {
    let columns: Int
    /// What shows it at the cursor.
    let text: String
  }

  /// The number of the picture in a terminal, unlikely to be that of another program.
  private static let id = 0x5CA1E

  /// What removes a cover from any terminal.
  static let removal = TerminalGraphics.kitty.removal(id: id)

  private struct Place: Equatable {
    let rows: Int
    let mostColumns: Int
    let cellWidth, cellHeight: Int
  }

  private struct State {
    var wanted: Place?
    var shown: Shown?
    var hasNone = false
  }

  private let graphics: TerminalGraphics
  private let pictures: [Metadata.Picture]
  private let state = Locked(State())
  private let queue = DispatchQueue(label: "scaleaudio.cover", qos: .utility)

  init(_ pictures: [Metadata.Picture], _ graphics: TerminalGraphics) {
    self.pictures = pictures
    self.graphics = graphics
  }

  /// What removes it where text does not.
  var removal: String { graphics.removal(id: Self.id) }

  /// The cover in this number of rows, once it is made; `nil` until then, and without one.
  func shown(rows: Int, mostColumns: Int, _ size: Terminal.Size) -> Shown? {
    if pictures.isEmpty { return nil }
    // Kitty fits pictures into characters; for Sixel, their size must be known.
    if graphics == .sixel, size.cellWidth < 1 || size.cellHeight < 1 { return nil }
    let place = Place(
      rows: rows, mostColumns: mostColumns, cellWidth: max(size.cellWidth, 8),
      cellHeight: max(size.cellHeight, 16))
    return state.withLock { state in
      if state.hasNone { return nil }
      if state.wanted != place {
        (state.wanted, state.shown) = (place, nil)
        queue.async { self.make(place) }
      }
      return state.shown
    }
  }

  private func make(_ place: Place) {
    guard state.withLock({ $0.wanted == place }) else { return }
    guard let cover = CardContent.Cover(of: pictures) else {
      state.withLock { $0.hasNone = true }
      return
    }
    let most = (
      width: Double(place.mostColumns * place.cellWidth),
      height: Double(place.rows * place.cellHeight)
    )
    let width = min(most.width, most.height * cover.aspect)
    let height = max(1, Int(width / cover.aspect))
    let columns = max(1, Int((width / Double(place.cellWidth)).rounded(.up)))
    let rows = max(1, (height + place.cellHeight - 1) / place.cellHeight)
    let bytes = try? cover.render(
      width: max(1, Int(width)), height: height, columns: columns, rows: rows, id: Self.id,
      for: graphics)
    state.withLock { state in
      guard state.wanted == place else { return }
      guard let bytes else {
        state.hasNone = true
        return
      }
      state.shown = Shown(columns: columns, text: String(decoding: bytes, as: UTF8.self))
    }
  }
}
