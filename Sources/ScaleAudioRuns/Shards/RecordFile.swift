internal import AudioIO
internal import FoundationEssentials
import Glibc
internal import ScaleAudio
internal import SystemPackage

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
