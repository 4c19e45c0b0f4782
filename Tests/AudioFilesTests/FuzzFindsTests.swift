import AudioFiles
import Foundation
import SystemPackage
import Testing

@testable import AudioContainers
@testable import AudioIO

@Suite("Fuzzing finds")
struct FuzzFindsTests {
  /// Every file that ever broke a reader: `Tests/Fuzz/Finds`.
  private static let finds: [String] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fuzz/Finds")
    let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (all?.allObjects ?? []).compactMap { ($0 as? URL)?.path }
      .filter { !$0.hasSuffix("/.gitkeep") && !FileManager.default.isFolder($0) }
  }()

  @Test func findsAreThere() { #expect(Self.finds.count >= 11) }

  @Test(arguments: finds)
  func isReadOrRefused(path: String) throws {
    for salvages in [false, true] {
      let input = try InputFile(path: FilePath(path))
      _ = try TagReader.read(input, sampleRate: 44100)
      guard let reader = try? AudioFile.reader(for: input, salvaging: salvages) else { continue }
      let tracks = reader.source.storage.tracks
      #expect(tracks.isEmpty || tracks.count { $0.isSelected } == 1)
      var buffer = [Float](repeating: 0, count: 4096 * reader.source.spec.channelCount)
      var frames = 0
      var samples: [Float] = []
      do {
        while true {
          var span = buffer.mutableSpan
          let count = try reader.read(into: &span)
          if count == 0 { break }
          frames += count
          if samples.count < 1 << 20 {
            samples += buffer[..<(count * reader.source.spec.channelCount)]
          }
        }
        #expect(frames == reader.source.frameCount)
        if samples.count == frames * reader.source.spec.channelCount {
          try expectSeeks(reader, samples)
        }
      } catch {
        #expect(frames <= reader.source.frameCount)
      }
    }
  }
}

extension FuzzFindsTests {
  /// Frames after a seek are those of reading from the start.
  private func expectSeeks(_ reader: any FrameStream, _ samples: [Float]) throws {
    let (channels, frames) = (reader.source.spec.channelCount, reader.source.frameCount)
    for place in [frames - 1, 0, frames / 2, frames - 70, frames / 3] where place >= 0 {
      try reader.seek(toFrame: place)
      var buffer = [Float](repeating: 0, count: 100 * channels)
      var span = buffer.mutableSpan
      let count = try reader.read(into: &span) * channels
      let start = place * channels
      #expect(count > 0 || place == frames)
      #expect(
        zip(buffer[..<count], samples[start...]).allSatisfy { $0 == $1 },
        "frame \(place) of \(frames)")
    }
  }

  /// A grammar's walker meets files of other grammars too.
  @Test(arguments: finds, [ChunkWalker.Grammar.riff, .riffBigEndian, .iff, .caf, .wave64])
  func listedChunksAreWithinTheFile(path: String, grammar: ChunkWalker.Grammar) throws {
    let input = try InputFile(path: FilePath(path))
    for start in [0, 8, 12, 40] where start <= input.size {
      for chunk in try ChunkWalker.list(input, in: start..<input.size, grammar) {
        #expect(chunk.content.upperBound <= input.size)
      }
    }
  }
}

extension FileManager {
  fileprivate func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
