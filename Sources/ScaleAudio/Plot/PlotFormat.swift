internal import SystemPackage
public import Waveforms

/// The format of a picture or of waveform data.
public enum PlotFormat: Hashable, Sendable {
  /// A picture.
  case picture(PictureFormat)
  /// Peaks as data for programs that draw them.
  case data(WaveformDataFormat)

  /// The format for a file extension without a dot; `nil` if there is none.
  public init?(fileExtension: String) {
    let name = fileExtension.lowercased()
    if let format = PictureFormat(fileExtension: name) {
      self = .picture(format)
    } else if let format = WaveformDataFormat(rawValue: name) {
      self = .data(format)
    } else {
      return nil
    }
  }

  /// All formats.
  public static let all =
    PictureFormat.allCases.map(PlotFormat.picture)
    + WaveformDataFormat.allCases.map(PlotFormat.data)

  /// The extension of its files, without a dot.
  public var fileExtension: String {
    switch self {
    case .picture(let format): format.rawValue
    case .data(let format): format.rawValue
    }
  }

  /// Returns true if an output's extension denotes a format.
  static func isNamed(by output: FilePath) -> Bool {
    output.extension.flatMap(PlotFormat.init(fileExtension:)) != nil
  }

  /// The format that a file's extension denotes.
  init(of path: FilePath) throws(PlanningError) {
    guard let named = path.extension.flatMap(PlotFormat.init(fileExtension:)) else {
      throw .unknownExtension(path)
    }
    self = named
  }
}
