internal import AudioFiles
internal import AudioIO
package import AudioModel
package import Waveforms

/// The card of one source: its cover and tags above its audio.
struct PlotCard {
  let source: PlotSource
  let settings: PlotSettings

  /// The bytes of the picture file for `output`.
  func picture(
    for output: FilePath, as format: PictureFormat, _ cancellation: Cancellation,
    _ onProgress: (ConversionProgress) -> Void
  ) throws(PlotError) -> [UInt8] {
    var outline = source.outline
    outline.markers = []
    let (final, content) = (outline, content)
    // Fails before anything is read if the card cannot be drawn.
    let card = try drawing(output) { () throws(RenderingError) in
      try WaveformCard(settings: settings.picture, outline: final, content: content)
    }
    let lanes = try source.lanes(
      reducedBy: card.reducers(levels: settings.levels), columns: card.columnCount,
      cancellation: cancellation, onProgress: onProgress)
    return try drawing(output) { () throws(RenderingError) in try card.render(lanes, as: format) }
  }

  private var content: CardContent {
    let metadata = source.reader.source.metadata
    func value(_ names: String...) -> String {
      for name in names {
        let values = metadata.values(name).filter { !$0.isEmpty }
        if !values.isEmpty { return PlotSource.oneLine(values.joined(separator: ", ")) }
      }
      return ""
    }
    let title = value("TITLE")
    let year = String(value("DATE", "YEAR").prefix(4))
    let isYear = year.count == 4 && year.allSatisfy { $0.isASCII && $0.isNumber }
    let album = [value("ALBUM"), isYear ? year : ""].filter { !$0.isEmpty }
    return CardContent(
      title: title.isEmpty ? source.outline.name : title, artist: value("ARTIST", "ALBUMARTIST"),
      album: album.joined(separator: "  ·  "), facts: source.outline.facts,
      cover: CardContent.Cover(of: metadata.pictures))
  }
}

extension CardContent.Cover {
  /// The front cover, or the first other picture that can be decoded; never a file icon.
  package init?(of pictures: [Metadata.Picture]) {
    let (frontCover, icons): (UInt32, Set<UInt32>) = (3, [1, 2])
    let ordered =
      pictures.filter { $0.type == frontCover }
      + pictures.filter { $0.type != frontCover && !icons.contains($0.type) }
    for picture in ordered {
      guard let pixels = AudioFile.pixels(ofPicture: picture.data) else { continue }
      self.init(width: pixels.width, height: pixels.height, bytes: pixels.bytes)
      return
    }
    return nil
  }
}
