import AudioFiles
import AudioModel
import TestSupport
import Testing

@testable import AudioIO

/// A reader at any frame delivers what a reading from the start delivers there, bit for bit.
@Suite("Seeking")
struct SeekingTests {
  /// Every container, and every codec that is stored in blocks of its own, as other programs make
  /// them.
  static let files: [(name: String, commands: [String])] = [
    ("pcm16.wav", ["sox x.wav -b 16 {}"]), ("pcm24.wav", ["sox x.wav -b 24 {}"]),
    ("float.wav", ["ffmpeg -i x.wav -c:a pcm_f32le {}"]),
    ("double.wav", ["ffmpeg -i x.wav -c:a pcm_f64le {}"]),
    ("ulaw.wav", ["ffmpeg -i x.wav -c:a pcm_mulaw {}"]),
    ("ima.wav", ["ffmpeg -i x.wav -c:a adpcm_ima_wav {}"]),
    ("ms.wav", ["ffmpeg -i x.wav -c:a adpcm_ms {}"]),
    ("gsm.wav", ["sox x.wav -r 8000 -c 1 -e gsm {}"]),
    ("x.aiff", ["sox x.wav {}"]), ("x.au", ["sox x.wav {}"]), ("x.w64", ["sox x.wav {}"]),
    ("x.mat5", ["sndfile-convert x.wav {}"]), ("x.avr", ["sox x.wav {}"]),
    ("x.mpc2k", ["sndfile-convert x.wav {}"]), ("x.htk", ["sox x.wav -c 1 {}"]),
    ("x.xi", ["sox x.wav -c 1 m.wav", "sndfile-convert m.wav {}"]),
    ("x.wve", ["sox x.wav -r 8000 -c 1 {}"]),
    ("x.rf64", ["ffmpeg -i x.wav -rf64 always -f wav {}"]),
    ("x.caf", ["sox x.wav {}"]), ("alac.caf", ["ffmpeg -i x.wav -c:a alac {}"]),
    ("x.paf", ["sox x.wav {}"]), ("x.mat4", ["sox x.wav {}"]),
    ("x.nist", ["sox x.wav {}"]), ("x.ircam", ["sox x.wav {}"]), ("x.pvf", ["sox x.wav {}"]),
    ("x.sds", ["sox x.wav -c 1 m.wav", "sndfile-convert m.wav {}"]),
    ("x.8svx", ["sox -D x.wav -c 1 -b 8 {}"]),
    ("paf24.paf", ["sox x.wav -b 24 y.wav", "sndfile-convert -pcm24 y.wav {}"]),
    ("x.flac", ["flac -s -o {} x.wav"]), ("fast.flac", ["flac -s -0 --no-seektable -o {} x.wav"]),
    ("odd.flac", ["flac -s -b 1009 --lax -o {} x.wav"]), ("x.oga", ["flac -s --ogg -o {} x.wav"]),
    ("open.flac", ["sh -c 'cat x.wav | flac -s -c --ignore-chunk-sizes - > {}'"]),
    ("open.oga", ["sh -c 'cat x.wav | flac -s --ogg -c --ignore-chunk-sizes - > {}'"]),
    // The numbers of its frames do not begin at 0.
    (
      "cut.oga",
      [
        "sh -c 'cat x.wav | flac -s -c --ignore-chunk-sizes - > y.flac'",
        "ffmpeg -ss 3 -i y.flac -c copy {}",
      ]
    ),
    ("x.ogg", ["oggenc -Q -o {} x.wav"]), ("low.ogg", ["oggenc -Q -q -1 -o {} x.wav"]),
    ("x.opus", ["opusenc --quiet --bitrate 96 x.wav {}"]),
    ("short.opus", ["opusenc --quiet --bitrate 128 --framesize 2.5 x.wav {}"]),
    ("mono.opus", ["opusenc --quiet --bitrate 64 --downmix-mono x.wav {}"]),
    ("silk.opus", ["opusenc --quiet --bitrate 16 --speech x.wav {}"]),
    (
      "mixed.opus",
      [
        "sox -R -n -r 44100 -c 2 -b 16 q.wav synth 3 sine 300 vol 0.002",
        "sox q.wav x.wav q.wav x.wav y.wav", "opusenc --quiet --bitrate 32 y.wav {}",
      ]
    ),
    ("six.opus", ["sox x.wav y.wav remix 1 2 1 2 1 2", "opusenc --quiet y.wav {}"]),
    (
      "low-six.opus",
      ["sox x.wav y.wav remix 1 2 1 2 1 2", "opusenc --quiet --bitrate 48 y.wav {}"]
    ),
    ("eight.opus", ["sox x.wav y.wav remix 1 2 1 2 1 2 2 1", "opusenc --quiet y.wav {}"]),
    ("ima.aifc", ["ffmpeg -i x.wav -c:a adpcm_ima_qt -f aiff {}"]),
    ("ima.w64", ["sox x.wav -e ima-adpcm {}"]),
    ("cbr.mp3", ["lame --quiet --cbr -b 128 x.wav {}"]),
    ("vbr.mp3", ["lame --quiet -V 5 x.wav {}"]),
    ("plain.mp3", ["lame --quiet -t --cbr -b 32 x.wav {}"]),
    ("bare.mp3", ["ffmpeg -i x.wav -c:a libmp3lame -write_xing 0 -id3v2_version 0 {}"]),
    ("low.mp3", ["lame --quiet --resample 8 -m m --cbr -b 8 x.wav {}"]),
    ("lsf.mp3", ["lame --quiet --resample 22.05 --abr 40 x.wav {}"]),
    ("free.mp3", ["lame --quiet --freeformat -b 400 x.wav {}"]),
    (
      "joined.mp3",
      [
        "lame --quiet -V 5 x.wav a.mp3", "lame --quiet -V 2 x.wav b.mp3",
        "sh -c 'cat a.mp3 b.mp3 > {}'",
      ]
    ),
    ("x.mp2", ["ffmpeg -i x.wav {}"]),
    (
      "chained.ogg",
      [
        "oggenc -Q -o a.ogg x.wav", "oggenc -Q -q 1 -s 7 -o b.ogg x.wav",
        "sh -c 'cat a.ogg b.ogg > {}'",
      ]
    ),
    (
      "chained.oga",
      [
        "flac -s --ogg -o a.oga x.wav", "flac -s --ogg --serial-number 7 -o b.oga x.wav",
        "sh -c 'cat a.oga b.oga > {}'",
      ]
    ),
  ]

