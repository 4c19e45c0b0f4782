import ScaleAudio

extension Plot: ReportedWork {
  static var schema: RecordSchema { .plot }

  static func result(_ job: PlotJob, _ report: Report) -> FileResult {
    FileResult(
      sourceSeconds: report.sourceSeconds, line: PlotLines.finished(job, report),
      details: PlotLines.details(job, report))
  }

  static func record(_ job: PlotJob, _ report: Report) -> PlotRecord { PlotRecord(job, report) }
}

extension Plot.Report {
  /// The playing time of the source, in seconds.
  var sourceSeconds: Double { source.spec.seconds(frames: source.frameCount) }
}

/// Lines about a finished picture.
enum PlotLines {
  /// `a.wav -> a.png  3.000 s, 812x real time`
  fileprivate static func finished(_ job: PlotJob, _ report: Plot.Report) -> String {
    let seconds = report.sourceSeconds
    var parts = [Quantities.playingTime(seconds)]
    if report.seconds > 0 && seconds > 0 {
      parts.append(Quantities.multiple(seconds / report.seconds) + " real time")
    }
    return FileLines.names(job.work) + "  " + parts.joined(separator: ", ")
  }

  /// `FLAC (24-bit) 44100 Hz 5.1, 132300 frames -> PNG`
  fileprivate static func details(_ job: PlotJob, _ report: Plot.Report) -> String {
    FileLines.format(of: report.source) + " -> " + job.work.format.fileExtension.uppercased()
  }
}
