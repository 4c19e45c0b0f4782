internal import AudioIO
internal import SystemPackage

/// How long the samples of a track are, in its units; what MP4 calls a sample is a packet.
struct MP4SampleTimes: Hashable {
  /// Packets.
  private(set) var count = 0
  /// The sum of their durations; `nil` when it is beyond all measure.
  private(set) var total: Int? = 0
  /// The duration of the first packet.
  private(set) var first: Int?
  /// Whether all packets but the last are as long as the first.
  private(set) var isRegular = true
  /// The duration of the last packet.
  private(set) var last = 0

  /// How much of a table is read at a time, in entries.
  private static let window = 8192

  /// Adds the entries of a time-to-sample box.
  mutating func appendTable(
    _ input: borrowing InputFile, _ box: MP4Box
  ) throws(AudioFileError) {
    guard let declared = try box.fields(input, count: 8).int32(at: 4) else { return }
    let entries = min(declared, (box.content.count - 8) / 8)
    try forEachWindow(input, from: box.content.lowerBound + 8, entries: entries, size: 8) {
      times, fields, index in
      times.append(fields.int32(at: index) ?? 0, of: fields.int32(at: index + 4) ?? 0)
    }
  }

  /// Adds the samples of a track run.
  mutating func appendRun(
    _ input: borrowing InputFile, _ box: MP4Box, defaultDuration: Int
  ) throws(AudioFileError) {
    let head = try box.fields(input, count: 16)
    guard let flags = head.int32(at: 0), let declared = head.int32(at: 4) else { return }
    // Optional fields of the run: data offset, flags of the first sample.
    let start = 8 + (flags & 1 != 0 ? 4 : 0) + (flags & 4 != 0 ? 4 : 0)
    // Optional fields of each sample: duration, size, flags, composition time.
    let size = 4 * (flags >> 8 & 0xF).nonzeroBitCount
    guard flags & 0x100 != 0 else {
      // Each sample has a size of its own in the file, or takes a byte at least.
      append(min(declared, size > 0 ? box.content.count / size : input.size), of: defaultDuration)
      return
    }
    let entries = min(declared, max(0, box.content.count - start) / size)
    try forEachWindow(input, from: box.content.lowerBound + start, entries: entries, size: size) {
      times, fields, index in
      times.append(1, of: fields.int32(at: index) ?? 0)
    }
  }

  private mutating func forEachWindow(
    _ input: borrowing InputFile, from start: Int, entries: Int, size: Int,
    _ body: (inout MP4SampleTimes, ByteReader, Int) -> Void
  ) throws(AudioFileError) {
    var done = 0
    while done < entries {
      let part = min(Self.window, entries - done)
      let fields = ByteReader(
        bigEndian: try input.bytes(at: start + done * size, count: part * size))
      for index in 0..<part { body(&self, fields, index * size) }
      done += part
    }
  }

  private mutating func append(_ number: Int, of duration: Int) {
    guard number > 0 else { return }
    let (product, overflows) = number.multipliedReportingOverflow(by: duration)
    if let sum = total, !overflows, product <= Int(Int32.max) << 16 {
      total = sum.addingReportingOverflow(product).overflow ? nil : sum + product
    } else {
      total = nil
    }
    // What was the last so far is now one of all.
    if let first {
      if last != first || number > 1 && duration != first { isRegular = false }
    } else {
      first = duration
    }
    count += number
    last = duration
  }
}
