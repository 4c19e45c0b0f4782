internal import AudioContainers
package import AudioIO
internal import CLibAV

/// The format of a file that libavformat recognizes.
package struct LibAVSniffer {
  package let format: AudioFormat
  /// True when a false detection is unlikely.
  package let isCertain: Bool

  package init?(_ input: borrowing InputFile) throws(AudioFileError) {
    guard let probe = try LibAVProbe(input) else { return nil }
    isCertain = probe.score > LibAVProbe.strongScore
    guard let format = try Self.format(input, probe) else { return nil }
    self.format = format
  }

  /// Format ids by the first name of the demuxer, for formats that it determines.
  private static let rows = [
    "aa": "av", "aac": "aac", "ac3": "ac3", "amr": "amr", "amrnb": "amr", "amrwb": "amr",
    "ape": "ape",
    "avi": "avi", "dts": "dts", "dtshd": "dts", "eac3": "eac3", "flv": "flv", "kux": "flv",
    "live_flv": "flv", "mlp": "mlp", "mpc": "mpc", "mpc8": "mpc", "mpeg": "mpg",
    "mpegts": "ts", "tak": "tak", "truehd": "mlp", "tta": "tta",
    "voc": "voc", "wv": "wavpack",
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
      return holdsSound(input, probe) ? coded(input, probe, "av") : nil
    }
  }

  /// The format of a container whose audio may be lossy or lossless, depending on its first track.
  private static func coded(
    _ input: borrowing InputFile, _ probe: LibAVProbe, _ id: String
  ) -> AudioFormat? {
    FFmpegLibrary.format(named: id)?.holding(
      isLossless: isLossless(input, probe) == true, formatName: probe.longName)
  }

  /// Returns true if a container has an audio track with a known codec, even if no track can be decoded.
  private static func holdsSound(_ input: borrowing InputFile, _ probe: LibAVProbe) -> Bool {
    do throws(AudioFileError) {
      let container = try LibAVContainer(input, probe)
      defer { withExtendedLifetime(container) {} }
      return container.audioStreams.contains {
        $0.pointee.codecpar.pointee.codec_id != AV_CODEC_ID_NONE
      }
    } catch {
      return false
    }
  }

  /// The error for a container without audio tracks that has others; `nil` for other files.
  static func refusal(of input: borrowing InputFile) throws(AudioFileError) -> AudioFileError? {
    guard let probe = try LibAVProbe(input) else { return nil }
    do throws(AudioFileError) {
      let container = try LibAVContainer(input, probe)
      defer { withExtendedLifetime(container) {} }
      guard container.audioStreams.isEmpty, container.holdsVideo else { return nil }
      _ = try LibAVTrack(of: container, number: nil)
    } catch .unsupported(let path, let reason, let remedy) {
      return .unsupported(path, reason: reason, remedy: remedy)
    } catch .cannotRead(let path, let cause) {
      throw .cannotRead(path, cause)
    } catch {}
    return nil
  }

  /// Returns true if the first track is lossless; `nil` if no track can be decoded.
  private static func isLossless(_ input: borrowing InputFile, _ probe: LibAVProbe) -> Bool? {
    do throws(AudioFileError) {
      let container = try LibAVContainer(input, probe)
      defer { withExtendedLifetime(container) {} }
      return LibAVEncoding.isLossless(try LibAVTrack(of: container, number: nil))
    } catch {
      return nil
    }
  }
}
