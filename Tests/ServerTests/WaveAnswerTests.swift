#if Serve
  import AudioIO
  import Foundation
  import SystemPackage
  import TestSupport
  import Testing
  import Waveforms

  @testable import ScaleAudioServer

  /// Waveforms of the page, against arithmetic written apart.
  @Suite struct WaveAnswerTests {
    /// All records of a level, when they are ready.
    private func records(
      _ served: Served, _ id: String, _ level: Int
    ) async throws -> (response: HTTPResponse, body: [UInt8]) {
      for _ in 0..<2000 {
        let answer = try served.get("api/files/\(id)/peaks", [("level", "\(level)")])
        if answer.response.number("X-Ready") == answer.response.number("X-Pixels") { return answer }
        try await Task.sleep(for: .milliseconds(5))
      }
      throw CocoaError(.fileReadUnknown)
    }

    @Test(arguments: [0, 1, 3])
    func pixelsHoldExtremesLevelsAndPower(level: Int) async throws {
      let served = try Served([("a.wav", "-n -r 8000 -c 2 -b 16 NAME synth 9.7 pinknoise vol 0.5")])
      let samples = try Tool.run(
        "sox", [served.folder.file("a.wav").string, "-t", "raw", "-e", "signed", "-b", "16", "-"]
      ).output.int16s
      let (response, body) = try await records(served, served.id("a.wav"), level)
      let size = 256 << (2 * level)
      let frames = samples.count / 2
      let pixels = (frames + size - 1) / size
      #expect(response.number("X-Frames") == frames)
      #expect(response.number("X-Pixels") == pixels)
      try #require(body.count == pixels * 2 * 14)
      for pixel in 0..<pixels {
        for channel in 0..<2 {
          let own = (pixel * size..<min(frames, (pixel + 1) * size)).map {
            samples[2 * $0 + channel]
          }
          let record = Array(body[(2 * pixel + channel) * 14..<(2 * pixel + channel + 1) * 14])
          let numbers = record.int16s
          #expect(numbers[0] == own.min() && numbers[1] == own.max())
          let power = own.reduce(0.0) { $0 + pow(Double($1) / 32768, 2) } / Double(own.count)
          #expect(abs(Double(UInt16(bitPattern: numbers[2])) - power.squareRoot() * 65535) <= 0.51)
          for (index, floor) in PixelLevels.noiseFloors.enumerated() {
            let levels = own.map { sample in
              sample == 0
                ? floor : max(floor, min(0, 20 * log10(Double(sample.magnitude) / 32767)))
            }
            let mean = levels.reduce(0, +) / Double(own.count)
            #expect(abs(Double(record[6 + index]) - (1 - mean / floor) * 255) < 0.52)
          }
        }
      }
    }

    /// At pixels of equal length the page's bars are those of `plot`.
    @Test func barsEqualThoseOfPlot() async throws {
      let served = try Served([("a.wav", "-n -r 8000 -c 1 -b 16 NAME synth 6.4 pinknoise")])
      let samples = try Tool.run(
        "sox", [served.folder.file("a.wav").string, "-t", "raw", "-e", "signed", "-b", "16", "-"]
      ).output.int16s
      var reducer = LevelReducer(
        frameCount: samples.count, count: samples.count / 256, noiseFloor: -70)
      reducer.append(samples.span)
      let body = try await records(served, served.id("a.wav"), 0).body
      let floor = try #require(PixelLevels.noiseFloors.firstIndex(of: -70))
      for (pixel, level) in reducer.levels.values.enumerated() {
        #expect(abs(Double(body[pixel * 14 + 6 + floor]) / 255 * 70 - 70 - level) < 0.15)
      }
    }

    @Test func overviewIsNearTheWhole() async throws {
      let served = try Served([
        ("a.flac", "-n -r 44100 -c 1 -b 16 NAME synth 60 sine 50 tremolo 0.1 90")
      ])
      let id = try await served.id("a.flac")
      let (response, body) = try served.get("api/files/\(id)/overview")
      #expect(response.header("X-Estimated") == "1")
      try #require(body.count == 14 * 1000)
      let whole = try await records(served, id, 0)
      // 60 s are 2,646,000 frames: a pixel of the overview has 2,646.
      for pixel in stride(from: 0, to: 1000, by: 50) {
        let estimated = Array(body[pixel * 14..<pixel * 14 + 4]).int16s[1]
        let near = pixel * 2646 / 256
        let exact = (near..<near + 11).map { Array(whole.body[$0 * 14..<$0 * 14 + 4]).int16s[1] }
          .max()
        #expect(abs(Int(estimated) - Int(exact ?? 0)) < 2000)
      }
    }

    @Test func samplesEqualThoseOfTheFile() async throws {
      let served = try Served([("a.flac", "-n -r 44100 -c 2 -b 24 NAME synth 3 pinknoise")])
      let id = try await served.id("a.flac")
      let all = try served.folder.floats(served.folder.file("a.flac"))
      let body = try served.get(
        "api/files/\(id)/samples", [("from", "70001"), ("count", "5000")]
      ).body
      #expect(difference(body.floats, Array(all[140_002..<150_002])) == nil)
    }

    @Test func spectrumShowsATone() async throws {
      let served = try Served([("a.wav", "-n -r 48000 -c 2 -b 16 NAME synth 20 sine 1000")])
      let id = try await served.id("a.wav")
      for range in [[], [("from", "48000"), ("to", "60000")]] {
        let (response, body) = try served.get(
          "api/files/\(id)/spectrum", range + [("columns", "40"), ("rows", "100")])
        #expect(response.number("X-Columns") == 40)
        try #require(body.count == 4000)
        // The scale is logarithmic from 20 Hz to 24 kHz.
        let row = Int(log(1000.0 / 20) / log(24_000.0 / 20) * 100)
        for column in 0..<40 {
          let levels = body[column * 100..<(column + 1) * 100]
          let loudest = levels.indices.max { levels[$0] < levels[$1] } ?? 0
          #expect(abs(loudest - column * 100 - row) <= 1)
          #expect(levels[loudest] > 245)
        }
      }
    }

    /// Cores that read parts of a file make what one core makes, also when they come and go.
    @Test(arguments: ["wav", "flac", "mp3", "opus", "m4a", "ogg"])
    func coresChangeNothing(format: String) async throws {
      let folder = try TemporaryFolder()
      try folder.sox("a.wav", "-n -r 48000 -c 2 -b 16 NAME synth 23.456 pinknoise vol 0.7")
      let path = folder.file("b.\(format)")
      let made = try Tool.run(
        "ffmpeg", ["-v", "error", "-i", folder.file("a.wav").string, path.string])
      try #require(made.status == 0, "\(made.errorText)")
      func pyramid(_ cores: Int, isBusy: Bool = false) async throws -> [UInt8] {
        let name = FilePath("cache\(cores)\(isBusy)")
        let cache = try #require(WaveCache(folder: folder.path.appending(name.components)))
        let library = FileLibrary([folder.path], cancellation: .init()) { _ in }
        let id = try #require(library.register(path, below: nil))
        let budget = CoreBudget(cores: cores)
        let store = WaveStore(
          cache: cache, budget: budget, partLevels: 2, cancellation: .init()
        ) { _, _, _, _ in }
        let wave = try store.wave(of: try #require(library.file(id)))
        while !wave.isEnded {
          if isBusy { (0..<cores).forEach { _ in budget.occupy() } }
          try await Task.sleep(for: .milliseconds(1))
          if isBusy { (0..<cores).forEach { _ in budget.release() } }
          try await Task.sleep(for: .milliseconds(3))
        }
        #expect(wave.ready(0) == wave.layout.pixels[0])
        return try wave.layout.pixels.indices.flatMap { (level: Int) throws -> [UInt8] in
          try wave.records(level: level, 0..<wave.layout.pixels[level])
        }
      }
      let one = try await pyramid(1)
      #expect(one.count > 4000 * 28)
      #expect(difference(try await pyramid(4), one) == nil)
      #expect(difference(try await pyramid(3, isBusy: true), one) == nil)
    }

    /// A damaged file is drawn up to the damage, by every reader.
    @Test func damageEndsThePicture() async throws {
      let folder = try TemporaryFolder()
      try folder.sox("a.flac", "-n -r 48000 -c 1 -b 16 NAME synth 20 pinknoise")
      let path = folder.file("a.flac")
      var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path.string)))
      for index in bytes.count * 6 / 10..<bytes.count * 6 / 10 + 400 { bytes[index] ^= 0x55 }
      try Data(bytes).write(to: URL(fileURLWithPath: path.string))
      var ready: [[Int]] = []
      for cores in [1, 4] {
        let library = FileLibrary([folder.path], cancellation: .init()) { _ in }
        let id = try #require(library.register(path, below: nil))
        let store = WaveStore(
          cache: nil, budget: CoreBudget(cores: cores), partLevels: 2, cancellation: .init()
        ) { _, _, _, _ in }
        let wave = try store.wave(of: try #require(library.file(id)))
        while !wave.isEnded { try await Task.sleep(for: .milliseconds(1)) }
        ready.append(wave.layout.pixels.indices.map { wave.ready($0) })
      }
      // A decoder that begins near the damage may meet it some blocks of FLAC later.
      #expect(abs(ready[0][0] - ready[1][0]) <= 64)
      #expect(ready[0][0] > 1500 && ready[0][0] < 3000)
    }

    @Test func pyramidsAreCachedAndReused() async throws {
      let folder = try TemporaryFolder()
      try folder.sox("a.wav", "-n -r 8000 -c 1 -b 16 NAME synth 5 pinknoise")
      let cache = try #require(WaveCache(folder: folder.file("cache/waves")))
      func wave() throws -> (Wave, FileLibrary.File) {
        let library = FileLibrary([folder.path], cancellation: .init()) { _ in }
        let id = try #require(library.register(folder.file("a.wav"), below: nil))
        let file = try #require(library.file(id))
        return (
          try WaveStore(cache: cache, cancellation: .init()) { _, _, _, _ in }.wave(of: file), file
        )
      }
      let (first, _) = try wave()
      while !first.isEnded { try await Task.sleep(for: .milliseconds(1)) }
      let names = try FileManager.default.contentsOfDirectory(
        atPath: folder.file("cache/waves").string)
      #expect(names.count == 1)
      let kept = try wave().0
      #expect(kept.isEnded && kept.ready(0) == first.ready(0))
      #expect(
        try difference(kept.records(level: 0, 0..<157), first.records(level: 0, 0..<157)) == nil)
      // A file that was cut, or is of something else, is made again.
      let path = folder.file("cache/waves").appending(names[0])
      try Data(count: 100).write(to: URL(fileURLWithPath: path.string), options: .atomic)
      let again = try wave().0
      while !again.isEnded { try await Task.sleep(for: .milliseconds(1)) }
      #expect(
        try difference(again.records(level: 0, 0..<157), first.records(level: 0, 0..<157)) == nil)
    }
  }
#endif
