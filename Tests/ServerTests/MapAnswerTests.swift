#if Serve
  import AudioIO
  import Foundation
  import TestSupport
  import Testing

  @testable import ScaleAudioServer

  /// Time maps of the page: what is heard, planned, made and shown as a command line.
  @Suite struct MapAnswerTests {
    private static let map = "0 0\n1 1.5\n2 2\n4 5\n"

    /// Seconds of the source and of the output, by arithmetic from the map.
    private static let places = [(0.5, 0.75), (1.5, 1.75), (2.5, 2.75), (3.5, 4.25)]

    /// A file of four clicks, at half seconds, of 4 s.
    private func served() throws -> Served {
      let served = try Served()
      var samples = [Int16](repeating: 0, count: 4 * 44_100)
      for (seconds, _) in Self.places { samples[Int(seconds * 44_100)] = 30_000 }
      let raw = served.folder.file("clicks.raw").string
      try samples.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: raw))
      try served.folder.sox("clicks.wav", "-t s16 -r 44100 -c 1 \(raw) NAME")
      unlink(raw)
      served.application.library.walk()
      return served
    }

    /// The loudest place near each expected one, in seconds from it.
    private func distances(_ samples: [Float], from start: Double = 0) -> [Double] {
      Self.places.filter { $0.1 - 0.2 > start }.map { _, place in
        let range = Int((place - start - 0.1) * 44_100)..<Int((place - start + 0.1) * 44_100)
        let loudest = range.max { samples[$0].magnitude < samples[$1].magnitude } ?? 0
        return Double(loudest) / 44_100 + start - place
      }
    }

    @Test func aMapIsHeardWhereItLeads() async throws {
      let served = try served()
      let id = try await served.id("clicks.wav")
      let query = [("map", Self.map), ("depth", "float")]
      let (response, body) = try served.get("audio/\(id).wav", query)
      #expect(response.status == 200 && response.header("X-Preview") == "1")
      #expect(response.number("X-Frames") == 5 * 44_100)
      let samples = Array(body.dropFirst(response.number("X-Data-Offset"))).floats
      try #require(samples.count == 5 * 44_100)
      #expect(distances(samples).allSatisfy { $0.magnitude < 0.004 }, "\(distances(samples))")
      // From within each leg.
      for start in [0.4, 1.6, 2.2, 3.9] {
        let first = response.number("X-Data-Offset") + Int(start * 44_100) * 4
        let part = try served.get("audio/\(id).wav", query, [("Range", "bytes=\(first)-")])
        let late = distances(part.body.floats, from: start)
        #expect(!late.isEmpty && late.allSatisfy { $0.magnitude < 0.004 }, "\(start): \(late)")
      }
    }

    @Test func aMapIsMadeAsItIsPlanned() async throws {
      let served = try served()
      let id = try await served.id("clicks.wav")
      let text = Self.map.replacing("\n", with: "\\n")
      let body = #"{"files":["\#(id)"],"choice":{"map":"\#(text)"},"existing":"skip"}"#
      let plan = try served.post("api/plan", body).json
      let output = try #require((plan["outputs"] as? [[String: Any]])?.first)
      #expect(output["seconds"] as? Double == 5 && output["verdict"] as? String == "run")
      #expect(
        output["output"] as? String == "clicks-mapped.wav" && plan["keepsPitch"] as? Bool == true)
      let start = try served.post("api/jobs", body)
      let files = try await served.ended(#require(start.json["id"] as? String))
      #expect(files.map { $0["state"] as? String } == ["done"])
      let made = try served.folder.floats(served.folder.file("clicks-mapped.wav"))
      #expect(made.count == 5 * 44_100)
      #expect(distances(made).allSatisfy { $0.magnitude < 0.004 }, "\(distances(made))")
      // The command line is whole: its map is a file that the shell makes.
      let command = try #require(plan["command"] as? String)
      let shell = try Tool.run(
        "bash", ["-c", "scaleaudio() { cat \"$2\"; }; \(command)"])
      #expect(shell.outputText == Self.map, "\(command)")
    }

    @Test(arguments: ["", "0 0\n1 0\n4 4", "x y", "1 1; touch /tmp/x", "0 0\n4 1000000"])
    func mapsThatAreNoneAreRefused(map: String) async throws {
      let served = try served()
      let id = try await served.id("clicks.wav")
      let text = map.replacing("\n", with: "\\n")
      let plan = try served.post(
        "api/plan",
        #"{"files":["\#(id)"],"choice":{"map":"\#(text)","factor":""},"existing":"skip"}"#)
      // Without a map, nothing is asked for.
      #expect(plan.response.status == 422)
    }

    @Test func aMapThatEndsEarlyNamesItsEnd() async throws {
      let served = try served()
      let id = try await served.id("clicks.wav")
      let plan = try served.post(
        "api/plan", #"{"files":["\#(id)"],"choice":{"map":"3 4"},"existing":"skip"}"#)
      let output = (plan.json["outputs"] as? [[String: Any]])?.first
      #expect(output?["verdict"] as? String == "refuse")
    }
  }
#endif
