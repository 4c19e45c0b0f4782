internal import AudioIO
internal import FoundationEssentials
import Glibc
public import ScaleAudio
internal import SystemPackage

/// The outcome of one output of a run: a line of a file of records.
public struct RunRecord: Codable, Hashable, Sendable {
  /// The outcome of an attempt.
  public enum Status: String, Codable, Hashable, Sendable {
    /// The output is complete.
    case done
    /// It failed because of the input or the options.
    case failed
    /// It failed because of the machine; another attempt may succeed.
    case retry
  }

  /// Identifies an output of a plan.
  public struct Slot: Hashable, Sendable {
    /// The number of the line.
    public let line: Int
    /// The index of the output among those of the line, from 0.
    public let variant: Int

    /// The output of a line with one of the settings of the run.
    public init(line: Int, variant: Int) { (self.line, self.variant) = (line, variant) }
  }

  /// The number of the line.
  public let line: Int
  /// The index of the output among those of the line, from 0.
  public let variant: Int
  /// The outcome.
  public let status: Status
  /// The time of the record, in seconds since 1970 by the clock of its machine.
  public let at: Double
  /// The output file; only if the output is done.
  public var file: OutputFileState?
  /// The audio of the output; only if the output is done.
  public var audio: RecordedAudio?
  /// The kind of error; only after a failure.
  public var errorClass: String?
  /// The file and the cause; only after a failure.
  public var error: String?

  /// The output that the record is about.
  public var slot: Slot { Slot(line: line, variant: variant) }

  /// True if this record counts instead of another of the same output. Outputs appear complete, so one that
  /// was done stays done, regardless of an overlapping attempt. Otherwise the later record counts.
  func outranks(_ other: RunRecord) -> Bool {
    if (status == .done) != (other.status == .done) { return status == .done }
    return at >= other.at
  }
}

/// The audio of an output.
public struct RecordedAudio: Codable, Hashable, Sendable {
  /// The identifier of the format.
  public let format: String
  /// The exact number of frames.
  public let frames: Int
  /// The sample rate, in Hz.
  public let sampleRate: Int
  /// The number of channels.
  public let channels: Int
  /// The name of the channel layout.
  public let layout: String
  /// The name of the sample format; `nil` for lossy codecs.
  public let sampleFormat: String?
  /// The declaration of headerless audio, as options spell it.
  public let raw: String?
  /// Output length / input length.
  public let factor: Double
  /// The frames of the source that were converted; `nil` for all frames.
  public let fromFrame, toFrame: Int?
  /// The sample rate of these frames, in Hz.
  public let sourceRate: Int
  /// The work of the limiter; `nil` if nothing was limited.
  public let limiting: Limiting?
  /// The tempo of the source in beats per minute; `nil` unless a tempo was requested.
  public let inputBPM: Double?

  /// The output of a finished conversion.
  init(_ report: ConversionReport) {
    format = report.format.id
    frames = report.outputFrames
    sampleRate = report.spec.sampleRate
    channels = report.spec.channelCount
    layout = report.spec.layout.description
    sampleFormat = report.sampleFormat?.rawValue
    raw = report.raw.map { "\($0)" }
    factor = report.factor
    (fromFrame, toFrame) = (report.part?.lowerBound, report.part?.upperBound)
    sourceRate = report.source.spec.sampleRate
    limiting = report.limiting
    inputBPM = report.tempo?.beatsPerMinute
  }

  /// The length, in seconds.
  public var seconds: Double { Double(frames) / Double(max(1, sampleRate)) }
}

/// The first line of a file of records.
struct RecordHeader: Codable, Hashable {
  static let form = "record-1"

  var schema = form
  /// The digest of the plan.
  let plan: String
  let shard: Int
  let host: String
  let process: Int32
}

/// The records of one attempt at one shard. Only this attempt writes the file, so no locks are needed.
final class RecordFile {
  private let header: RecordHeader
  private let path: FilePath
  private var file: FileDescriptor?
  /// True if the last line may be incomplete, because writing it failed.
  private var isTorn = false

  /// A file for a new attempt; it is created with the first record.
  init(_ folder: RunFolder, plan: RunPlan, shard: Int) {
    let host = Self.host
    header = RecordHeader(plan: plan.digest, shard: shard, host: host, process: getpid())
    // Hosts and process IDs may be equal in different containers.
    let attempt = String(UInt64.random(in: 0 ... .max), radix: 16)
    path = folder.records.appending("\(RunFolder.name(shard))-\(attempt).jsonl")
  }

  deinit { try? file?.close() }

  /// Appends a record in one write.
  func add(_ record: RunRecord) throws(AudioFileError) {
    do {
      var bytes: [UInt8] = isTorn ? [UInt8(ascii: "\n")] : []
      if file == nil {
        file = try FileDescriptor.open(
          path, .writeOnly, options: [.create, .exclusiveCreate, .append, .closeOnExec],
          permissions: FilePermissions(rawValue: 0o666))
        bytes += try Self.line(header)
      }
      bytes += try Self.line(record)
      guard let file else { return }
      isTorn = true
      guard try bytes.withUnsafeBytes({ try file.write($0) }) == bytes.count else {
        throw Errno.noSpace
      }
      isTorn = false
    } catch {
      throw .cannotWrite(path, error as? Errno ?? .ioError)
    }
  }

  private static func line(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
  }

  private static var host: String {
    var name = utsname()
    guard uname(&name) == 0 else { return "" }
    return withUnsafeBytes(of: &name.nodename) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

/// The records of a run by shard.
struct RecordFolder {
  /// The records of one shard.
  struct Found {
    /// The record that counts for each output.
    var records: [RunRecord.Slot: RunRecord] = [:]
    /// Lines that are not records: the file and the number of the line.
    var torn: [(path: FilePath, line: Int)] = []
  }

  /// The files of each shard.
  private(set) var files: [Int: [FilePath]] = [:]
  /// Files whose names are not those of record files.
  private(set) var strays: [FilePath] = []
  private let plan: RunPlan

  /// Lists the records of a run.
  init(_ folder: RunFolder, _ plan: RunPlan) throws(RunError) {
    self.plan = plan
    let names: [FilePath.Component]
    do throws(Errno) {
      names = try FolderListing.names(in: folder.records)
    } catch .noSuchFileOrDirectory {
      return
    } catch {
      throw .file(.cannotOpen(folder.records, error))
    }
    for name in names {
      let path = folder.records.appending(name)
      let text = name.string
      let shard = Int(text.prefix { $0.isASCII && $0.isNumber })
      if let shard, text.hasSuffix(".jsonl"), text.contains("-"), (1...plan.shards).contains(shard)
      {
        files[shard, default: []].append(path)
      } else {
        strays.append(path)
      }
    }
  }

  /// Reads the records of a shard; throws for those of another plan.
  func records(of shard: Int) throws(RunError) -> Found {
    var found = Found()
    let decoder = JSONDecoder()
    for path in files[shard] ?? [] {
      let reader = try RunError.files(LineReader(path))
      var isHeaded = false
      while let bytes = try RunError.files(reader.next()) {
        let data = Data(bytes)
        if let header = try? decoder.decode(RecordHeader.self, from: data) {
          guard header.plan == plan.digest, header.shard == shard else { throw .otherPlan(path) }
          isHeaded = true
        } else if isHeaded, let record = try? decoder.decode(RunRecord.self, from: data) {
          if let known = found.records[record.slot], !record.outranks(known) { continue }
          found.records[record.slot] = record
        } else if !bytes.isEmpty {
          found.torn.append((path, reader.number))
        }
      }
    }
    return found
  }
}
