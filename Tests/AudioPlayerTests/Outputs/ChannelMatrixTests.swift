import AudioModel
import Testing

@testable import AudioPlayer

/// Channels by speaker.
struct ChannelMatrixTests {
  private func mapped(_ frame: [Float], _ source: ChannelLayout, _ output: ChannelLayout) -> [Float]
  {
    var result = [Float](repeating: 9, count: output.channelCount)
    let matrix = ChannelMatrix(from: source, to: output)
    matrix.map(frame, to: &result, frameCount: 1)
    return result
  }

  private let surround = ChannelLayout(mask: 0x3F, channelCount: 6) ?? .mono

  @Test func surroundIsMixedToStereoByITU() {
    // L' = L + 0.7071 C + 0.7071 LS, and so the right, over the sum of the weights.
    let side = 1 + 2 * 0.5.squareRoot()
    let mixed = mapped([0.5, -0.25, 0.75, 1, 0.125, 0.3], surround, .stereo).map(Double.init)
    let left = (0.5 + 0.5.squareRoot() * (0.75 + 0.125)) / side
    let right = (-0.25 + 0.5.squareRoot() * (0.75 + Double(Float(0.3)))) / side
    #expect(abs(mixed[0] - left) < 1e-6)
    #expect(abs(mixed[1] - right) < 1e-6)
  }

  @Test func speakersFindTheirChannels() {
    let swapped = ChannelLayout([.frontRight, .frontLeft])!
    #expect(mapped([1, 0.5], .stereo, swapped) == [0.5, 1])
    #expect(mapped([0.5], .mono, .stereo) == [0.5, 0.5])
    #expect(mapped([0.5], .mono, surround) == [0, 0, 0.5, 0, 0, 0])
    #expect(mapped([0.5, 0.25], .stereo, surround) == [0.5, 0.25, 0, 0, 0, 0])
    #expect(mapped([0.5, 0.25], .stereo, .mono) == [0.375])
    #expect(mapped([1, 2, 3], .unspecified(3), .unspecified(3)) == [1, 2, 3])
  }
}
