public import CScaleAudio
internal import TimeScaling

// The functions of scaleaudio.h, which documents them. The compiler compares them with it.

/// The number of this interface.
@c @implementation
public func scaleaudio_abi() -> Int32 { Int32(SCALEAUDIO_ABI) }

/// The version, as text that stays in memory.
@c @implementation
public func scaleaudio_version() -> UnsafePointer<CChar>! {
  let text: StaticString = "0.1.0"
  return UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// The meaning of an error, as text that stays in memory.
@c @implementation
public func scaleaudio_error_text(_ error: Int64) -> UnsafePointer<CChar>! {
  UnsafeRawPointer(InterfaceError.text(Int(error)).utf8Start).assumingMemoryBound(to: CChar.self)
}

/// Sets defaults.
@c @implementation
public func scaleaudio_defaults(
  _ settings: UnsafeMutablePointer<scaleaudio_settings>!, _ size: Int
) -> Int32 {
  guard let settings, size == MemoryLayout<scaleaudio_settings>.stride else {
    return Int32(SCALEAUDIO_INVALID)
  }
  settings.pointee = scaleaudio_settings(
    size: size, method: Int32(SCALEAUDIO_SMOOTHSTEP), quality: Int32(SCALEAUDIO_HIGH),
    formants: Int32(SCALEAUDIO_SHIFT), sample_type: Int32(SCALEAUDIO_FLOAT32),
    layout: Int32(SCALEAUDIO_INTERLEAVED), dither: Int32(SCALEAUDIO_DITHER), channels: 1,
    sample_rate: 44100, factor: 1, semitones: 0, input_frames: -1, output_frames: -1, map: nil,
    map_points: 0)
  return 0
}

/// The frames that settings make of a number of input frames.
@c @implementation
public func scaleaudio_output_frames(
  _ settings: UnsafePointer<scaleaudio_settings>!, _ input_frames: Int64
) -> Int64 {
  answer { () throws(InterfaceError) in
    let (settings, frames) = (try given(settings), try count(input_frames))
    return try ScalerSettings(settings, frames: frames).lengths(for: frames).outputFrames
  }
}

/// Scales a whole signal.
@c @implementation
public func scaleaudio_scale(
  _ settings: UnsafePointer<scaleaudio_settings>!, _ input: UnsafeRawPointer!, _ frames: Int64,
  _ output: UnsafeMutableRawPointer!, _ capacity: Int64, _ message: UnsafeMutablePointer<CChar>!,
  _ message_size: Int
) -> Int64 {
  answer(message, message_size) { () throws(InterfaceError) in
    let (frames, capacity) = (try count(frames), try count(capacity))
    let scaler = try ScalerSettings(try given(settings), frames: frames).scaler()
    return try scaler.scale(input, count: frames, into: output, capacity: capacity)
  }
}

/// Makes a scaler.
@c @implementation
public func scaleaudio_create(
  _ settings: UnsafePointer<scaleaudio_settings>!,
  _ scaler: UnsafeMutablePointer<OpaquePointer?>!, _ message: UnsafeMutablePointer<CChar>!,
  _ message_size: Int
) -> Int32 {
  scaler?.pointee = nil
  let result = answer(message, message_size) { () throws(InterfaceError) in
    guard let scaler else { throw InterfaceError(SCALEAUDIO_INVALID, "the scaler is NULL") }
    let made = try ScalerSettings(try given(settings)).scaler()
    scaler.pointee = OpaquePointer(Unmanaged.passRetained(made).toOpaque())
    return 0
  }
  return Int32(result)
}

/// Frees a scaler.
@c @implementation
public func scaleaudio_destroy(_ scaler: OpaquePointer!) {
  guard let scaler else { return }
  Unmanaged<InterfaceScaler>.fromOpaque(UnsafeRawPointer(scaler)).release()
}

/// Takes the next frames of a first pass.
@c @implementation
public func scaleaudio_study(
  _ scaler: OpaquePointer!, _ input: UnsafeRawPointer!, _ frames: Int64
) -> Int32 {
  Int32(
    answer(of: scaler) { scaler throws(InterfaceError) in
      try scaler.study(input, count: try count(frames))
      return 0
    })
}

/// Takes the next frames.
@c @implementation
public func scaleaudio_push(
  _ scaler: OpaquePointer!, _ input: UnsafeRawPointer!, _ frames: Int64
) -> Int32 {
  Int32(
    answer(of: scaler) { scaler throws(InterfaceError) in
      try scaler.push(input, count: try count(frames))
      return 0
    })
}

/// Declares the input complete.
@c @implementation
public func scaleaudio_end(_ scaler: OpaquePointer!) -> Int32 {
  Int32(
    answer(of: scaler) { scaler throws(InterfaceError) in
      try scaler.end()
      return 0
    })
}

/// Makes the next frames.
@c @implementation
public func scaleaudio_pull(
  _ scaler: OpaquePointer!, _ output: UnsafeMutableRawPointer!, _ capacity: Int64
) -> Int64 {
  answer(of: scaler) { scaler throws(InterfaceError) in
    try scaler.pull(output, capacity: try count(capacity))
  }
}

/// Returns a scaler to the state of a new one.
@c @implementation
public func scaleaudio_reset(_ scaler: OpaquePointer!) -> Int32 {
  Int32(
    answer(of: scaler) { scaler throws(InterfaceError) in
      scaler.reset()
      return 0
    })
}

/// Begins at an output frame.
@c @implementation
public func scaleaudio_begin(_ scaler: OpaquePointer!, _ frame: Int64) -> Int64 {
  answer(of: scaler) { scaler throws(InterfaceError) in
    try scaler.begin(atOutput: try count(frame))
  }
}

/// Writes the sentence of a scaler's last error.
@c @implementation
public func scaleaudio_message(
  _ scaler: OpaquePointer!, _ message: UnsafeMutablePointer<CChar>!, _ message_size: Int
) -> Int32 {
  Int32(
    answer { () throws(InterfaceError) in
      write(try behind(scaler).message, to: message, message_size)
      return 0
    })
}

/// The result of some work of a scaler, or the code of its error, whose sentence the scaler keeps.
private func answer(
  of scaler: OpaquePointer?, _ work: (InterfaceScaler) throws(InterfaceError) -> Int
) -> Int64 {
  answer { () throws(InterfaceError) in
    let scaler = try behind(scaler)
    do throws(InterfaceError) {
      return try work(scaler)
    } catch {
      scaler.message = error.message
      throw error
    }
  }
}

/// The result of some work, or the code of its error, whose sentence is written to `message`.
private func answer(
  _ message: UnsafeMutablePointer<CChar>? = nil, _ size: Int = 0,
  _ work: () throws(InterfaceError) -> Int
) -> Int64 {
  do throws(InterfaceError) {
    return Int64(try work())
  } catch {
    write(error.message, to: message, size)
    return Int64(error.code)
  }
}

/// Writes a sentence for C, cut to a size.
private func write(_ sentence: String, to message: UnsafeMutablePointer<CChar>?, _ size: Int) {
  // A size of C beyond the range of `Int` arrives as a negative one.
  guard let message, size > 0 else { return }
  var length = 0
  for byte in sentence.utf8.prefix(size - 1) {
    message[length] = CChar(bitPattern: byte)
    length += 1
  }
  message[length] = 0
}

private func given(
  _ settings: UnsafePointer<scaleaudio_settings>?
) throws(InterfaceError) -> scaleaudio_settings {
  guard let settings else { throw InterfaceError(SCALEAUDIO_INVALID, "the settings are NULL") }
  return settings.pointee
}

private func behind(_ scaler: OpaquePointer?) throws(InterfaceError) -> InterfaceScaler {
  guard let scaler else { throw InterfaceError(SCALEAUDIO_INVALID, "the scaler is NULL") }
  return Unmanaged<InterfaceScaler>.fromOpaque(UnsafeRawPointer(scaler)).takeUnretainedValue()
}

/// A number of frames, at most 2^48, so that no product of it overflows.
private func count(_ frames: Int64) throws(InterfaceError) -> Int {
  guard frames >= 0 else {
    throw InterfaceError(SCALEAUDIO_INVALID, "a number of frames is negative: \(frames)")
  }
  return Int(min(frames, 1 << 48))
}
