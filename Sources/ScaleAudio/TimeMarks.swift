extension Metadata {
  /// What the output of a conversion says about its time: everything scaled, and arranged for what the
  /// format can hold; and the names of what it cannot.
  func converted(
    from source: SourceDescription, by factor: Double, map: TimeMap?, to output: OutputDescription,
    provenance: String
  ) -> (metadata: Metadata, lost: [String]) {
    var scaled = scaled(
      by: factor, from: source.frameCount, to: output.frameCount,
      sampleRate: output.spec.sampleRate, map: map)
    scaled.broadcastExtension = broadcastExtension.map { bytes in
      guard var chunk = BroadcastExtension(bytes) else { return bytes }
      chunk.dropMeasurements()
      chunk.addHistory(
        sampleRate: output.spec.sampleRate, bitDepth: output.sampleFormat?.bitDepth ?? 16,
        channelCount: output.spec.channelCount,
        text: provenance)
      return chunk.bytes
    }
    return scaled.arranged(
      for: output.format.timeMarks, sampleRate: output.spec.sampleRate)
  }
}
