#if canImport(AudioToolbox)
  internal import AudioIO
  package import AudioModel
  internal import AudioToolbox
  internal import CoreFoundation

  /// An output through an audio queue of macOS, which converts sample rates by itself.
  package final class AudioQueueOutput: SoundOutput, @unchecked Sendable {
    package let spec: AudioSpec
    package var name: String { monitor.withLock { device.description } }
    package var queuedFrames: Int { monitor.withLock { unheardFrames } }
    package var underrunCount: Int { monitor.withLock { underruns } }

    private static let bufferCount = 4
    /// How often the thread looks whether the device is still there.
    private static let deviceSeconds = 0.25

    private struct Buffers: @unchecked Sendable {
      var list: [AudioQueueBufferRef] = []
    }

    private let monitor = SoundMonitor()
    private let queue: AudioQueueRef
    /// Buffers that the queue has given back. The queue calls from within its own functions, so that this needs another
    /// lock than ``monitor``.
    private let free = Locked(Buffers())
    private let bufferFrames: Int
    private let isDefault: Bool
    private var device: AudioQueueDevice
    private var thread: SoundThread?
    private var onEvent: (@Sendable (SoundEvent) -> Void)?
    /// What was delivered and is not heard yet: the first frame on the queue's clock, and the number of frames.
    private var parts: [(start: Double, frames: Int)] = []
    private var now = 0.0
    private var lastLook = SoundMonitor.now
    private var underruns = 0
    /// Whether nothing was sent since the start or the last discard.
    private var isFresh = true
    private var isRunning = false
    private var isPaused = false
    private var isDraining = false
    private var isClosed = false
    private var isLost = false

    /// Opens a queue on the device of this name, or on the default one, which it follows.
    package init(device name: String?, spec: AudioSpec, latency: Double) throws(SoundError) {
      let device = try AudioQueueDevice.named(name)
      let sent = AudioSpec(sampleRate: spec.sampleRate, layout: device.played(spec.layout))
      let queue = try Self.queue(for: sent, on: name == nil ? nil : device, closure: free)
      self.queue = queue
      self.device = device
      self.spec = sent
      isDefault = name == nil
      bufferFrames = max(
        64, Int(latency * Double(sent.sampleRate)) / Self.bufferCount)
      let bytes = UInt32(bufferFrames * sent.channelCount * MemoryLayout<Float>.stride)
      for _ in 0..<Self.bufferCount {
        var buffer: AudioQueueBufferRef?
        let status = AudioQueueAllocateBuffer(queue, bytes, &buffer)
        guard status == 0, let buffer else {
          AudioQueueDispose(queue, true)
          throw .failing(device, status)
        }
        free.withLock { $0.list.append(buffer) }
      }
    }

    deinit { close() }

    private static func queue(
      for spec: AudioSpec, on device: AudioQueueDevice?, closure: Locked<Buffers>
    ) throws(SoundError) -> AudioQueueRef {
      let frameBytes = UInt32(spec.channelCount * MemoryLayout<Float>.stride)
      var format = AudioStreamBasicDescription(
        mSampleRate: Double(spec.sampleRate), mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked,
        mBytesPerPacket: frameBytes, mFramesPerPacket: 1, mBytesPerFrame: frameBytes,
        mChannelsPerFrame: UInt32(spec.channelCount), mBitsPerChannel: 32, mReserved: 0)
      var made: AudioQueueRef?
      let status = AudioQueueNewOutput(
        &format,
        { closure, _, buffer in
          guard let closure else { return }
          let free = Unmanaged<Locked<Buffers>>.fromOpaque(closure)
          free.takeUnretainedValue().withLock { $0.list.append(buffer) }
        }, Unmanaged.passUnretained(closure).toOpaque(), nil, nil, 0, &made)
      guard status == 0, let made else { throw .failing(device, status) }
      if spec.channelCount > 2, spec.layout.mask != 0 {
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelBitmap
        layout.mChannelBitmap = AudioChannelBitmap(rawValue: spec.layout.mask)
        // A queue that does not know the layout plays the channels in their order.
        AudioQueueSetProperty(
          made, kAudioQueueProperty_ChannelLayout, &layout,
          UInt32(MemoryLayout<AudioChannelLayout>.size))
      }
      if let device {
        var identifier = CFStringCreateWithCString(
          nil, device.name, CFStringBuiltInEncodings.UTF8.rawValue)
        let status = AudioQueueSetProperty(
          made, kAudioQueueProperty_CurrentDevice, &identifier,
          UInt32(MemoryLayout<CFString?>.size))
        guard status == 0 else {
          AudioQueueDispose(made, true)
          throw .failing(device, status)
        }
      }
      return made
    }

    package func start(
      delivering deliver: @escaping @Sendable (UnsafeMutableBufferPointer<Float>) -> Int,
      onEvent: @escaping @Sendable (SoundEvent) -> Void
    ) throws(SoundError) {
      self.onEvent = onEvent
      // What is ready is queued first, so that the sound begins with it.
      monitor.withLock { while send(deliver) {} }
      try monitor.withLock { () throws(SoundError) in if !isPaused { try run() } }
      guard let thread = SoundThread({ [self] in deliverAll(deliver) }) else { throw .noThread }
      self.thread = thread
    }

    private func deliverAll(_ deliver: (UnsafeMutableBufferPointer<Float>) -> Int) {
      let seconds = spec.seconds(frames: bufferFrames) / 4
      monitor.withLock {
        while !isClosed {
          lookForDevice()
          if isPaused || isLost {
            monitor.wait(seconds: Self.deviceSeconds)
            continue
          }
          if !send(deliver) { monitor.wait(seconds: seconds) }
        }
      }
    }

    /// Fills and sends a buffer, if one is free and samples are ready; returns whether it did.
    private func send(_ deliver: (UnsafeMutableBufferPointer<Float>) -> Int) -> Bool {
      guard let buffer = free.withLock({ $0.list.popLast() }) else { return false }
      let capacity = bufferFrames * spec.channelCount
      let samples = buffer.pointee.mAudioData.bindMemory(to: Float.self, capacity: capacity)
      let count = deliver(UnsafeMutableBufferPointer(start: samples, count: capacity))
      guard count > 0 else {
        free.withLock { $0.list.append(buffer) }
        endDrain()
        return false
      }
      buffer.pointee.mAudioDataByteSize = UInt32(
        count * spec.channelCount * MemoryLayout<Float>.stride)
      let isLate = isRunning && !isFresh && unheardFrames == 0
      var begin = AudioTimeStamp()
      let status = AudioQueueEnqueueBufferWithParameters(
        queue, buffer, 0, nil, 0, 0, 0, nil, nil, &begin)
      guard status == 0 else {
        free.withLock { $0.list.append(buffer) }
        lose()
        return false
      }
      if isLate { underruns += 1 }
      isFresh = false
      let end = parts.last.map { $0.start + Double($0.frames) } ?? now
      let isKnown = begin.mFlags.contains(.sampleTimeValid)
      parts.append((isKnown ? max(begin.mSampleTime, end) : end, count))
      return true
    }

    /// The frames delivered that are not heard yet.
    private var unheardFrames: Int {
      var time = AudioTimeStamp()
      if isRunning, AudioQueueGetCurrentTime(queue, nil, &time, nil) == 0,
        time.mFlags.contains(.sampleTimeValid)
      {
        now = max(now, time.mSampleTime)
      }
      while let first = parts.first, first.start + Double(first.frames) <= now {
        parts.removeFirst()
      }
      return parts.reduce(0) { sum, part in
        sum + part.frames - min(max(0, Int(now - part.start)), part.frames)
      }
    }

    private func endDrain() {
      guard isDraining, unheardFrames == 0 else { return }
      isDraining = false
      monitor.wake()
    }

    private func lookForDevice() {
      guard !isLost, SoundMonitor.now - lastLook >= Self.deviceSeconds else { return }
      lastLook = SoundMonitor.now
      guard isDefault else {
        if !device.isAlive { lose() }
        return
      }
      guard let current = AudioQueueDevice.default else { return lose() }
      guard current.identifier != device.identifier else { return }
      device = current
      onEvent?(.moved(current.description))
    }

    private func lose() {
      if isLost { return }
      // What is queued now stays so, even if the queue's clock goes on.
      _ = unheardFrames
      isRunning = false
      isLost = true
      isDraining = false
      monitor.wake()
      onEvent?(.lost(device.description))
    }

    private func run() throws(SoundError) {
      let status = AudioQueueStart(queue, nil)
      guard status == 0 else { throw .failing(device, status) }
      isRunning = true
    }

    package func pause() throws(SoundError) {
      try monitor.withLock { () throws(SoundError) in
        if isLost { throw lost }
        if isPaused { return }
        isPaused = true
        guard isRunning else { return }
        let status = AudioQueuePause(queue)
        guard status == 0 else { throw .failing(device, status) }
      }
    }

    package func resume() throws(SoundError) {
      try monitor.withLock { () throws(SoundError) in
        if isLost { throw lost }
        guard isPaused else { return }
        isPaused = false
        if thread != nil { try run() }
        monitor.wake()
      }
    }

    package func discard() throws(SoundError) -> Int {
      try monitor.withLock { () throws(SoundError) in
        let unheard = unheardFrames
        parts = []
        isFresh = true
        if isLost { return unheard }
        let status = AudioQueueReset(queue)
        guard status == 0 else { throw .failing(device, status) }
        return unheard
      }
    }

    package func drain() throws(SoundError) {
      try resume()
      try monitor.withLock { () throws(SoundError) in
        guard thread != nil, !isLost else { return }
        isDraining = true
        monitor.wake()
        while isDraining { monitor.wait() }
        if isLost { throw lost }
      }
    }

    package func close() {
      let isFirst = monitor.withLock {
        defer { isClosed = true }
        monitor.wake()
        return !isClosed
      }
      guard isFirst else { return }
      thread?.join()
      thread = nil
      AudioQueueDispose(queue, true)
    }

    private var lost: SoundError {
      SoundError(
        "\(device.description): the sound device is gone", remedy: .act("choose another device"))
    }
  }
#endif
