import ScaleAudio

/// The fields of a `--json` object about a finished picture.
struct PlotRecord: Encodable {
  /// The format of the picture or the data.
  let format: String
  /// The length and channels of the source.
  let frames, rate, channels: Int
  let layout: String
  let seconds: Double
  let speed: Double?

  init(_ job: PlotJob, _ report: Plot.Report) {
    let source = report.source
    format = job.work.format.fileExtension
    frames = source.frameCount
    rate = source.spec.sampleRate
    channels = source.spec.channelCount
    layout = source.spec.layout.description
    seconds = report.seconds
    speed = seconds > 0 ? report.sourceSeconds / seconds : nil
  }
}
