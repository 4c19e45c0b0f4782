import Foundation
import Testing

@testable import Waveforms

@Suite("Pictures for terminals")
struct TerminalGraphicsTests {
  @Test(arguments: [0, 1, 2, 3, 3071, 3072, 3073, 10_000]) func kittyTakesBase64InPieces(count: Int)
  {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    #expect(KittyEncoder.base64(bytes) == Array(Data(bytes).base64EncodedString().utf8))
    let text = String(decoding: KittyEncoder.encode(png: bytes), as: UTF8.self)
    let pieces = text.split(separator: "\u{1b}\\").filter { $0 != "\n" }
    var content = ""
    for (index, piece) in pieces.enumerated() {
      let parts = piece.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
      let more = index + 1 < pieces.count ? "m=1" : "m=0"
      #expect(parts[0] == "\u{1b}_G" + (index == 0 ? "a=T,f=100,q=2," : "") + more)
      #expect(parts[1].count <= 4096 && (more == "m=0" || parts[1].count % 4 == 0))
      content += parts[1]
    }
    #expect(Data(base64Encoded: content) == Data(bytes))
  }

  @Test func sixelHasThePixels() throws {
    // Two lines of six rows: red above blue.
    let red: [UInt8] = [255, 0, 0], blue: [UInt8] = [0, 0, 255]
    let image = PixelImage(
      width: 4, height: 12,
      bytes: Array(repeating: red, count: 24).flatMap { $0 }
        + Array(repeating: blue, count: 24).flatMap { $0 })
    let text = String(decoding: try SixelEncoder.encode(image), as: UTF8.self)
    #expect(text.hasPrefix("\u{1b}P") && text.hasSuffix("\u{1b}\\"))
    #expect(text.contains("\"1;1;4;12"))
    // The registers of both colors in percent (libsixel keeps five bits), then four full columns of each.
    let registers = text.matches(of: /#(\d+);2;(\d+);(\d+);(\d+)/)
    #expect(Set(registers.map { "\($0.2) \($0.3) \($0.4)" }) == ["97 0 0", "0 0 97"])
    #expect(text.matches(of: /!4~/).count == 2)
  }
}
