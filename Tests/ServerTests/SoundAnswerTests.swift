#if Serve
  import AudioIO
  import AudioModel
  import Foundation
  import ScaleAudio
  import TestSupport
  import Testing

  @testable import ScaleAudioServer

  /// The sound of the page, compared with outputs of `convert` as other programs read them.
  @Suite struct SoundAnswerTests {
    private static let noise = "-n -r 44100 -c 2 -b 16 NAME synth 3 pinknoise"

    @Test(arguments: [
      ("linear", "1.37"), ("smoothstep", "0.61"), ("smoothstep", "2.5"), ("sinc", "1.25"),
    ])
    func previewIsWhatConvertWrites(method: String, factor: String) async throws {
      let served = try Served([("a.flac", Self.noise)])
      // Rounding to the format of the source is a part of these two; what sinc makes is rounded later.
      let isRounded = method != "sinc"
      let output = served.folder.file(isRounded ? "out.flac" : "out.wav")
      var settings = ConversionSettings(
        time: .factor(try #require(TimeFactor(Double(factor) ?? 0))),
        method: isRounded
          ? method == "linear" ? .linear : .smoothstep : .sinc(quality: .high))
      settings.format = AudioFormat.named(isRounded ? "flac" : "wav")
      settings.sampleFormat = isRounded ? nil : .float32
      _ = try Conversion(
        input: .file(served.folder.file("a.flac")), output: .file(output), settings: settings
      ).run()
      let id = try await served.id("a.flac")
      let (response, body) = try served.get(
        "audio/\(id).wav", [("factor", factor), ("method", method), ("depth", "float")])
      #expect(response.status == 200)
      let heard = body.dropFirst(response.number("X-Data-Offset"))
      #expect(response.number("X-Frames") * 8 == heard.count)
      let written = try served.folder.floats(output)
      #expect(difference(Array(heard).floats, written) == nil)
      // sox reads the very same file.
      let file = served.folder.file("heard.wav")
      try Data(body).write(to: URL(fileURLWithPath: file.string))
      #expect(try difference(served.folder.floats(file), written) == nil)
      let soxi = try Tool.run("soxi", ["-s", file.string])
      #expect(soxi.outputText == "\(response.number("X-Frames"))\n")
    }

    /// Samples rounded to 16 bits have the same noise that `convert` adds, from any frame on.
    @Test(arguments: [("16", "0.75"), ("16", "1.25"), ("24", "1.25")])
    func bitsEqualThoseOfConvert(depth: String, factor: String) async throws {
      let arguments = Self.noise.replacing("-b 16", with: "-b \(depth)")
      let served = try Served([("a.wav", arguments)])
      let output = served.folder.file("out.wav")
      let settings = ConversionSettings(
        time: .factor(try #require(TimeFactor(Double(factor) ?? 0))), method: .sinc(quality: .high))
      _ = try Conversion(
        input: .file(served.folder.file("a.wav")), output: .file(output), settings: settings
      ).run()
      let written = try Array(Data(contentsOf: URL(fileURLWithPath: output.string)))
      let id = try await served.id("a.wav")
      let query = [("factor", factor), ("method", "sinc"), ("depth", depth)]
      let (response, body) = try served.get("audio/\(id).wav", query)
      let count = body.count - response.number("X-Data-Offset")
      #expect(count == response.number("X-Frames") * 2 * (Int(depth) ?? 0) / 8)
      // Tags follow the samples.
      let start = try #require(written.firstRange(of: Array("data".utf8))).upperBound + 4
      let isSame = body.suffix(count).elementsEqual(written[start..<start + count])
      #expect(isSame)
    }

    @Test(arguments: ["16", "24", "float"], [1, 2, 6])
    func sourceEqualsItsFile(depth: String, channels: Int) async throws {
      let served = try Served([
        ("a.wav", "-n -r 48000 -c \(channels) -b 24 NAME synth 0.5 whitenoise")
      ])
      let id = try await served.id("a.wav")
      let (response, body) = try served.get("audio/\(id).wav", [("depth", depth)])
      let file = served.folder.file("heard.wav")
      try Data(body).write(to: URL(fileURLWithPath: file.string))
      #expect(response.number("X-Channels") == channels)
      let source = try served.folder.floats(served.folder.file("a.wav"))
      let heard = try served.folder.floats(file)
      try #require(heard.count == source.count)
      let bound: Float = depth == "16" ? 0.5 / 32768 : 0
      #expect(zip(heard, source).allSatisfy { ($0 - $1).magnitude <= bound * 1.0001 })
    }

    @Test func rangesAreBytesOfTheWhole() async throws {
      let served = try Served([("a.flac", Self.noise)])
      let id = try await served.id("a.flac")
      let query = [("factor", "1.5"), ("method", "linear"), ("depth", "24")]
      let whole = try served.get("audio/\(id).wav", query).body
      var numbers = SeededNumbers(seed: 17)
      for _ in 0..<40 {
        let first = Int(numbers.next() % UInt64(whole.count))
        let last = min(whole.count - 1, first + Int(numbers.next() % 20_000))
        let (response, body) = try served.get(
          "audio/\(id).wav", query, [("Range", "bytes=\(first)-\(last)")])
        #expect(response.status == 206)
        #expect(response.header("Content-Range") == "bytes \(first)-\(last)/\(whole.count)")
        #expect(difference(body, Array(whole[first...last])) == nil)
      }
      let tail = try served.get("audio/\(id).wav", query, [("Range", "bytes=-11")]).body
      #expect(tail == Array(whole.suffix(11)))
      let beyond = try served.get("audio/\(id).wav", query, [("Range", "bytes=\(whole.count)-")])
      #expect(beyond.response.status == 416)
    }

    @Test func bodiesAreSentAgainUnlessTheTagMatches() async throws {
      let served = try Served([("a.flac", Self.noise)])
      let id = try await served.id("a.flac")
      let first = try served.get("audio/\(id).wav", [("factor", "2")]).response
      let tag = try #require(first.header("ETag"))
      let same = try served.get("audio/\(id).wav", [("factor", "2")], [("If-None-Match", tag)])
      #expect(same.response.status == 304 && same.body.isEmpty)
      let other = try served.get("audio/\(id).wav", [("factor", "2.1")], [("If-None-Match", tag)])
      #expect(other.response.status == 200)
      let range = [("If-Range", "\"other\""), ("Range", "bytes=0-9")]
      #expect(try served.get("audio/\(id).wav", [("factor", "2")], range).response.status == 200)
    }

    @Test(arguments: [0.5, 0.8, 1.25, 2])
    func livePreviewIsAsLongAsConvertAndInPlace(factor: Double) async throws {
      // A click each quarter of a second.
      let served = try Served([
        ("a.wav", "-n -r 44100 -c 1 -b 16 NAME synth 0.002 square 1000 pad 0 0.248 repeat 15")
      ])
      let id = try await served.id("a.wav")
      let query = [("factor", "\(factor)"), ("method", "stretch"), ("depth", "float")]
      let (response, body) = try served.get("audio/\(id).wav", query)
      #expect(response.header("X-Preview") == "1")
      let frames = try #require(TimeFactor(factor)?.outputFrames(for: 176_400))
      #expect(response.number("X-Frames") == frames)
      let heard = Array(body.dropFirst(response.number("X-Data-Offset"))).floats
      #expect(heard.count == frames)
      // The engine begins at any frame: the attacks lie where the factor puts them.
      let start = frames / 2
      let part = try served.get(
        "audio/\(id).wav", query,
        [("Range", "bytes=\(response.number("X-Data-Offset") + start * 4)-")]
      ).body.floats
      #expect(part.count == frames - start)
      for (samples, offset) in [(heard, 0), (part, start)] {
        let period = Int(11_025 * factor)
        for click in 1..<15 {
          let place = click * period - offset
          guard place > period, place + period < samples.count else { continue }
          let window = place - period / 2..<place + period / 2
          let loudest = window.max { samples[$0].magnitude < samples[$1].magnitude } ?? 0
          #expect((loudest - place).magnitude < 900)
        }
      }
    }

    /// A sine goes on from one range in the next where both name the same run, even before the first is closed; other
    /// places are of other runs, and no cache may join them.
    @Test func previewNamesTheRunThatGoesOn() async throws {
      let served = try Served([("a.wav", "-n -r 8000 -c 1 -b 16 NAME synth 6 sine 100 gain -6")])
      let id = try await served.id("a.wav")
      func part(_ frames: Range<Int>) throws -> (response: HTTPResponse, source: any BodySource) {
        let range = "bytes=\(offset + 4 * frames.lowerBound)-\(offset + 4 * frames.upperBound - 1)"
        let response = served.application.answer(
          HTTPRequest(
            method: .get, path: ["audio", "\(id).wav"],
            query: query.map { (name: $0.0, value: $0.1) },
            headers: [(name: "Range", value: range)]))
        guard case .made(let source, _) = response.body else { throw CocoaError(.fileReadUnknown) }
        return (response, source)
      }
      let length = 2048
      let query = [("factor", "1.3"), ("method", "stretch"), ("depth", "float")]
      let head = try served.get("audio/\(id).wav", query, [("Range", "bytes=0-127")]).response
      let offset = head.number("X-Data-Offset")
      #expect(head.header("Cache-Control") == "no-store" && head.header("ETag") == nil)
      var heard: [UInt8] = []
      var runs: Set<Int> = []
      for block in 4..<8 {
        let (response, source) = try part(length * block..<length * (block + 1))
        runs.insert(response.number("X-Run"))
        let end = heard.count + 4 * length
        while heard.count < end, let more = try source.next() { heard += more }
        // Closing comes later than the request for the next range.
        defer { source.close() }
        let (next, later) = try part(length * (block + 1)..<length * (block + 2))
        #expect(next.number("X-Run") == response.number("X-Run"))
        later.close()
      }
      let (elsewhere, earlier) = try part(100..<200)
      earlier.close()
      #expect(runs.count == 1 && elsewhere.number("X-Run") > 0)
      #expect(!runs.contains(elsewhere.number("X-Run")))
      let samples = heard.floats
      #expect(samples.count == 4 * length)
      // No two neighbors of a sine of half the full scale differ by more.
      let steepest = 0.5 * 2 * Float.pi * 100 / 8000
      let steps = zip(samples, samples.dropFirst()).map { ($0 - $1).magnitude }
      #expect((steps.max() ?? 1) < 1.1 * steepest)
      #expect((samples.max() ?? 0) > 0.4)
    }

    @Test func rateOnTopKeepsThePitch() async throws {
      let served = try Served([("a.wav", "-n -r 48000 -c 1 -b 16 NAME synth 4 sine 440")])
      let id = try await served.id("a.wav")
      let (response, body) = try served.get(
        "audio/\(id).wav", [("rate", "2"), ("depth", "float")])
      #expect(response.number("X-Frames") == 96_000)
      let heard = Array(body.dropFirst(response.number("X-Data-Offset"))).floats.map(Double.init)
      // Twice as fast, and still 440 Hz: upward zero crossings in a second.
      let second = heard[24_000..<72_000]
      let crossings = zip(second, second.dropFirst()).count { $0 < 0 && $1 >= 0 }
      #expect((439...441).contains(crossings))
    }

    /// Tones of a voice an octave higher, the resonance at 1,100 Hz where it was, or an octave higher too; and the file that is
    /// made has it where it was heard.
    @Test func voicesStayNaturalAsTheyAreHeard() async throws {
      let served = try Served([
        ("voice.wav", "-n -r 44100 -c 1 -b 16 NAME synth 2 sawtooth 110 band 1100 300 gain -6")
      ])
      let id = try await served.id("voice.wav")
      func lower(_ samples: [Float]) -> Bool {
        func amplitude(_ frequency: Double) -> Double {
          var (cosine, sine) = (0.0, 0.0)
          for (index, sample) in samples[22_050..<66_150].enumerated() {
            let angle = 2 * Double.pi * frequency * Double(index) / 44_100
            cosine += Double(sample) * cos(angle)
            sine += Double(sample) * sin(angle)
          }
          return hypot(cosine, sine)
        }
        return amplitude(1100) > amplitude(2200)
      }
      for formants in ["shift", "preserve"] {
        let query = [
          ("factor", "1"), ("method", "stretch"), ("pitch", "12"), ("formants", formants),
        ]
        let (response, body) = try served.get("audio/\(id).wav", query + [("depth", "float")])
        try #require(response.status == 200 && response.number("X-Frames") == 2 * 44_100)
        let heard = Array(body.dropFirst(response.number("X-Data-Offset"))).floats
        #expect(lower(heard) == (formants == "preserve"), "\(formants)")
        let choice = query.map { "\"\($0.0)\":\"\($0.1)\"" }.joined(separator: ",")
        let start = try served.post(
          "api/jobs", #"{"files":["\#(id)"],"choice":{\#(choice)},"existing":"replace"}"#)
        let files = try await served.ended(#require(start.json["id"] as? String))
        let name = try #require(files.first?["output"] as? String)
        #expect(lower(try served.folder.floats(served.folder.file(name))) == lower(heard))
      }
      // The replaced file stays.
      let names = try served.folder.names().filter { $0.hasSuffix(" (1).wav") }
      try #require(names.count == 1)
      #expect(!lower(try served.folder.floats(served.folder.file(names[0]))))
    }

    @Test func ratesThatBrowsersCannotPlayAreResampled() async throws {
      let served = try Served([("a.wav", "-n -r 192000 -c 2 -b 24 NAME synth 2 sine 1000 gain -3")])
      let id = try await served.id("a.wav")
      let (response, body) = try served.get("audio/\(id).wav", [("depth", "float")])
      #expect(response.number("X-Sample-Rate") == 96_000)
      #expect(response.number("X-Frames") == 192_000)
      let offset = response.number("X-Data-Offset")
      let whole = Array(body.dropFirst(offset)).floats
      #expect(whole.count == 384_000)
      let part = try served.get(
        "audio/\(id).wav", [("depth", "float")], [("Range", "bytes=\(offset + 8 * 100_001)-")]
      ).body.floats
      let rest = whole.dropFirst(2 * 100_001)
      try #require(part.count == rest.count)
      #expect(zip(part, rest).allSatisfy { ($0 - $1).magnitude < 2e-6 })
    }

    @Test(arguments: [
      ([("factor", "0")], "factor"), ([("factor", "x")], "factor"),
      ([("method", "magic"), ("factor", "2")], "magic"),
      ([("rate", "17")], "0.25"), ([("factor", "2"), ("speed", "2")], "exclude"),
    ])
    func impossibleRequestsAreExplained(query: [(String, String)], part: String) async throws {
      let served = try Served([("a.wav", Self.noise)])
      let id = try await served.id("a.wav")
      let (response, body) = try served.get("audio/\(id).wav", query)
      #expect(response.status == 422)
      #expect(String(decoding: body, as: UTF8.self).contains(part))
    }

    @Test func readersAreReleasedWhenAPageCloses() async throws {
      let served = try Served([("a.flac", Self.noise)])
      let id = try await served.id("a.flac")
      for _ in 0..<200 {
        let response = served.application.answer(
          HTTPRequest(method: .get, path: ["audio", "\(id).wav"], query: [("factor", "1.5")]))
        guard case .made(let source, _) = response.body else {
          Issue.record("\(response)")
          return
        }
        _ = try source.next()
        source.close()
        #expect(try source.next() == nil)
      }
    }
  }
#endif
