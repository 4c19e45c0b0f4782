import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Tracks that are scaled as one stream: lengths by arithmetic, joints by the curvature of a tone, and the whole by the
/// joined file that sox made.
@Suite("Gapless albums")
struct GaplessTests {
  let bench: Workbench

  init() throws { bench = try Workbench() }

  /// Frames of the three tracks.
  private static let counts = [30_777, 25_002, 33_331]

  /// Cuts a tone of 441.7 Hz into tracks.
  private func makeAlbum(
    _ names: [String] = ["a 1.wav", "a 2.wav", "a 3.wav"], rate: Int = 44100
  ) throws {
    let (one, two, three) = (Self.counts[0], Self.counts[1], Self.counts[2])
    try bench.shell(
      """
      mkdir -p album && sox -D -R -r \(rate) -n -c 1 -b 24 whole.wav synth \(one + two + three)s sine 441.7 vol 0.5
      sox -D whole.wav 'album/\(names[0])' trim 0s \(one)s
      sox -D whole.wav 'album/\(names[1])' trim \(one)s \(two)s
      sox -D whole.wav 'album/\(names[2])' trim \(one + two)s \(three)s
      """)
  }

  private func run(
    _ time: TimeRequest, _ method: ScalingMethod, workers: Int = 2,
    _ change: (inout BatchRequest) -> Void = { _ in }
  ) async throws -> [String: ConversionReport] {
    var batch = try bench.batch(["album"], to: "out/", time, method) {
      $0.gapless = .all
      $0.suffix = ""
      change(&$0)
    }
    batch.workerCount = workers
    return try await bench.reports(of: batch)
  }

  private func outputs(_ names: [String] = ["a 1.wav", "a 2.wav", "a 3.wav"]) throws -> [[Double]] {
    try names.map { try bench.samples("out/\($0)") }
  }

  /// Joints in dB: the highest curvature within 60 frames, relative to that of a period inside.
  private func joints(_ tracks: [[Double]]) -> [Double] {
    let all = tracks.flatMap(\.self)
    func highest(_ frames: Range<Int>) -> Double {
      frames.map { (all[$0 - 1] - 2 * all[$0] + all[$0 + 1]).magnitude }.max() ?? 0
    }
    var (place, found) = (0, [Double]())
    for track in tracks.dropLast() {
      place += track.count
      found.append(
        20 * log10(highest(place - 60..<place + 60) / highest(place - 2060..<place - 1000)))
    }
    return found
  }

  static let methods: [(TimeRequest, ScalingMethod, Double)] = [
    (.by(1.25), .smoothstep, 1.25), (.by(0.75), .linear, 0.75), (.by(1.25), .sinc(), 1.25),
    (.by(0.75), .sinc(quality: .best), 0.75), (.by(1.25), .stretch(StretchSettings()), 1.25),
    (.by(0.75), .stretch(StretchSettings(semitones: 3)), 0.75),
  ]

