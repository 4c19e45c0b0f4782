internal import AudioIO
internal import ScaleAudio
internal import SystemPackage

/// Finds outputs that equal other outputs or inputs, among more lines than memory can hold.
///
/// Each path is represented by a hash of eight bytes. If two hashes are equal, their lines are read again to compare
/// the paths.
struct CollisionCheck {
  private var outputs: [Int] = []
  private var inputs: [Int] = []
  private var places = ResolvedPaths()

  /// Adds the paths of a line.
  mutating func add(_ line: RunLine) {
    for output in line.outputs { outputs.append(Self.hash(places.resolve(output))) }
    inputs.append(Self.hash(places.resolve(line.input)))
  }

  /// The hashes that may represent conflicting paths; frees the memory of all hashes.
  mutating func suspects() -> Set<Int> {
    outputs.sort()
    inputs.sort()
    var suspects: Set<Int> = []
    var place = 0
    for (index, hash) in outputs.enumerated() {
      if index > 0, outputs[index - 1] == hash { suspects.insert(hash) }
      while place < inputs.count, inputs[place] < hash { place += 1 }
      if place < inputs.count, inputs[place] == hash { suspects.insert(hash) }
    }
    (outputs, inputs) = ([], [])
    return suspects
  }

  fileprivate static func hash(_ path: FilePath) -> Int {
    var hasher = Hasher()
    path.withPlatformString { start in
      var next = start
      while next.pointee != 0 {
        hasher.combine(next.pointee)
        next += 1
      }
    }
    return hasher.finalize()
  }
}

extension CollisionCheck {
  /// Compares the paths with suspect hashes.
  struct Closer {
    /// The conflicts, in the order of the lines.
    private(set) var conflicts: [PlanningError.Conflict] = []
    /// The numbers of lines that repeat an earlier one.
    private(set) var repeated: Set<Int> = []
    private let suspects: Set<Int>
    private var owners: [FilePath: RunLine] = [:]
    private var inputs: [FilePath: FilePath] = [:]
    private var places = ResolvedPaths()

    init(_ suspects: Set<Int>) { self.suspects = suspects }

    /// Compares a line with the lines before it.
    mutating func look(at line: RunLine) {
      let input = places.resolve(line.input)
      if suspects.contains(CollisionCheck.hash(input)) {
        inputs[input] = line.input
        if let owner = owners[input] {
          conflicts.append(.outputIsInput(owner.input, output: input, other: line.input))
        }
      }
      for output in line.outputs {
        let place = places.resolve(output)
        guard suspects.contains(CollisionCheck.hash(place)) else { continue }
        if let other = inputs[place] {
          conflicts.append(.outputIsInput(line.input, output: output, other: other))
        } else if let owner = owners[place] {
          if owner.number != line.number, places.resolve(owner.input) == input,
            owner.part == line.part, owner.outputs == line.outputs
          {
            repeated.insert(line.number)
          } else {
            conflicts.append(.sameOutput(owner.input, line.input, output: output))
          }
        } else {
          owners[place] = line
        }
      }
    }
  }
}

/// Paths with their folders resolved; each folder is resolved once.
private struct ResolvedPaths {
  private var folders: [FilePath: FilePath] = [:]
  /// The last folder: consecutive lines are often in the same one.
  private var last: (folder: FilePath, resolved: FilePath)?

  mutating func resolve(_ path: FilePath) -> FilePath {
    guard let name = path.lastComponent, name.kind == .regular else {
      return RealPath.resolve(path)
    }
    let folder = path.folder
    if let last, last.folder == folder { return last.resolved.appending(name) }
    let resolved = folders[folder] ?? RealPath.resolve(folder)
    folders[folder] = resolved
    last = (folder, resolved)
    return resolved.appending(name)
  }
}
