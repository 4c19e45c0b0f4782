import ScaleAudio

/// The fields of a `--json` object about a finished picture, as described by `plot.schema.json`.
struct PlotRecord: Encodable {
  private struct PictureFields: Encodable {
    /// The format of the picture or the data.
    let outputFormat: String
  }

  private let input: InputFields
  private let timing: TimingFields
  private let details: PictureFields

  init(_ job: PlotJob, _ report: Plot.Report) {
    input = InputFields(report.source)
    timing = TimingFields(wallSeconds: report.seconds, sourceSeconds: report.sourceSeconds)
    details = PictureFields(outputFormat: job.work.format.fileExtension)
  }

  /// Encodes all parts into one object.
  func encode(to encoder: any Encoder) throws {
    try input.encode(to: encoder)
    try timing.encode(to: encoder)
    try details.encode(to: encoder)
  }
}