  #if FFmpeg
    static let demuxed: [(name: String, commands: [String])] = [
      ("noise.m4a", ["ffmpeg -i x.wav -c:a aac -b:a 64k {}"]),
      ("x.m4a", ["ffmpeg -i x.wav -c:a aac -aac_pns 0 {}"]),
      ("mono.mp4", ["ffmpeg -i x.wav -ac 1 -c:a aac -aac_pns 0 -b:a 48k {}"]),
      ("six.m4a", ["ffmpeg -i x.wav -af 'pan=5.1|FL=c0|FR=c1|BL=c1' -c:a aac -aac_pns 0 {}"]),
      ("flac.caf", ["ffmpeg -i x.wav -c:a flac {}"]), ("x.voc", ["sox x.wav {}"]),
      ("alac.m4a", ["ffmpeg -i x.wav -c:a alac {}"]),
      ("pcm24.mov", ["ffmpeg -i x.wav -c:a pcm_s24le {}"]),
      ("ulaw.mov", ["ffmpeg -i x.wav -c:a pcm_mulaw {}"]),
      ("ima.mov", ["ffmpeg -i x.wav -c:a adpcm_ima_qt {}"]),
      ("flac.mp4", ["ffmpeg -i x.wav -c:a flac -strict -2 {}"]),
      ("fragments.m4a", ["ffmpeg -i x.wav -c:a alac -movflags frag_every_frame {}"]),
      ("x.mka", ["ffmpeg -i x.wav -c:a libopus {}"]),
      ("x.webm", ["ffmpeg -i x.wav -c:a libvorbis {}"]),
      ("x.ac3", ["ffmpeg -i x.wav {}"]), ("x.aac", ["ffmpeg -i x.wav {}"]),
      ("x.wma", ["ffmpeg -i x.wav {}"]), ("x.wv", ["ffmpeg -i x.wav {}"]),
      ("x.tta", ["ffmpeg -i x.wav {}"]), ("mp3.mka", ["ffmpeg -i x.wav -c:a libmp3lame {}"]),
      ("pack.wv", ["wavpack -q x.wav -o {}"]), ("hybrid.wv", ["wavpack -q -b256 x.wav -o {}"]),
      (
        "six.wv", ["sox x.wav y.wav remix 1 2 1 2 1 2", "wavpack -q y.wav -o {}"]
      ), ("float.wv", ["ffmpeg -i x.wav -c:a pcm_f32le y.wav", "wavpack -q y.wav -o {}"]),
      ("plain.aac", ["ffmpeg -i x.wav -c:a aac -aac_pns 0 {}"]),
      ("six.aac", ["ffmpeg -i x.wav -af 'pan=5.1|FL=c0|FR=c1|BL=c1' -c:a aac -aac_pns 0 {}"]),
      ("flac.mka", ["ffmpeg -i x.wav -c:a flac {}"]),
      ("merged.mka", ["flac -s -o y.flac x.wav", "mkvmerge -q -o {} y.flac"]),
      ("pcm.mka", ["ffmpeg -i x.wav -c:a pcm_s24le {}"]),
      ("laced.mka", ["mkvmerge -q -o {} x.wav"]), ("alac.mka", ["ffmpeg -i x.wav -c:a alac {}"]),
      ("tta.mka", ["ffmpeg -i x.wav -c:a tta {}"]),
      ("aac.mka", ["ffmpeg -i x.wav -c:a aac -aac_pns 0 {}"]),
      ("piped.mka", ["sh -c 'ffmpeg -i x.wav -c:a flac -f matroska - > {}'"]),
    ]
  #else
    static let demuxed: [(name: String, commands: [String])] = []
  #endif

