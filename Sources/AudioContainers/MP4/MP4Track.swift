internal import AudioIO

/// A track of an M4A file; all times are in frames.
///
/// Source: ISO 14496-12 sections 8.3 to 8.6, and Apple, "QuickTime File Format Specification".
struct MP4Track {
  enum Kind {
    case audio, text
  }

  var kind: Kind
  var id: Int
  /// Frames per second.
  var timescale: Int
  /// What plays before the track does.
  var emptyStart = 0
  /// The first of the media's frames that plays.
  var mediaStart = 0
  /// The frames that play.
  var frameCount: Int
  /// The track that holds this one's chapters.
  var chapterTrack: Int?
  var samples: MP4SampleTable

  private var mediaDuration: Int {
    samples.durations.reduce(0) { $0 + $1.count * $1.frames }
  }

  func put(_ bytes: inout ByteWriter, sampleEntry: (inout ByteWriter) -> Void) {
    bytes.atom("trak") { track in
      putHeader(&track)
      putEdits(&track)
      if let chapterTrack {
        track.atom("tref") { $0.atom("chap") { $0.append32(chapterTrack) } }
      }
      track.atom("mdia") { media in
        putMediaHeader(&media)
        putHandler(&media)
        media.atom("minf") { information in
          putInformationHeader(&information)
          Self.putDataReference(&information)
          putSampleTable(&information, sampleEntry)
        }
      }
    }
  }

  private func putHeader(_ bytes: inout ByteWriter) {
    // Enabled and in the movie; a track of chapters is not to be shown by itself.
    let duration = emptyStart + frameCount
    let version = ByteWriter.timeVersion(duration)
    bytes.atom("tkhd", version: version, flags: kind == .audio ? 3 : 0xE) { atom in
      atom.putTime(0, version)
      atom.putTime(0, version)
      atom.append32(id)
      atom.appendZeros(4)
      atom.putTime(duration, version)
      atom.appendZeros(12)
      atom.append16(kind == .audio ? 0x100 : 0)
      atom.appendZeros(2)
      atom.putUnityMatrix()
      atom.appendZeros(8)
    }
  }

  /// Where nothing is to be left out or put in front, there is no edit list.
  private func putEdits(_ bytes: inout ByteWriter) {
    guard frameCount > 0, emptyStart > 0 || mediaStart > 0 || mediaDuration != frameCount else {
      return
    }
    var edits = [(duration: frameCount, start: mediaStart)]
    if emptyStart > 0 { edits.insert((emptyStart, -1), at: 0) }
    bytes.atom("edts") { list in
      let version = ByteWriter.timeVersion(emptyStart + frameCount)
      list.atom("elst", version: version) { atom in
        atom.append32(edits.count)
        for edit in edits {
          atom.putTime(edit.duration, version)
          atom.putTime(edit.start, version)
          atom.append32(0x1_0000)
        }
      }
    }
  }

  private func putMediaHeader(_ bytes: inout ByteWriter) {
    let version = ByteWriter.timeVersion(mediaDuration)
    bytes.atom("mdhd", version: version) { atom in
      atom.putTime(0, version)
      atom.putTime(0, version)
      atom.append32(timescale)
      atom.putTime(mediaDuration, version)
      // Three letters in 15 bits: an undetermined language.
      atom.append16(0x55C4)
      atom.appendZeros(2)
    }
  }

  private func putHandler(_ bytes: inout ByteWriter) {
    bytes.atom("hdlr", version: 0) { atom in
      atom.appendZeros(4)
      atom.append(kind == .audio ? "soun" : "text")
      atom.appendZeros(13)
    }
  }

  private func putInformationHeader(_ bytes: inout ByteWriter) {
    switch kind {
    case .audio:
      bytes.atom("smhd", version: 0) { $0.appendZeros(4) }
    case .text:
      bytes.atom("gmhd") { header in
        header.atom("gmin", version: 0) { atom in
          // Dither copy; a gray operation color.
          atom.append16(0x40)
          for _ in 0..<3 { atom.append16(0x8000) }
          atom.appendZeros(4)
        }
        header.atom("text") { $0.putUnityMatrix() }
      }
    }
  }

  /// The media is in this file itself.
  private static func putDataReference(_ bytes: inout ByteWriter) {
    bytes.atom("dinf") { information in
      information.atom("dref", version: 0) { atom in
        atom.append32(1)
        atom.atom("url ", version: 0, flags: 1) { _ in }
      }
    }
  }

  private func putSampleTable(
    _ bytes: inout ByteWriter, _ sampleEntry: (inout ByteWriter) -> Void
  ) {
    bytes.atom("stbl") { table in
      table.atom("stsd", version: 0) { atom in
        atom.append32(1)
        sampleEntry(&atom)
      }
      samples.putDurations(&table)
      samples.putPlaces(&table)
      if kind == .audio, mediaStart > 0, samples.count > 0 { putPreRoll(&table) }
    }
  }

  /// Says that each sample needs the one before it to be decoded right (ISO 14496-12 section 10.1).
  private func putPreRoll(_ bytes: inout ByteWriter) {
    bytes.atom("sgpd", version: 1) { atom in
      atom.append("roll")
      atom.append32(2)
      atom.append32(1)
      atom.append16(-1)
    }
    bytes.atom("sbgp", version: 0) { atom in
      atom.append("roll")
      atom.append32(1)
      atom.append32(samples.count)
      atom.append32(1)
    }
  }
}

extension ByteWriter {
  /// The version of an atom for times up to this: 0 gives them 32 bits, 1 gives them 64.
  static func timeVersion(_ longest: Int) -> Int { longest <= 0x7FFF_FFFF ? 0 : 1 }

  /// Adds a time in as many bits as the atom's version gives it.
  mutating func putTime(_ time: Int, _ version: Int) {
    if version == 0 { append32(time) } else { append64(time) }
  }

  /// Adds a transformation that changes nothing.
  mutating func putUnityMatrix() {
    for value in [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000] { append32(value) }
  }
}
