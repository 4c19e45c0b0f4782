import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AudioContainers
@testable import AudioIO

/// The first picture of Theora, from pages made by the Ogg and Theora specifications.
@Suite("Start of Theora")
struct TheoraStartTests {
  private let fixture: AudioFixture

  init() throws { fixture = try AudioFixture() }

  private func seconds(_ pages: [[UInt8]]) throws -> Double? {
    try fixture.put("x.ogv", pages.flatMap(\.self))
    return try TheoraStart.seconds(of: InputFile(path: fixture.path("x.ogv")))
  }

  private static func page(
    begins: Bool = false, position: Int64, serial: UInt8 = 7, lacing: [UInt8], _ body: [UInt8]
  ) -> [UInt8] {
    Array("OggS".utf8) + [0, begins ? 2 : 0]
      + withUnsafeBytes(of: position.littleEndian) { Array($0) }
      + [serial, 0, 0, 0] + [UInt8](repeating: 0, count: 8) + [UInt8(lacing.count)] + lacing + body
  }

  /// 25 pictures a second.
  private static func header(revision: UInt8, shift: UInt8) -> [UInt8] {
    var packet = [0x80] + Array("theora".utf8) + [3, 2, revision]
    packet += [UInt8](repeating: 0, count: 12) + [0, 0, 0, 25, 0, 0, 0, 1]
    packet += [UInt8](repeating: 0, count: 10) + [shift >> 3, shift << 5]
    return page(begins: true, position: 0, lacing: [UInt8(packet.count)], packet)
  }

  private static func pictures(_ count: Int, position: Int64) -> [UInt8] {
    page(
      position: position, lacing: Array(repeating: 1, count: count),
      Array(repeating: 0, count: count))
  }

  /// The last of three pictures is the 13th: key frame 10, and 3 since then. Before 3.2.1, positions count one less.
  @Test(arguments: [(1, 0.4), (0, 0.44)] as [(UInt8, Double)])
  func positionsCountPictures(revision: UInt8, expected: Double) throws {
    let pages = [
      Self.header(revision: revision, shift: 6), Self.pictures(3, position: 10 << 6 | 3),
    ]
    #expect(try seconds(pages) == expected)
  }

  /// Pages on which no packet ends, and positions of any size.
  @Test func positionsOfAnySize() throws {
    let part = Self.page(
      position: .max, lacing: [255], [UInt8](repeating: 0, count: 255))
    let header = Self.header(revision: 0, shift: 0)
    #expect(try seconds([header, part, Self.pictures(1, position: 5)]) == 0.2)
    #expect(try seconds([header, part]) == nil)
    let largest = try #require(try seconds([header, Self.pictures(1, position: .max)]))
    #expect(largest > 1e17 && largest.isFinite)
  }

  /// Streams begin before all else: where none is Theora, the rest is not read.
  @Test func otherStreamsHaveNone() throws {
    let other = Self.page(begins: true, position: 0, lacing: [1], [1])
    #expect(
      try seconds([
        other, Self.pictures(1, position: 5), Self.header(revision: 1, shift: 0),
        Self.pictures(1, position: 5),
      ]) == nil)
  }
}
