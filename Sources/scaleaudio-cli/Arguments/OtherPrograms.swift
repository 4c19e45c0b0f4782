/// Options of sox, ffmpeg, rubberband and others that this program does not have, and what does the same here.
enum OtherPrograms {
  /// An answer to options of other programs.
  struct Answer {
    /// The options with their hyphens.
    let names: [String]
    /// Their purpose.
    let purpose: String
    /// The options of `convert`, or the whole command with `IN` and `OUT`, that do it here; empty if nothing does.
    let remedy: String

    /// The end of an error about one of the options.
    var text: String {
      remedy.isEmpty ? ". \(purpose)" : ". For \(purpose), write \(remedy)."
    }
  }

  static let answers = [
    Answer(
      names: ["--trim", "--cut", "--crop", "-ss"], purpose: "a part of a file",
      remedy: "--from 0:30 --to 0:45"),
    Answer(
      names: ["--split", "--chapters", "--split-chapters"], purpose: "one chapter",
      remedy: "--from chapter:1 --to chapter:1"),
    Answer(
      names: ["--repeat", "--times"], purpose: "a file several times",
      remedy: "scaleaudio play --loop 4 IN -o OUT"),
    Answer(
      names: ["--log", "--report", "--summary"], purpose: "a record of each file", remedy: "--json"),
    Answer(
      names: ["--checksum", "--checksums", "--hash", "--md5", "--sha256"],
      purpose: "checksums of the outputs", remedy: "--manifest all.jsonl --manifest-hash"),
    Answer(
      names: ["--verify", "--check"], purpose: "a comparison of outputs with their sources",
      remedy: "scaleaudio verify IN"),
    Answer(
      names: ["--preview", "--listen"], purpose: "hearing it first",
      remedy: "scaleaudio play --tempo 0.8 IN"),
    Answer(
      names: ["--volume", "--amplify", "--vol"], purpose: "another level",
      remedy: "--normalize -1"),
    Answer(names: ["-T"], purpose: "another tempo", remedy: "--tempo 1.25"),
    Answer(
      names: ["-t"], purpose: "another length", remedy: "--factor 1.5 or --duration 1:30"),
    Answer(names: ["-s"], purpose: "another speed", remedy: "--tempo 0.8 or --speed 0.8"),
    Answer(names: ["-p"], purpose: "another pitch", remedy: "--pitch -2"),
    Answer(
      names: ["-af", "-filter:a", "-filter", "-filter_complex"],
      purpose: "the filters atempo and loudnorm", remedy: "--tempo 1.25 --loudness -16"),
    Answer(names: ["-ar"], purpose: "another sample rate", remedy: "--rate 48k"),
    Answer(
      names: ["-ac", "-c", "--remix"], purpose: "one channel", remedy: "--mono"),
    Answer(names: ["-b"], purpose: "another bit depth", remedy: "--bits 16"),
    Answer(
      names: ["-ab", "-b:a", "-abr", "--abr", "--cbr", "--vbr"], purpose: "another bit rate",
      remedy: "--format mp3 --bitrate 192k"),
    Answer(
      names: ["-acodec", "-c:a", "-codec:a"], purpose: "another format", remedy: "--format flac"),
    Answer(names: ["-y"], purpose: "replacing outputs", remedy: "--overwrite"),
    Answer(names: ["-V"], purpose: "the version", remedy: "scaleaudio --version"),
    Answer(names: ["-i"], purpose: "Inputs need no option.", remedy: ""),
    Answer(
      names: ["--transients", "--crisp", "--crispness", "--detector", "--phase", "--window"],
      purpose: "The method stretch finds transients by itself.", remedy: ""),
    Answer(
      names: ["--join", "--concat", "--concatenate", "--merge"],
      purpose: "scaleaudio joins no files; sox a.wav b.wav out.wav does.", remedy: ""),
    Answer(
      names: [
        "--fade", "--fade-in", "--fade-out", "--silence", "--remove-silence", "--trim-silence",
        "--equalizer", "--eq", "--bass", "--treble", "--reverse", "--reverb", "--echo",
        "--compand", "--compressor", "--denoise", "--highpass", "--lowpass",
      ],
      purpose:
        "scaleaudio changes length, pitch, level and format; sox and ffmpeg have other effects.",
      remedy: ""),
    Answer(
      names: ["--title", "--artist", "--tag", "--tags", "--cover"],
      purpose: "Tags and pictures stay as they are; they are not edited.", remedy: ""),
  ]

  /// The answer to an option, or to a word without its hyphens that stands where a command would; `nil` for none.
  static func answer(to name: String) -> Answer? {
    let option = name.hasPrefix("-") ? name : "--" + name
    return answers.first { $0.names.contains(option) }
  }
}
