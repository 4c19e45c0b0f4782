package import AudioContainers
package import AudioIO
internal import CLibAV
internal import SystemPackage

/// Tells which row of the table a file is that libavformat recognizes.
package struct LibAVSniffer {
  package let format: AudioFormat
  /// Whether hardly anything else looks like it.
  package let isCertain: Bool

  package init?(_ input: borrowing InputFile) throws(AudioFileError) {
    guard let probe = try LibAVProbe(input) else { return nil }
    isCertain = probe.score > LibAVProbe.strongScore
    guard let format = try Self.format(input, probe) else { return nil }
    self.format = format
  }

  /// Rows by the first name of the demuxer, where they are not told by more than that.
  private static let rows = [
    "aac": "aac", "ac3": "ac3", "amr": "amr", "amrnb": "amr", "amrwb": "amr", "ape": "ape",
    "avi": "avi", "dts": "dts", "dtshd": "dts", "eac3": "eac3", "flv": "flv", "kux": "flv",
    "live_flv": "flv", "mlp": "mlp", "mpc": "mpc", "mpc8": "mpc", "mpeg": "mpg",
    "mpegts": "ts", "tak": "tak", "truehd": "mlp", "tta": "tta", "wv": "wavpack",
  ]

  private static func format(
    _ input: borrowing InputFile, _ probe: LibAVProbe
  ) throws(AudioFileError) -> AudioFormat? {
    let name = probe.names.first ?? ""
    switch name {
    case "mov": return FFmpegLibrary.format(named: try MP4Brand.rowID(of: input))
    case "matroska":
      let head = try input.bytes(at: 0, count: 64)
      let isWebM = head.indices.contains { head[$0...].starts(with: Array("webm".utf8)) }
      return coded(input, probe, "\(isWebM ? "webm" : "mka")")
    case "asf", "xwma": return coded(input, probe, "wma")
    default:
      if let id = rows[name] { return FFmpegLibrary.format(named: id) }
      return isLossless(input, probe) == nil ? nil : coded(input, probe, "av")
    }
  }

  /// A row for what may hold lossy and lossless audio, looked into to tell which.
  private static func coded(
    _ input: borrowing InputFile, _ probe: LibAVProbe, _ id: String
  ) -> AudioFormat? {
    FFmpegLibrary.format(named: id)?.holding(
      isLossless: isLossless(input, probe) == true, formatName: probe.longName)
  }

  /// Whether the first track is lossless; `nil` where there is none that can be decoded.
  private static func isLossless(_ input: borrowing InputFile, _ probe: LibAVProbe) -> Bool? {
    do throws(AudioFileError) {
      let container = try LibAVContainer(input, probe)
      return LibAVEncoding.isLossless(try LibAVTrack(of: container, number: nil))
    } catch {
      return nil
    }
  }
}
