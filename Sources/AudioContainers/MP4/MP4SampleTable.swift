internal import AudioIO

/// Where the samples of a track are and how long each lasts.
///
/// "Sample" is the standard's word for what is called a packet elsewhere here.
/// Source: ISO 14496-12 sections 8.6 and 8.7.
struct MP4SampleTable {
  /// Runs of samples of equal duration.
  var durations: [(count: Int, frames: Int)]
  /// The number of samples, of which `sizes` may not have all yet.
  var count: Int
  var sizes: [UInt32]
  /// Samples that stand together, but for the last run of them.
  var samplesPerChunk: Int
  /// Where the first sample is in the file; the others follow it.
  var offset: Int
  /// Whether offsets take 64 bits.
  var hasLongOffsets: Bool

  private var chunkCount: Int { (count + samplesPerChunk - 1) / samplesPerChunk }

  /// The bytes that the table will have grown by when it has all sizes.
  var missingBytes: Int {
    (count - sizes.count) * 4
      + (chunkCount - (sizes.count + samplesPerChunk - 1) / samplesPerChunk)
      * (hasLongOffsets ? 8 : 4)
  }

  func putDurations(_ bytes: inout ByteWriter) {
    bytes.atom("stts", version: 0) { atom in
      atom.append32(durations.count)
      for run in durations {
        atom.append32(run.count)
        atom.append32(run.frames)
      }
    }
  }

  func putPlaces(_ bytes: inout ByteWriter) {
    bytes.atom("stsc", version: 0) { putChunkSizes(&$0) }
    bytes.atom("stsz", version: 0) { atom in
      atom.append32(0)
      atom.append32(count)
      for size in sizes { atom.append32(Int(size)) }
    }
    bytes.atom(hasLongOffsets ? "co64" : "stco", version: 0) { atom in
      atom.append32(chunkCount)
      var position = offset
      for (index, size) in sizes.enumerated() {
        if index % samplesPerChunk == 0 {
          if hasLongOffsets { atom.append64(position) } else { atom.append32(position) }
        }
        position += Int(size)
      }
    }
  }

  private func putChunkSizes(_ atom: inout ByteWriter) {
    let whole = count / samplesPerChunk
    let rest = count % samplesPerChunk
    var runs: [(first: Int, samples: Int)] = []
    if whole > 0 { runs.append((1, samplesPerChunk)) }
    if rest > 0 { runs.append((whole + 1, rest)) }
    atom.append32(runs.count)
    for run in runs {
      atom.append32(run.first)
      atom.append32(run.samples)
      atom.append32(1)
    }
  }
}
