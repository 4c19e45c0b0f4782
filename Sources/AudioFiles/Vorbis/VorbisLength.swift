internal import AudioModel
internal import SystemPackage

/// How many frames a Vorbis file will give.
struct VorbisLength {
  let frames: Int
  /// What the user should know about frames that are lost.
  var warnings: [String] = []

  /// Takes the length by the granule positions, once the last pages are known to be there; to salvage,
  /// decodes the whole file.
  init(
    of input: borrowing InputFile, _ decoder: VorbisDecoder, spec: AudioSpec, salvaging: Bool
  ) throws(AudioFileError) {
    let isWhole = try Self.isWhole(input, decoder)
    let declared = decoder.declaredFrames
    guard salvaging else {
      guard isWhole else { throw .truncated(input.path, expected: nil, found: declared) }
      guard let declared else {
        throw .malformed(input.path, reason: "its granule positions make no sense")
      }
      frames = declared
      return
    }
    let blocks = VorbisBlockSource(
      try VorbisDecoder(input), channelCount: spec.channelCount, sampleRate: spec.sampleRate,
      salvaging: true, path: input.path)
    while try blocks.next() != nil {}
    frames = blocks.decodedFrames + blocks.silentFrames
    let isShort = declared.map { blocks.decodedFrames != $0 } ?? true
    if blocks.isDamaged || isShort || !isWhole {
      guard blocks.decodedFrames > 0 else {
        throw .truncated(input.path, expected: isWhole ? declared : nil, found: 0)
      }
      warnings = [
        SalvageReport(
          decoded: blocks.decodedFrames, silent: blocks.silentFrames,
          declared: isWhole || blocks.isDamaged ? declared : nil, sampleRate: spec.sampleRate
        ).text
      ]
    }
  }

  /// Whether every chained stream has its last page.
  private static func isWhole(
    _ input: borrowing InputFile, _ decoder: VorbisDecoder
  ) throws(AudioFileError) -> Bool {
    for link in 0..<decoder.linkCount {
      let end = try OggStreamEnd(
        of: input, in: decoder.bytes(ofLink: link),
        serialNumber: decoder.serialNumber(ofLink: link))
      if end?.isWhole != true { return false }
    }
    return true
  }
}
