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
    if album == true, level.change == .unchanged {
      throw ValidationError("--album needs --guard, --normalize or --loudness.")
    }
  }
}
