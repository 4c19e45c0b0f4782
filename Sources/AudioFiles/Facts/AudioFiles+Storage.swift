extension AudioFiles {
  /// How the audio that `reader` reads is stored in `input`.
  ///
  /// Only headers are read, of the container or of its packets; where a container has no index of its
  /// packets, they are read through only where it `countsPackets`.
  package static func storage(
    of input: borrowing InputFile, as reader: any AudioFileReader, countsPackets: Bool
  ) throws(AudioFileError) -> StorageFacts {
    #if FFmpeg
      if let reader = reader as? LibAVReader {
        return try reader.storage(of: input, countsPackets: countsPackets)
      }
    #endif
    let format = reader.source.format
    var facts = StorageFacts(container: format.containerName)
    switch format.id {
    case "flac": try FLACStorage.add(to: &facts, input, frameCount: reader.source.frameCount)
    case "ogg", "oga", "opus":
      try OggStorage.add(to: &facts, input, sampleRate: reader.source.spec.sampleRate)
    case "mp1", "mp2", "mp3": try MPEGStorage.add(to: &facts, input)
    default:
      if try !ContainerStorage.add(to: &facts, input, format: format) {
        try SndFileStorage.add(to: &facts, input, source: reader.source)
      }
    }
    return facts
  }

  /// Throws where the end of the audio that `reader` reads is missing, which the reader would find out
  /// only when it comes there, and the last bytes of the file show.
  package static func checkEnd(
    of input: borrowing InputFile, as reader: any AudioFileReader
  ) throws(AudioFileError) {
    if reader.source.format.id == "flac" { try FLACEndCheck.check(input) }
  }
}

extension AudioFormat {
  /// The name of the container alone, where the row's name tells the codec too.
  var containerName: String {
    switch id {
    case "ogg", "oga", "opus": "Ogg"
    case "caf-alac": "CAF"
    case "m4a-aac", "m4a-alac": "M4A"
    case "m4b-alac": "M4B (audiobook)"
    case "m4r-alac": "M4R (ringtone)"
    default: name
    }
  }
}