  /// Files that are decoded up to the frame: codecs in blocks that only libsndfile reads, codecs that carry state from
  /// packet to packet, and what FFmpeg's libraries read without an index that is exact.
  static let decoded =
    Set(demuxed.map(\.name)).subtracting(indexed).union([
      "gsm.wav", "x.sds", "paf24.paf", "x.xi", "x.opus", "short.opus", "mono.opus", "silk.opus",
      "mixed.opus", "six.opus", "low-six.opus", "eight.opus",
    ])

  /// Formats that FFmpeg's libraries read packet by packet from an exact index: PCM and lossless codecs.
  static let indexed: Set = [
    "alac.m4a", "pcm24.mov", "ulaw.mov", "flac.mp4", "x.tta", "fragments.m4a", "x.wv", "pack.wv",
    "hybrid.wv", "six.wv", "float.wv",
  ]

  private func make(_ fixture: AudioFixture, _ file: (name: String, commands: [String])) throws {
    try fixture.run(
      "sox", "-R", "-n", "-r", "44100", "-c", "2", "-b", "16", "x.wav", "synth", "9", "pinknoise",
      "sine", "100-9000", "vol", "0.7")
    for command in file.commands {
      let words = command.replacing("{}", with: file.name)
      let quiet =
        words.hasPrefix("ffmpeg") ? words.replacing("ffmpeg", with: "ffmpeg -v error") : words
      try fixture.run("sh", "-c", quiet)
    }
  }

  private func samples(
    _ reader: any FrameStream, _ count: Int
  ) throws -> [Float] {
    let channels = reader.source.spec.channelCount
    var samples: [Float] = []
    while samples.count < count * channels {
      var block = [Float](
        repeating: 9, count: min(1009, count - samples.count / channels) * channels)
      var span = block.mutableSpan
      let frames = try reader.read(into: &span)
      if frames == 0 { break }
      samples += block[..<(frames * channels)]
    }
    return samples
  }

  /// At joints of pieces of Opus, libsndfile returns no frames once, and other frames than those sought if that is taken
  /// for the end.
  @Test func joinedOpusIsReadAcrossTheJoin() throws {
    let fixture = try AudioFixture()
    for command in [
      "ffmpeg -v error -f lavfi -i sine=440:sample_rate=48000:duration=7.003 -ac 1 -c:a libopus -b:a 32k p.opus",
      "sh -c 'for i in 1 2 3; do echo file p.opus; done > list'",
      "ffmpeg -v error -f concat -i list -c copy joined.opus",
    ] { try fixture.run("sh", "-c", command) }
    let input = try InputFile(path: fixture.path("joined.opus"))
    let expected = try samples(AudioFile.reader(for: input, salvaging: false), 20 * 48000)
    #expect(expected.count == 20 * 48000)
    let reader = try AudioFile.reader(for: input, salvaging: false)
    for place in [13 * 48000, 9 * 48000 + 17, 6 * 48000] {
      try reader.seek(toFrame: place)
      #expect(try samples(reader, 48000) == Array(expected[place..<place + 48000]))
    }
  }

