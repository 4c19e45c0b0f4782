internal import AudioIO
internal import AudioModel

extension ConversionPlan {
  /// Everything of a source that the output would lack, each loss once: metadata, positions of speakers, precision of
  /// samples and times, and what the reader left out.
  ///
  /// Parts that the settings leave out are no losses, nor are tags that no longer apply to the sound.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - writer: The writer of the output, which knows what its file cannot hold.
  ///   - sidecars: Warnings about the text files beside the source.
  func losses(
    of source: SourceDescription, _ writer: any AudioFileWriter, sidecars: [AudioWarning] = []
  ) -> [MetadataLoss] {
    var losses = metadata.notCarried(besides: writer.notCarried)
    if let lost = metadata.lostPrecision { losses.append(lost) }
    for warning in source.warnings { losses.append(MetadataLoss(.source, warning.text)) }
    if let video = source.storage.video {
      losses.append(MetadataLoss(.picture, "the video (\(video))"))
    }
    let format = output.format.name
    for warning in warnings {
      switch warning.kind {
      case .layout:
        let given = output.givenLayout ?? source.spec.layout
        losses.append(
          MetadataLoss(.speaker, "the speakers of \(given) (\(output.spec.layout) in \(format))"))
      case .format where samples.warnings.contains(warning):
        let (own, stored) = ("\(samples.read) samples", samples.stored.map { "\($0)" } ?? "")
        losses.append(MetadataLoss(.precision, "\(own) (\(stored) in \(format))"))
      case .sampleRate:
        losses.append(
          MetadataLoss(
            .precision,
            "the sample rate of \(sourceRate) Hz (\(output.spec.sampleRate) Hz in \(format))"))
      case .tagEncoding: losses.append(MetadataLoss(.tag, warning.text))
      default: break
      }
    }
    losses += writer.warnings.map { MetadataLoss(.mark, $0) }
    losses += sidecars.map { MetadataLoss(.sidecar, $0.text) }
    return losses
  }
}
