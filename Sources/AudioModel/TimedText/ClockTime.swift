/// A time as texts tell it: `1:02:03.450`, `02:03.45`, `02:03,450`.
struct ClockTime {
  /// In units of 1 / `resolution` s.
  var units: Int
  /// Digits of the hours; 0 where there are none.
  var hourWidth: Int
  /// Digits of the minutes.
  var minuteWidth: Int
  /// What stands before the fraction, and its digits, 0 to 9.
  var separator: UInt16
  var fractionWidth: Int

  /// Units in a second.
  var resolution: Int { (0..<fractionWidth).reduce(1) { product, _ in product * 10 } }

  /// Takes a time off the front of a text: minutes and seconds, hours before or a fraction behind
  /// them where they are; `nil`, and nothing is taken, when none is there.
  static func take(
    from text: inout ArraySlice<UInt16>, separators: [Unicode.Scalar]
  ) -> ClockTime? {
    var rest = text
    guard let first = rest.takeNumber(most: 6), rest.take(":"),
      let second = rest.takeNumber(most: 2)
    else { return nil }
    var time = ClockTime(
      units: 0, hourWidth: 0, minuteWidth: first.width, separator: UInt16(ascii: "."),
      fractionWidth: 0)
    var seconds = first.value * 60 + second.value
    var afterColon = rest
    if second.value > 59 { return nil }
    if afterColon.take(":"), let third = afterColon.takeNumber(most: 2), third.value < 60,
      third.width == 2,
      !separators.contains(":")
        || separators.contains(where: { afterColon.first == UInt16(ascii: $0) })
    {
      (time.hourWidth, time.minuteWidth) = (first.width, second.width)
      seconds = seconds * 60 + third.value
      rest = afterColon
    }
    if let separator = rest.first, separators.contains(where: { UInt16(ascii: $0) == separator }) {
      var behind = rest.dropFirst()
      if let fraction = behind.takeNumber(most: 6) {
        (time.separator, time.fractionWidth) = (separator, fraction.width)
        time.units = fraction.value
        rest = behind
      }
    }
    time.units += seconds * time.resolution
    text = rest
    return time
  }

  /// The time at another length of the audio.
  func scaled(_ scale: TimeScale) -> ClockTime {
    var result = self
    result.units = scale.time(units, resolution: resolution)
    return result
  }

  /// Appends the time as it was written; `withHours` from an hour on, even where there were none.
  func append(to text: inout TextUnits, withHours: Bool) {
    let seconds = units / resolution
    if hourWidth > 0 || withHours && seconds >= 3600 {
      text.append(number: seconds / 3600, width: max(2, hourWidth))
      text.append(UInt16(ascii: ":"))
      text.append(number: seconds / 60 % 60, width: 2)
    } else {
      text.append(number: seconds / 60, width: minuteWidth)
    }
    text.append(UInt16(ascii: ":"))
    text.append(number: seconds % 60, width: 2)
    guard fractionWidth > 0 else { return }
    text.append(separator)
    text.append(number: units % resolution, width: fractionWidth)
  }
}
