internal import AudioIO
internal import AudioModel
internal import TimeScaling

extension ConversionSettings {
  /// Everything that determines the content of an output, in one line: equal for outputs made in the same way.
  package func parameters(_ files: FilePolicy) -> String {
    var parts: [String] = []
    switch time {
    case .factor(let factor), .speed(let factor), .tempo(let factor):
      parts.append("factor=\(factor.value)")
    case .unchanged: parts.append("factor=\(TimeFactor.unchanged.value)")
    case .duration(let seconds): parts.append("duration=\(seconds)")
    case .frames(let frames): parts.append("frames=\(frames)")
    case .map(let request): parts.append("map=\(request.digest)")
    case .bpm(let beats, let given):
      parts.append("bpm=" + (given.map { "\($0):" } ?? "") + "\(beats)")
    }
    if let part { parts.append("part=\(part.name)") }
    parts += only.map { "only=\($0.name)" }
    parts.append("method=\(method.kind.rawValue)")
    parts += method.parameters
    if case .mono(let downmix) = channels {
      parts.append("single-channel")
      if downmix != .mean { parts.append("downmix=\(downmix.rawValue)") }
    }
    if let sampleRate { parts.append("rate=\(sampleRate)") }
    if rateQuality != .high { parts.append("rate-quality=\(rateQuality.rawValue)") }
    if allowsLayoutLoss { parts.append("allow-layout-loss") }
    if let format {
      // For raw samples, the encoding is included.
      let code = format.container == .raw ? ":\(format.library.code)" : ""
      parts.append("format=\(format.id)\(code)")
    }
    if let bitRate = encoding.bitRate { parts.append("bitrate=\(bitRate)") }
    if let quality = encoding.quality { parts.append("quality=\(quality)") }
    if let level = encoding.compressionLevel { parts.append("compression-level=\(level)") }
    if let sampleFormat { parts.append("bits=\(sampleFormat.rawValue)") }
    if forcesInt16 { parts.append("sample-format=int16") }
    if dither != .auto { parts.append("dither=\(dither.rawValue)") }
    switch level {
    case .unchanged: break
    case .guarded: parts.append("guard")
    case .normalized(let peak): parts.append("normalize=\(peak)")
    case .loudness(let target, let truePeak, let limits):
      parts.append("loudness=\(target) true-peak=\(truePeak)\(limits ? " limit" : "")")
    case .limited(let truePeak): parts.append("limit true-peak=\(truePeak)")
    }
    if let album { parts.append("album=\(album)") }
    if let gapless { parts.append("gapless=\(gapless)") }
    if let raw = files.raw { parts.append("raw=\(raw)") }
    if let encoding = files.tagEncoding { parts.append("tag-encoding=\(encoding.name)") }
    if files.scalesSidecars { parts.append("sidecars") }
    if files.drawsPicture { parts.append("picture") }
    if metadata != .keep { parts.append("metadata=\(metadata.rawValue)") }
    if keepsStaleTags { parts.append("keep-stale-tags") }
    if files.salvages { parts.append("salvage") }
    if let track { parts.append("track=\(track)") }
    return parts.joined(separator: " ")
  }
}
