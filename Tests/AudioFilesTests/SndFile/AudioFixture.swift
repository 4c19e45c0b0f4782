import AudioFiles
import AudioModel
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AudioIO

/// A folder of test files, with the programs that make them and the code under test at hand.
struct AudioFixture {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func path(_ name: String) -> FilePath { folder.file(name) }

  func bytes(_ name: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: path(name).string)))
  }

  func put(_ name: String, _ bytes: some Sequence<UInt8>) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name).string))
  }

  /// Runs a program in the folder and expects it to succeed.
  @discardableResult
  func run(_ tool: String, _ arguments: String...) throws -> Tool {
    let result = try Tool.run(tool, arguments, in: folder.path)
    try #require(result.status == 0, "\(tool) \(arguments): \(result.errorText)")
    return result
  }

  /// A reader's description of a file, and all its samples.
  func read(
    _ name: String, salvaging: Bool = false
  ) throws -> (source: SourceDescription, samples: [Int16], clipped: Int) {
    let input = try InputFile(path: path(name))
    let reader = try AudioFile.reader(for: input, salvaging: salvaging)
    let channels = reader.source.spec.channelCount
    var samples: [Int16] = []
    // A block of a size that divides nothing, so that ends fall anywhere.
    var block = [Int16](repeating: 0x5A5A, count: 1009 * channels)
    while true {
      var span = block.mutableSpan
      let frames = try reader.read(into: &span)
      if frames == 0 { break }
      samples += block[0..<frames * channels]
    }
    return (reader.source, samples, reader.clipping.count)
  }

  /// Writes interleaved samples in the format of this name; returns the writer's warnings. Of the frames, some at the
  /// beginning and at the end may be a pre-roll and a post-roll.
  @discardableResult
  func write<Sample: PCMSample>(
    _ name: String, _ samples: [Sample], as format: String, layout: ChannelLayout,
    rate: Int = 48000, options: EncodingOptions = EncodingOptions(),
    metadata: Metadata = Metadata(), sourceBitRate: Int? = nil, sampleFormat: SampleFormat? = nil,
    preRoll: Int = 0, postRoll: Int = 0, nextPreRoll: Int? = nil
  ) throws -> [String] {
    let output = try OutputFile(path: path(name))
    var description = OutputDescription(
      spec: AudioSpec(sampleRate: rate, layout: layout),
      frameCount: samples.count / layout.channelCount - preRoll - postRoll,
      format: try #require(AudioFormat.named(format)), options: options, metadata: metadata,
      sourceBitRate: sourceBitRate, sampleFormat: sampleFormat)
    (description.preRoll, description.postRoll) = (preRoll, postRoll)
    description.nextPreRoll = nextPreRoll
    let writer = try AudioFile.writer(to: output, as: description)
    var position = 0
    while position < samples.count {
      let end = min(position + 997 * layout.channelCount, samples.count)
      try writer.write(samples[position..<end].span)
      position = end
    }
    try writer.finish()
    try output.commit(replacing: true)
    return writer.warnings
  }

  /// The samples of a file as ffmpeg decodes them, interleaved in the order of the WAVE mask.
  func decodeWithFFmpeg(_ name: String) throws -> [Int16] {
    try Raw.int16(
      run("ffmpeg", "-v", "error", "-i", name, "-f", "s16le", "-c:a", "pcm_s16le", "-").output)
  }

  func decodeWithSox(_ name: String) throws -> [Int16] {
    try Raw.int16(
      run("sox", "-D", name, "-t", "raw", "-e", "signed", "-b", "16", "-L", "-").output)
  }

  /// One entry of the first stream, as ffprobe reads it.
  func probe(_ name: String, _ entry: String) throws -> String {
    let text = try run(
      "ffprobe", "-v", "error", "-select_streams", "a:0", "-show_entries", "stream=\(entry)", "-of",
      "default=nokey=1:noprint_wrappers=1", name
    ).outputText
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The layouts of several files as ffmpeg names them, in one run; up to `guessed` channels get the usual
  /// layout where the file has none.
  func layouts(_ names: [String], guessed: Int = 0) throws -> [String] {
    // Without an output ffmpeg lists its inputs and fails.
    let inputs = names.flatMap { ["-guess_layout_max", "\(guessed)", "-i", $0] }
    let listed = try Tool.run("ffmpeg", ["-hide_banner"] + inputs, in: folder.path).errorText
      .split(separator: "\n").filter { $0.contains("Audio: ") }
    try #require(listed.count == names.count, "\(listed)")
    // `…: Audio: pcm_s16le ([1][0][0][0] / 0x0001), 48000 Hz, 5.1(side), s16, 4608 kb/s`
    return try listed.map { line in
      let parts = line.split(separator: ",").map { $0.drop { $0 == " " } }
      let rate = try #require(parts.firstIndex { $0.hasSuffix(" Hz") }, "\(line)")
      return String(try #require(parts.dropFirst(rate + 1).first, "\(line)"))
    }
  }

  /// The samples of several files as ffmpeg decodes them, in one run.
  func decodeWithFFmpeg(_ names: [String]) throws -> [[Int16]] {
    let outputs = names.indices.flatMap { index in
      ["-map", "\(index):a:0", "-f", "s16le", "-c:a", "pcm_s16le", "decoded-\(index).raw"]
    }
    let decoded = try Tool.run(
      "ffmpeg", ["-v", "error", "-y"] + names.flatMap { ["-i", $0] } + outputs, in: folder.path)
    try #require(decoded.status == 0, "\(decoded.errorText)")
    return try names.indices.map { Raw.int16(try bytes("decoded-\($0).raw")) }
  }
}

/// The name of an error's case, without its values.
func errorName(_ error: any Error) -> String {
  guard let error = error as? AudioFileError else { return "\(error)" }
  return Mirror(reflecting: error).children.first?.label ?? "\(error)"
}
