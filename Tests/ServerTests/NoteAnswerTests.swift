#if Serve
  import AudioIO
  import Foundation
  import ScaleAudio
  import TestSupport
  import Testing

  @testable import ScaleAudioServer

  /// Marks, loops, speed and key, which the page and `play` keep in one place.
  @Suite struct NoteAnswerTests {
    private static let noise = "-n -r 44100 -c 2 -b 16 NAME synth 3 pinknoise"

    /// The identity under which `play` keeps notes about a file.
    private func identity(_ served: Served, _ name: String) throws -> AudioIdentity {
      let input = try ConversionInput.file(served.folder.file(name)).opened(Cancellation())
      return try AudioIdentity(of: input) { false }
    }

    private func titles(_ answer: [String: Any], _ name: String) -> [String?] {
      (answer[name] as? [[String: Any]] ?? []).map { $0["title"] as? String }
    }

    /// The events since some number of them, by name.
    private func events(_ served: Served, after number: Int) throws -> [String] {
      let stream = try #require(served.application.events.stream(after: number))
      defer { stream.close() }
      _ = try stream.next()
      var text = ""
      while let bytes = try stream.next() {
        let more = String(decoding: bytes, as: UTF8.self)
        // After a long silence comes a comment.
        if more.hasPrefix(":") { break }
        text += more
        if text.contains("event: notes") { break }
      }
      return text.split(separator: "\n").map(String.init)
    }

    @Test func thePageAndPlayHaveTheSameNotes() async throws {
      let served = try Served([("a.wav", Self.noise)])
      let store = PracticeStore(folder: served.notesFolder)
      let id = try await served.id("a.wav")
      let first = try served.json("api/notes/\(id)")
      #expect(first["revision"] as? Int == 0 && first["refusal"] == nil)
      #expect((first["marks"] as? [Any])?.isEmpty == true && first["speed"] == nil)
      // Notes of play are on the page.
      let identity = try identity(served, "a.wav")
      try store.change(identity, name: "a.wav") { notes in
        notes.marks = [.init(start: 1.5, title: "<b>solo</b>")]
        notes.loops = [.init(start: 1, end: 2, title: "bar")]
        (notes.speed, notes.semitones, notes.position) = (0.75, -2, 2.5)
      }
      let second = try served.json("api/notes/\(id)")
      #expect(titles(second, "marks") == ["<b>solo</b>"] && titles(second, "loops") == ["bar"])
      #expect(second["speed"] as? Double == 0.75 && second["semitones"] as? Double == -2)
      // Notes of the page are those that play reads; values that it does not name stay.
      let changed = try served.post(
        "api/notes/\(id)",
        #"{"from": "p1", "marks": [{"start": 0.25, "title": "in"}], "speed": null}"#)
      #expect(changed.response.status == 200)
      #expect(titles(changed.json, "marks") == ["in"] && changed.json["speed"] == nil)
      guard case .notes(let notes) = store.stored(identity) else {
        Issue.record("nothing is stored")
        return
      }
      #expect(notes.marks == [.init(start: 0.25, title: "in")] && notes.speed == nil)
      #expect(notes.semitones == -2 && notes.position == 2.5 && notes.loops.count == 1)
      #expect(notes.name == "a.wav")
    }

    /// The same audio in another file has the same notes.
    @Test func notesBelongToTheAudio() async throws {
      let served = try Served([("a.wav", Self.noise)])
      let flac = try Tool.run(
        "flac",
        ["--silent", "-o", served.folder.file("b.flac").string, served.folder.file("a.wav").string])
      try #require(flac.status == 0)
      let (one, other) = try await (served.id("a.wav"), served.id("b.flac"))
      let body = #"{"loops": [{"start": 0, "end": 1, "title": "both"}]}"#
      #expect(try served.post("api/notes/\(one)", body).response.status == 200)
      #expect(try titles(served.json("api/notes/\(other)"), "loops") == ["both"])
    }

    /// Other pages hear of a change, also of one that play makes.
    @Test func changesAreTold() async throws {
      let served = try Served([("a.wav", Self.noise)])
      let id = try await served.id("a.wav")
      let store = PracticeStore(folder: served.notesFolder)
      _ = try served.json("api/notes/\(id)")
      let identity = try identity(served, "a.wav")
      _ = try served.post("api/notes/\(id)", #"{"from": "p1", "speed": 0.5}"#)
      let own = try events(served, after: 0)
      #expect(own.contains { $0.contains(#""from":"p1""#) && $0.contains(id) }, "\(own)")
      // An event of the list may lie between.
      let count = own.compactMap { $0.hasPrefix("id: ") ? Int($0.dropFirst(4)) : nil }.max() ?? 0
      try store.change(identity, name: "a.wav") { $0.marks = [.init(start: 1, title: "by play")] }
      let heard = try events(served, after: count)
      #expect(heard.contains { $0.contains(#""revision":"#) && !$0.contains("from") }, "\(heard)")
      #expect("\(try served.json("api/notes/\(id)"))".contains("by play"))
      // Changes of an earlier revision are refused, and change nothing.
      let last = try #require(try served.json("api/notes/\(id)")["revision"] as? Int)
      let late = try served.post("api/notes/\(id)", #"{"marks": [], "revision": \#(last - 1)}"#)
      #expect(late.response.status == 412)
      #expect("\(try served.json("api/notes/\(id)"))".contains("by play"))
      #expect(
        try served.post("api/notes/\(id)", #"{"speed": 0.5, "revision": \#(last)}"#).response.status
          == 200)
      // The same again is no news.
      let before = try served.json("api/notes/\(id)")["revision"] as? Int
      _ = try served.post("api/notes/\(id)", #"{"from": "p1", "speed": 0.5}"#)
      #expect(try served.json("api/notes/\(id)")["revision"] as? Int == before)
    }

    @Test(arguments: [
      "", "[]", #"{"marks": 1}"#, #"{"marks": [{"start": -1, "title": ""}]}"#,
      #"{"marks": [{"start": 1}]}"#, #"{"loops": [{"start": 2, "end": 1, "title": ""}]}"#,
      #"{"speed": 0}"#, #"{"speed": "1"}"#,
    ])
    func malformedNotesAreRefused(_ body: String) async throws {
      let served = try Served([("a.wav", Self.noise)])
      let id = try await served.id("a.wav")
      #expect(try served.post("api/notes/\(id)", body).response.status == 400)
      #expect(try (served.json("api/notes/\(id)")["revision"] as? Int) == 0)
    }

    /// A read-only server shows what is kept, and keeps nothing; one without a store does neither.
    @Test func nothingIsKeptWhereItMayNotBe() async throws {
      let reading = try Served([("a.wav", Self.noise)], isReadOnly: true)
      let store = PracticeStore(folder: reading.notesFolder)
      let identity = try identity(reading, "a.wav")
      #expect(try reading.state.names().isEmpty)
      try store.change(identity, name: "a.wav") { $0.speed = 0.5 }
      let id = try await reading.id("a.wav")
      let shown = try reading.json("api/notes/\(id)")
      #expect(shown["speed"] as? Double == 0.5 && shown["refusal"] != nil)
      #expect(try reading.post("api/notes/\(id)", #"{"speed": 2}"#).response.status == 403)
      guard case .notes(let notes) = store.stored(identity) else {
        Issue.record("nothing is stored")
        return
      }
      #expect(notes.speed == 0.5)

      let without = try Served([("a.wav", Self.noise)], keepsNotes: false)
      let other = try await without.id("a.wav")
      #expect(try without.json("api/notes/\(other)")["refusal"] != nil)
      #expect(try without.post("api/notes/\(other)", #"{"speed": 2}"#).response.status == 409)
      #expect(try without.state.names().isEmpty)
    }

    /// Stored notes that are damaged or of a later version stay as they are.
    @Test(arguments: [#"{"version": 2}"#, "{"])
    func whatCannotBeReadStays(_ text: String) async throws {
      let served = try Served([("a.wav", Self.noise)])
      let id = try await served.id("a.wav")
      let identity = try identity(served, "a.wav")
      let path = PracticeStore(folder: served.notesFolder).path(of: identity).string
      _ = try served.post("api/notes/\(id)", #"{"speed": 0.5}"#)
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      let refusal = try served.json("api/notes/\(id)")["refusal"] as? [String: Any]
      #expect((refusal?["remedy"] as? String)?.isEmpty == false)
      #expect(try served.post("api/notes/\(id)", #"{"speed": 2}"#).response.status == 409)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(text.utf8))
    }

    @Test func onlyFilesOfTheListHaveNotes() async throws {
      let served = try Served([("a.wav", Self.noise)])
      _ = try await served.id("a.wav")
      try Data("no audio".utf8).write(
        to: URL(fileURLWithPath: served.folder.file("bad.wav").string))
      let bad = try await served.id("bad.wav")
      #expect(try served.get("api/notes/f99").response.status == 404)
      #expect(try served.post("api/notes/f99", "{}").response.status == 404)
      #expect(try served.get("api/notes/\(bad)").response.status == 422)
    }
  }
#endif
