#if Serve
  import AudioIO
  import AudioModel
  import Foundation
  import SystemPackage
  import TestSupport
  import Testing

  @testable import ScaleAudioServer
  @testable import scaleaudio_cli

  /// Texts on the page: command lines and remedies.
  @Suite struct PageWordTests {
    private static let noise = "-n -r 44100 -c 2 -b 16 NAME synth 1 pinknoise"

    /// Names that are not UTF-8, or hold what shells or terminals read, come back as they are.
    @Test(arguments: [
      [0xE4, 0x20, 0x62] as [UInt8], [0x61, 0x0A, 0x27, 0x5C, 0x78], Array("ä b$(c)`d`\"!".utf8),
      [0x1B, 0x5B, 0x33, 0x31, 0x6D], [0xC3, 0xA4, 0xFF, 0x31, 0x66], Array("-x".utf8),
      Array("a*?~".utf8),
    ])
    func commandLinesKeepEveryByteOfAName(name: [UInt8]) throws {
      let folder = try TemporaryFolder()
      let path = folder.path.appending(
        try #require(FilePath.Component(platformString: name.map { CChar(bitPattern: $0) } + [0])))
      let program = ServeProgram(outputFolder: nil, folders: [folder.path], configuration: nil)
      let command = program.command(
        Choice { _ in nil },
        ChosenFiles(inputs: [path], roots: [], existing: .refuse, resumes: false))
      #expect(!command.contains("\u{FFFD}"))
      #expect(command.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
      let read = try Tool.run(
        "bash", ["-c", "eval \"set -- ${LINE#scaleaudio}\"; printf '%s' \"$1\""],
        environment: ["LINE": command])
      #expect(read.output == Array(folder.path.string.utf8) + [0x2F] + name)
    }

    /// Names with quotation marks, backslashes and control characters leave the list well-formed.
    @Test func listsAcceptAnyName() throws {
      let served = try Served()
      let names = ["a\"b.wav", "c\\d.wav", "e\u{1}\nf.wav", "ü☃.wav"]
      for name in names { try served.folder.sox(name, Self.noise) }
      var files: [[String: Any]] = []
      for _ in 0..<2000 where files.count < names.count {
        files = try served.json("api/files")["files"] as? [[String: Any]] ?? []
        usleep(5000)
      }
      let shown = names.map { FilePath($0).printable }
      #expect(Set(files.compactMap { $0["name"] as? String }) == Set(shown))
      #expect(
        files.allSatisfy { $0["bytes"] as? Int == 176_444 && $0["modified"] as? Double ?? 0 > 1e9 })
      #expect(try served.json("api/files")["problems"] as? [String] == [])
    }

    /// The command line of a whole folder is had without a look at its files.
    @Test func commandLineRequestReturnsOnlyTheCommand() async throws {
      let served = try Served([("a.wav", Self.noise)])
      let answer = try served.post(
        "api/plan",
        #"{"files":"all","choice":{"speed":"2","salvage":"1"},"existing":"skip","isCommandOnly":true}"#
      )
      #expect(
        answer.json as? [String: String] == [
          "command": "scaleaudio --speed 2 --salvage --skip-existing \(served.folder.path.string)"
        ])
      let refused = try served.post(
        "api/plan", #"{"files":"all","choice":{"speed":"x"},"isCommandOnly":true}"#)
      #expect(refused.response.status == 422)
    }

    /// A damaged file fails with a remedy that the page offers, and that remedy works; so does that of an output that
    /// exists.
    @Test func remediesAreThoseOfThePage() async throws {
      let served = try Served([("a.wav", Self.noise)])
      let path = served.folder.file("a.wav").string
      let whole = try Data(contentsOf: URL(fileURLWithPath: path))
      try whole.prefix(44_044).write(to: URL(fileURLWithPath: path))
      let id = try await served.id("a.wav")
      func ended(_ choice: String, _ existing: String) async throws -> [String: Any] {
        let start = try served.post(
          "api/jobs", #"{"files":["\#(id)"],"choice":{\#(choice)},"existing":"\#(existing)"}"#)
        let job = try #require(start.json["id"] as? String)
        return try #require(try await served.ended(job).first)
      }
      let damaged = try await ended(#""factor":"2""#, "refuse")["problem"] as? [String: Any]
      #expect(
        damaged?["remedy"] as? String
          == "check Use what is readable of a damaged file, to convert what can be decoded")
      let salvaged = try await ended(#""factor":"2","salvage":"1""#, "refuse")
      #expect(salvaged["state"] as? String == "done")
      let again =
        try await ended(#""factor":"2","salvage":"1""#, "refuse")["problem"] as? [String: Any]
      #expect(
        again?["remedy"] as? String
          == "check Replace the one that exists, which then stays under another name")
      // A loudness is that of the file, by the options of the command line.
      for (value, option) in [("guard", " --guard"), ("-16", " --loudness -16")] {
        let plan = try served.post(
          "api/plan",
          #"{"files":["\#(id)"],"choice":{"factor":"2","loudness":"\#(value)"},"existing":"skip"}"#)
        #expect((plan.json["command"] as? String)?.contains(option) == true, "\(plan.json)")
      }
      let replaced = try await ended(#""factor":"2","salvage":"1""#, "replace")
      #expect(replaced["state"] as? String == "done")
    }

    /// Refusals name no options.
    @Test(arguments: [
      (#""factor":"1000""#, "a factor is a number within 0.01 to 100, such as 1.5, 3/2 or 150%"),
      (
        #""factor":"2","pitch":"3","method":"linear""#,
        "pitch: linear changes pitch with speed; use method stretch."
      ),
      (
        #""factor":"0.04","method":"stretch""#,
        "A factor of 0.04 is not within 0.05 to 100, the range of method stretch; method sinc supports more."
      ),
    ])
    func refusedSettingsAreExplained(choice: String, words: String) async throws {
      let served = try Served([("a.wav", Self.noise)])
      let id = try await served.id("a.wav")
      let plan = try served.post("api/plan", #"{"files":["\#(id)"],"choice":{\#(choice)}}"#)
      #expect(plan.response.status == 422)
      #expect((plan.json["error"] as? [String: Any])?["cause"] as? String == words)
    }

    /// No remedy on the page names an option of the command line.
    @Test(
      arguments: [
        .declareRaw, .seeFormats, .repairHeader, .salvage, .replaceOrSkip, .retry, .freeSpace,
        .useFormat(["wav", "flac"]), .chooseFormat, .chooseFormatOrFolder, .allowLayoutLoss,
        .mergeChannels,
        .set(.bitRate, to: "such as 96k"), .change([.partEnd]),
        .omit(.downmix, orUseFormat: []), .omit(.sampleFormat, orUseFormat: ["wav"]),
        .useMethod("sinc"),
        .chooseOutput, .chooseOutputFile, .nameOutput, .separateOutputs, .keepExtensions,
        .keepFolders(below: "."),
        .nameOutputs(template: "{stem}"), .any([.chooseOutputFile, .chooseFormat]),
      ] as [Remedy])
    func remediesOnThePageNameNoOptions(remedy: Remedy) throws {
      let sentence = try #require(remedy.onPage)
      #expect(!sentence.contains("--") && !sentence.contains(" -"))
    }
  }
#endif
