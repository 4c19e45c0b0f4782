/// Everything that the window of `play` shows at a moment.
struct PlayScene {
  enum State { case playing, paused, waiting }

  /// A chapter, a mark, or a loop with a name.
  struct Section: Equatable {
    enum Kind { case chapter, mark, loop }

    var kind = Kind.chapter
    /// In seconds; the length of a mark is 0.
    var start: Double
    var length: Double
    var title: String
    /// True if a person keeps it; otherwise the file has it.
    var isKept = false
  }

  /// A file of the list.
  struct File: Equatable {
    var title: String
    /// In seconds; `nil` if it is not known yet.
    var length: Double?
  }

  /// The part of the file that the waveform shows.
  struct Page: Equatable {
    /// In seconds.
    var start = 0.0
    var secondsPerColumn = 1.0

    func column(of second: Double) -> Int {
      let column = (second - start) / secondsPerColumn
      return column.isFinite ? Int(max(-1e6, min(1e6, column.rounded(.down)))) : 0
    }
  }

  /// A search in the list.
  struct Search: Equatable {
    var text = ""
    /// The rows that match, and which of them is chosen.
    var rows: [Row] = []
    var chosen = 0
  }

  /// A place to which a person can go.
  enum Row: Equatable { case section(Int), file(Int), phrase(Int) }

  var title = ""
  var artist = ""
  /// The number of the file in the list, from 1, and how many there are.
  var file = 1
  var fileCount = 1
  var state = State.playing
  /// On the clock of the file, in seconds.
  var position = 0.0
  var length = 0.0
  var isEstimated = false
  var showsRemaining = false
  /// Input / output.
  var speed = 1.0
  var semitones = 0.0
  /// True if the pitch changes with the speed.
  var isTape = false
  /// True if what is heard differs from the file.
  var isChanged = false
  var hearsSource = false
  var volume = 1.0
  var isMuted = false
  /// Words about the order of files, such as `repeat`.
  var order: [String] = []
  var loopStart: Double?
  var loop: Range<Double>?
  /// Words about the loop, the most important first, such as `round 3`.
  var loopNotes: [String] = []
  /// The sentences within a minute of the one that is looped, in order; empty unless a sentence is.
  var phrases: [Range<Double>] = []
  /// The part of the pause after a round that is over, while there is one.
  var pausePart: Double?
  var sections: [Section] = []
  var files: [File] = []
  var page = Page()
  var wave: PlayWave?
  /// The root of the mean square of each column of the whole; `nil` where it is not measured.
  var overview: [Float?] = []
  /// True if the whole has something to show.
  var meters: [PlayMeters.Reading] = []
  /// A line that replaces the keys for a while.
  var message: String?
  var search: Search?
  /// The name for a loop, while it is typed.
  var name: String?
  /// The first line of the help that is shown.
  var help: Int?
  /// The columns at the right of the first rows that a cover takes.
  var coverColumns = 0

  /// The section that is heard.
  var currentSection: Int? {
    sections.indices.last {
      sections[$0].kind != .loop && !sections[$0].isKept && sections[$0].start <= position + 0.005
    }
  }

  /// A moment: `1:41`, `1:41.2`, `1:41.24`.
  static func clock(_ seconds: Double, digits: Int) -> String {
    guard seconds.isFinite else { return "0:00" }
    let unit = digits == 0 ? 1.0 : digits == 1 ? 10.0 : 100.0
    // A moment is not over before it is.
    let count = Int((max(0, min(seconds, 1e9)) * unit + 1e-6).rounded(.down))
    let whole = Quantities.clock(count / Int(unit))
    if digits == 0 { return whole }
    let rest = String(count % Int(unit))
    return whole + "." + String(repeating: "0", count: digits - rest.count) + rest
  }
}
