import ScaleAudio

/// The levels in an object of `info --json`; amplitudes are linear, with a full scale of 1.
struct LevelsRecord: Encodable {
  struct Channel: Encodable {
    let speaker: String?
    let peak, peakDecibels: Double
    let truePeak, truePeakDecibels: Double?
    let rms, rmsDecibels, averagePowerDecibels, dcOffset: Double
    let clippedRuns, clippedSamples, longestClippedRun: Int

    init(_ channel: AudioLevels.Channel, speaker: String?) {
      self.speaker = speaker
      peak = channel.peak
      peakDecibels = AudioLevels.decibels(channel.peak)
      truePeak = channel.truePeak
      truePeakDecibels = channel.truePeak.map(AudioLevels.decibels)
      rms = channel.rms
      rmsDecibels = AudioLevels.decibels(channel.rms)
      averagePowerDecibels = channel.averagePower
      dcOffset = channel.dcOffset
      clippedRuns = channel.clippedRuns
      clippedSamples = channel.clippedSamples
      longestClippedRun = channel.longestClippedRun
    }
  }

  let overall: Channel
  let channels: [Channel]
  let integratedLUFS: Double?
  let loudnessRangeLU: Double?
  let leadingSilenceFrames: Int
  let trailingSilenceFrames: Int
  let nonFiniteSamples: Int
  let md5: String
  let md5SampleFormat: String

  init(_ levels: AudioLevels, _ spec: AudioSpec) {
    overall = Channel(levels.overall, speaker: nil)
    channels = levels.channels.enumerated().map { index, channel in
      Channel(channel, speaker: spec.layout.speakers?[index].abbreviation)
    }
    integratedLUFS = levels.integratedLoudness
    loudnessRangeLU = levels.loudnessRange
    leadingSilenceFrames = levels.leadingSilence
    trailingSilenceFrames = levels.trailingSilence
    nonFiniteSamples = levels.nonFiniteSamples
    md5 = levels.md5
    md5SampleFormat = levels.checksumFormat.rawValue
  }
}
