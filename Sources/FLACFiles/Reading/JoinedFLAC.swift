internal import AudioContainers
package import AudioIO

/// Files of FLAC that were joined end to end.
package enum JoinedFLAC {
  /// How a file begins: its name, and the header of the block of 34 bytes that comes first, except for a bit.
  private static let magic = Array("fLaC".utf8)
  private static let blockSize: [UInt8] = [0, 0, 34]
  /// The bytes that are searched at a time.
  private static let windowBytes = 1 << 20

  /// The bytes of each file; `nil` if there is only one, or if the first ends where it declares.
  ///
  /// A long file is searched only if its last frames are not the last ones that its header declares, or if frames near
  /// its middle come before earlier ones.
  package static func parts(of input: borrowing InputFile) throws(AudioFileError) -> [Range<Int>]? {
    do throws(AudioFileError) {
      try FLACEndCheck.check(input)
      // The end of a short file may show the ends of several.
      if input.size > windowBytes, try !goesBack(input) { return nil }
    } catch {
      guard error.endsAudio else { throw error }
    }
    // Tags may come before the first one.
    var (starts, base) = ([Int](), 0)
    while base < input.size {
      let bytes = try input.bytes(at: base, count: windowBytes)
      guard bytes.count >= 8 else { break }
      for index in 0..<bytes.count - 7
      where bytes[index] == magic[0] && bytes[index + 1] == magic[1]
        && bytes[index..<index + 4].elementsEqual(magic) && bytes[index + 4] & 0x7F == 0
        && bytes[index + 5..<index + 8].elementsEqual(blockSize)
      {
        let start = base + index
        // Samples may look like a header, but then the frames before it are not all.
        if let last = starts.last {
          if try isWhole(input, last..<start) { starts.append(start) }
        } else {
          starts.append(0)
        }
      }
      base += bytes.count - 7
    }
    return input.parts(startingAt: starts)
  }

  /// Parts of a file at which frame numbers are compared; in 2 to 99 files of equal size, they are not in order.
  static let places = [0.31, 0.44, 0.82, 0.89]

  /// True if a later frame has an earlier number.
  private static func goesBack(_ input: borrowing InputFile) throws(AudioFileError) -> Bool {
    guard let head = try FLACHead(of: input), head.info.frameCount > 0 else { return false }
    var last = 0
    for place in places {
      let offset = head.audioOffset + Int(Double(input.size - head.audioOffset) * place)
      guard let position = try FLACEndCheck.position(after: offset, in: input, head.info) else {
        continue
      }
      if position < last { return true }
      last = position
    }
    return false
  }

  private static func isWhole(
    _ input: borrowing InputFile, _ range: Range<Int>
  ) throws(AudioFileError) -> Bool {
    do throws(AudioFileError) {
      try FLACEndCheck.check(try InputFile(input, bytes: range))
      return true
    } catch {
      guard error.endsAudio else { throw error }
      return false
    }
  }
}
