import AudioModel
import Foundation
import TestSupport
import Testing

@testable import AudioPlayer

/// Playing into ALSA's own file device, which has no clock.
@Suite("Sound through ALSA", .serialized)
struct ALSATests {
  /// A private configuration of devices; ALSA reads it once for the process.
  private static let folder: TemporaryFolder? = {
    guard let folder = try? TemporaryFolder() else { return nil }
    let text = """
      pcm.recorded {
        @args [ FILE ]
        @args.FILE { type string }
        type file
        slave.pcm { type null }
        file $FILE
        format raw
      }
      """
    let path = folder.file("asound.conf").string
    try? text.write(toFile: path, atomically: true, encoding: .utf8)
    setenv("ALSA_CONFIG_PATH", path, 1)
    return folder
  }()

  let folder: TemporaryFolder

  init() throws { folder = try #require(Self.folder) }

  private func recorded(_ path: String) throws -> [Int] {
    NumberedSound.numbers(
      inFloats: Array(try Data(contentsOf: URL(fileURLWithPath: path))))
  }

  @Test func theFileHoldsWhatWasDelivered() throws {
    let path = folder.file("plain.raw").string
    let output = try SoundOutputs.open(.alsa("recorded:\(path)"), spec: NumberedSound.spec)
    #expect(output.spec == NumberedSound.spec)
    let sound = NumberedSound(end: 50_000)
    try sound.start(output)
    try output.drain()
    output.close()
    #expect(sound.next == 50_000)
    #expect(try recorded(path) == Array(0..<50_000))
    #expect(output.underrunCount == 0)
    #expect(sound.events == [])
  }

  @Test func pausingLosesNothing() throws {
    let path = folder.file("paused.raw").string
    let output = try SoundOutputs.open(.alsa("recorded:\(path)"), spec: NumberedSound.spec)
    let sound = NumberedSound(end: 400_000)
    try sound.start(output)
    for _ in 1...5 {
      try output.pause()
      let next = sound.next
      usleep(5_000)
      #expect(sound.next == next)
      try output.resume()
    }
    try output.drain()
    output.close()
    #expect(try recorded(path) == Array(0..<400_000))
  }

  /// A sound on its way to a device that fails when it is asked to.
  private func play(_ path: String, end: Int) throws -> (FaultyDevice, ALSAOutput, NumberedSound) {
    let device = try FaultyDevice("recorded:\(path)", spec: NumberedSound.spec, latency: 0.06)
    let output = ALSAOutput(device, name: "faulty")
    let sound = NumberedSound(end: end)
    try sound.start(output)
    #expect(eventually { sound.next > 9_600 })
    return (device, output, sound)
  }

  /// A device that ran dry is prepared again, which is counted, and continues where it was.
  @Test func anUnderrunIsCounted() throws {
    let path = folder.file("underrun.raw").string
    let (device, output, sound) = try play(path, end: 400_000)
    device.fail([EPIPE])
    #expect(eventually { output.underrunCount == 1 })
    try output.drain()
    output.close()
    #expect(device.preparations > 0)
    #expect(try recorded(path) == Array(0..<400_000))
    #expect(sound.events == [])
  }

  /// A machine that slept: the device wakes up by itself, or is prepared again.
  @Test(arguments: [0, -ENOSYS]) func aDeviceSleeps(_ status: Int32) throws {
    let path = folder.file("suspended\(status).raw").string
    let (device, output, sound) = try play(path, end: 400_000)
    device.wakeUpStatuses = [-EAGAIN, -EAGAIN, status]
    device.fail([ESTRPIPE, ESTRPIPE, ESTRPIPE])
    #expect(eventually { sound.events == [.suspended(true), .suspended(false)] })
    try output.drain()
    output.close()
    #expect(device.wakeUpStatuses == [])
    #expect(try recorded(path) == Array(0..<400_000))
    #expect(output.underrunCount == 0)
  }

  /// A device that was unplugged is lost once; what is asked of it then is refused, and nothing waits.
  @Test func aDeviceIsLost() throws {
    let (device, output, sound) = try play(folder.file("lost.raw").string, end: .max)
    device.fail([ENODEV])
    #expect(eventually { sound.events == [.lost("faulty")] })
    let next = sound.next
    let error = #expect(throws: SoundError.self) { try output.drain() }
    #expect(error?.message == "faulty: the sound device is gone")
    #expect(throws: SoundError.self) { try output.pause() }
    _ = try output.discard()
    #expect(output.queuedFrames == 0)
    #expect(sound.next == next)
    output.close()
    #expect(sound.events == [.lost("faulty")])
  }

  @Test func missingDevicesAreNamed() throws {
    let error = #expect(throws: SoundError.self) {
      try SoundOutputs.open(.alsa("none"), spec: NumberedSound.spec)
    }
    #expect(error?.message == "no sound device has the name none")
    #expect(error?.remedy != nil)
  }
}

/// A device that answers with errors on a test's request.
private final class FaultyDevice: ALSADevice {
  private let lock = NSLock()
  private var errors: [Int32] = []
  private var statuses: [Int32] = []
  private var preparationCount = 0

  var preparations: Int { lock.withLock { preparationCount } }
  /// The results of waking up, one after another.
  var wakeUpStatuses: [Int32] {
    get { lock.withLock { statuses } }
    set { lock.withLock { statuses = newValue } }
  }

  /// Answers the next questions about room with these errors.
  func fail(_ codes: [Int32]) { lock.withLock { errors = codes } }

  override func room() -> Int {
    let code = lock.withLock { errors.isEmpty ? nil : errors.removeFirst() }
    return code.map { -Int($0) } ?? super.room()
  }

  override func prepare() -> Int32 {
    lock.withLock { preparationCount += 1 }
    return super.prepare()
  }

  override func wakeUp() -> Int32 {
    lock.withLock { statuses.isEmpty ? 0 : statuses.removeFirst() }
  }
}
