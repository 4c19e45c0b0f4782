extension ScalingMethod {
  /// How far the pitch is moved on its own, in semitones.
  var semitones: Double {
    if case .stretch(let settings) = self { settings.semitones } else { 0 }
  }

  /// Whether the pitch is another when the length changes by `factor`.
  func movesPitch(by factor: Double) -> Bool {
    if case .stretch = self { semitones != 0 } else { factor != 1 }
  }
}
