import AudioFiles
import AudioIO
import Glibc
import ScaleAudio
import SystemPackage

/// A whole conversion of a file into a folder in memory; the file itself decides format, factor and method.
struct FuzzConversion {
  private static let formats = [
    "wav", "flac", "ogg", "aiff", "caf", "w64", "rf64", "au", "opus", "mp3", "m4a", "oga",
  ]
  private static let factors = [0.01, 0.5, 0.997, 1, 1.5, 2.25]
  private static let methods: [ScalingMethod] = [
    .smoothstep, .linear, .sinc(quality: .fast), .stretch(),
  ]
  /// No more than this many frames are read of one input.
  private static let maximumFrames = 200_000

  private let settings: ConversionSettings
  private let files: FilePolicy
  private let output: FilePath

  /// Chooses by a hash of the content (FNV-1a), so that a file that was found does the same again.
  init?(of input: borrowing InputFile) throws(AudioFileError) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in try input.bytes(at: 0, count: input.size) {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    func choose<Value>(_ values: [Value]) -> Value {
      defer { hash /= UInt64(values.count) }
      return values[Int(hash % UInt64(values.count))]
    }
    let name = choose(Self.formats)
    guard let factor = TimeFactor(choose(Self.factors)) else { return nil }
    var settings = ConversionSettings(
      time: .factor(factor), method: choose(Self.methods), format: .named(name))
    settings.channels = choose([.unchanged, .unchanged, .mono(.mean)])
    settings.level = choose([.unchanged, .unchanged, .guarded])
    settings.allowsLayoutLoss = true
    self.settings = settings
    files = FilePolicy(existing: .replace, salvages: choose([false, true]), syncsOutput: false)
    output = FilePath("/dev/shm/scaleaudio-fuzz-\(getpid())/output.\(name)")
  }

  /// Converts; an output must read back whole, with the length that was reported.
  func run(_ descriptor: FileDescriptor) throws {
    let folder = output.removingLastComponent()
    mkdir(folder.string, 0o700)
    defer { check(folder) }
    let cancellation = Cancellation()
    let report = try Conversion(
      input: .file(FilePath("/proc/self/fd/\(descriptor.rawValue)")), output: .file(output),
      settings: settings, files: files
    ).run(cancellation: cancellation) { progress in
      if progress.frames > Self.maximumFrames { cancellation.cancel() }
    }
    precondition(report.outputFrames >= 0)
    let written: Int
    do {
      let made = try InputFile(path: output)
      written = try AudioFile.reader(for: made, salvaging: false).source.frameCount
    } catch {
      fatalError("the output does not open: \(error)")
    }
    precondition(written == report.outputFrames, "\(written) of \(report.outputFrames) frames")
  }

  /// Removes the output; nothing else may be there.
  private func check(_ folder: FilePath) {
    unlink(output.string)
    precondition(rmdir(folder.string) == 0, "a file was left behind")
  }
}
