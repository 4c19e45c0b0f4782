package import AudioIO

/// The packets of an output that begins or ends within a stream that goes on.
///
/// Its encoder begins earlier, at its pre-roll. The last packets are of another encoder, which begins anew at the pre-roll of
/// the next output, as the encoder of that output does: the sound on both sides of the joint is decoded from the same
/// packets. The change from one encoder to the other lies within the output, where both chose the same kind of packet, so
/// that a decoder finds what it expects. It differs from other packet boundaries only in the noise that encoders leave.
package final class PacketSplice: PacketFile {
  /// Decoded frames of the file before the audio.
  package let delay: Int
  /// The frame of all that are written at which the next output's encoder begins; `nil` if there is none.
  package let nextStart: Int?
  private let file: any PacketFile
  /// The kind of a packet.
  private let kind: ([UInt8]) -> Int
  /// The packets that may be the first of the next output's encoder, in order; empty if there is none. Packets are counted
  /// from the first of the output's own encoder.
  private let changes: Range<Int>
  /// The packets in the file.
  private let numbers: Range<Int>
  /// The numbers of the next packets of both encoders.
  private var (own, next) = (0, 0)
  /// The packets of both encoders from the one before the first change on.
  private var (ownPackets, nextPackets) = ([[UInt8]](), [[UInt8]]())

  /// The packets that a codec needs.
  package struct Needs {
    /// Frames of a packet, greater than 0; pre-rolls are multiples of it, counted from the start of the stream.
    package var framesPerPacket: Int
    /// Packets of which a decoder loses the sound before its output is right.
    package var before: Int
    /// Packets before the one with the end, from which on they may be of the next output's encoder.
    package var shared: ClosedRange<Int>
    /// True if the file takes packets until it has all frames, false if they have to be counted.
    package var endsByItself = false

    package init(
      framesPerPacket: Int, before: Int, shared: ClosedRange<Int>, endsByItself: Bool = false
    ) {
      (self.framesPerPacket, self.before) = (framesPerPacket, before)
      (self.shared, self.endsByItself) = (shared, endsByItself)
    }
  }

  /// A splice of an output, all of whose frames are counted as `scale`.
  ///
  /// - Parameters:
  ///   - delay: The delay of the encoder, in frames as they are counted.
  ///   - kind: The kind of a packet.
  package init(
    _ description: OutputDescription, scale: Int = 1, delay: Int, _ needs: Needs,
    into file: any PacketFile, kind: @escaping ([UInt8]) -> Int
  ) {
    (self.file, self.kind) = (file, kind)
    let packet = needs.framesPerPacket
    let isFirst = description.preRoll == 0
    let start = scale * description.preRoll + delay
    let end = start + scale * description.frameCount
    self.delay = Self.delay(description, scale: scale, delay: delay, needs)
    let first = (start - self.delay) / packet
    let last = needs.endsByItself ? .max : max(first, (end + packet - 1) / packet)
    numbers = first..<last
    guard let nextPreRoll = description.nextPreRoll,
      case let nextStart = description.preRoll + description.frameCount - nextPreRoll,
      nextStart >= 0, nextStart % (packet / scale) == 0
    else {
      (nextStart, changes) = (nil, 0..<0)
      return
    }
    next = scale * nextStart / packet
    // The packets with the start are the same as in the output before.
    let least = max(next + 1, isFirst ? 1 : start / packet + 2)
    let from = max(least, end / packet - needs.shared.upperBound)
    let to = min(end / packet - needs.shared.lowerBound + 1, (end + packet - 1) / packet)
    changes = from..<max(from, to)
    self.nextStart = changes.isEmpty ? nil : nextStart
  }

  /// Decoded frames of an output's file before the audio.
  package static func delay(
    _ description: OutputDescription, scale: Int = 1, delay: Int, _ needs: Needs
  ) -> Int {
    let start = scale * description.preRoll + delay
    let isFirst = description.preRoll == 0
    let first = isFirst ? 0 : max(0, start / needs.framesPerPacket - needs.before)
    return start - first * needs.framesPerPacket
  }

  /// True if the output's own encoder need not go on.
  package var isComplete: Bool { own >= (changes.isEmpty ? numbers : changes).upperBound }

  /// True if the next output's encoder need not go on.
  package var nextIsComplete: Bool { nextStart == nil || next >= numbers.upperBound }

  /// Takes the next packet of the output's own encoder.
  package func append(_ packet: UnsafeRawBufferPointer) throws(AudioFileError) {
    defer { own += 1 }
    if isComplete || !numbers.contains(own) { return }
    if !changes.isEmpty, own >= changes.lowerBound - 1 {
      ownPackets.append(Array(packet))
    } else {
      try file.append(packet)
    }
  }

  /// Takes the next packet of the next output's encoder.
  package func appendNext(_ packet: UnsafeRawBufferPointer) {
    defer { next += 1 }
    if next >= changes.lowerBound - 1, !nextIsComplete { nextPackets.append(Array(packet)) }
  }

  /// Passes on the packets around the joint; the file is not completed.
  package func finish() throws(AudioFileError) {
    if changes.isEmpty { return }
    let ownKinds = ownPackets.map(kind)
    let nextKinds = nextPackets.map(kind)
    // The first packet of each is the one before the first change.
    var count = 1
    for candidate in 1...changes.count where candidate <= ownKinds.count {
      guard candidate < nextKinds.count else { break }
      let wanted = ownKinds[candidate - 1]
      if nextKinds[candidate - 1] == wanted, nextKinds[candidate] == wanted {
        count = candidate
        break
      }
    }
    for packet in ownPackets.prefix(count) + nextPackets.dropFirst(count) {
      try packet.withUnsafeBufferPointer { (bytes) throws(AudioFileError) in
        try file.append(UnsafeRawBufferPointer(bytes))
      }
    }
  }
}

/// The packets of the next output's encoder, for a splice.
package final class NextPackets: PacketFile {
  private let splice: PacketSplice

  package init(_ splice: PacketSplice) { self.splice = splice }

  package func append(_ packet: UnsafeRawBufferPointer) { splice.appendNext(packet) }
  package func finish() {}
}
