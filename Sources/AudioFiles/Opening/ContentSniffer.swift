internal import AudioContainers
package import AudioIO
internal import AudioModel
internal import FLACFiles
internal import SndFileFiles
internal import SystemPackage

/// Detects the format of a file from its content, never from its name.
package enum ContentSniffer {
  /// The format of a file; `nil` if it is not recognized. The content of a file that is declared raw is not examined.
  ///
  /// Reads a few short ranges. Skips a leading ID3v2 tag. MPEG audio, whose frames start with only
  /// 11 set bits, must have several consecutive frames.
  package static func format(
    of input: borrowing InputFile
  ) throws(AudioFileError) -> AudioFormat? {
    if let raw = input.raw { return .raw(raw.encoding) }
    let start = try ID3Tag.end(of: input)
    let head = try AudioFormat.FileHead(of: input, at: start)
    if FLACFrameStart.isPresent(in: head.bytes) { return .named("flac") }
    // None of the other formats begins with an ID3v2 tag.
    if start == 0 || AudioFormat.Container.flac.recognizes(head), let format = format(of: head) {
      return format
    }
    if start == 0 {
      if let format = try OggReading.format(of: input) { return format }
      if isNoAudio(head) { return nil }
    }
    let mpeg = try MPEGFrameHeader.firstFrame(of: input, from: start)
    // Consecutive frames from the first byte on are unambiguous, and loading FFmpeg's libraries
    // takes long.
    if let mpeg, mpeg.offset == start { return .named("mp\(mpeg.header.layer)") }
    guard let demuxer = DemuxingLibraries.first else {
      if start == 0, isOtherAudio(head) { return nil }
      return mpeg.flatMap { .named("mp\($0.header.layer)") }
    }
    let other = try demuxer.sniff(input)
    if let other, other.isCertain || isProgramStream(head) { return other.format }
    if let mpeg { return .named("mp\(mpeg.header.layer)") }
    if other == nil { try demuxer.check(input.path) }
    return other?.format
  }

  /// The error for a file whose format is not recognized: by name, if its start shows one that is known and not read.
  package static func refusal(of input: borrowing InputFile) throws(AudioFileError)
    -> AudioFileError
  {
    let head = try input.bytes(at: ID3Tag.end(of: input), count: 4)
    let remedy = Remedy.act("convert it to WAV or FLAC with a program that decodes it")
    if let name = unread[String(decoding: head, as: UTF8.self)] {
      return .unsupported(
        input.path, reason: "it is \(name), which cannot be decoded here", remedy: remedy)
    }
    if let refusal = try DemuxingLibraries.first?.refusal(of: input) { return refusal }
    if let name = input.path.extension.flatMap({ headerless[$0.lowercased()] }) {
      return .unsupported(
        input.path,
        reason: "by its name it is \(name) without a header, which cannot be decoded here",
        remedy: remedy)
    }
    let other = try OtherContent(of: input)
    return .notAudio(input.path, content: other?.name, remedy: other?.remedy)
  }

  /// Names of encodings without a header that are not among those of raw PCM, by the extensions of their files.
  private static let headerless = [
    "g722": "G.722", "722": "G.722", "g723": "G.723.1", "g723_1": "G.723.1", "tco": "G.723.1",
    "rco": "G.723.1", "g726": "G.726", "g728": "G.728", "g729": "G.729", "aptx": "aptX",
    "aptxhd": "aptX HD", "sbc": "SBC", "msbc": "SBC", "vox": "VOX (ADPCM of Dialogic)",
  ]

  /// Names of formats that no library here reads, by their first bytes.
  ///
  /// Source: ISO/IEC 14496-3 section 1.A.2.1 (ADIF).
  private static let unread = [
    "ADIF": "AAC in ADIF", "OFR ": "OptimFROG", "LA02": "La",
    "LA03": "La", "LA04": "La", "MThd": "MIDI (notes, not audio)",
  ]

  /// The first format whose container and codec the start of a file shows; `nil` if there is none.
  private static func format(of head: AudioFormat.FileHead) -> AudioFormat? {
    // Containers that a demuxer reads are recognized by it.
    let row = AudioFormat.all.first {
      !($0.library.type is any DemuxingLibrary.Type) && $0.container.recognizes(head)
    }
    guard let container = row?.container else { return nil }
    let codec = container.codec(head)
    return AudioFormat.all.first { $0.container == container && $0.codec == codec }
  }

  /// True if a file begins with the header of a pack of MPEG-1 or MPEG-2, whose packets may hold frames of
  /// MPEG audio.
  private static func isProgramStream(_ head: AudioFormat.FileHead) -> Bool {
    head.has([0, 0, 1, 0xBA]) && head.bytes.count > 4
      && (head.bytes[4] >> 4 == 0b0010 || head.bytes[4] >> 6 == 0b01)
  }

  /// Other files, whose data could contain an MPEG frame by chance.
  private static func isNoAudio(_ head: AudioFormat.FileHead) -> Bool {
    if unread.keys.contains(where: { head.has($0) }) { return true }
    return head.has("%PDF") || head.has("PK\u{3}\u{4}") || head.has([0x7F, 0x45, 0x4C, 0x46])
  }

  /// Audio that only FFmpeg's libraries read, whose data could contain an MPEG frame by chance.
  private static func isOtherAudio(_ head: AudioFormat.FileHead) -> Bool {
    ["MAC ", "TTA1", "TTA2", "FORM", "Creative Voice File"].contains { head.has($0) }
      || AudioFormat.all.contains { $0.container.recognizes(head) }
  }
}
