import AudioModel
import Testing

@testable import FLACFiles

/// Tags that are not true of other audio.
@Suite("Stale tags")
struct StaleTagTests {
  private func metadata(_ names: [String]) -> Metadata {
    Metadata(comments: names.map { Metadata.Comment(name: $0, value: "x") })
  }

  @Test func measuredValuesAreLeftOutAndReported() {
    let names = [
      "TITLE", "REPLAYGAIN_TRACK_GAIN", "replaygain_album_peak", "R128_TRACK_GAIN", "ACOUSTID_ID",
      "Acoustid_Fingerprint", "MUSICIP_PUID", "COMMENT:iTunNORM", "ITUNNORM", "MP3GAIN_MINMAX",
      "AccurateRipResult", "COMMENT", "COMMENT:other", "MUSICBRAINZ_TRACKID", "GAIN",
    ]
    let fresh = metadata(names).withoutStaleTags(keepingMeasured: false)
    #expect(
      fresh.metadata.comments.map(\.name)
        == ["TITLE", "COMMENT", "COMMENT:other", "MUSICBRAINZ_TRACKID", "GAIN"])
    #expect(fresh.dropped == Array(names[1...10]))
    let kept = metadata(names).withoutStaleTags(keepingMeasured: true)
    #expect(kept.metadata.comments.map(\.name) == names)
    #expect(kept.dropped == [])
  }

  /// Forms of ReplayGain, J. River, MPD and of DJ software, under the names that readers give their items.
  @Test func otherProgramsNamesAreStaleToo() {
    let stale = [
      "cue_track01_REPLAYGAIN_TRACK_GAIN",
      "----:org.hydrogenaudio.replaygain:replaygain_track_gain",
      "TXXX:REPLAYGAIN_TRACK_PEAK", "MEDIA JUKEBOX: REPLAY GAIN",
      "COMMENT:Media Jukebox: Album Gain",
      "PEAK LEVEL", "Peak Level (Sample)", "DYNAMIC RANGE", "Dynamic Range (R128)", "MIXRAMP_START",
      "mixramp_end", "SERATO_MARKERS_V2", "serato_beatgrid", "----:com.serato.dj:markersv2",
      "----:com.apple.iTunes:SERATO_OVERVIEW", "TRAKTOR4", "----:com.native-instruments.traktor:x",
      "CUEPOINTS", "----:com.mixedinkey.mixedinkey:cuepoints",
      "----:com.mixedinkey.mixedinkey:energy", "----:com.algoriddim.djay:x", "liq_cue_in",
      "LIQ_CROSS_DURATION", "INTEGRATED_LOUDNESS", "TRUE_PEAK", "LUFS",
    ]
    let true_ = [
      "cue_track01_TITLE", "CUE_TRACKS", "SERATO_PLAYCOUNT", "----:com.serato.dj:playcount",
      "PEAK", "RANGE", "DJ", "----:com.apple.iTunes:LABEL",
    ]
    let fresh = metadata(stale + true_).withoutStaleTags(keepingMeasured: false)
    #expect(fresh.metadata.comments.map(\.name) == true_)
    #expect(fresh.dropped == stale)
  }

  /// Checksums, loudness and energy of the original samples, under whole names; lengths under any.
  @Test func checksumsAndLengthsAreStale() {
    let measured = [
      "MD5", "AudioMD5", "crc32", "CTDBTRACKCONFIDENCE", "LOUDNESS", "EnergyLevel", "MD5SUM",
    ]
    let lengths = ["TOTALSAMPLES", "TrackLength", "LENGTH_MS", "DURATION_MS"]
    let kept = ["MD5 OF COVER", "LOUDNESS NOTE", "CDTOC", "DISCID", "ENERGY", "TRACKTOTAL"]
    let fresh = metadata(measured + lengths + kept).withoutStaleTags(keepingMeasured: false)
    #expect(fresh.metadata.comments.map(\.name) == kept)
    #expect(fresh.dropped == measured + lengths)
    let same = metadata(measured + lengths + kept).withoutStaleTags(keepingMeasured: true)
    #expect(same.metadata.comments.map(\.name) == measured + kept)
  }

  private typealias Fields = [String: String]

  private static let loops: [(before: Fields, after: Fields)] = [
    (["LOOPSTART": "1000", "LOOPLENGTH": "20000"], ["LOOPSTART": "750", "LOOPLENGTH": "15000"]),
    (["LoopStart": "1001", "LOOPEND": "20001"], ["LoopStart": "751", "LOOPEND": "15001"]),
    (["LOOP_START": "0:00:01.500"], ["LOOP_START": "0:00:02.250"]),
    (["LOOP_END": "00:02.25"], ["LOOP_END": "00:03.38"]),
    (["LOOPMS": "1500", "TXXX:LOOPPOINT": "4000"], ["LOOPMS": "2250", "TXXX:LOOPPOINT": "3000"]),
    (["LOOPSTART": "1.250", "LOOPLENGTH": "2.4"], ["LOOPSTART": "1.875", "LOOPLENGTH": "3.6"]),
    (["LOOPMS": "1500.5"], ["LOOPMS": "2250.8"]),
    (["LOOPSTART": "4.0", "LOOPLENGTH": "20.0"], ["LOOPSTART": "6.0", "LOOPLENGTH": "9.0"]),
    (
      ["LOOPSTART": "176400", "LOOPLENGTH": "0:20.0"],
      ["LOOPSTART": "132300", "LOOPLENGTH": "0:09.0"]
    ),
    (["LOOPCOUNT": "2", "LOOP": "1000"], ["LOOPCOUNT": "2", "LOOP": "1000"]),
  ]

  /// Loops of games: 1.5 times as long, from 44.1 to 22.05 kHz, so frames become 0.75 times as many.
  @Test(arguments: loops)
  func loopsAreScaled(values: [String: String], expected: [String: String]) {
    let comments = values.map { Metadata.Comment(name: $0.key, value: $0.value) }
    let metadata = Metadata(comments: comments)
    let fresh = metadata.withoutStaleTags(keepingMeasured: false, movingTempo: true)
    #expect(fresh.dropped == [])
    let scaled = fresh.metadata.scaled(
      by: 1.5, from: 441_000, to: 330_750, sampleRate: 44100, outputRate: 22050)
    let found = scaled.comments.map { ($0.name, $0.value) }
    #expect(Dictionary(uniqueKeysWithValues: found) == expected)
  }

  /// Without a change of times, values keep their form.
  @Test func loopsStayAsTheyAre() {
    let comments = [
      Metadata.Comment(name: "LOOPSTART", value: "0001000"),
      Metadata.Comment(name: "LOOPEND", value: "900000"),
    ]
    let scaled = Metadata(comments: comments).scaled(
      by: 1, from: 441_000, to: 441_000, sampleRate: 44100, outputRate: 44100)
    #expect(scaled.comments == comments)
  }

  @Test func loopsInOtherFormsAreLeftOut() {
    let metadata = Metadata(comments: [
      Metadata.Comment(name: "LOOPSTART", value: "bar 5"),
      Metadata.Comment(name: "LOOPEND", value: "9000"),
    ])
    let fresh = metadata.withoutStaleTags(keepingMeasured: false, movingTempo: true)
    #expect(fresh.dropped == ["LOOPSTART"])
    #expect(fresh.metadata.comments.map(\.name) == ["LOOPEND"])
    #expect(metadata.withoutStaleTags(keepingMeasured: false).dropped == [])
  }

  /// Counts of mkvmerge and FFmpeg are not true of any other file, also if the sound stays.
  @Test(arguments: [true, false])
  func statisticsAreAlwaysLeftOutAndReported(keeping: Bool) {
    let names = [
      "DURATION", "DURATION-eng", "BPS", "BPS-eng", "NUMBER_OF_FRAMES", "NUMBER_OF_BYTES-de",
      "_STATISTICS_TAGS", "_STATISTICS_WRITING_APP-eng", "TXXX:DURATION",
      "----:com.apple.iTunes:BPS",
    ]
    let kept = ["DURATIONS", "BPS-note", "NUMBER_OF_SONGS", "STATISTICS"]
    let fresh = metadata(names + kept).withoutStaleTags(keepingMeasured: keeping)
    #expect(fresh.metadata.comments.map(\.name) == kept)
    #expect(fresh.dropped == names)
  }

  @Test func cueSheetsLoseMeasuredRemarks() {
    let sheet =
      "REM GENRE Rock\r\nREM REPLAYGAIN_ALBUM_GAIN -3.00 dB\r\nTRACK 01 AUDIO\r\n"
      + "  rem replaygain_track_gain -4 dB\r\n  INDEX 01 00:00:00\r\n"
    let source = Metadata(comments: [.init(name: "CUESHEET", value: sheet)])
    let fresh = source.withoutStaleTags(keepingMeasured: false)
    #expect(
      fresh.metadata.values("CUESHEET")
        == ["REM GENRE Rock\r\nTRACK 01 AUDIO\r\n  INDEX 01 00:00:00\r\n"])
    #expect(
      fresh.dropped
        == ["REPLAYGAIN_ALBUM_GAIN of CUESHEET", "replaygain_track_gain of CUESHEET"])
    #expect(source.withoutStaleTags(keepingMeasured: true).metadata == source)
  }

  /// A tempo with other numbers cannot be scaled.
  @Test func temposThatCannotBeReadAreLeftOutAndReported() {
    let source = Metadata(comments: [
      .init(name: "BPM", value: "174 BPM"), .init(name: "TEMPO", value: "Allegro"),
      .init(name: "BPM", value: "120 in 4/4"),
    ])
    let fresh = source.withoutStaleTags(keepingMeasured: false, movingTempo: true)
    #expect(fresh.metadata.comments.map(\.value) == ["174 BPM", "Allegro"])
    #expect(fresh.dropped == ["BPM"])
    #expect(source.withoutStaleTags(keepingMeasured: false).metadata == source)
    #expect(
      source.withoutStaleTags(keepingMeasured: true, movingTempo: true).metadata == source)
  }

  @Test func encoderSettingsAreAlwaysRemoved() {
    let names = [
      "iTunSMPB", "COMMENT:iTunSMPB", "ENCODER", "Encoder Settings", "ENCODER_OPTIONS", "FILETYPE",
      "WM/EncodingSettings",
    ]
    for keeping in [true, false] {
      let fresh = metadata(names + ["ENCODEDBY"]).withoutStaleTags(keepingMeasured: keeping)
      #expect(fresh.metadata.comments.map(\.name) == ["ENCODEDBY"])
      #expect(fresh.dropped == [])
    }
  }

  @Test func lengthTagsAreRecomputedWhereTheyExist() {
    let reported = Metadata(comments: [
      .init(name: "Length", value: "1500"), .init(name: "LENGTH", value: "3:05"),
      .init(name: "TITLE", value: "1500"),
    ])
    #expect(
      reported.withLength(milliseconds: 2250).comments
        == [.init(name: "Length", value: "2250"), .init(name: "TITLE", value: "1500")])
    #expect(Metadata().withLength(milliseconds: 1).isEmpty)
  }

  @Test func thereIsOneEncoderTag() {
    let stamped = metadata(["Encoder", "TITLE", "ENCODER", "ENCODEDBY"]).withEncoder("this")
    #expect(stamped.values("ENCODER") == ["this"])
    #expect(stamped.comments.count == 3)
  }

  @Test func selectionsKeepWhatTheyName() {
    let picture = Metadata.Picture(
      type: 3, mimeType: "image/png", description: "", width: 0, height: 0, depth: 0, colors: 0,
      data: [1])
    var all = metadata(["TITLE"])
    all.pictures = [picture]
    all.chapters = [Metadata.Chapter(start: 1, title: "c", picture: picture)]
    all.marks = [Metadata.Mark(start: 2)]
    #expect(all.selected(by: .keep) == all)
    #expect(all.selected(by: .none).isEmpty)
    var text = all
    text.pictures = []
    text.chapters[0].picture = nil
    #expect(all.selected(by: .text) == text)
  }
}
