package import AudioIO
internal import AudioModel

extension TagContents {
  /// The tags and marks of a file, with the names of the chunks that are not carried.
  ///
  /// `header` is `nil` if the format's container has none that is read here.
  package init(
    of input: borrowing InputFile, _ header: ContainerHeader?, format: AudioFormat, sampleRate: Int
  ) throws(AudioFileError) {
    self.init()
    notCarried = UnsupportedChunks.losses(in: header, of: format)
    let tags =
      format.container.tags == nil
      ? TagContents()
      : try TagReader.read(input, in: format.container, TagReading(sampleRate: sampleRate))
    (metadata, warnings) = (tags.metadata, tags.warnings)
    if let header {
      let marks = try MarkReader.read(input, header, format: format)
      metadata = marks.added(to: metadata)
      notCarried += marks.lost
      warnings = header.warnings + warnings + marks.warnings
    }
    notCarried += tags.notCarried
    metadata = metadata.takingChapterComments(sampleRate: sampleRate)
  }
}
