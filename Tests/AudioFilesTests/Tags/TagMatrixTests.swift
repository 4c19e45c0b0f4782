import AudioModel
import TestSupport
import Testing

@testable import AudioContainers
@testable import AudioIO

/// Tags from every container into every container, as mutagen writes and reads them.
@Suite("Tags between containers")
struct TagMatrixTests {
  private static let kinds = ["mp3", "wav", "aiff", "flac", "ogg", "opus", "m4a"]

  @Test(arguments: kinds)
  func everythingArrives(source: String) throws {
    let fixture = try AudioFixture()
    let tagger = Tagger(fixture: fixture)
    try tagger.makeAudio()
    try tagger.tag("x.\(source)")
    let metadata = try self.metadata(of: "x.\(source)", fixture)
    for target in Self.kinds { try write(metadata, to: "y.\(target)", kind: target, fixture) }
    let said = try tagger.read(Self.kinds.map { "y.\($0)" })
    for (target, said) in zip(Self.kinds, said) {
      #expect(said.title == ["Ünï 日本 🎵"], "\(target)")
      #expect(said.artist == ["First", "שלום עולם", "Third"], "\(target)")
      #expect(said.custom == ["one", "two"], "\(target)")
      #expect(said.lyrics == ["line 1\nline 2"], "\(target)")
      #expect(said.long == [String(repeating: "long 長い ", count: 8000)], "\(target)")
      #expect(said.rating == "0.7686", "\(target)")
      #expect(said.track == "3/12", "\(target)")
      #expect(said.pictures == (try pictures(from: source, to: target, fixture)), "\(target)")
    }
  }

  /// MP4 keeps neither types nor descriptions: its first picture is the front cover.
  private func pictures(
    from source: String, to target: String, _ fixture: AudioFixture
  ) throws -> [Tagger.Said.Picture] {
    let all = [
      (3, "Front 🎵", "image/png", "red.png"), (4, "Back", "image/png", "green.png"),
      (8, "שלום", "image/jpeg", "blue.jpg"),
    ]
    return try all.enumerated().map { index, picture in
      let isPlain = source == "m4a" || target == "m4a"
      return Tagger.Said.Picture(
        type: target == "m4a" ? nil : isPlain ? (index == 0 ? 3 : 0) : picture.0,
        description: isPlain ? "" : picture.1, mime: picture.2,
        bytes: try fixture.bytes(picture.3).count)
    }
  }

  private func metadata(of name: String, _ fixture: AudioFixture) throws -> Metadata {
    if !name.hasSuffix("m4a") { return try fixture.read(name).source.metadata }
    return try TagReader.read(InputFile(path: fixture.path(name)), sampleRate: 48000)
      .metadata
  }

  private func write(
    _ metadata: Metadata, to name: String, kind: String, _ fixture: AudioFixture
  ) throws {
    try fixture.write(
      name, Signal.tones(frames: 4803, channels: 1), as: kind == "m4a" ? "m4a-alac" : kind,
      layout: .mono, metadata: metadata)
    // The audio is still all there, and in place, for other programs. FFmpeg does not report the length
    // of short Ogg Vorbis, by any encoder.
    let samples =
      kind == "ogg"
      ? try fixture.run("oggdec", "-Q", "-R", "-o", "-", name).output.count / 2
      : try fixture.decodeWithFFmpeg(name).count
    #expect(samples == 4803, "\(kind)")
  }
}
