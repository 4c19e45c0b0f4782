internal import AudioIO
internal import FoundationEssentials
public import ScaleAudio
internal import SystemPackage

/// The finished outputs of a run in the order of its inputs, in a temporary file, because there may be millions.
public final class MergedOutputs {
  private let file: FileDescriptor
  private let variants: Int
  /// The number of each output among those of the run, and where it begins in the file.
  private var places: [(slot: Int, start: Int)] = []
  private var isOrdered = true
  private var waiting: [UInt8] = []
  private var written = 0

  /// No outputs yet.
  public init(_ plan: RunPlan) throws(AudioFileError) {
    file = try Spool.makeFile()
    variants = max(1, plan.parameters.count)
  }

  deinit { try? file.close() }

  /// The number of outputs.
  public var count: Int { places.count }

  /// Adds an output, in any order.
  public func add(_ output: MergedLine) throws(AudioFileError) {
    let slot = (output.line.number - 1) * variants + output.variant
    if let last = places.last, last.slot > slot { isOrdered = false }
    places.append((slot, written + waiting.count))
    let audio = (try? JSONEncoder().encode(output.audio)).map(Array.init) ?? []
    for part in [output.line.json, audio] {
      withUnsafeBytes(of: UInt32(clamping: part.count)) { waiting += $0 }
      waiting += part
    }
    if waiting.count >= 1 << 18 { try flush() }
  }

  /// The output with this index, in the order of the inputs.
  public func output(at index: Int) throws(AudioFileError) -> MergedLine {
    if !isOrdered {
      places.sort { $0.slot < $1.slot }
      isOrdered = true
    }
    if !waiting.isEmpty { try flush() }
    let place = places[index]
    var start = place.start
    guard let line = RunLine(try part(at: &start)[...]),
      let audio = try? JSONDecoder().decode(RecordedAudio.self, from: Data(try part(at: &start)))
    else { throw .cannotRead(Self.name, .ioError) }
    return MergedLine(line, place.slot % variants, audio)
  }

  private static var name: FilePath { "(temporary file)" }

  /// The bytes after their number at `start`, which moves on.
  private func part(at start: inout Int) throws(AudioFileError) -> [UInt8] {
    let header = try bytes(4, at: start)
    let count = header.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    let part = try bytes(Int(count), at: start + 4)
    start += 4 + part.count
    return part
  }

  private func bytes(_ count: Int, at start: Int) throws(AudioFileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var found = 0
    do {
      while found < count {
        let read = try bytes.withUnsafeMutableBytes {
          try file.read(
            fromAbsoluteOffset: Int64(start + found), into: .init(rebasing: $0[found...]))
        }
        guard read > 0 else { throw Errno.ioError }
        found += read
      }
    } catch {
      throw .cannotRead(Self.name, error as? Errno ?? .ioError)
    }
    return bytes
  }

  private func flush() throws(AudioFileError) {
    do {
      try file.writeAll(waiting)
    } catch {
      throw .cannotWrite(Self.name, error as? Errno ?? .ioError)
    }
    written += waiting.count
    waiting.removeAll(keepingCapacity: true)
  }
}
