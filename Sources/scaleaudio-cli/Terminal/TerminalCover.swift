import AudioIO
internal import Dispatch
import ScaleAudio
import Waveforms

/// A cover that is decoded, and prepared for a place in a terminal, on a separate thread.
final class TerminalCover: Sendable {
  /// A cover in the form for a terminal.
  struct Shown: Equatable {
    let columns: Int
    /// The text that shows it at the cursor.
    let text: String
  }

  /// The number of the picture in a terminal, unlikely to be that of another program.
  private static let id = 0x5CA1E

  /// The text that removes a cover from any terminal.
  static let removal = TerminalGraphics.kitty.removal(id: id)

  private struct Place: Equatable {
    let rows: Int
    let maximumColumns: Int
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

  /// The text that removes it if other text does not overwrite it.
  var removal: String { graphics.removal(id: Self.id) }

  /// The cover in this number of rows; `nil` until it is ready, and without a cover.
  func shown(rows: Int, maximumColumns: Int, _ size: Terminal.Size) -> Shown? {
    if pictures.isEmpty { return nil }
    // Kitty fits pictures into characters; for Sixel, their size must be known.
    if graphics == .sixel, size.cellWidth < 1 || size.cellHeight < 1 { return nil }
    let place = Place(
      rows: rows, maximumColumns: maximumColumns, cellWidth: max(size.cellWidth, 8),
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
    guard let cover = CoverPicture(of: pictures) else {
      state.withLock { $0.hasNone = true }
      return
    }
    let most = (
      width: Double(place.maximumColumns * place.cellWidth),
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
