internal import AudioModel

/// The map from output frames to source frames: a constant factor or a time map, with the original speed
/// around attacks.
struct StretchMap {
  /// A place in the source and in the output, in frames.
  struct Place {
    var source, output: Double
  }

  /// The corners of the map, rising in both directions; at the original speed before and after.
  private(set) var corners: [Place]
  /// The attacks, at their exact places.
  private(set) var attacks: [Place] = []

  /// Seconds around an attack at the original speed.
  static let (before, after) = (0.004, 0.002)

  /// A map without attacks.
  ///
  /// - Parameter scale: A factor of all output places.
  init(inputFrames: Int, outputFrames: Int, map: TimeMap?, scale: Double) {
    let end = Place(source: Double(inputFrames), output: Double(outputFrames) * scale)
    let points = map?.points ?? [TimeMap.Point(source: 0, output: 0)]
    corners =
      points.filter { $0.source <= end.source - 1 && $0.output <= Double(outputFrames) - 1 }
      .map { Place(source: $0.source, output: $0.output * scale) } + [end]
  }

  /// A map without attacks, through corners that rise in both directions.
  init(corners: [Place]) { self.corners = corners }

  /// The map at the original speed around attacks, in frames of the source in rising order.
  func around(_ places: [Int], sampleRate: Int) -> StretchMap {
    var map = self
    var corner = 0
    var attacks: [Place] = []
    for place in places {
      let source = Double(place)
      while corner + 2 < corners.count, corners[corner + 1].source <= source { corner += 1 }
      guard corner + 1 < corners.count, source < corners[corners.count - 1].source else { break }
      let (one, next) = (corners[corner], corners[corner + 1])
      let slope = (next.output - one.output) / (next.source - one.source)
      attacks.append(Place(source: source, output: one.output + (source - one.source) * slope))
    }
    map.attacks = attacks
    map.corners = []
    var left = 0
    for (index, attack) in attacks.enumerated() {
      let earlier = index > 0 ? attacks[index - 1] : corners[0]
      let later = index + 1 < attacks.count ? attacks[index + 1] : corners[corners.count - 1]
      let least = { (one: Place, next: Place) in
        0.4 * min(next.source - one.source, next.output - one.output)
      }
      // If attacks are dense, a part of the way between them stays free.
      let ahead = min(Self.before * Double(sampleRate), least(earlier, attack))
      let behind = min(Self.after * Double(sampleRate), least(attack, later))
      while left < corners.count, corners[left].source < attack.source - ahead,
        corners[left].output < attack.output - ahead
      {
        map.append(corners[left])
        left += 1
      }
      map.append(Place(source: attack.source - ahead, output: attack.output - ahead))
      map.append(Place(source: attack.source + behind, output: attack.output + behind))
      while left < corners.count - 1,
        corners[left].source <= attack.source + behind
          || corners[left].output <= attack.output + behind
      { left += 1 }
    }
    for place in corners[left...] { map.append(place) }
    return map
  }

  /// Appends a corner, unless it does not rise.
  private mutating func append(_ place: Place) {
    if let last = corners.last, place.source <= last.source || place.output <= last.output {
      return
    }
    corners.append(place)
  }

  /// The most source frames for an output frame, at least 1.
  var steepest: Double {
    zip(corners, corners.dropFirst()).reduce(1) {
      max($0, ($1.1.source - $1.0.source) / ($1.1.output - $1.0.output))
    }
  }

  /// The least output frames for a source frame between two corners.
  var gentlest: Double {
    zip(corners, corners.dropFirst()).reduce(.infinity) {
      min($0, ($1.1.output - $1.0.output) / ($1.1.source - $1.0.source))
    }
  }

  /// True if every frame keeps its position.
  var isIdentity: Bool { corners.allSatisfy { $0.source == $0.output } }
}

/// A position on a map, which moves forward only.
struct MapCursor {
  private var corner = 0
  private var attack = 0
  private var nearest = 0

