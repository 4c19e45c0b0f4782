internal import AudioFiles
package import AudioModel
package import Waveforms

extension CoverPicture {
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
