internal import AudioIO
internal import ScaleAudio

/// The tempo that `--bpm` of a conversion would use, and where it is from.
struct ListedTempo: Encodable {
  let beatsPerMinute: Double?
  let origin: String?
  let isClear: Bool
}

/// The facts from the headers of files, and tempos, cached while the files do not change.
final class Inspections: Sendable {
  private struct Kept {
    let file: FileLibrary.File
    let facts: ListedFile
  }
  private static let maximumKept = 20_000

  private let program: any ServerProgram
  private let kept = Locked<[String: Kept]>([:])

  /// Tempos by the files' identifiers.
  private struct Tempos {
    var kept: [String: (file: FileLibrary.File, tempo: ListedTempo)] = [:]
    var isEstimating = false
  }
  private let tempos = Locked(Tempos())

  init(_ program: any ServerProgram) { self.program = program }

  /// The facts of a file, read from its headers unless they are known.
  func facts(_ file: FileLibrary.File) -> ListedFile {
    if let kept = kept.withLock({ $0[file.id] }), kept.file == file { return kept.facts }
    return report(file).facts
  }

  /// The report of a file, `nil` if it cannot be read at all, and its facts.
  func report(_ file: FileLibrary.File) -> (report: InspectionReport?, facts: ListedFile) {
    var report: InspectionReport?
    var facts = ListedFile(id: file.id)
    do throws(AudioFileError) {
      let read = try InspectionReport(of: file.opened())
      facts = ListedFile(file.id, read, read.problem.map { program.problem($0) })
      report = read
    } catch {
      facts.problem = program.problem(error)
    }
    let result = Kept(file: file, facts: facts)
    kept.withLock { kept in
      // Rarely, and then all: a list that is scrolled reads them again.
      if kept.count >= Self.maximumKept { kept.removeAll() }
      kept[file.id] = result
    }
    return (report, facts)
  }

  /// The tempo of a file, estimated unless it is known; `nil` while that of another one is estimated, since that reads all
  /// of a file.
  func tempo(
    of file: FileLibrary.File, _ cancellation: Cancellation
  ) throws(AudioFileError) -> ListedTempo? {
    let (known, begins) = tempos.withLock { tempos -> (ListedTempo?, Bool) in
      if let kept = tempos.kept[file.id], kept.file == file { return (kept.tempo, false) }
      if tempos.isEstimating { return (nil, false) }
      tempos.isEstimating = true
      return (nil, true)
    }
    guard begins else { return known }
    defer { tempos.withLock { $0.isEstimating = false } }
    let found = try InspectionReport(
      of: file.opened(), InspectionRequest(measuresTempo: true), cancellation: cancellation
    ).tempo
    let tempo = ListedTempo(
      beatsPerMinute: found?.beatsPerMinute, origin: found?.origin.rawValue,
      isClear: found?.isClear ?? false)
    tempos.withLock { tempos in
      if tempos.kept.count >= Self.maximumKept { tempos.kept.removeAll() }
      tempos.kept[file.id] = (file, tempo)
    }
    return tempo
  }
}
