import TestSupport
import Testing

/// Options that are refused when they are parsed, before any file is opened.
@Suite("Options that are refused")
struct RefusalTests {
  /// Arguments, separated by spaces, with `''` for an empty one, and a part of the message.
  @Test(arguments: [
    // Levels
    ("-f 2 --normalize in.wav", "--normalize"),
    ("-f 2 --normalize loud in.wav", "within -60 to 0 dB"),
    ("-f 2 --normalize 1 in.wav", "within -60 to 0 dB"),
    ("-f 2 --normalize -61 in.wav", "within -60 to 0 dB"),
    ("-f 2 --normalize nan in.wav", "within -60 to 0 dB"),
    ("-f 2 --normalize -1e1 in.wav", "within -60"),
    ("-f 2 --normalize '' in.wav", "within -60 to 0 dB"),
    ("-f 2 --normalize --1 in.wav", "within -60 to 0 dB"),
    ("-f 2 --loudness 3 in.wav", "within -60 to 0"),
    ("-f 2 --loudness loud in.wav", "within -60 to 0"),
    ("-f 2 --true-peak -1 in.wav", "--true-peak needs --loudness"),
    ("-f 2 --loudness -16 --normalize -1 in.wav", "exclude each other"),
    ("-f 2 --loudness -16 --true-peak 1 in.wav", "within -60 to 0 dB"),
    // Depth and dither
    ("-f 2 --dither loud in.wav", "--dither"),
    (
      "-f 2 --bits f32 --format flac in.wav",
      "FLAC holds no 32-bit float samples; --format wav or caf keeps it."
    ),
    (
      "-f 2 --bits 24 --format mp3 in.wav",
      "MP3 has no bit depth; leave out --bits, or use --format flac or wav."
    ),
    ("-f 2 --bits 24 --sample-format int16 in.wav", "exclude each other"),
    ("-f 2 --dither tpdf --bits f32 in.wav", "--dither does not apply to floating point"),
    ("-f 2 --dither tpdf --format ogg in.wav", "--dither does not apply to Ogg Vorbis"),
    ("-f 2 --dither tpdf --sample-format int16 in.wav", "use --bits 16"),
    ("-f 2 --bits 20 in.wav", "--bits"),
    ("-f 1 --format s16be --bits 24 in.wav", "--format names 16-bit samples"),
    // Rates
    ("-f 2 --rate 12 in.wav", "for 12,000 Hz write 12k"),
    ("-f 2 --rate 900 in.wav", "1000 to 768000"),
    ("-f 2 --rate fast in.wav", "such as 48000 or 44.1k"),
    ("--rate 0.8 in.wav", "for a speed, write --speed 0.8 or --tempo 0.8"),
    ("-f 2 --rate 44.1k --format opus in.wav", "supports only 8000"),
    ("-f 2 --quality best in.wav", "--quality best does not apply to smoothstep"),
    // Channels, tags and tracks
    ("-f 1 --downmix itu in.wav", "--single-channel"),
    ("-f 2 --metadata some in.wav", "--metadata"), ("-f 1 --track 0 in.mka", "--track"),
    ("--sidecars -f 2 -o - in.wav", "--sidecars does not apply to standard output"),
    // Lengths
    ("in.wav", "Say what to change"),
    ("--guard --method sinc in.wav", "Say what to change"),
    ("--method sinc in.wav", "Say what to change"),
    ("--preset tape in.wav", "Say what to change"),
    ("--salvage in.wav", "Say what to change"),
    ("-f 1,5 in.wav", "use a point"), ("--pitch 1,5 in.wav", "use a point"),
    ("-f 0.9, in.wav", "a factor is"),
    // Parts
    ("--from 2 --to 1 in.wav", "--to must be later than --from"),
    ("--from 1 --to 1 in.wav", "--to must be later than --from"),
    ("--from x in.wav", "a time is such as"),
    ("--to 0 in.wav", "--to must be later than --from"),
    ("--from 101% in.wav", "a time is such as"), ("--from chapter: in.wav", "a time is such as"),
    ("--to 1:75 in.wav", "a time is such as"),
    ("--from -0 in.wav", "--to must be later than --from"),
    ("--only 1-2 in.wav", "--only needs a length or a pitch"),
    ("--only 2-1 -f 2 in.wav", "a range is two times"),
    ("--only 1-2 -f 2 --from 1 in.wav", "exclude each other"),
    ("--only 1-2 -f 2 --guard in.wav", "leave out --guard"),
    ("--only 1-2 -f 2 --rate 48000 in.wav", "leave out --rate"),
    ("--only 1-2 --map m.txt in.wav", "--only and --map exclude each other"),
    // Names
    ("-f 2 --name {stem}{foo} in.wav", "{foo}"),
    ("-f 2 --name ../{stem} in.wav", "below the folder"),
    ("-f 2 --name {stem in.wav", "brace"), ("-f 2 --name {stem} --suffix x in.wav", "--suffix"),
    ("-f 2 --name {stem} --keep-extension in.wav", "--keep-extension"),
    // Raw PCM
    ("-f 1 --raw s17:44100:2 in.wav", "an encoding is one of s8 u8 s16le"),
    ("-f 1 --raw s16le:44100 in.wav", "give encoding, rate and channels"),
    ("-f 1 --raw s16le:0:2 in.wav", "a sample rate is within 1 to 10000000 Hz"),
    ("-f 1 --raw s16le:44100:0 in.wav", "channels are a number"),
    ("-f 1 --raw s16le:44100:9.9 in.wav", "channels are a number"),
    ("-f 1 --raw '' in.wav", "an encoding is one of"),
    // Threads
    ("-f 2 --threads 0 in.wav", "--threads"), ("-f 2 --threads 257 in.wav", "--threads"),
    ("-f 2 --threads -1 in.wav", "--threads"), ("-f 2 --threads many in.wav", "'many'"),
    // Waveform data and pictures in the terminal
    ("plot in.wav -o a.png --bits 8", "--bits needs waveform data"),
    ("plot in.wav -o a.json --bits 12", "12"),
    (
      "plot in.wav -o a.json --pixels-per-second 0",
      "--pixels-per-second 0 is not within"
    ),
    ("plot in.wav -o a.json --split-channels --channels 1", "exclude each other"),
    ("plot in.wav -o a.json --samples-per-pixel 1", "--samples-per-pixel 1 is not within"),
    ("play in.wav -o a.wav --loop-list", "--loop-list never ends"),
    ("play in.wav --gain loud", "'loud'"),
    (
      "plot in.wav --terminal blocks -o a.png",
      "--terminal and --output exclude each other"
    ),
    (
      "plot in.wav --terminal kitty --format png",
      "--terminal and --format exclude each other"
    ),
    (
      "plot in.wav --terminal blocks --width 5000",
      "--width 5000 is not within 16 to 1000"
    ),
    ("plot in.wav --terminal vt52", "vt52"),
    ("plot in.wav -o x.png --fft 256", "--fft needs a spectrogram"),
    ("plot in.wav -o x.png --style both --fft 1000", "--fft 1000 is not a power of two"),
    (
      "plot in.wav -o x.png --style both --max-frequency 0",
      "a frequency is at least 1 Hz"
    ),
    (
      "plot in.wav -o x.png --style loudness --channels split",
      "leave out --channels"
    ),
  ])
  func refusals(line: String, message: String) throws {
    let words = line.split(separator: " ").map { $0 == "''" ? "" : String($0) }
    let refusal = try #require(Program.refusal(of: words))
    #expect(refusal.status == 64)
    #expect(refusal.message.contains(message), "\(refusal.message)")
  }

  #if FFmpeg
    @Test(arguments: [
      ("aac", "--encoding-quality 2"), ("m4a", "--encoding-quality 2"), ("alac", "--bitrate 96k"),
    ])
    func encodersOfM4A(format: String, option: String) throws {
      try refusals(
        line: "-f 1.5 in.wav --format \(format) \(option)",
        message: String(option.prefix { $0 != " " }))
    }
  #endif

  @Test func qualityAppliesToTheRate() {
    #expect(
      Program.refusal(of: ["-f", "2", "in.wav", "--rate", "48k", "--quality", "best"]) == nil)
  }
}
