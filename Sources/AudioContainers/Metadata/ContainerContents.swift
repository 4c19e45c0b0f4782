package import AudioIO
package import AudioModel

extension TagContents {
  /// The tags and marks of a file, with the names of the chunks that are not carried.
  ///
  /// `header` is `nil` if the format's container has none that is read here.
  package init(
    of input: borrowing InputFile, _ header: ContainerHeader?, format: AudioFormat, sampleRate: Int
  ) throws(AudioFileError) {
    try self.init(
      of: input, header, in: format.container, form: format.metadata, sampleRate: sampleRate)
  }

  /// The same for a container and its form of metadata.
  package init(
    of input: borrowing InputFile, _ header: ContainerHeader?, in container: AudioFormat.Container,
    form: AudioFormat.MetadataForm, sampleRate: Int
  ) throws(AudioFileError) {
    self.init()
    let tags =
      container.tags == nil
      ? TagContents()
      : try TagReader.read(input, in: container, TagReading(sampleRate: sampleRate))
    (metadata, warnings) = (tags.metadata, tags.warnings)
    var carried: [Metadata.ForeignChunk] = []
    if let header {
      let marks = try MarkReader.read(input, header, form: form)
      carried = marks.foreignChunks
      metadata = marks.added(to: metadata)
      notCarried += marks.lost
      warnings = header.warnings + warnings + marks.warnings
    }
    notCarried = UnsupportedChunks.losses(in: header, of: form, besides: carried) + notCarried
    notCarried += tags.notCarried
    metadata = metadata.takingChapterComments(sampleRate: sampleRate)
  }
}