  @Test(.slow, arguments: files + demuxed)
  func anyFrameIsThatOfAReadingFromTheStart(file: (name: String, commands: [String])) throws {
    let fixture = try AudioFixture()
    try make(fixture, file)
    let input = try InputFile(path: fixture.path(file.name))
    let whole = try AudioFile.reader(for: input, salvaging: false)
    let count = whole.source.frameCount
    let channels = whole.source.spec.channelCount
    let expected = try samples(whole, count)
    #expect(expected.count == count * channels)
    let reader = try AudioFile.reader(for: input, salvaging: false)
    #expect(reader.seeking == (Self.decoded.contains(file.name) ? .decoding : .direct))
    var numbers = SeededNumbers(seed: 7)
    // The ends, the neighbors, and places at random; those that decode up to a place take longer.
    var places = [0, count, count - 1, 1, 0, count / 2, count / 2 + 1, count / 2]
    for _ in 0..<(reader.seeking == .direct ? 200 : 20) {
      places.append(Int.random(in: 0...count, using: &numbers))
    }
    for place in places {
      // libsndfile loses what is left of the last packet.
      if ["x.sds", "paf24.paf"].contains(file.name), place > count - 60 { continue }
      try reader.seek(toFrame: place)
      let wanted = Int.random(in: 1...2500, using: &numbers)
      let found = try samples(reader, wanted)
      let end = min(count, place + wanted)
      if found != Array(expected[place * channels..<end * channels]) {
        let from = expected[place * channels..<end * channels]
        let difference = zip(found, from).map { abs($0 - $1) }.max() ?? 9
        Issue.record(
          "\(file.name) at \(place) of \(count): \(found.count) of \(from.count), differ by \(difference)"
        )
        break
      }
    }
    if Self.indexed.contains(file.name) { #expect(reader.seeking == .direct) }
    // All of it again, after the end.
    try reader.seek(toFrame: 0)
    #expect(try samples(reader, count) == expected)
  }

  /// libsndfile loses what a read inside the last packet leaves of it.
  @Test(arguments: ["x.sds", "paf24.paf"])
  func theLastPacketIsReadWhole(name: String) throws {
    let fixture = try AudioFixture()
    try make(fixture, try #require(Self.files.first { $0.name == name }))
    let input = try InputFile(path: fixture.path(name))
    let reader = try AudioFile.reader(for: input, salvaging: false)
    let channels = reader.source.spec.channelCount
    var left = reader.source.frameCount
    for size in [left - 5, left] {
      var block = [Int32](repeating: 0, count: size * channels)
      var span = block.mutableSpan
      left -= try reader.read(into: &span)
    }
    #expect(left == 0)
  }

  /// Pages may count from any position.
  @Test(arguments: [0, 300, 1_000_000])
  func positionsOfVorbisMayBeginLater(shift: Int) throws {
    let fixture = try AudioFixture()
    try make(fixture, ("x.ogg", ["oggenc -Q -o {} x.wav"]))
    let input = try InputFile(path: fixture.path("x.ogg"))
    let whole = try AudioFile.reader(for: input, salvaging: false)
    let count = whole.source.frameCount
    let expected = try samples(whole, count)
    var bytes = try fixture.bytes("x.ogg")
    for page in OggBytes.pages(bytes) {
      let place = page.offset + 6..<page.offset + 14
      let position = bytes[place].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      if position == 0 || position == .max { continue }
      for (byte, index) in place.enumerated() {
        bytes[index] = UInt8(truncatingIfNeeded: (position + UInt64(shift)) >> (8 * byte))
      }
      OggBytes.seal(&bytes, pageAt: page.offset)
    }
    try fixture.put("shifted.ogg", bytes)
    let shifted = try InputFile(path: fixture.path("shifted.ogg"))
    let reader = try AudioFile.reader(for: shifted, salvaging: false)
    let (listener, damage) = try AudioFile.listeningReader(for: shifted)
    #expect(damage == nil)
    #expect(reader.seeking == .direct)
    #expect(listener.seeking == .direct)
    var numbers = SeededNumbers(seed: 3)
    for one in [reader, listener] {
      #expect(one.source.frameCount == count)
      for _ in 0..<50 {
        let place = Int.random(in: 0..<count, using: &numbers)
        try one.seek(toFrame: place)
        let end = min(count, place + 20_000)
        #expect(try samples(one, 20_000) == Array(expected[place * 2..<end * 2]), "at \(place)")
      }
    }
  }

  /// Silence instead of lost frames is part of what is read.
  @Test(arguments: ["flac", "ogg"])
  func salvagedFilesCanSeek(kind: String) throws {
    let fixture = try AudioFixture()
    try make(
      fixture, ("x.\(kind)", [kind == "flac" ? "flac -s -o {} x.wav" : "oggenc -Q -o {} x.wav"]))
    var bytes = try fixture.bytes("x.\(kind)")
    for index in bytes.count / 2..<bytes.count / 2 + 20_000 { bytes[index] = 0x55 }
    try fixture.put("x.\(kind)", bytes)
    let input = try InputFile(path: fixture.path("x.\(kind)"))
    let whole = try AudioFile.reader(for: input, salvaging: true)
    let count = whole.source.frameCount
    let expected = try samples(whole, count)
    let reader = try AudioFile.reader(for: input, salvaging: true)
    for place in [count - 100, count / 2 + 3, 17, count / 2 + 30_000] {
      try reader.seek(toFrame: place)
      #expect(
        try samples(reader, 3000) == Array(expected[place * 2..<min(count, place + 3000) * 2]))
    }
  }
}
