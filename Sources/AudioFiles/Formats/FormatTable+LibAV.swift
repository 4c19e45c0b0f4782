extension AudioFormat {
  #if FFmpeg
    /// What FFmpeg's libraries read.
    ///
    /// The extensions are those by which files in a folder are found; those that other kinds of file
    /// share (`.ts` is also TypeScript) are left to the content.
    static let libAV: [AudioFormat] = mp4 + video + lossy + lossless

    private static func row(
      _ id: String, _ name: String, _ extensions: [String], isLossless: Bool = false,
      fallbackID: String
    ) -> AudioFormat {
      AudioFormat(
        id: id, name: name, extensions: extensions, library: .libAV, isLossless: isLossless,
        isWritable: false, fallbackID: fallbackID)
    }

    private static let mp4: [AudioFormat] = [
      row("mp4", "MP4", ["mp4", "m4v"], fallbackID: "m4a"),
      row("3gp", "3GP", ["3gp", "3gpp", "3g2", "3ga"], fallbackID: "m4a"),
    ]

    private static let video: [AudioFormat] = [
      row("mov", "QuickTime", ["mov", "qt"], fallbackID: "m4a"),
      row("mka", "Matroska", ["mka", "mkv"], fallbackID: "m4a"),
      row("webm", "WebM", ["webm", "weba"], fallbackID: "m4a"),
      row("avi", "AVI", ["avi"], fallbackID: "m4a"),
      row("ts", "MPEG-TS", ["mts", "m2ts", "m2t"], fallbackID: "m4a"),
      row("mpg", "MPEG-PS", ["mpg", "mpeg", "vob"], fallbackID: "m4a"),
      row("flv", "FLV", ["flv"], fallbackID: "m4a"),
    ]

    private static let lossy: [AudioFormat] = [
      row("aac", "AAC", ["aac", "adts"], fallbackID: "m4a"),
      row("wma", "Windows Media", ["wma", "wmv", "asf"], fallbackID: "m4a"),
      row("ac3", "AC-3", ["ac3"], fallbackID: "m4a"),
      row("eac3", "E-AC-3", ["eac3", "ec3"], fallbackID: "m4a"),
      row("dts", "DTS", ["dts", "dtshd"], fallbackID: "m4a"),
      row("amr", "AMR", ["amr", "awb"], fallbackID: "m4a"),
      row("mpc", "Musepack", ["mpc", "mpp"], fallbackID: "m4a"),
      row(
        "av", "other audio of FFmpeg's",
        [
          "spx", "ogv", "ogx", "ra", "rm", "rmvb", "oma", "aa3", "at3", "dsf", "dff", "shn", "vqf",
          "gsm", "adx", "mxf", "nut", "wtv", "dv",
        ], fallbackID: "m4a"),
    ]

    private static let lossless: [AudioFormat] = [
      row("ape", "Monkey's Audio", ["ape"], isLossless: true, fallbackID: "flac"),
      row("wavpack", "WavPack", ["wv"], isLossless: true, fallbackID: "flac"),
      row("tta", "True Audio", ["tta"], isLossless: true, fallbackID: "flac"),
      row("tak", "TAK", ["tak"], isLossless: true, fallbackID: "flac"),
      row("mlp", "MLP and TrueHD", ["mlp", "thd", "truehd"], isLossless: true, fallbackID: "flac"),
    ]

    /// The row for a file of this format whose audio is lossless or not, which decides what is written
    /// in its place.
    ///
    /// `formatName` is what FFmpeg calls the format, for the row of those that have none of their own.
    func holding(isLossless: Bool, formatName: String) -> AudioFormat {
      guard library == .libAV else { return self }
      if packets != nil {
        return isLossless ? losslessID.flatMap(AudioFormat.named) ?? self : self
      }
      var fallback = fallbackID
      if isLossless, fallback == "m4a" {
        // Video stays in the family of MP4, with its lossless codec.
        fallback = ["mka", "webm", "wma", "av"].contains(id) ? "flac" : "m4a-alac"
      }
      return AudioFormat(
        id: id, name: id == "av" ? formatName : name, extensions: extensions, library: library,
        isLossless: isLossless, isWritable: false, fallbackID: fallback)
    }
  #else
    static let libAV: [AudioFormat] = []
  #endif
}
