#if RubberBand
  internal import CRubberBand
  import Glibc

  /// A Rubber Band stretcher, offline and on the calling thread, with a buffer of `Float` planes for input
  /// and output.
  ///
  /// Input is converted to `Float` and cut into exactly the blocks that the library requires, so the output
  /// does not depend on the block sizes.
  final class Stretcher {
    /// The capacity of a plane, in frames.
    static let planeFrames = 4096

    private let state: RubberBandState
    private let channelCount: Int
    private let planes: UnsafeMutablePointer<Float>
    private let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    private let constantRows: UnsafeMutablePointer<UnsafePointer<Float>?>
    /// The number of frames in the planes that the library has not processed.
    private var waiting = 0

    /// A stretcher for an overall `ratio` of lengths; `minimumRatio` is the lowest ratio of any part.
    convenience init(
      ratio: Double, minimumRatio: Double, channelCount: Int, sampleRate: Int,
      settings: StretchSettings
    ) {
      self.init(
        channelCount: channelCount, sampleRate: sampleRate,
        options: settings.options(minimumRatio: minimumRatio))
      rubberband_set_time_ratio(state, ratio)
      rubberband_set_pitch_scale(state, settings.pitchScale)
      rubberband_set_max_process_size(state, UInt32(Self.planeFrames))
    }

    /// A stretcher whose rate and pitch change while it runs.
    ///
    /// Pitch is shifted by resampling after stretching, which alone changes without a jump.
    convenience init(liveAt rate: Double, semitones: Double, channelCount: Int, sampleRate: Int) {
      let parts = [
        RubberBandOptionProcessRealTime, RubberBandOptionThreadingNever,
        RubberBandOptionChannelsTogether, RubberBandOptionEngineFiner,
        RubberBandOptionPitchHighConsistency,
      ]
      self.init(
        channelCount: channelCount, sampleRate: sampleRate,
        options: RubberBandOptions(parts.reduce(0) { $0 | $1.rawValue }))
      set(rate: rate, semitones: semitones)
      rubberband_set_max_process_size(state, UInt32(Self.planeFrames))
    }

    private init(channelCount: Int, sampleRate: Int, options: RubberBandOptions) {
      self.channelCount = channelCount
      // At a ratio of 1, creation prints nothing. The debug level then turns off later messages.
      state = rubberband_new(
        UInt32(min(max(sampleRate, Self.rates.lowerBound), Self.rates.upperBound)),
        UInt32(clamping: channelCount), options, 1, 1)
      rubberband_set_debug_level(state, -1)
      planes = .allocate(capacity: channelCount * Self.planeFrames)
      planes.initialize(repeating: 0, count: channelCount * Self.planeFrames)
      rows = .allocate(capacity: channelCount)
      constantRows = .allocate(capacity: channelCount)
      for channel in 0..<channelCount {
        let row = planes + channel * Self.planeFrames
        (rows + channel).initialize(to: row)
        (constantRows + channel).initialize(to: UnsafePointer(row))
      }
    }

    deinit {
      rubberband_delete(state)
      planes.deallocate()
      rows.deallocate()
      constantRows.deallocate()
    }

    /// The sample rates that the library supports; others are treated as the nearest.
    private static var rates: ClosedRange<Int> { 8_000...192_000 }

    /// Maps positions in the input to positions in the output. Call it after the study and before the first
    /// processing.
    func map(_ points: [(source: UInt32, output: UInt32)]) {
      var sources = points.map(\.source)
      var outputs = points.map(\.output)
      rubberband_set_key_frame_map(state, UInt32(clamping: points.count), &sources, &outputs)
    }

    /// The number of frames that can be retrieved.
    var available: Int { max(0, Int(rubberband_available(state))) }

    /// The number of frames to put before the library can process; valid while nothing is available.
    var lacking: Int {
      let required = min(max(1, Int(rubberband_get_samples_required(state))), Self.planeFrames)
      return max(0, required - waiting)
    }

    /// Appends interleaved frames to the planes.
    func put(_ frames: Span<Double>, from start: Int, count: Int) {
      for channel in 0..<channelCount {
        let row = planes + channel * Self.planeFrames + waiting
        var index = start * channelCount + channel
        for i in 0..<count {
          row[i] = Float(bounded: frames[index])
          index += channelCount
        }
      }
      waiting += count
    }

    /// Appends interleaved frames to the planes, at most as many as there is room for.
    func put(_ frames: UnsafePointer<Float>, count: Int) {
      for channel in 0..<channelCount {
        let row = planes + channel * Self.planeFrames + waiting
        for i in 0..<count { row[i] = frames[i * channelCount + channel] }
      }
      waiting += count
    }

    /// Appends silent frames to the planes.
    func putSilence(_ count: Int) {
      for channel in 0..<channelCount {
        (planes + channel * Self.planeFrames + waiting).update(repeating: 0, count: count)
      }
      waiting += count
    }

    /// The number of frames for which the planes have room.
    var room: Int { Self.planeFrames - waiting }

    /// Studies the frames in the planes.
    func study(isLast: Bool) {
      rubberband_study(state, constantRows, UInt32(waiting), isLast ? 1 : 0)
      waiting = 0
    }

    /// Processes the frames in the planes.
    func process(isLast: Bool) {
      rubberband_process(state, constantRows, UInt32(waiting), isLast ? 1 : 0)
      waiting = 0
    }

    /// Retrieves up to `count` frames into the planes, and returns their number.
    func skip(_ count: Int) -> Int {
      Int(rubberband_retrieve(state, rows, UInt32(min(count, Self.planeFrames))))
    }

    /// Retrieves up to `count` frames into `output` from frame `start`, and returns their number.
    func retrieve(_ count: Int, into output: inout MutableSpan<Double>, at start: Int) -> Int {
      let made = skip(count)
      for channel in 0..<channelCount {
        let row = planes + channel * Self.planeFrames
        var index = start * channelCount + channel
        for i in 0..<made {
          output[index] = Double(row[i])
          index += channelCount
        }
      }
      return made
    }

    /// Retrieves up to `count` frames, interleaved, and returns their number.
    func retrieve(_ count: Int, into output: UnsafeMutablePointer<Float>) -> Int {
      let made = skip(count)
      for channel in 0..<channelCount {
        let row = planes + channel * Self.planeFrames
        for i in 0..<made { output[i * channelCount + channel] = row[i] }
      }
      return made
    }

    /// Changes the rate, input frames / output frames, and the pitch of a stretcher that runs.
    func set(rate: Double, semitones: Double) {
      rubberband_set_time_ratio(state, 1 / rate)
      rubberband_set_pitch_scale(state, semitones == 0 ? 1 : exp2(semitones / 12))
    }

    /// The number of frames that the library wants before the first one, if it is live.
    var startPad: Int { Int(rubberband_get_preferred_start_pad(state)) }
    /// The number of output frames before that of the first frame, at the current pitch, if it is live.
    var startDelay: Int { Int(rubberband_get_start_delay(state)) }
  }

  extension Float {
    /// The nearest `Float` within the range of a stretcher. NaN becomes silence.
    fileprivate init(bounded value: Double) {
      let bound = 0x1p100
      self = value.isNaN ? 0 : Float(min(max(value, -bound), bound))
    }
  }

  extension StretchSettings {
    /// The pitch shift as a ratio of frequencies.
    var pitchScale: Double { semitones == 0 ? 1 : exp2(semitones / 12) }

    /// True if R3 must be restricted to its short window, given the lowest ratio of any part of the audio.
    func isShort(minimumRatio: Double) -> Bool { minimumRatio * pitchScale < 0.125 }

    /// Rubber Band's options for these settings; `minimumRatio` is the lowest ratio of any part of the audio.
    ///
    /// One thread, so that results never depend on the machine. Channels are kept together: for wide stereo
    /// noise with a correlation of -0.34, stretched by 1.5, R3 produced -0.15 with the option and 0.03
    /// without. For chords split between two channels it made no difference.
    ///
    /// Between 1/16 and 1/8, counting the pitch, R3 of version 3.1.2 reads up to half a window beyond one
    /// of its buffers (hops longer than half its middle window, with readahead), and produces full-scale
    /// noise or NaN. Below 1/8 it is restricted to one short window, which has no such hops.
    func options(minimumRatio: Double) -> RubberBandOptions {
      let formant =
        formants == .preserve ? RubberBandOptionFormantPreserved : RubberBandOptionFormantShifted
      let window =
        isShort(minimumRatio: minimumRatio)
        ? RubberBandOptionWindowShort : RubberBandOptionWindowStandard
      let parts = [
        RubberBandOptionProcessOffline, RubberBandOptionThreadingNever,
        RubberBandOptionChannelsTogether, RubberBandOptionEngineFiner, formant, window,
      ]
      return RubberBandOptions(parts.reduce(0) { $0 | $1.rawValue })
    }
  }
#endif