  @Test(arguments: methods.indices)
  func nothingIsHeardAtTheJoints(index: Int) async throws {
    let (time, method, factor) = Self.methods[index]
    try makeAlbum()
    let reports = try await run(time, method)
    #expect(reports["album/a 2.wav"]?.gaplessTrack == 2)
    #expect(reports["album/a 2.wav"]?.gaplessTracks == 3)
    let tracks = try outputs()
    let ends: [Int] = [0, 1, 2].map { (last: Int) -> Int in
      let frames: Int = Self.counts[...last].reduce(0, +)
      return Int((Double(frames) * factor).rounded(.down))
    }
    let lengths: [Int] = [ends[0], ends[1] - ends[0], ends[2] - ends[1]]
    #expect(tracks.map(\.count) == lengths)
    for joint in joints(tracks) { #expect(abs(joint) < 3, "\(joint) dB") }
    // The joined file, scaled as one.
    _ = try bench.convert("whole.wav", to: "one.wav", time, method)
    let whole: [Double] = try bench.samples("one.wav")
    let joined: [Double] = tracks.flatMap(\.self)
    #expect(whole == joined)
  }

  /// Apart, the same tracks click: the measure can fail.
  @Test func apartTheyClick() async throws {
    try makeAlbum()
    let reports = try await run(.by(1.25), .stretch(StretchSettings())) { $0.gapless = .none }
    #expect(reports["album/a 2.wav"]?.gaplessTrack == nil)
    #expect(joints(try outputs()).contains { $0 > 10 })
  }

  @Test(arguments: [
    (ScalingMethod.stretch(StretchSettings()), [2]), (.linear, [1, 3]), (.sinc(), [1, 3]),
    (.smoothstep, [3]),
  ])
  func resumingAndWorkersDoNotMatter(method: ScalingMethod, removed: [Int]) async throws {
    try makeAlbum()
    let time = TimeRequest.by(method == .linear ? 0.75 : 1.25)
    _ = try await run(time, method, workers: 1) { $0.resumes = true }
    let first: [[UInt8]] = try ["1", "2", "3"].map { try bench.bytes("out/a \($0).wav") }
    for track in removed { try bench.shell("rm 'out/a \(track).wav'") }
    let second = try await run(time, method, workers: 3) { $0.resumes = true }
    #expect(Set(second.keys) == Set(removed.map { "album/a \($0).wav" }))
    let third: [[UInt8]] = try ["1", "2", "3"].map { try bench.bytes("out/a \($0).wav") }
    #expect(third == first)
  }

  private static let lossyFormats: [(String, ScalingMethod, LevelChange)] = [
    ("mp3", .smoothstep, .unchanged), ("mp3", .stretch(StretchSettings()), .unchanged),
    ("mp3", .sinc(), .limited(truePeak: -9)), ("m4a", .smoothstep, .unchanged),
    ("m4a", .sinc(), .limited(truePeak: -9)), ("opus", .smoothstep, .unchanged),
    ("opus", .stretch(StretchSettings()), .unchanged),
  ]

  /// A lossy encoder gets the sound around each track: no step where tracks meet, as many frames as without loss, and the
  /// same bytes when single tracks are made once more.
  @Test(arguments: lossyFormats.indices)
  func lossyTracksMeetWithoutAStep(index: Int) async throws {
    let (format, method, level) = Self.lossyFormats[index]
    let names = ["1", "2", "3"].map { "a \($0).\(format)" }
    try makeAlbum(rate: 48000)
    func make(_ workers: Int, _ tracks: GaplessTracks = .all) async throws -> [ConversionReport] {
      try await run(.by(1.25), method, workers: workers) {
        ($0.settings.format, $0.settings.level, $0.resumes) = (.of(format), level, true)
        $0.settings.encoding.bitRate = 128_000
        $0.gapless = tracks
      }.sorted { $0.key < $1.key }.map(\.value)
    }
    func tracks(_ reports: [ConversionReport]) throws -> [[Double]] {
      try zip(names, reports).map { (name, report) in
        // ffmpeg 5.1 loses a block of Vorbis, which sox reads.
        let samples =
          format == "ogg"
          ? try bench.int16("out/\(name)").map { Double($0) / 32768 }
          : try bench.samples("out/\(name)")
        // ffmpeg 5.1 gives whole packets of AAC.
        let excess: Int = samples.count - report.outputFrames
        #expect((0..<(format == "m4a" ? 1024 : 1)).contains(excess))
        return Array(samples.prefix(report.outputFrames))
      }
    }
    let reports = try await make(1)
    try #require(reports.count == 3 && reports.allSatisfy { $0.gaplessTracks == 3 })
    let wanted: Int = Self.counts.reduce(0, +) * 5 / 4
    #expect(reports.map(\.outputFrames).reduce(0, +) == wanted)
    for joint in joints(try tracks(reports)) { #expect(joint < 3, "\(joint) dB") }
    let first: [[UInt8]] = try names.map { try bench.bytes("out/\($0)") }
    for removed in [[1], [0, 2], [2]] {
      for track in removed { try bench.shell("rm 'out/\(names[track])'") }
      let again = try await make(3)
      #expect(again.map(\.outputFrames) == removed.map { reports[$0].outputFrames })
      #expect(again.map(\.clippedSamples) == removed.map { reports[$0].clippedSamples })
      #expect(try names.map { try bench.bytes("out/\($0)") } == first, "\(removed)")
    }
    // One by one, they click.
    try bench.shell("rm -r out")
    #expect(joints(try tracks(try await make(2, .none))).contains { $0 > 6 })
  }

  /// Copies of an album in another format are another album.
  @Test func formatsOfOneAlbumStayApart() async throws {
    try makeAlbum()
    try bench.shell("for n in 1 2 3; do flac -s \"album/a $n.wav\"; done")
    let reports = try await run(.by(1.25), .linear)
    #expect(reports.count == 6 && reports.values.allSatisfy { $0.gaplessTracks == 3 })
    for name in ["1", "2", "3"] {
      let pair = try ["wav", "flac"].map { try bench.samples("out/a \(name).\($0)") }
      #expect(pair[0] == pair[1])
    }
  }

  /// One gain and one limiter: no step of the level at a joint.
  @Test(arguments: [
    LevelChange.normalized(peak: -1), .loudness(target: -20, truePeak: -1),
    .limited(truePeak: -9), .guarded,
  ])
  func levelsHaveNoSteps(level: LevelChange) async throws {
    try makeAlbum()
    let reports = try await run(.by(1.25), .sinc()) { $0.settings.level = level }
    #expect(Set(reports.values.map(\.gainDecibels)).count == 1)
    let tracks = try outputs()
    for joint in joints(tracks) { #expect(abs(joint) < 1, "\(joint) dB") }
    if case .limited = level {
      #expect(reports.values.allSatisfy { $0.limiting != nil })
      let inside: [Double] = tracks.flatMap(\.self).dropFirst(4000).dropLast(4000).map(\.magnitude)
      let decibels: Double = 20 * log10(inside.max() ?? 0)
      // The tone ends abruptly, with a true peak about a dB above its samples.
      #expect(decibels < -8.95 && decibels > -10.2, "\(decibels)")
    }
  }

  @Test func formatsMayDiffer() async throws {
    let names = ["01.flac", "02.wav", "03.w64"]
    try makeAlbum(names)
    let reports = try await run(.by(1.25), .sinc())
    #expect(reports.values.allSatisfy { $0.gaplessTracks == 3 } && reports.count == 3)
    for joint in joints(try outputs(names)) { #expect(abs(joint) < 3, "\(joint) dB") }
  }

  /// Names without numbers, another number, a step and silence are no joints; `.all` joins them.
  @Test func onlyContinuousSoundIsJoined() async throws {
    func joined(_ make: String, _ tracks: GaplessTracks = .found) async throws -> Int {
      try bench.shell("rm -rf album out; mkdir album; cd album; \(make)")
      return try await run(.by(1.25), .linear) { $0.gapless = tracks }.values.count {
        $0.gaplessTrack != nil
      }
    }
    let tone = "sox -D -R -r 44100 -n -b 24 -c 1"
    let whole = "\(tone) w.flac synth 11.2 sine 441.7 vol 0.5"
    func cut(_ one: String, _ other: String, at place: String = "=5.5") -> String {
      "\(whole); sox w.flac '\(one)' trim 0 5.5; sox w.flac '\(other)' trim \(place); rm w.flac"
    }
    #expect(try await joined(cut("1.wav", "2.wav")) == 2)
    #expect(try await joined(cut("9 x.wav", "10 y.wav")) == 2)
    #expect(try await joined(cut("1.wav", "3.wav")) == 0)
    #expect(try await joined(cut("a.wav", "b.wav")) == 0)
    #expect(try await joined(cut("a.wav", "b.wav"), .all) == 2)
    #expect(try await joined(cut("1.wav", "2.wav", at: "=5.5006")) == 0)
    #expect(try await joined(cut("1.wav", "2.wav", at: "=5.5006"), .all) == 2)
    #expect(
      try await joined("\(tone) 1.wav trim 0 6; \(tone) 2.wav trim 0 6") == 0)
    #expect(try await joined("\(cut("1.wav", "2.wav")); sox 2.wav 3.wav reverse") == 2)
  }

  /// Names of utterances count no tracks, and short files are none, where no tags say that they are an album.
  @Test(arguments: [
    ("01 One.flac", "02 Two.flac", true), ("1-01 One.flac", "1-02 Two.flac", true),
    ("01.flac", "02.flac", true), ("Side 1.flac", "Side 2.flac", true),
    ("track09.flac", "track10.flac", true), ("099 One.flac", "100 Two.flac", true),
    ("Kapitola 1.flac", "Kapitola 2.flac", true),
    ("84-121123-0000.flac", "84-121123-0001.flac", false),
    ("p225_001.flac", "p225_002.flac", false),
    ("chunk_12.flac", "chunk_13.flac", false), ("utt0001.flac", "utt0002.flac", false),
    ("001.flac", "002.flac", false), ("LJ001-0001.flac", "LJ001-0002.flac", false),
    ("1-100032-A-0.flac", "1-100032-A-1.flac", false), ("0000 One.flac", "0001 Two.flac", false),
  ])
  func namesOfAlbumsAreJoined(one: String, other: String, isAlbum: Bool) async throws {
    func joined(_ seconds: Double, _ first: String = "", _ second: String = "") async throws -> Bool
    {
      try bench.shell(
        """
        rm -rf album out; mkdir album; sox -D -R -n -r 16000 -b 16 -c 1 w.flac synth \(2 * seconds) sine 441.7 vol 0.5
        sox -D w.flac 'album/\(one)' trim 0 \(seconds); sox -D w.flac 'album/\(other)' trim \(seconds)
        metaflac --remove-all-tags \(first) 'album/\(one)'; metaflac --remove-all-tags \(second) 'album/\(other)'
        """)
      let reports = try await run(.by(1.25), .linear) { $0.gapless = .found }
      try #require(reports.count == 2)
      return reports.values.allSatisfy { $0.gaplessTrack != nil }
    }
    #expect(try await joined(6) == isAlbum)
    #expect(try await joined(4) == false)
    let tag = "--set-tag=ALBUM=A"
    #expect(try await joined(1, tag, tag))
    #expect(try await joined(6, tag) == false)
    #expect(
      try await joined(1, "\(tag) --set-tag=TRACKNUMBER=3/9", "\(tag) --set-tag=TRACKNUMBER=4"))
    #expect(
      try await joined(1, "\(tag) --set-tag=TRACKNUMBER=3", "\(tag) --set-tag=TRACKNUMBER=5")
        == false)
  }

  @Test func encodersLeaveTheirDelay() async throws {
    for (codec, ending) in [("libmp3lame", "mp3"), ("aac", "m4a"), ("libvorbis", "ogg")] {
      try bench.shell("rm -rf album out")
      try makeAlbum()
      try bench.shell(
        """
        cd album && for n in 1 2 3; do
          ffmpeg -v error -i "a $n.wav" -c:a \(codec) -b:a 192k 0$n.\(ending) && rm "a $n.wav"
        done
        """)
      // The step that an encoder leaves may be too high to be found.
      let reports = try await run(.by(1.25), .sinc()) {
        ($0.settings.format, $0.gapless) = (.of("wav"), .all)
      }
      #expect(reports.values.allSatisfy { $0.gaplessTracks == 3 }, "\(ending)")
      let ends: [Int] = [0, 1, 2].map { (last: Int) -> Int in
        let frames: Int = Self.counts[...last].reduce(0, +)
        return frames * 5 / 4
      }
      let wanted: [Int] = [ends[0], ends[1] - ends[0], ends[2] - ends[1]]
      let lengths: [Int] = try outputs(["01.wav", "02.wav", "03.wav"]).map(\.count)
      #expect(lengths == wanted, "\(ending)")
    }
  }

  @Test func otherRatesAndChannelsAreLeftOut() async throws {
    try makeAlbum()
    try bench.shell("cd album && sox 'a 2.wav' -c 2 'a 4.wav' && sox 'a 2.wav' -r 48k 'a 5.wav'")
    let reports = try await run(.by(1.25), .linear) { $0.gapless = .all }
    func note(_ number: Int) -> String? {
      reports["album/a \(number).wav"]?.warnings.first { $0.kind == .gapless }?.text
    }
    #expect(note(3) == nil)
    #expect(note(4)?.hasSuffix("a 3.wav: its channels are stereo, not mono") == true)
    #expect(note(5)?.hasSuffix("a 4.wav: its sample rate is 48000 Hz, not 44100 Hz") == true)
  }

  /// A damaged track fails by itself, and the others are made without it.
  @Test func aDamagedTrackFailsAlone() async throws {
    let names = ["1.flac", "2.flac", "3.flac"]
    try makeAlbum(names)
    var bytes = try bench.bytes("album/2.flac")
    let middle = bytes.count / 2
    for index in middle..<middle + 50 { bytes[index] = 0 }
    try bench.folder.write("album/2.flac", bytes)
    var batch = try bench.batch(["album"], to: "out/", .by(1.25), .sinc()) { $0.gapless = .all }
    batch.workerCount = 1
    var (done, failed) = ([Int](), [String]())
    for await event in batch.events() {
      if case .finished(let job, let report) = event {
        done.append(report.outputFrames)
        // The first is made before the damage is reached.
        let isWarned = report.warnings.contains { $0.kind == .gapless }
        #expect(isWarned || bench.name(job.work.input.path) == "album/1.flac")
      }
      if case .failed(let job, _) = event { failed.append(bench.name(job.work.input.path)) }
    }
    #expect(failed == ["album/2.flac"])
    let lengths: [Int] = [Self.counts[0], Self.counts[2]].map { $0 * 5 / 4 }
    #expect(done == lengths)
  }

  /// A dry run and a comparison know the lengths.
  @Test func lengthsAreKnownBeforeAndAfter() async throws {
    try makeAlbum()
    let batch = try bench.batch(["album"], to: "out/", .by(1.25), .linear) {
      $0.gapless = .all
      $0.resumes = true
    }
    let planned = try batch.jobs.map { try $0.work.planned().frameCount }
    let wanted: Int = Self.counts.reduce(0, +)
    #expect(planned.reduce(0, +) == wanted * 5 / 4)
    for await _ in batch.events() {}
    var results: [Verification.Status] = []
    try OutputSearch().verify(
      bench.folder.file("out"), against: bench.folder.file("album")
    ) { results.append($0.status) }
    #expect(results == [.ok, .ok, .ok])
  }
}
