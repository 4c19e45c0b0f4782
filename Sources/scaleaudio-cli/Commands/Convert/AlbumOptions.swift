import ArgumentParser
import ScaleAudio

/// The option that keeps the balance of files.
struct AlbumOptions: ParsableArguments {
  @Flag(
    inversion: .prefixedNo,
    help:
      "With --guard, --normalize or --loudness, apply one gain to all files of a folder, which keeps their balance: chapters of a book, tracks of an album, sides of a reel. All of them are scanned first."
  )
  var album: Bool?

  /// Throws if no gain is requested.
  func check(_ level: LevelOptions) throws {
    guard album == true else { return }
    switch level.change {
    case .guarded, .normalized, .loudness: break
    case .unchanged: throw ValidationError("--album needs --guard, --normalize or --loudness.")
    case .limited:
      throw ValidationError(
        "--limit keeps the level of each file, so --album does nothing; leave it out, or set the level with --loudness."
      )
    }
  }
}

/// The option for tracks that follow each other without a gap.
struct GaplessOptions: ParsableArguments {
  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Scale the files of a folder as one stream and cut it, so that nothing is heard where tracks meet. By default, tracks of albums are joined that have consecutive numbers and continuous sound.",
      discussion: """
        Together, the outputs are as long as the joined tracks scaled as one file. Files with other sample rates or \
        channels are left out. Without the option, tracks are joined that are an album by their tags, or by names \
        such as 01 Title and lengths of 5 seconds and more; with --manifest, none are. --no-gapless scales each file \
        by itself.
        """))
  var gapless: Bool?

  /// The tracks that are joined. A manifest is about data, each file by itself, unless the option is given.
  func tracks(listed: Bool) -> GaplessTracks {
    gapless.map { $0 ? .all : .none } ?? (listed ? .none : .found)
  }

  /// Throws for lengths that each file has for itself.
  func check(_ options: ConversionOptions) throws {
    guard gapless == true else { return }
    let others = [
      (options.time.others.duration != nil, "--duration"), (options.method.map != nil, "--map"),
      (options.tempo.bpm != nil, "--bpm"), (options.range.part != nil, "--from and --to"),
      (!options.range.only.isEmpty, "--only"),
    ]
    if let option = others.first(where: \.0)?.1 {
      throw ValidationError(
        "--gapless scales whole files by one factor, unlike \(option); leave out one of them.")
    }
    if !options.method.hasLength, options.sound.rate == nil {
      throw ValidationError(
        "--gapless needs a length, a pitch or --rate; to give all files of a folder one level, use --album."
      )
    }
  }
}
