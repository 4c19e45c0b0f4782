import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Reports about damaged files.
@Suite("Inspected files: damage")
struct InspectedDamageTests {
  let bench: Workbench

  init() throws { bench = try Workbench() }

  /// The rest is reported, and so is the damage; a cut FLAC is detected without decoding.
  @Test(arguments: ["x.wav", "x.flac", "x.mp3", "x.ogg", "x.aiff", "x.opus"])
  func cutFiles(name: String) throws {
    // A page of Ogg holds up to a second.
    let isInOgg = name == "x.ogg" || name == "x.opus"
    try bench.folder.write("in.wav", isInOgg ? Sound.long : Sound.wav)
    try bench.shell(
      name == "x.opus"
        ? "opusenc --quiet in.wav x.opus"
        : name == "x.mp3" ? "lame --quiet in.wav x.mp3" : "sox in.wav \(name)")
    let whole = try bench.inspect(name)
    #expect(whole.problem == nil)
    let bytes = try bench.bytes(name)
    try bench.folder.write(name, Array(bytes.prefix(bytes.count * 2 / 3)))
    let facts = try bench.inspect(name)
    #expect(facts.problem?.errorClass == "truncated")
    #expect(facts.problem?.cause.hasPrefix("the audio ends early") == true)
    #expect(facts.source.spec.sampleRate == whole.source.spec.sampleRate)
    let (left, all) = (facts.source.frameCount, whole.source.frameCount)
    #expect(left > all / 3 && left < all, "\(left) of \(all)")
    let measured = try bench.inspect(name, .init(measuresLevels: true))
    #expect(measured.problem?.errorClass == "truncated" && measured.levels != nil)
  }

  /// The last bytes of FLAC are enough to be missed, and what follows it is not.
  @Test func endOfFLAC() throws {
    try bench.folder.write("x.flac", Sound.flac)
    try bench.folder.write("y.flac", Array(Sound.flac.dropLast(3)))
    #expect(try bench.inspect("y.flac").problem?.errorClass == "truncated")
    var tag = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
    tag[3] = 65
    try bench.folder.write("z.flac", Sound.flac + tag)
    #expect(try bench.inspect("z.flac").problem == nil)
    // Frames of silence are shorter than the header of a frame may be.
    try bench.shell(
      "head -c 52428 /dev/zero | flac -s --force-raw-format --endian=little --sign=signed "
        + "--channels=1 --bps=16 --sample-rate=8000 -o silent.flac -")
    #expect(try bench.inspect("silent.flac").problem == nil)
    try bench.folder.write("cut.flac", Array(try bench.bytes("silent.flac").dropLast(1)))
    #expect(try bench.inspect("cut.flac").problem?.errorClass == "truncated")
    // A variable block size, and frames of unknown size.
    try bench.shell("ffmpeg -v error -i x.flac -f flac - | cat > pipe.flac")
    #expect(try bench.inspect("pipe.flac").source.lengthBasis == .counted)
  }
}
