import Testing

@testable import ScaleAudio

@Suite("Parameters in journals")
struct ConversionParameterTests {
  /// Whatever changes an output changes its parameters.
  @Test func everySettingIsAParameter() throws {
    let map = try TimeMapRequest(text: Array("0.5 0.75".utf8), path: "m.txt")
    let other = try TimeMapRequest(text: Array("0.25 0.25\n0.5 0.75".utf8), path: "m.txt")
    let changes: [(inout ConversionSettings, inout FilePolicy) -> Void] = [
      { _, _ in }, { s, _ in s.time = .by(3) }, { s, _ in s.time = .duration(seconds: 2) },
      { s, _ in s.time = .frames(2) }, { s, _ in s.time = .map(map) },
      { s, _ in s.time = .map(other) }, { s, _ in s.part = TimeRange("0.1-0.2") },
      { s, _ in s.part = TimeRange("0.1-0.3") },
      { s, _ in s.only = [TimeRange(from: .chapter(1))] },
      { s, _ in s.method = .linear }, { s, _ in s.method = .sinc() },
      { s, _ in s.method = .sinc(quality: .fast) }, { s, _ in s.method = .stretch() },
      { s, _ in s.method = .stretch(StretchSettings(semitones: 1)) },
      { s, _ in s.method = .stretch(StretchSettings(semitones: 2)) },
      { s, _ in s.method = .stretch(StretchSettings(semitones: 1, formants: .preserve)) },
      { s, _ in s.method = .stretch(StretchSettings(engine: .r3, semitones: 1)) },
      { s, _ in s.channels = .mono(.mean) }, { s, _ in s.channels = .mono(.itu) },
      { s, _ in s.sampleRate = 48_000 }, { s, _ in s.rateQuality = .best },
      { s, _ in s.format = .of("wav") }, { s, _ in s.encoding.bitRate = 96_000 },
      { s, _ in s.encoding.quality = 2 }, { s, _ in s.encoding.compressionLevel = 8 },
      { s, _ in s.sampleFormat = .int24 }, { s, _ in s.forcesInt16 = true },
      { s, _ in s.dither = .tpdf }, { s, _ in s.level = .guarded },
      { s, _ in s.level = .normalized(peak: -1) },
      { s, _ in s.level = .loudness(target: -16, truePeak: -1) },
      { s, _ in s.level = .loudness(target: -16, truePeak: -1, limits: false) },
      { s, _ in s.level = .limited(truePeak: -1) }, { s, _ in s.level = .limited(truePeak: -2) },
      { s, _ in s.allowsLayoutLoss = true }, { s, _ in s.metadata = .none },
      { s, _ in s.keepsStaleTags = true }, { s, _ in s.track = 2 },
      { _, f in f.salvages = true }, { _, f in f.scalesSidecars = true },
      { _, f in f.drawsPicture = true },
    ]
    let parameters = changes.map { change in
      var (settings, files) = (ConversionSettings(time: .by(2)), FilePolicy())
      change(&settings, &files)
      return settings.parameters(files)
    }
    #expect(Set(parameters).count == changes.count, "\(parameters.sorted())")
  }

  @Test func whatDoesNotChangeTheOutputIsNone() throws {
    let one = ConversionSettings(time: .at(speed: 0.5)).parameters(FilePolicy())
    let files = FilePolicy(existing: .replace, keepsFileTimes: true, syncsOutput: false)
    #expect(ConversionSettings(time: .by(2)).parameters(files) == one)
    let maps = try ["0.5 0.75", "# the same\n0 0\n0.5 0.75"].map {
      TimeRequest.map(try TimeMapRequest(text: Array($0.utf8), path: "m.txt"))
    }
    let equal = maps.map { ConversionSettings(time: $0).parameters(FilePolicy()) }
    #expect(equal[0] == equal[1])
  }
}
