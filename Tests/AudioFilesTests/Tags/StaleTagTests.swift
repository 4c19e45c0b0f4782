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
