package import AudioIO
package import SystemPackage

/// The positions of the pages of one Opus or Vorbis stream, made to agree with the frames of its packets.
///
/// Positions that were computed from times in milliseconds, as in copies from Matroska, are off by some frames. Decoders
/// would drop packets there, or report that audio is missing. So they read a copy in which every position is the number
/// of frames before it. The last page has as many frames as its position exceeds the one before, which drops the padding
/// (RFC 7845 section 4.4; Vorbis I section A.2). At missing pages, positions keep their distance.
package struct OggPositions: Sendable {
  /// The position of the first frame as the first page states it: its position less its frames.
  package private(set) var start = 0
  /// True if a page with frames has a position below 0.
  package private(set) var isBelowZero = false
  /// The most frames by which positions contradict the packets, of at least one packet, where no page is missing; 0 if
  /// there is no such place.
  package private(set) var jump = 0
  /// The positions of the pages that need another one, by the offset of the page.
  private var changes: [Int: Int64] = [:]
  /// The position of the last page: as it states it, and as it should be.
  private var lastStated: Int64?
  private var last: Int64 = 0
  private var hasBegun = false
  private var lastNumber: Int?
  private let closesJumps: Bool

  /// - Parameter closesJumps: True to count the frames even where positions contradict them by a packet or more.
  package init(closesJumps: Bool) { self.closesJumps = closesJumps }

  /// Notes a page of headers: if the page after the last of them is missing, the frames keep their positions.
  package mutating func pass(_ page: OggPage) { lastNumber = page.sequenceNumber }

  /// True if any page needs another position.
  package var needsChange: Bool { !changes.isEmpty }

  /// Adds the next page with audio.
  ///
  /// - Parameters:
  ///   - frames: The frames of the packets that end on the page.
  ///   - packet: The frames of the longest packet.
  package mutating func add(_ page: OggPage, at offset: Int, frames: Int, packet: Int) {
    let follows = lastNumber.map { page.sequenceNumber == $0 + 1 } ?? true
    lastNumber = page.sequenceNumber
    let stated = page.granulePosition == -1 ? nil : page.granulePosition
    guard frames > 0 || stated != nil else { return }
    if let stated, stated < 0 { isBelowZero = true }
    let position: Int64
    if !hasBegun {
      hasBegun = true
      let start = stated?.subtractingReportingOverflow(Int64(frames)).partialValue ?? 0
      // On the only page, packets may end after the audio.
      self.start = page.endsStream ? max(0, Int(start)) : Int(start)
      let kept = page.endsStream ? min(stated ?? .max, Int64(frames)) : Int64(frames)
      position = (follows ? 0 : Int64(max(0, self.start))) &+ max(0, kept)
    } else if let stated, let lastStated {
      let step = stated.subtractingReportingOverflow(lastStated).partialValue
      let (excess, overflows) = step.subtractingReportingOverflow(Int64(frames))
      // A page that is not the next one, or a position far below the one before, is for the decoder to report.
      if !follows || step <= -packet {
        position = last &+ step
      } else if page.endsStream, excess < 0 {
        position = last &+ max(0, step)
      } else if !overflows, excess.magnitude < packet {
        position = last &+ Int64(frames)
      } else {
        jump = max(jump, overflows ? .max : Int(clamping: excess.magnitude))
        position = last &+ (closesJumps ? Int64(frames) : step)
      }
    } else {
      position = last &+ Int64(frames)
    }
    if position != page.granulePosition { changes[offset] = position }
    last = position
    lastStated = stated
  }

  /// The position that a page should have.
  package func position(of page: OggPage, at offset: Int) -> Int64 {
    changes[offset] ?? page.granulePosition
  }

  /// The error for positions that contradict the packets by a packet or more, where no page is missing.
  package func contradiction(in path: FilePath) -> AudioFileError? {
    guard jump > 0 else { return nil }
    return .malformed(
      path,
      reason: "the positions of its pages jump by \(jump) frames where no page is missing")
  }

  /// The warning about such positions in audio that was read nevertheless.
  package var warning: String? {
    guard jump > 0 else { return nil }
    return "the positions of its pages jump by up to \(jump) frames where no page is missing; "
      + "all frames are read, without silence between them"
  }
}

/// The first bytes of the packets on pages, as many as show how long they are.
struct OggPacketHeads {
  /// The first bytes of a packet that continues on the next page.
  private var open: [UInt8] = []
  private static let byteCount = 64

  /// The packets that end on a page.
  mutating func ended(on page: [UInt8]) -> [[UInt8]] {
    guard page.count > 27, page.count >= 27 + Int(page[26]) else { return [] }
    // Without the page before, the rest of a packet has no first bytes.
    if page[5] & 1 == 0 { open = [] }
    var heads: [[UInt8]] = []
    var place = 27 + Int(page[26])
    for lacing in page[27..<place] {
      let end = min(page.count, place + Int(lacing))
      if open.count < Self.byteCount { open += page[place..<end].prefix(Self.byteCount) }
      place = end
      if lacing == 255 { continue }
      heads.append(open)
      open = []
    }
    return heads
  }
}
