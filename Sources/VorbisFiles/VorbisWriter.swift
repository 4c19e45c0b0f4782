internal import AudioContainers
package import AudioIO
package import AudioModel
internal import CVorbis
internal import SystemPackage

/// A writer of Ogg Vorbis that uses libvorbisenc.
package final class VorbisWriter: AudioFileWriter {
  package let notCarried: [MetadataLoss]
  private let path: FilePath
  private let encoder: VorbisEncoder
  private let frameCount: Int
  /// For each channel of the stream, the source channel.
  private let order: [Int]
  private var framesWritten = 0

  /// Maximum frames in one libvorbis call.
  private static var framesAtATime: Int { 1024 }

  package init(_ output: borrowing OutputFile, _ description: OutputDescription)
    throws(AudioFileError)
  {
    path = output.path
    frameCount = description.frameCount
    let layout = description.spec.layout
    let lossy = description.givenLayout.flatMap { $0.order(for: $0.inMaskOrder) }
    guard layout.channelCount <= 255, let order = lossy ?? VorbisLayout.order(of: layout) else {
      throw .cannotHold(
        path, reason: "Vorbis cannot store the channel layout \(layout)",
        remedy: .useFormat(["flac", "wav"]))
    }
    self.order = order
    let setup = try VorbisEncoderSetup(description, path: path)
    let comments = VorbisComments(description.metadata)
    notCarried = comments.notCarried
    encoder = try VorbisEncoder(
      try OutputCursor(output), setup: setup, comments: comments,
      serialNumber: OggSerialNumber.number(for: description), path: path)
  }

  @specialized(where Sample == Int8)
  @specialized(where Sample == Int16)
  @specialized(where Sample == Int24)
  @specialized(where Sample == Int32)
  @specialized(where Sample == Float)
  @specialized(where Sample == Double)
  package func write<Sample: PCMSample>(_ frames: Span<Sample>) throws(AudioFileError) {
    let channels = order.count
    let total = frames.count / channels
    guard total <= frameCount - framesWritten else {
      throw .encoderFailed(path, reason: "received more than the \(frameCount) announced frames")
    }
    var start = 0
    while start < total {
      let count = min(Self.framesAtATime, total - start)
      try encoder.encode(frameCount: count) { planes in
        for (channel, source) in order.enumerated() {
          guard let plane = planes[channel] else { continue }
          var index = start * channels + source
          for frame in 0..<count {
            plane[frame] = Float(frames[index].normalized)
            index += channels
          }
        }
      }
      start += count
    }
    framesWritten += total
  }

  package func finish() throws(AudioFileError) {
    guard framesWritten == frameCount else {
      throw .encoderFailed(
        path, reason: "received only \(framesWritten) of \(frameCount) announced frames")
    }
    try encoder.finish()
  }
}

/// The comments of a Vorbis stream to be written; owns the memory of libvorbis' structure.
final class VorbisComments {
  /// Names of what cannot be carried.
  private(set) var notCarried: [MetadataLoss] = []
  private(set) var header = vorbis_comment()
  private var entries: [UnsafeMutablePointer<CChar>?] = []
  private var lengths: [Int32] = []
  private let entryList: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let lengthList: UnsafeMutablePointer<Int32>

  /// Adds the comments and, as further comments, the pictures.
  init(_ metadata: Metadata) {
    let (fields, lost) = CommentField.entries(of: metadata)
    notCarried = lost
    if !metadata.syncedLyrics.isEmpty {
      notCarried.append(MetadataLoss(.lyrics, "synchronized lyrics"))
    }
    // vorbis_comment_add takes C strings, but values may contain zeros.
    for field in fields {
      let entry = UnsafeMutablePointer<CChar>.allocate(capacity: field.count + 1)
      for (index, byte) in field.enumerated() { entry[index] = CChar(bitPattern: byte) }
      entry[field.count] = 0
      entries.append(entry)
      lengths.append(Int32(clamping: field.count))
    }
    entryList = .allocate(capacity: max(1, entries.count))
    entryList.initialize(from: entries, count: entries.count)
    lengthList = .allocate(capacity: max(1, lengths.count))
    lengthList.initialize(from: lengths, count: lengths.count)
    header.user_comments = entryList
    header.comment_lengths = lengthList
    header.comments = Int32(clamping: entries.count)
  }

  deinit {
    for entry in entries { entry?.deallocate() }
    entryList.deallocate()
    lengthList.deallocate()
  }
}
