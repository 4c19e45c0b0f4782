import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Records of `--json` are as the schema of their command describes them, for every file and outcome.
@Suite("JSON records and their schemas")
struct SchemaTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench(["x.wav": Sound.wav])
    try bench.folder.write("cut.flac", Array(Sound.flac.dropLast(2000)))
    try bench.folder.write("broken.wav", Array("no audio".utf8))
    try bench.shell(
      "ffmpeg -v error -f lavfi -i color=red:size=32x24 -frames:v 1 p.png; sox x.wav x.flac; "
        + "metaflac --import-picture-from=p.png x.flac; oggenc -Q x.wav; opusenc --quiet x.wav x.opus; "
        + "lame --quiet x.wav x.mp3; sox x.wav -e float -b 32 f.wav; sox x.wav x.aiff; "
        + "sox -n -r 8000 s.wav trim 0 0.1; touch $'odd\\xff.wav'; cp x.wav $'odd\\xff.wav'")
  }

  /// The path of a command's schema.
  private static func schema(_ command: String) -> String {
    let root = FilePath(#filePath).removingLastComponent().removingLastComponent()
      .removingLastComponent()
    let owner = command == "manifest" ? "convert" : command
    let folder = owner.prefix(1).uppercased() + owner.dropFirst()
    return root.appending("Sources/scaleaudio-cli/Commands/\(folder)/\(command).schema.json").string
  }

  /// The status of every object that a command prints, sorted, if all of them fit its schema.
  private func statuses(_ command: String, _ arguments: String) throws -> [Substring] {
    let run = try Tool.run(
      "bash",
      [
        "-c",
        """
        '\(Program.path)' \(command) --json \(arguments) 2>/dev/null | python3 -c '
        import json, jsonschema, sys
        schema = json.load(open(sys.argv[1]))
        kind = jsonschema.validators.validator_for(schema)
        kind.check_schema(schema)
        for line in sys.stdin:
            record = json.loads(line)
            for error in kind(schema).iter_errors(record):
                print(record["input"], list(error.path), error.message)
            print(record["status"])
        ' '\(Self.schema(command))'
        """,
      ], in: bench.folder.path
    ).succeeded()
    return run.outputText.split(separator: "\n").sorted()
  }

  @Test(arguments: ["", "--levels --exact -f 1.5"])
  func info(_ options: String) throws {
    let ok = Array(repeating: Substring("ok"), count: 9)
    #expect(
      try statuses("info", options + " . missing.wav") == ["damaged", "failed", "failed"] + ok)
  }

  @Test func convert() throws {
    let inputs = "x.wav x.mp3 f.wav $'odd\\xff.wav' x.aiff cut.flac broken.wav missing.wav"
    // That a file ends early shows only when it is decoded.
    let planned = Array(repeating: Substring("planned"), count: 6)
    #expect(
      try statuses("convert", "--dry-run -f 1.5 -o out \(inputs)")
        == ["failed", "failed"] + planned + ["total"])
    let done = Array(repeating: Substring("done"), count: 5)
    let failed = Array(repeating: Substring("failed"), count: 3)
    let options = "--method stretch --guard --plot -o out"
    #expect(try statuses("convert", "-f 1.5 \(options) \(inputs)") == done + failed)
    let skipped = Array(repeating: Substring("skipped"), count: 5)
    #expect(
      try statuses("convert", "-f 1.5 --method stretch --skip-existing -o out \(inputs)") == failed
        + skipped)
  }

  @Test func manifest() throws {
    let inputs = "x.wav x.mp3 f.wav $'odd\\xff.wav' broken.wav"
    let run = try Program.shell(
      """
      $scaleaudio -q -f 1.5 -o out --manifest m --manifest-hash \(inputs) 2>/dev/null
      python3 -c '
      import json, jsonschema, sys
      schema = json.load(open(sys.argv[1]))
      kind = jsonschema.validators.validator_for(schema)
      kind.check_schema(schema)
      for line in open("m"):
          kind(schema).validate(json.loads(line))
          print("valid")
      ' '\(Self.schema("manifest"))'
      """, in: bench.folder.path)
    #expect(run.outputText == "valid\nvalid\nvalid\nvalid\n", "\(run.errorText)")
  }

  @Test func plot() throws {
    let inputs = "x.wav x.mp3 broken.wav missing.wav"
    #expect(
      try statuses("plot", "-o pictures \(inputs)") == ["done", "done", "failed", "failed"])
    #expect(
      try statuses("plot", "--skip-existing -o pictures \(inputs)")
        == ["failed", "failed", "skipped", "skipped"])
  }

  /// Every event of `play`, except those of devices, which come and go only where there are some.
  @Test func play() throws {
    let run = try Program.shell(
      PlayTerminal.start + #"""
        sox -n -r 8000 grow.wav trim 0 3
        cp x.mp3 tagged.mp3
        id3v2 -t Tune -a Ann tagged.mp3 2>/dev/null || true
        "$scaleaudio" play --json -o null tagged.mp3 $'oddÿ.wav' broken.wav cut.flac missing.wav > events || true
        "$scaleaudio" play --json -o heard.wav x.wav >> events
        $tmux send-keys "clear; '$scaleaudio' play --json --loop --speed 1.25 --method linear -o null x.wav > keys" Enter
        for try in $(seq 100); do if grep -q position keys; then break; fi; sleep 0.1; done
        for event in paused:Space resumed:Space written:s; do
          $tmux send-keys ${event#*:}
          for try in $(seq 100); do if grep -q ${event%:*} keys; then break; fi; sleep 0.1; done
        done
        $tmux send-keys q
        for try in $(seq 100); do if grep -q ended keys; then break; fi; sleep 0.1; done
        cat keys >> events
        "$scaleaudio" play --follow --json -o null grow.wav >> events &
        waits() {
          for try in $(seq 200); do
            if [ $(grep -c ""event":"$1"" events) = $2 ]; then return; fi
            sleep 0.05
          done
        }
        waits waiting 1
        cat x.wav >> grow.wav
        waits continued 1
        waits waiting 2
        cp s.wav grow.wav
        waits replaced 1
        kill %1
        wait %1 || true
        python3 -c '
        import json, jsonschema, sys
        schema = json.load(open(sys.argv[1]))
        kind = jsonschema.validators.validator_for(schema)
        kind.check_schema(schema)
        seen = set()
        for line in open("events"):
            kind(schema).validate(json.loads(line))
            seen.add(json.loads(line)["event"])
        print(*sorted(seen))
        ' '\#(Self.schema("play"))'
        """#, in: bench.folder.path)
    #expect(
      run.outputText
        == "continued ended failed output paused position replaced resumed started waiting "
        + "writing written\n",
      "\(run.errorText)")
  }

  /// The fields that commands share have one meaning: their descriptions are the same.
  @Test func sharedFieldsAgree() throws {
    var seen: [String: NSDictionary] = [:]
    var shared = 0
    for command in ["convert", "plot", "info", "manifest", "play"] {
      let data = try Data(contentsOf: URL(filePath: Self.schema(command)))
      let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      var fields = try #require(schema["properties"] as? [String: NSDictionary])
      if let planned = fields["planned"]?["properties"] as? [String: NSDictionary] {
        fields.merge(planned) { one, _ in one }
      }
      for (name, field) in fields
      where name.hasPrefix("input") || name.hasPrefix("output") && name != "output" {
        // A picture has formats of its own.
        if command == "plot" && name == "outputFormat" { continue }
        if let other = seen[name] {
          #expect(other == field, "\(command): \(name)")
          shared += 1
        }
        seen[name] = field
      }
    }
    #expect(shared > 20)
  }
}
