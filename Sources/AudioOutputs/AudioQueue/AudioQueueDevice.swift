#if canImport(AudioToolbox)
  internal import AudioModel
  internal import AudioToolbox
  internal import CoreAudio
  internal import CoreFoundation

  /// A device of macOS that plays.
  struct AudioQueueDevice {
    let identifier: AudioObjectID
    /// The name that stays the same when the device is connected again, and chooses it.
    let name: String
    /// The name for people.
    let description: String
    let channelCount: Int
    let sampleRate: Int?

    /// A device with its properties; `nil` if it has no channel for output.
    init?(_ identifier: AudioObjectID) {
      guard let name = Self.text(identifier, kAudioDevicePropertyDeviceUID) else { return nil }
      let count = Self.channelCount(identifier)
      guard count > 0 else { return nil }
      self.identifier = identifier
      self.name = name
      description = Self.text(identifier, kAudioObjectPropertyName) ?? name
      channelCount = count
      var rate = 0.0
      let isKnown = Self.get(identifier, kAudioDevicePropertyNominalSampleRate, into: &rate)
      sampleRate = isKnown ? Int(exactly: rate.rounded()) : nil
    }

    /// The device that sounds go to if none is named.
    static var `default`: AudioQueueDevice? {
      var identifier = AudioObjectID(kAudioObjectUnknown)
      let isKnown = get(
        AudioObjectID(kAudioObjectSystemObject), kAudioHardwarePropertyDefaultOutputDevice,
        into: &identifier)
      return isKnown ? AudioQueueDevice(identifier) : nil
    }

    /// All devices that play.
    static var all: [AudioQueueDevice] {
      let system = AudioObjectID(kAudioObjectSystemObject)
      var address = address(kAudioHardwarePropertyDevices)
      var size: UInt32 = 0
      guard AudioObjectGetPropertyDataSize(system, &address, 0, nil, &size) == 0 else { return [] }
      let count = Int(size) / MemoryLayout<AudioObjectID>.stride
      var identifiers = [AudioObjectID](repeating: 0, count: count)
      guard AudioObjectGetPropertyData(system, &address, 0, nil, &size, &identifiers) == 0 else {
        return []
      }
      return identifiers.prefix(Int(size) / MemoryLayout<AudioObjectID>.stride).compactMap {
        AudioQueueDevice($0)
      }
    }

    /// The devices for a list.
    static var listed: [SoundDevice] {
      let own = Self.default?.identifier
      return all.map { device in
        SoundDevice(
          name: device.name, description: device.description,
          isDefault: device.identifier == own, channelCount: device.channelCount, layout: nil,
          sampleRates: device.sampleRate.map { $0...$0 })
      }
    }

    static let none = SoundError(
      "there is no sound device", remedy: .any([.act("connect a sound device"), .writeSound]))

    /// The device of this name, or the default one.
    static func named(_ name: String?) throws(SoundError) -> AudioQueueDevice {
      guard let name else {
        guard let device = Self.default else { throw none }
        return device
      }
      guard let device = all.first(where: { $0.name == name || $0.description == name }) else {
        throw .unknown(name, among: listed)
      }
      return device
    }

    /// Whether the device is still connected.
    var isAlive: Bool {
      var isAlive: UInt32 = 0
      return Self.get(identifier, kAudioDevicePropertyDeviceIsAlive, into: &isAlive) && isAlive != 0
    }

    /// The layout to send for one: the same speakers in the order of a channel bitmap, or stereo if the device has fewer
    /// channels.
    func played(_ layout: ChannelLayout) -> ChannelLayout {
      layout.channelCount <= max(2, channelCount) ? layout.inMaskOrder : .stereo
    }

    // MARK: Properties

    private static func address(
      _ property: AudioObjectPropertySelector,
      _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal
    ) -> AudioObjectPropertyAddress {
      AudioObjectPropertyAddress(
        mSelector: property, mScope: scope, mElement: kAudioObjectPropertyElementMain)
    }

    /// Reads a number; `false` if the device does not have it.
    private static func get<Value: BitwiseCopyable>(
      _ identifier: AudioObjectID, _ property: AudioObjectPropertySelector, into value: inout Value
    ) -> Bool {
      var address = address(property)
      var size = UInt32(MemoryLayout<Value>.size)
      return AudioObjectGetPropertyData(identifier, &address, 0, nil, &size, &value) == 0
    }

    private static func text(
      _ identifier: AudioObjectID, _ property: AudioObjectPropertySelector
    ) -> String? {
      var address = address(property)
      var size = UInt32(MemoryLayout<Unmanaged<CFString>?>.size)
      var text: Unmanaged<CFString>?
      let status = AudioObjectGetPropertyData(identifier, &address, 0, nil, &size, &text)
      guard let text = text?.takeRetainedValue(), status == 0 else { return nil }
      var bytes = [CChar](repeating: 0, count: CFStringGetLength(text) * 4 + 1)
      let isWhole = CFStringGetCString(
        text, &bytes, bytes.count, CFStringBuiltInEncodings.UTF8.rawValue)
      return isWhole ? String(cString: bytes) : nil
    }

    private static func channelCount(_ identifier: AudioObjectID) -> Int {
      var address = address(
        kAudioDevicePropertyStreamConfiguration, kAudioObjectPropertyScopeOutput)
      var size: UInt32 = 0
      guard AudioObjectGetPropertyDataSize(identifier, &address, 0, nil, &size) == 0,
        size >= MemoryLayout<AudioBufferList>.size
      else { return 0 }
      let memory = UnsafeMutableRawPointer.allocate(
        byteCount: Int(size), alignment: MemoryLayout<AudioBufferList>.alignment)
      defer { memory.deallocate() }
      guard AudioObjectGetPropertyData(identifier, &address, 0, nil, &size, memory) == 0 else {
        return 0
      }
      let buffers = UnsafeMutableAudioBufferListPointer(
        memory.assumingMemoryBound(to: AudioBufferList.self))
      return buffers.reduce(0) { $0 + Int($1.mNumberChannels) }
    }
  }

  extension SoundError {
    /// A function of the system has failed with this status.
    static func failing(_ device: AudioQueueDevice?, _ status: OSStatus) -> SoundError {
      SoundError(
        "\(device?.description ?? "the default sound device"): the system refuses it (error \(status))",
        remedy: .act("choose another device"))
    }
  }
#endif
