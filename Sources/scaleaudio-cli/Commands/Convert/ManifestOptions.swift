import ArgumentParser
import ScaleAudio

/// A list of the outputs for other programs.
struct ManifestOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Write a line about each output to this file: path, source, length, rate, channels, factor and speed. - is standard output.",
      discussion: """
        Written at the end, also after failures and an interruption: it lists the outputs that exist, those \
        of earlier runs with --resume and --skip-existing too, in the same order in every run. Paths are \
        written as given. A file that ends in .gz is compressed.
        """, valueName: "path"),
    completion: .file())
  var manifest: String?

  @Option(
    help: ArgumentHelp(
      "Format of the manifest; kaldi is a folder with wav.scp, utt2dur, reco2dur and utt2uniq. Default: csv for .csv, otherwise jsonl.",
      discussion:
        "Speeds are marked in the names that lhotse and Kaldi use: utt1_sp0.9 and sp0.9-utt1.",
      valueName: "format"))
  var manifestFormat: ManifestFormat?

  @Flag(
    help: ArgumentHelp(
      "Read each output again and add the SHA-256 of its samples to the manifest and to --json.",
      discussion: "It covers the same samples as the MD5 of scaleaudio info --levels."))
  var manifestHash = false

  /// Throws if hashes have no place. `json` is true for records on standard output.
  func check(json: Bool) throws {
    if manifestHash, manifest == nil, !json {
      throw ValidationError("--manifest-hash needs --manifest or --json.")
    }
  }

  func validate() throws {
    guard let manifest else {
      if manifestFormat != nil { throw ValidationError("--manifest-format needs --manifest.") }
      return
    }
    if manifest == "" { throw ValidationError("--manifest needs a path.") }
    if manifest == "-" && manifestFormat == .kaldi {
      throw ValidationError("--manifest-format kaldi is a folder; give its path.")
    }
    let hasChecksum = manifestFormat.map { [.jsonl, .csv].contains($0) } ?? true
    if manifestHash && !hasChecksum {
      throw ValidationError("--manifest-hash needs --manifest-format jsonl or csv.")
    }
  }

  /// The manifest to write; `nil` for none.
  func target(replaces: Bool) -> ManifestTarget? {
    guard let manifest else { return nil }
    let path = RawArgument.path(of: manifest)
    return ManifestTarget(
      path: manifest == "-" ? nil : path, format: manifestFormat ?? ManifestFormat(path: path),
      replaces: replaces)
  }
}

extension ManifestFormat: ExpressibleByArgument {}
