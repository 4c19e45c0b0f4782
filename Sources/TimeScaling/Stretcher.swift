#if RubberBand
  internal import CRubberBand

  /// One of Rubber Band's stretchers, offline and on the calling thread, and planes of `Float` on both
  /// sides of it.
  ///
  /// What goes through it is put into `Float` and cut into the very blocks that the library asks for, so
  /// that its output does not depend on how the audio comes in.
  final class Stretcher {
    /// Frames that a plane holds.
    static let planeFrames = 4096

    private let state: RubberBandState
    private let channelCount: Int
    private let planes: UnsafeMutablePointer<Float>
    private let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    private let constantRows: UnsafeMutablePointer<UnsafePointer<Float>?>
    /// Frames in the planes that wait to be given to the library.
    private var waiting = 0

    /// A stretcher of the engine and with the options of `settings`.
    init(ratio: Double, channelCount: Int, sampleRate: Int, settings: StretchSettings) {
      self.channelCount = channelCount
      // Made at a ratio of 1, at which there is nothing to print; from there on nothing is printed.
      state = rubberband_new(
        UInt32(min(max(sampleRate, Self.rates.lowerBound), Self.rates.upperBound)),
        UInt32(clamping: channelCount), settings.options, 1, 1)
      rubberband_set_debug_level(state, -1)
      rubberband_set_time_ratio(state, ratio)
      rubberband_set_pitch_scale(state, settings.pitchScale)
      rubberband_set_max_process_size(state, UInt32(Self.planeFrames))
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

    /// The rates for which the library is made; others are treated like the nearest.
    private static var rates: ClosedRange<Int> { 8_000...192_000 }

    /// Maps moments of the input to moments of the output; after the study and before anything is
    /// processed.
    func map(_ points: [(source: UInt32, output: UInt32)]) {
      var sources = points.map(\.source)
      var outputs = points.map(\.output)
      rubberband_set_key_frame_map(state, UInt32(clamping: points.count), &sources, &outputs)
    }

    /// Frames that can be retrieved.
    var available: Int { max(0, Int(rubberband_available(state))) }

    /// Frames that the planes lack until there is something to process; asked for while nothing is
    /// available.
    var lacking: Int {
      let required = min(max(1, Int(rubberband_get_samples_required(state))), Self.planeFrames)
      return max(0, required - waiting)
    }

    /// Puts interleaved frames into the planes, behind those that wait there.
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

    /// Puts frames of silence into the planes.
    func putSilence(_ count: Int) {
      for channel in 0..<channelCount {
        (planes + channel * Self.planeFrames + waiting).update(repeating: 0, count: count)
      }
      waiting += count
    }

    /// Frames for which the planes have room.
    var room: Int { Self.planeFrames - waiting }

    /// Looks at what waits in the planes.
    func study(isLast: Bool) {
      rubberband_study(state, constantRows, UInt32(waiting), isLast ? 1 : 0)
      waiting = 0
    }

    /// Takes what waits in the planes.
    func process(isLast: Bool) {
      rubberband_process(state, constantRows, UInt32(waiting), isLast ? 1 : 0)
      waiting = 0
    }

    /// Retrieves up to `count` frames and leaves them out.
    func skip(_ count: Int) -> Int {
      Int(rubberband_retrieve(state, rows, UInt32(min(count, Self.planeFrames))))
    }

    /// Retrieves up to `count` frames into `output`, from frame `start` on.
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
  }

  extension Float {
    /// The nearest `Float`, within what a stretcher can reckon with; what is no number is silence.
    fileprivate init(bounded value: Double) {
      let bound = 0x1p100
      self = value.isNaN ? 0 : Float(min(max(value, -bound), bound))
    }
  }
#endif
