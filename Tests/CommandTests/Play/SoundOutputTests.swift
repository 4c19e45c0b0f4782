import Foundation
import TestSupport
import Testing

/// Servers of PulseAudio and PipeWire and ALSA's file device get the same samples from the program as `convert`
/// writes.
@Suite("Sound of the program", .serialized)
struct SoundOutputTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Two seconds between moments of silence.
  private static let files = ["song.flac -b 24", "song.wav -b 16"]

  private func make(_ file: String) throws -> String {
    let words = file.split(separator: " ").map(String.init)
    try Tool.run(
      "sox",
      ["-R", "-n", "-r", "48000", "-c", "2"] + words.dropFirst()
        + [words[0], "synth", "2", "pinknoise", "vol", "0.5", "pad", "0.3", "0.2"],
      in: folder.path
    ).succeeded()
    return words[0]
  }

  /// The samples that `convert` writes at factor 1 after the silence at the start, as 32-bit floating point.
  private func converted(_ file: String) throws -> Data {
    try Program.run(
      "-q", "-f", "1", file, "-o", "converted.wav", "--bits", "f32", in: folder.path
    ).succeeded()
    let decoded = try Tool.run(
      "ffmpeg", ["-v", "error", "-i", "converted.wav", "-f", "f32le", "-"], in: folder.path)
    #expect(decoded.output.count > 2 * 48_000 * 8)
    return Data(decoded.output.dropFirst(14_400 * 8))
  }

  private func play(_ arguments: String..., environment: [String: String]) throws -> Tool {
    try Tool.run(
      Program.path, ["play"] + arguments, in: folder.path, environment: environment)
  }

  @Test(arguments: files, SoundServer.Kind.allCases)
  func throughASoundServer(_ file: String, _ kind: SoundServer.Kind) throws {
    let file = try make(file)
    let expected = try converted(file)
    let server = try SoundServer(kind)
    // A server that is late may lose samples of one run, unknown to the program.
    for attempt in 1...3 {
      let recorder = try server.record("two")
      let run = try play(file, "--device", "two", "-v", environment: server.client)
      #expect(run.status == 0)
      #expect(run.errorText.contains("output: Second, 48000 Hz stereo\n"))
      let underruns = Int(
        run.errorText.split(separator: "\n").last?.split(separator: " ").last ?? "")
      #expect(run.errorText.contains("underruns: ") && underruns != nil, "\(run.errorText)")
      let isWhole = try eventually(within: 3) {
        let heard = try Data(recorder.bytes())
        // On a machine that is late, the server puts silence between the samples.
        return underruns == 0
          ? heard.range(of: expected) != nil
          : withoutSilence(heard).range(of: withoutSilence(expected)) != nil
      }
      if isWhole { return }
      #expect(attempt < 3, "the samples were never heard whole: \(run.errorText)")
    }
  }

  /// A server that is stopped accepts no sound, which is reported once, and so is that it goes on.
  @Test(arguments: SoundServer.Kind.allCases)
  func aServerThatDoesNotAnswer(_ kind: SoundServer.Kind) throws {
    try Tool.run(
      "sox", ["-n", "-r", "48000", "-c", "2", "long.wav", "synth", "60", "sine", "300"],
      in: folder.path
    ).succeeded()
    let server = try SoundServer(kind)
    let events = folder.file("events").string
    let player = try BackgroundProgram(
      [Program.path, "play", "--json", "--device", "two", folder.file("long.wav").string],
      environment: server.environment + server.client.map { "\($0)=\($1)" }, output: events)
    /// The events of a kind so far.
    func lines(_ event: String) throws -> [Substring] {
      try String(contentsOfFile: events, encoding: .utf8).split(separator: "\n").filter {
        $0.contains("\"event\":\"\(event)\"")
      }
    }
    #expect(try eventually { try !lines("position").isEmpty })
    server.send(SIGSTOP)
    #expect(try eventually { try !lines("stalled").isEmpty })
    server.send(SIGCONT)
    #expect(try eventually { try !lines("continued").isEmpty })
    let count = try lines("position").count
    #expect(try eventually { try lines("position").count > count })
    let stalls = try lines("stalled")
    #expect(stalls.count == 1)
    #expect(stalls.allSatisfy { $0.contains("Second: the sound server does not answer") })
    #expect(try lines("continued").count == 1)
    player.stop()
  }

  /// A server that answers is not blamed for a sink that accepts no sound: here one into a pipe that nobody reads.
  @Test func aSinkThatAcceptsNothing() throws {
    try Tool.run(
      "sox", ["-n", "-r", "48000", "-c", "2", "long.wav", "synth", "60", "sine", "300"],
      in: folder.path
    ).succeeded()
    let server = try SoundServer()
    try server.control(
      "load-module", "module-pipe-sink", "sink_name=full", "file=\(folder.file("pipe"))",
      "rate=48000", "channels=2", "sink_properties=device.description=Full"
    ).succeeded()
    let events = folder.file("events").string
    let player = try BackgroundProgram(
      [Program.path, "play", "--json", "--device", "full", folder.file("long.wav").string],
      environment: server.environment + server.client.map { "\($0)=\($1)" }, output: events)
    #expect(
      try eventually {
        try String(contentsOfFile: events, encoding: .utf8)
          .contains("Full: the sound server accepts no sound")
      })
    player.stop()
  }

  /// The stereo frames of 32-bit floating point in which a channel is not zero.
  private func withoutSilence(_ samples: Data) -> Data {
    let frames = samples.withUnsafeBytes { raw in
      stride(from: 0, to: raw.count - 7, by: 8).map {
        raw.loadUnaligned(fromByteOffset: $0, as: UInt64.self)
      }
    }
    return frames.filter { $0 & 0x7FFF_FFFF_7FFF_FFFF != 0 }.withUnsafeBytes { Data($0) }
  }

  /// A configuration of ALSA's devices, and no sound server.
  private func alsa() throws -> [String: String] {
    let text = """
      pcm.recorded {
        type file
        slave.pcm { type null }
        file "\(folder.file("recorded.raw"))"
        format raw
        hint { show on description "Records into a file" }
      }
      """
    try folder.write("asound.conf", Array(text.utf8))
    return [
      "ALSA_CONFIG_PATH": folder.file("asound.conf").string,
      "PULSE_SERVER": "unix:/nowhere/native",
    ]
  }

  @Test(arguments: files) func throughALSA(_ file: String) throws {
    let file = try make(file)
    let expected = try converted(file)
    let run = try play(file, "--device", "recorded", "-q", environment: alsa())
    #expect(run.status == 0)
    #expect(run.errorText == "")
    #expect(Data(try folder.bytes("recorded.raw")).range(of: expected) != nil)
  }

  // MARK: Devices

  @Test func devicesOfASoundServer() throws {
    let server = try SoundServer()
    let list = try play("--list-devices", environment: server.client)
    #expect(
      list.outputText
        == "one (default)\n    First, stereo, 48000 Hz\ntwo\n    Second, stereo, 48000 Hz\n")
    #expect(list.status == 0 && list.errorText == "")
    let json = try play("--list-devices", "--json", environment: server.client)
    let first = """
      {"channels":2,"default":true,"description":"First","device":"one","highestSampleRate":48000,\
      "layout":"stereo","lowestSampleRate":48000}
      """
    #expect(json.outputText.hasPrefix(first + "\n"))
    try folder.write("a.wav", Sound.wav)
    let near = try play("a.wav", "--device", "secnd", environment: server.client)
    #expect(near.status == 1)
    #expect(near.errorText == "scaleaudio: no sound device has the name secnd; use two\n")
  }

  @Test func devicesOfALSA() throws {
    let list = try play("--list-devices", environment: alsa())
    #expect(list.outputText == "recorded\n    Records into a file\n")
    #expect(list.status == 0 && list.errorText == "")
  }

  @Test func noDevices() throws {
    try folder.write("empty.conf", [])
    let environment = [
      "ALSA_CONFIG_PATH": folder.file("empty.conf").string,
      "PULSE_SERVER": "unix:/nowhere/native",
    ]
    let list = try play("--list-devices", environment: environment)
    #expect(list.status == 1)
    #expect(list.outputText == "")
    #expect(
      list.errorText.hasPrefix(
        "scaleaudio: no sound server answers, and there is no sound device; start PulseAudio"))
    #expect(list.errorText.count { $0 == "\n" } == 1)
  }

  @Test func listingPlaysNothing() throws {
    let refusal = try #require(Program.refusal(of: ["play", "--list-devices", "a.wav"]))
    #expect(refusal.status == 64)
    #expect(refusal.message.contains("leave the paths out"))
  }
}
