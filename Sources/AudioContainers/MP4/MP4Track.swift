internal import AudioIO

/// A track of an M4A file to write; all times are in frames.
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
  /// The duration of silence before the track.
  var emptyStart = 0
  /// The first frame of the media to play.
  var mediaStart = 0
  /// The number of frames to play.
  var frameCount: Int
  /// The language, by the letters of ISO 639-2; `nil` if it is undetermined.
  var language: String?
  /// The ID of the track with this track's chapters.
  var chapterTrack: Int?
  var samples: MP4SampleTable

  private var mediaDuration: Int {
    samples.durations.reduce(0) { $0 + $1.count * $1.frames }
  }

  func put(_ bytes: inout ByteWriter, sampleEntry: (inout ByteWriter) -> Void) {
    bytes.box("trak") { track in
      putHeader(&track)
      putEdits(&track)
      if let chapterTrack {
        track.box("tref") { $0.box("chap") { $0.append32(chapterTrack) } }
      }
      track.box("mdia") { media in
        putMediaHeader(&media)
        putHandler(&media)
        media.box("minf") { information in
          putInformationHeader(&information)
          Self.putDataReference(&information)
          putSampleTable(&information, sampleEntry)
        }
      }
    }
  }

  private func putHeader(_ bytes: inout ByteWriter) {
    // Enabled and in the movie; a chapter track is not shown on its own.
    let duration = emptyStart + frameCount
    let version = ByteWriter.timeVersion(duration)
    bytes.box("tkhd", version: version, flags: kind == .audio ? 3 : 0xE) { box in
      box.putTime(0, version)
      box.putTime(0, version)
      box.append32(id)
      box.appendZeros(4)
      box.putTime(duration, version)
      box.appendZeros(12)
      box.append16(kind == .audio ? 0x100 : 0)
      box.appendZeros(2)
      box.putUnityMatrix()
      box.appendZeros(8)
    }
  }

  /// Writes an edit list only if the track has initial silence or frames that are not played.
  private func putEdits(_ bytes: inout ByteWriter) {
    guard frameCount > 0, emptyStart > 0 || mediaStart > 0 || mediaDuration != frameCount else {
      return
    }
    var edits = [(duration: frameCount, start: mediaStart)]
    if emptyStart > 0 { edits.insert((emptyStart, -1), at: 0) }
    bytes.box("edts") { list in
      let version = ByteWriter.timeVersion(emptyStart + frameCount)
      list.box("elst", version: version) { box in
        box.append32(edits.count)
        for edit in edits {
          box.putTime(edit.duration, version)
          box.putTime(edit.start, version)
          box.append32(0x1_0000)
        }
      }
    }
  }

  private func putMediaHeader(_ bytes: inout ByteWriter) {
    let version = ByteWriter.timeVersion(mediaDuration)
    bytes.box("mdhd", version: version) { box in
      box.putTime(0, version)
      box.putTime(0, version)
      box.append32(timescale)
      box.putTime(mediaDuration, version)
      box.append16(Self.code(language))
      box.appendZeros(2)
    }
  }

  /// The three letters of a language in 5 bits each; `und` if there is none.
  private static func code(_ language: String?) -> Int {
    let letters = Array((language ?? "").utf8)
    let isCode = letters.count == 3 && letters.allSatisfy { (0x61...0x7A).contains($0) }
    return (isCode ? letters : Array("und".utf8)).reduce(0) { $0 << 5 | Int($1 - 0x60) }
  }

  private func putHandler(_ bytes: inout ByteWriter) {
    bytes.box("hdlr", version: 0) { box in
      box.appendZeros(4)
      box.append(kind == .audio ? "soun" : "text")
      box.appendZeros(13)
    }
  }

  private func putInformationHeader(_ bytes: inout ByteWriter) {
    switch kind {
    case .audio:
      bytes.box("smhd", version: 0) { $0.appendZeros(4) }
    case .text:
      bytes.box("gmhd") { header in
        header.box("gmin", version: 0) { box in
          // Dither copy; a gray operation color.
          box.append16(0x40)
          for _ in 0..<3 { box.append16(0x8000) }
          box.appendZeros(4)
        }
        header.box("text") { $0.putUnityMatrix() }
      }
    }
  }

  /// Declares that the media is in this file.
  private static func putDataReference(_ bytes: inout ByteWriter) {
    bytes.box("dinf") { information in
      information.box("dref", version: 0) { box in
        box.append32(1)
        box.box("url ", version: 0, flags: 1) { _ in }
      }
    }
  }

  private func putSampleTable(
    _ bytes: inout ByteWriter, _ sampleEntry: (inout ByteWriter) -> Void
  ) {
    bytes.box("stbl") { table in
      table.box("stsd", version: 0) { box in
        box.append32(1)
        sampleEntry(&box)
      }
      samples.putDurations(&table)
      samples.putPlaces(&table)
      if kind == .audio, mediaStart > 0, samples.count > 0 { putPreRoll(&table) }
    }
  }

  /// Declares that decoding a sample requires the one before it (ISO 14496-12 section 10.1).
  private func putPreRoll(_ bytes: inout ByteWriter) {
    bytes.box("sgpd", version: 1) { box in
      box.append("roll")
      box.append32(2)
      box.append32(1)
      box.append16(-1)
    }
    bytes.box("sbgp", version: 0) { box in
      box.append("roll")
      box.append32(1)
      box.append32(samples.count)
      box.append32(1)
    }
  }
}

extension ByteWriter {
  /// The version of a box for times up to `longest`: 0 has 32-bit times, 1 has 64-bit times.
  static func timeVersion(_ longest: Int) -> Int { longest <= 0x7FFF_FFFF ? 0 : 1 }

  /// Adds a time with the number of bits that the box's version has.
  mutating func putTime(_ time: Int, _ version: Int) {
    if version == 0 { append32(time) } else { append64(time) }
  }

  /// Adds an identity transformation matrix.
  mutating func putUnityMatrix() {
    for value in [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000] { append32(value) }
  }
}
