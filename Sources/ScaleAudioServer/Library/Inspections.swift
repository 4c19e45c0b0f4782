internal import AudioIO
internal import ScaleAudio

/// The facts from the headers of files, cached while the files do not change.
final class Inspections: Sendable {
  private struct Kept {
    let file: FileLibrary.File
    let facts: ListedFile
  }
  private static let maximumKept = 20_000

  private let program: any ServerProgram
  private let kept = Locked<[String: Kept]>([:])

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
}
