#if FFmpeg
  import Foundation
  import ScaleAudio
  import TestSupport
  import Testing

  /// Reports about files that FFmpeg's libraries read.
  @Suite("Inspected files: FFmpeg's formats")
  struct InspectedLibAVTests {
    let bench: Workbench

    init() throws { bench = try Workbench() }

    private func make(_ name: String, _ options: String) throws {
      try bench.shell(
        "sox -R -n -r 44100 -c 2 -b 16 x.wav synth 2 pinknoise gain -3 && "
          + "ffmpeg -v error -i x.wav \(options) \(name)")
    }

    @Test(arguments: [("x.m4a", "-c:a aac -b:a 96k", false), ("y.m4a", "-c:a alac", true)])
    func mp4(name: String, options: String, isLossless: Bool) throws {
      try make(name, options)
      let facts = try bench.inspect(name)
      let (stream, _) = try bench.probe(name)
      let sizes = try bench.packetSizes(name)
      #expect(facts.isLossless == isLossless)
      #expect(facts.source.frameCount == 88200)
      #expect(facts.source.lengthBasis.rawValue == "declared")
      #expect(facts.averageBitRate == Int(stream["bit_rate"] as? String ?? ""))
      guard !isLossless else { return }
      #expect(facts.source.storage.delay == 1024)
      #expect(facts.source.storage.padding == sizes.count * 1024 - 1024 - 88200)
    }

    /// An estimate is near and reported as one; a count is what ffmpeg decodes.
    @Test(
      arguments: [
        ("x.wma", "-c:a wmav2"), ("x.aac", "-c:a aac"), ("x.mka", "-c:a libvorbis"),
        ("x.ac3", "-c:a ac3"),
      ])
    func counting(name: String, options: String) throws {
      try make(name, options)
      let estimate = try bench.inspect(name)
      #expect(estimate.source.lengthBasis.rawValue == "estimated")
      let about = estimate.source.frameCount
      #expect((80_000...96_000).contains(about), "\(about)")
      let facts = try bench.inspect(name, .init(countsFrames: true))
      #expect(facts.source.lengthBasis.rawValue == "counted")
      let raw = try bench.shell("ffmpeg -v error -i \(name) -f s16le -c:a pcm_s16le - | wc -c")
      let decoded = Int(raw.outputText.prefix { $0.isNumber }).map { $0 / 4 }
      #expect(facts.source.frameCount == decoded, "\(name)")
    }

    @Test func lengthByTheHeader() throws {
      try make("x.wv", "-c:a wavpack")
      let facts = try bench.inspect("x.wv")
      #expect(facts.source.lengthBasis.rawValue == "declared")
      #expect(facts.source.frameCount == 88200)
      #expect(facts.bitDepth == 16)
    }

    /// Without its correction file, what WavPack's hybrid mode writes is lossy.
    @Test func hybrid() throws {
      try make("whole.wv", "-c:a wavpack")
      try bench.shell("wavpack -q -b4 x.wav -o hybrid.wv && wavpack -q -c -b4 x.wav -o both.wv")
      #expect(try bench.shell("wvunpack -s hybrid.wv").outputText.contains("hybrid lossy"))
      #expect(try bench.inspect("hybrid.wv").isLossless == false)
      #expect(try bench.inspect("both.wv").isLossless == false)
      #expect(try bench.inspect("whole.wv").isLossless == true)
    }

    @Test func packetTableOfCAF() throws {
      try make("x.caf", "-c:a alac")
      let facts = try bench.inspect("x.caf", .init(countsFrames: true))
      let sizes = try bench.packetSizes("x.caf")
      #expect(facts.source.frameCount == 88200)
      #expect(facts.source.storage.delay == 0)
      #expect(facts.source.storage.padding == sizes.count * 4096 - 88200)
    }

    @Test(arguments: ["mp4", "mov"])
    func tracksOfMP4HaveTitles(kind: String) throws {
      try make("y.flac", "-ac 1 -ar 22050")
      try bench.shell(
        "ffmpeg -v error -i x.wav -i y.flac -i x.wav -map 0:a -map 1:a -map 2:a -c:a aac "
          + "-metadata:s:a:0 title=Grün -metadata:s:a:2 title=Comments x.\(kind)")
      let facts = try bench.inspect("x.\(kind)")
      let tracks = facts.source.storage.tracks
      #expect(tracks.map(\.title) == ["Grün", nil, "Comments"])
    }
  }
#endif
