import Foundation
import ScaleAudio
import TestSupport
import Testing

#if FFmpeg
  /// A damaged file plays as far as it can be read, the damage is reported, and the next file follows.
  @Suite("play of damaged files")
  struct PlayDamageTests {
    private let bench: Workbench
    private var folder: TemporaryFolder { bench.folder }

    init() throws { bench = try Workbench() }

    /// The sound of files, in 32-bit floating point, and the run.
    private func hear(_ names: [String]) throws -> (samples: [Float], run: Tool) {
      let run = try Tool.run(
        Program.path, ["play"] + names + ["-o", "heard.wav", "--overwrite"], in: folder.path)
      guard folder.exists("heard.wav") else { return ([], run) }
      let heard = try samples("heard.wav")
      try folder.remove("heard.wav")
      return (heard, run)
    }

    private func samples(_ name: String) throws -> [Float] {
      Raw.float(try bench.run("ffmpeg", "-v", "error", "-i", name, "-f", "f32le", "-").output)
    }

    private func make(_ name: String, _ options: [String]) throws -> [UInt8] {
      if !folder.exists("x.wav") {
        try bench.shell(
          "sox -R -n -r 44100 -c 2 -b 16 x.wav synth 12 pinknoise sine 100-9000 vol 0.5")
      }
      let isMerged = name.hasPrefix("merged")
      let made = isMerged ? "unmerged.ogg" : name
      try Tool.run(
        "ffmpeg", ["-v", "error", "-nostdin", "-y", "-i", "x.wav"] + options + [made],
        in: folder.path
      ).succeeded()
      if isMerged { try bench.run("mkvmerge", "-q", "-o", name, made) }
      return try folder.bytes(name)
    }

    /// Formats, what ffmpeg needs for them, and frames before the damage that may be missing: those of a packet or of a
    /// page.
    static let formats: [(name: String, options: [String], unit: Int)] = [
      ("a.wav", [], 64), ("a.aiff", [], 64), ("a.w64", [], 64), ("a.caf", [], 64),
      ("a.flac", [], 4608),
      ("a.mp3", ["-b:a", "128k"], 1152 * 3),
      ("bare.mp3", ["-b:a", "128k", "-write_xing", "0"], 1152),
      ("a.ogg", ["-c:a", "libvorbis"], 44_100 + 8192),
      ("a.opus", ["-c:a", "libopus"], 48_000 + 960),
      ("a.oga", ["-c:a", "flac"], 44_100 + 4608),
      ("a.m4a", ["-movflags", "+faststart"], 1024 * 4), ("flac.mka", ["-c:a", "flac"], 4608 * 2),
      ("vorbis.mka", ["-c:a", "libvorbis"], 8192), ("opus.mka", ["-c:a", "libopus"], 960 * 2),
      ("mp3.mka", ["-c:a", "libmp3lame"], 1152 * 3), ("opus.webm", ["-c:a", "libopus"], 960 * 2),
      ("merged-vorbis.mka", ["-c:a", "libvorbis"], 8192 * 2),
      ("merged-opus.mka", ["-c:a", "libopus"], 960 * 3),
      ("a.mpg", ["-c:a", "mp2"], 1152 * 6), ("ac3.mpg", ["-c:a", "ac3"], 1536 * 4),
      ("a.wma", [], 2048 * 12), ("a.aac", ["-c:a", "aac"], 1024 * 2),
      ("a.wv", ["-c:a", "wavpack"], 22_050),
      ("ima.wav", ["-c:a", "adpcm_ima_wav"], 1017),
    ]

    /// A file without its last two fifths plays exactly as far as it goes, like the whole file.
    @Test(arguments: formats.indices)
    func aCutFilePlaysUpToItsEnd(_ index: Int) throws {
      let (name, options, unit) = Self.formats[index]
      let bytes = try make(name, options)
      let whole = try hear([name])
      try #require(whole.run.status == 0, "\(whole.run.errorText)")
      try folder.write("cut-\(name)", Array(bytes[..<(bytes.count / 5 * 3)]))
      let cut = try hear(["cut-\(name)"])
      // Program streams declare no length.
      let isNoticed = !name.hasSuffix(".mpg")
      #expect(cut.run.status == (isNoticed ? 1 : 0))
      #expect(
        cut.run.errorText.contains("scaleaudio: cut-\(name): ") == isNoticed,
        "\(cut.run.errorText)")
      try check(cut.samples, of: whole.samples, atLeast: whole.samples.count / 5 * 3 - 2 * unit)
    }

    /// The same in the middle, where the damage shows; the next file is whole.
    @Test(
      .slow,
      arguments: formats.indices.filter {
        // PCM and ADPCM have no checksums; libavformat passes over damage in WMA.
        !["a.wav", "a.aiff", "a.w64", "a.caf", "ima.wav", "a.wma"].contains(formats[$0].name)
      })
    func playingIsExactUpToDamageInTheMiddle(_ index: Int) throws {
      let (name, options, unit) = Self.formats[index]
      let bytes = try make(name, options)
      let whole = try hear([name])
      let place = bytes.count / 2
      var numbers = SeededNumbers(seed: 5)
      let noise = (0..<3000).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      try folder.write("bad-\(name)", Array(bytes[..<place]) + noise + bytes[(place + 3000)...])
      let bad = try hear(["bad-\(name)"])
      #expect(bad.run.status == 1)
      #expect(bad.run.errorText.contains("scaleaudio: bad-\(name): "), "\(bad.run.errorText)")
      // The bytes before a place in a file of variable rate are about so much sound. Where clusters have a checksum, as
      // ffmpeg gives them, and nothing shows which block is damaged, it ends before the cluster, of up to 5 s.
      let cluster = name.hasSuffix(".mka") && !name.hasPrefix("merged")
      let least =
        whole.samples.count / 2 - 2 * unit - whole.samples.count / 25 - (cluster ? 2 * 240_000 : 0)
      // Frames of MPEG audio and AAC have no checksum, so the one in which the damage begins may still decode.
      let isUnchecked = name.hasSuffix(".mpg") || name.hasSuffix(".mp3") || name.hasSuffix(".aac")
      let unchecked = isUnchecked ? 2 * 1536 : 0
      #expect(bad.samples.count >= least, "\(bad.samples.count) of \(whole.samples.count)")
      let same = zip(bad.samples, whole.samples).prefix { $0 == $1 }.count
      #expect(same >= least - unchecked, "the same up to sample \(same)")
      let both = try hear(["bad-\(name)", name])
      #expect(both.run.status == 1)
      let before = both.samples.dropLast(whole.samples.count)
      #expect(both.samples.suffix(whole.samples.count).elementsEqual(whole.samples))
      #expect(before.elementsEqual(bad.samples))
    }

    /// Playing goes on behind damage, with what is there in the whole file, a mark where it begins, and one report.
    @Test(arguments: [
      ("a.flac", []), ("a.mp3", ["-b:a", "128k"]), ("a.ogg", ["-c:a", "libvorbis"]),
      ("a.opus", ["-c:a", "libopus"]),
    ])
    func playingGoesOnBehindDamage(_ name: String, _ options: [String]) throws {
      let bytes = try make(name, options)
      let whole = try hear([name])
      let place = bytes.count / 3
      var numbers = SeededNumbers(seed: 5)
      let noise = (0..<3000).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      try folder.write("bad-\(name)", Array(bytes[..<place]) + noise + bytes[(place + 3000)...])
      let bad = try hear(["bad-\(name)"])
      #expect(bad.run.status == 1)
      #expect(bad.run.errorText.components(separatedBy: "bad-\(name): ").count == 2)
      // Of 12 s, less than 1.5 are lost or silent.
      #expect(bad.samples.count > whole.samples.count * 7 / 8)
      #expect(bad.samples.count <= whole.samples.count + 2 * 1152 * 3)
      // The last second is that of the whole, wherever it lies.
      let end = Array(whole.samples.suffix(2 * 44_100))
      let heard = Array(bad.samples.suffix(2 * 44_100))
      let difference = zip(end, heard).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
      #expect(difference < 0.001, "\(difference)")
    }

    /// Damage of a few bytes within one packet: `convert` refuses the file, and `play` is exact up to the packet, or
    /// to the cluster that has the checksum. ffmpeg reports nothing about most of it.
    @Test(
      .slow,
      arguments: [
        ("vorbis.mka", ["-c:a", "libvorbis"]), ("opus.mka", ["-c:a", "libopus"]),
        ("mp3.mka", ["-c:a", "libmp3lame"]), ("pcm.mka", ["-c:a", "pcm_s16le"]),
      ])
    func playingIsExactUpToADamagedPacket(_ name: String, _ options: [String]) throws {
      let bytes = try make(name, options)
      let whole = try hear([name])
      var numbers = SeededNumbers(seed: 3)
      for _ in 0..<6 {
        let place = Int.random(in: bytes.count / 3..<bytes.count * 2 / 3, using: &numbers)
        var bad = bytes
        bad[place] ^= UInt8.random(in: 1...255, using: &numbers)
        try folder.write("bad-\(name)", bad)
        let converted = try Program.run(
          "bad-\(name)", "-f", "1", "-o", "strict.wav", in: folder.path)
        #expect(converted.status == 1)
        #expect(converted.errorText.contains("damaged: from byte "), "\(converted.errorText)")
        try Program.run(
          "bad-\(name)", "-f", "1", "-o", "out.wav", "--salvage", "--overwrite", in: folder.path
        ).succeeded()
        let heard = try hear(["bad-\(name)", name])
        #expect(heard.run.status == 1)
        #expect(heard.run.errorText.contains("damaged: from byte "), "\(heard.run.errorText)")
        let before = heard.samples.dropLast(whole.samples.count)
        #expect(heard.samples.suffix(whole.samples.count).elementsEqual(whole.samples))
        let same = zip(before, whole.samples).prefix { $0 == $1 }.count
        #expect(same > whole.samples.count / 3 - 2 * 260_000)
      }
    }

    /// The sound is the start of the whole, of at least this length; the last samples may differ.
    private func check(
      _ heard: some Collection<Float>, of whole: [Float], atLeast least: Int,
      lastMayDiffer last: Int = 0
    ) throws {
      #expect(heard.count >= least, "\(heard.count) of \(whole.count) samples, not \(least)")
      #expect(heard.count < whole.count)
      let same = zip(heard, whole).prefix { $0 == $1 }.count
      #expect(same >= heard.count - last, "the same up to sample \(same) of \(heard.count)")
    }

    /// A long file begins before its length is known, which follows as a separate event, unless it is known by then.
    @Test(arguments: [("a.mp3", ["-b:a", "320k", "-write_xing", "0"]), ("a.ts", ["-c:a", "mp2"])])
    func aLongFileIsMeasuredWhileItPlays(_ name: String, _ options: [String]) throws {
      _ = try make(name, ["-af", "aloop=12:529200,volume=0.4"] + options)
      let run = try Tool.run(
        "timeout", ["-s", "INT", "4", Program.path, "play", name, "--json", "-o", "null"],
        in: folder.path)
      let events = try events(of: run)
      let started = try #require(events.first { $0["event"] as? String == "started" })
      let measured = events.first { $0["event"] as? String == "measured" }
      #expect((started["lengthEstimated"] as? Bool == true) == (measured != nil))
      if let measured {
        let frames = try #require(measured["inputFrames"] as? Int)
        // 13 rounds of 12 s, and what an encoder adds at both ends.
        #expect(abs(frames - 13 * 529_200) < 4 * 1152, "\(frames)")
      }
    }

    private func events(of run: Tool) throws -> [[String: Any]] {
      try run.outputText.split(separator: "\n").map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
    }

    /// A file is measured before it is written to another: an output that takes no time would overtake a measurement
    /// beside it.
    @Test(
      .slow,
      arguments: [
        ("a.mp3", ["-b:a", "320k", "-write_xing", "0"]), ("a.mka", ["-c:a", "libmp3lame"]),
        ("a.aac", ["-c:a", "aac", "-b:a", "128k"]),
        ("a.opus", ["-c:a", "libopus", "-b:a", "256k"]),
        ("a.ac3", ["-b:a", "192k"]), ("a.ts", ["-c:a", "mp2"]),
      ])
    func aLongFileIsMeasuredBeforeItIsWritten(_ name: String, _ options: [String]) throws {
      _ = try make(name, ["-af", "aloop=12:529200,volume=0.4"] + options)
      let size = try folder.bytes(name).count
      try #require(size > 1 << 20)
      let run = try Tool.run(
        Program.path, ["play", name, "--json", "-o", "heard.wav"], in: folder.path
      ).succeeded()
      let events = try events(of: run)
      let started = try #require(events.first { $0["event"] as? String == "started" })
      #expect(started["lengthEstimated"] == nil, "\(started)")
      #expect(!events.contains { $0["event"] as? String == "measured" })
      try Tool.run(
        Program.path, ["convert", name, "-o", "written.wav", "--bits", "f32"], in: folder.path
      ).succeeded()
      // Compared as numbers: mixing makes +0 of -0.
      #expect(try samples("heard.wav") == samples("written.wav"))
    }
  }
#endif