  /// Continues on another map, which lacks the first attacks of the last one.
  mutating func continueOnMap(droppingAttacks attacks: Int) {
    corner = 0
    (attack, nearest) = (max(0, attack - attacks), max(0, nearest - attacks))
  }

  /// The distance of the nearest attack from output frame `output` over that from its source frame `source`, where
  /// the attack is less than `reach` frames of the source away; otherwise 1. At most 3.
  mutating func attackScale(
    at output: Int, from source: Int, on map: StretchMap, reach: Int
  ) -> Double {
    let attacks = map.attacks
    func distance(_ index: Int) -> Double { abs(attacks[index].source - Double(source)) }
    while nearest + 1 < attacks.count, distance(nearest + 1) < distance(nearest) { nearest += 1 }
    guard nearest < attacks.count, distance(nearest) < Double(reach), distance(nearest) > 1 else {
      return 1
    }
    let attack = attacks[nearest]
    let scale = (attack.output - Double(output)) / (attack.source - Double(source))
    return scale < 0 ? 1 : min(scale, 3)
  }

  /// How much later than in the source the nearest attack lies in the window of a frame, in frames, if it lies within
  /// `reach` in both; after ``attackScale(at:from:on:reach:)``.
  func attackDelay(
    at output: Int, from source: Int, on map: StretchMap, reach: Int
  ) -> Double? {
    guard nearest < map.attacks.count else { return nil }
    let attack = map.attacks[nearest]
    let (place, made) = (attack.source - Double(source), attack.output - Double(output))
    guard max(abs(place), abs(made)) < Double(reach) else { return nil }
    return made - place
  }

  /// True if the nearest attack lies within `reach` in the source only, after
  /// ``attackScale(at:from:on:reach:)``.
  func isAttackOutside(at output: Int, from source: Int, on map: StretchMap, reach: Int) -> Bool {
    guard nearest < map.attacks.count else { return false }
    let attack = map.attacks[nearest]
    return abs(attack.source - Double(source)) < Double(reach)
      && abs(attack.output - Double(output)) >= Double(reach)
  }

  /// The source frame at output frame `output`, and whether the cursor reaches an attack there.
  ///
  /// - Parameters:
  ///   - ahead: The output frames before an attack from which on it counts as reached.
  mutating func step(to output: Int, on map: StretchMap, ahead: Double) -> (
    source: Int, isAttack: Bool
  ) {
    let place = Double(output)
    var reached: StretchMap.Place?
    while attack < map.attacks.count, map.attacks[attack].output - ahead <= place {
      reached = map.attacks[attack]
      attack += 1
    }
    if let reached {
      return (Int((reached.source + place - reached.output).rounded()), true)
    }
    return (Int(self.place(at: output, on: map).source.rounded()), false)
  }

  /// The source frame at output frame `output`, and how many source frames an output frame takes there.
  mutating func place(at output: Int, on map: StretchMap) -> (source: Double, slope: Double) {
    let (place, corners) = (Double(output), map.corners)
    while corner + 1 < corners.count, corners[corner + 1].output <= place { corner += 1 }
    let one = corners[corner]
    var slope = 1.0
    if corner + 1 < corners.count, place >= one.output {
      let next = corners[corner + 1]
      slope = (next.source - one.source) / (next.output - one.output)
    }
    return (one.source + (place - one.output) * slope, slope)
  }
}

extension StretchMap {
  /// Checks that the factor of every segment is in range. Lengths are rounded to frames, so one frame more or less is
  /// accepted.
  func checkSlopes(of engine: StretchSettings.Engine) throws(ScalingError) {
    let range = engine.factorRange
    for (one, next) in zip(corners, corners.dropFirst()) {
      let (frames, made) = (next.source - one.source, next.output - one.output)
      guard made + 1 >= range.lowerBound * frames, made - 1 <= range.upperBound * frames else {
        throw StretchSettings.outOfRange(factor: made / frames, of: engine)
      }
    }
  }
}
