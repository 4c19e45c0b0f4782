import ScaleAudio

@testable import scaleaudio_cli

extension RemedyProof {
  static let all: [RemedyProof] = options + settings + outputs + words

  private init(
    _ remedy: Remedy, _ making: String, _ arguments: String, _ check: String,
    choosing choices: [String: [String]] = [:], doing deeds: [Deed] = [],
    replacing replaced: [String] = [], around: String = "%", namedOutput: FilePath? = nil,
    needsRoot: Bool = false
  ) {
    self.init(
      remedy: remedy, making: making, arguments: arguments, check: check, choices: choices,
      deeds: deeds, replaced: replaced, around: around, namedOutput: namedOutput,
      needsRoot: needsRoot)
  }

  /// Without other files than those that are there.
  private init(
    _ remedy: Remedy, _ arguments: String, _ check: String,
    choosing choices: [String: [String]] = [:], doing deeds: [Deed] = [],
    replacing replaced: [String] = [], around: String = "%", namedOutput: FilePath? = nil
  ) {
    self.init(
      remedy, "", arguments, check, choosing: choices, doing: deeds, replacing: replaced,
      around: around, namedOutput: namedOutput)
  }

  /// Remedies that are options, and work to be repeated.
  private static let options: [RemedyProof] = [
    RemedyProof(
      .salvage, "head -c 8044 a.wav > cut.wav", "-f 2 cut.wav -o out.wav", "frames out.wav 8000"),
    // What ffmpeg decodes of them is the judge.
    RemedyProof(
      .salvage, "flac -s long.wav; head -c 60000 long.flac > cut.flac",
      "-f 2 cut.flac -o out.wav",
      "n=$(count cut.flac); [ $n -gt 4096 ]; within out.wav $((2 * n)) 9216"),
    RemedyProof(
      .salvage, "oggenc -Q long.wav; head -c 20000 long.ogg > cut.ogg", "-f 2 cut.ogg -o out.wav",
      "n=$(count cut.ogg); [ $n -gt 4096 ]; within out.wav $((2 * n)) 4096"),
    RemedyProof(
      .salvage, "head -c 8044 a.wav > cut.wav", "plot cut.wav -o out.png",
      "head -c 4 out.png | grep -q PNG"),
    RemedyProof(
      .declareRaw, "tail -c 16000 a.wav > a.raw", "-f 2 a.raw -o out.wav", "frames out.wav 8000"),
    RemedyProof(
      .seeFormats, "tail -c 16000 a.wav > a.bin", "-f 2 a.bin -o out.wav", "frames out.wav 16000",
      choosing: ["--raw": ["s16le:8000:1"]],
      doing: [("$scaleaudio formats | grep -q '^wav .* rw '", "-f 2 a.wav -o out.wav")]),
    // The 20 bits of a sample rate begin at byte 18 of FLAC.
    RemedyProof(
      .repairHeader,
      "flac -s a.wav; cp a.flac good; printf '\\0\\0\\0' | dd of=a.flac bs=1 seek=18 conv=notrunc status=none",
      "-f 2 a.flac -o out.wav", "frames out.wav 16000",
      doing: [
        ("flac -s -f a.wav", nil),
        ("dd if=good of=a.flac bs=1 skip=18 seek=18 count=3 conv=notrunc status=none", nil),
      ]),
    RemedyProof(
      .replaceOrSkip, "sox a.wav out.wav trim 0 0.5", "-f 2 a.wav -o out.wav",
      "if [[ $way == *--overwrite* ]]; then frames out.wav 16000; else frames out.wav 4000; fi"),
    RemedyProof(
      .replaceOrSkip, "touch out.png", "plot a.wav -o out.png",
      "if [[ $way == *--overwrite* ]]; then [ -s out.png ]; else [ ! -s out.png ]; fi"),
    // The input grows while the program waits for the reader of its output.
    RemedyProof(
      .retry, "mkfifo pipe", "-f 2 long.wav -o pipe --format wav", "frames out.wav 240000",
      doing: [("sox long.wav b.wav; mv b.wav long.wav; changed=1", nil)],
      around: """
        % & pid=$!
        until ls -l /proc/$pid/fd | grep -q long.wav || ! kill -0 $pid; do sleep 0.01; done
        [ "$changed" ] || echo >> long.wav
        timeout 100 cat pipe > out.wav; wait $pid
        """),
    RemedyProof(
      .freeSpace, "head -c 1900000 /dev/zero > disk/ballast", "-f 2 long.wav -o disk/out.wav",
      "frames disk/out.wav 240000", doing: [("rm disk/ballast", nil)], needsRoot: true),
    RemedyProof(
      .any([.useFormat(["ogg", "flac", "wav"]), .mergeChannels]), "-f 2 six.wav --format mp3",
      "near six-x2.* 44100", choosing: ["--downmix": ["itu", "mean"]]),
    RemedyProof(
      .any([.useFormat(["ogg", "flac", "wav"]), .mergeChannels]), "-f 2 six.wav -o out.mp3",
      "near out.* 44100", choosing: ["--downmix": ["itu"]], namedOutput: "out.mp3"),
    RemedyProof(
      .useFormat(["wav", "caf"]), "-f 2 a.wav --bits f32 --format flac", "frames a-x2.* 16000"),
    RemedyProof(
      .useFormat(["wav", "caf"]), "-f 2 a.wav --bits f32 -o out.flac", "frames out.* 16000",
      namedOutput: "out.flac"),
    RemedyProof(
      .useFormat(["flac", "wav"]), "sox -n -r 8000 -c 1 -b 16 none.wav trim 0 0",
      "-f 2 none.wav -o out.mp3", "frames out.* 0", namedOutput: "out.mp3"),
    RemedyProof(
      .chooseFormat, "mkfifo pipe", "-f 2 pipe", "frames pipe-x2.* 16000",
      choosing: ["--format": ["flac", "wav"]], around: "cat a.wav > pipe & % || { kill $!; false; }"
    ),
    RemedyProof(
      .any([.useFormat(["flac", "wav"]), .allowLayoutLoss]),
      "ffmpeg -v error -f lavfi -i anoisesrc=d=0.1:r=48000 -af 'aformat=channel_layouts=5.1(side)' -c:a pcm_s16le side.wav",
      "-f 2 side.wav --format ogg", "frames side-x2.* 9600"),
    RemedyProof(
      .allowLosses,
      "ffmpeg -v error -i a.wav -write_bext 1 -metadata description=reel bext.wav",
      "-f 2 bext.wav --format ogg --strict", "within bext-x2.* 16000 256",
      choosing: ["--format": ["wav", "flac"]]),
    RemedyProof(
      .any([.useFormat(["wav"]), .omit(.strict, orUseFormat: [])]),
      "sox -R -n -r 16000 -e float -b 32 high.wav synth 0.1 pinknoise",
      "-f 2 high.wav --format flac --strict", "frames high-x2.* 3200"),
    RemedyProof(
      .omit(.strict, orUseFormat: []),
      "ffmpeg -v error -f lavfi -i sine=d=0.2 -f lavfi -i testsrc=d=0.2 -shortest film.mp4",
      "-f 2 film.mp4 --strict", "near film-x2.* 17640"),
    RemedyProof(
      .useMethod("sinc"), "--duration 0.03 --method stretch a.wav", "frames a-0.03s*.wav 240"),
  ]

  /// Remedies that give a setting another value.
  private static let settings: [RemedyProof] = [
    RemedyProof(
      .set(
        .bitRate,
        to:
          "32k, 40k, 48k, 56k, 64k, 80k, 96k, 112k, 128k, 160k, 192k, 224k, 256k, 320k"),
      "-f 2 six.wav --single-channel --format mp3 --bitrate 33k", "near six-x2.mp3 44100"),
    RemedyProof(
      .set(.bitRate, to: "from 6k to 256k"), "-f 2 a.wav --format opus --bitrate 900k",
      "near a-x2.opus 96000"),
    RemedyProof(
      .set(.quality, to: "from -1 to 10"), "-f 2 a.wav --format ogg --encoding-quality 30",
      "within a-x2.ogg 16000 256"),
    RemedyProof(
      .set(.quality, to: "from 0 (best) to 9.99 (smallest)"),
      "-f 2 a.wav --format mp3 --encoding-quality 30", "near a-x2.mp3 16000"),
    RemedyProof(
      .any([.set(.sampleRate, to: "655350"), .useFormat(["wav", "w64", "rf64"])]),
      "sox -R -n -r 700000 -c 1 -b 16 high.wav synth 0.1 sine 440", "-f 2 high.wav --format flac",
      "if [[ $way == *--rate* ]]; then frames high-x2*.flac 131070; else frames high-x2.* 140000; fi"
    ),
    RemedyProof(
      .set(.track, to: "from 1 to 2"),
      "ffmpeg -v error -i a.wav -i long.wav -map 0 -map 1 -c:a pcm_s16le two.mka",
      "-f 2 two.mka --track 5 -o out.wav",
      "case $way in *\\ 1) frames out.wav 16000;; *) frames out.wav 240000;; esac"),
    RemedyProof(
      .set(.bpm, to: "FROM:TO"), "--bpm 120 --method linear a.wav -o out.wav",
      "frames out.wav 4000", choosing: ["FROM:TO": ["60:120"]]),
    RemedyProof(
      .omit(.track, orUseFormat: []), "-f 2 a.wav --track 5 -o out.wav", "frames out.wav 16000"),
    RemedyProof(
      .omit(.sampleFormat, orUseFormat: ["flac", "wav"]), "-f 2 a.wav --bits 24 --format mp3",
      "near a-x2.* 16000"),
    RemedyProof(
      .omit(.sampleFormat, orUseFormat: ["flac", "wav"]), "-f 2 a.wav --bits 24 -o out.mp3",
      "near out.* 16000", namedOutput: "out.mp3"),
    RemedyProof(
      .omit(.downmix, orUseFormat: []), "sox -R -n -r 8000 -c 9 nine.wav synth 0.1 pinknoise",
      "-f 2 nine.wav --single-channel --downmix itu -o out.wav", "frames out.wav 1600"),
    RemedyProof(
      .change([.bitRate]), "-f 2 long.wav --rate 44100 --format ogg --bitrate 4000k",
      "near long-x2*.ogg 1323000", choosing: ["--bitrate": ["64k"]]),
    RemedyProof(
      .change([.channels]), "plot a.wav --channels 3 -o out.png", "[ -s out.png ]",
      choosing: ["--channels": ["1"]]),
    RemedyProof(
      .change([.range]), "plot a.wav --range 5-6 -o out.png", "[ -s out.png ]",
      choosing: ["--range": ["0.2-0.7"]]),
    RemedyProof(
      .change([.pixelsPerSecond]), "plot a.wav --pixels-per-second 8000 -o out.json",
      "[ -s out.json ]", choosing: ["--pixels-per-second": ["100"]]),
    RemedyProof(
      .change([.partStart]), "-f 2 a.wav --from 5 -o out.wav", "frames out.wav 4000",
      choosing: ["--from": ["0.75"]]),
    RemedyProof(
      .change([.partEnd]), "-f 2 a.wav --from 0.5 --to -0.75 -o out.wav", "frames out.wav 4000",
      choosing: ["--to": ["0.75"]]),
    RemedyProof(
      .change([.only]), "-f 2 a.wav --only 5-6 -o out.wav", "frames out.wav 9600",
      choosing: ["--only": ["0.2-0.4"]]),
    RemedyProof(
      .change([.port]), "serve . --no-open --port $port", "", choosing: ["--port": ["0"]],
      around:
        "$scaleaudio serve . --no-open --port 0 > first & first=$!; \(served("first")); "
        + "port=$(grep -o ':[0-9]*/' first | tr -dc 0-9); \(serving)"),
    RemedyProof(
      .change([.listenAddress]), "serve . --no-open --port 0 --listen 192.0.2.1", "",
      choosing: ["--listen": ["127.0.0.1"]], around: serving),
  ]

  /// A line that waits until a server prints its address.
  private static func served(_ file: String) -> String {
    "for i in $(seq 300); do grep -q http \(file) && break; kill -0 $! || break; sleep 0.1; done"
  }
  /// The program, which is ended when it serves; fails if it does not.
  private static let serving =
    "% > served & second=$!; \(served("served")); kill $second $first 2>/dev/null || true; "
    + "wait $second || true; grep -q http served"

  /// Remedies that name an output.
  private static let outputs: [RemedyProof] = [
    RemedyProof(
      .chooseOutput, "-f 2 a.wav -o a.wav --overwrite",
      "frames out.wav 16000 || frames a-2.wav 16000",
      choosing: ["--output": ["out.wav"], "--suffix": ["-2"], "--name": ["'{stem}-2.{ext}'"]],
      replacing: ["--output"]),
    RemedyProof(
      .chooseOutputFile, "ln -s nowhere link.wav", "-f 2 a.wav -o link.wav", "frames out.wav 16000",
      choosing: ["--output": ["out.wav"]]),
    RemedyProof(
      .chooseOutputFile, "-f 2 a.wav -o a.wav/out.wav", "frames out.wav 16000",
      choosing: ["--output": ["out.wav"]]),
    RemedyProof(
      .any([.chooseOutputFile, .chooseFormat]), "-f 2 a.wav -o out.flac --format wav",
      "frames out.* 16000", choosing: ["--output": ["out.wav"], "--format": ["flac"]]),
    RemedyProof(
      .chooseFormatOrFolder, "-f 2 a.wav -o out.xyz", "frames out.* 16000",
      choosing: ["--format": ["wav", "flac"]], doing: [("", "-f 2 a.wav -o out.flac")]),
    RemedyProof(
      .chooseFormatOrFolder, "-f 2 a.wav -o out", "frames $(find out* -type f) 16000",
      choosing: ["--format": ["wav"]], doing: [("", "-f 2 a.wav -o out/")]),
    RemedyProof(
      .chooseFormatOrFolder, "plot a.wav -o out.xyz", "[ -s out.* ]",
      choosing: ["--format": ["png", "svg"]], doing: [("", "plot a.wav -o out.pdf")]),
    RemedyProof(
      .shortenName, "-f 2 a.wav --suffix \(String(repeating: "n", count: 260))",
      "frames $(ls a-2.wav out.wav 2> /dev/null) 16000",
      choosing: ["--output": ["out.wav"], "--suffix": ["-2"], "--name": ["'{stem}-2.{ext}'"]],
      replacing: ["--suffix"]),
    RemedyProof(
      .nameOutput, "-f 2 -",
      "if [[ $way == *named* ]]; then frames named.wav 16000; else [ -s out ]; fi",
      choosing: ["FILE": ["named.wav"]], around: "% < a.wav > out"),
    RemedyProof(
      .any([.act("start PulseAudio or PipeWire"), .writeSound]), ": > empty.conf", "play a.wav",
      "frames FILE.wav 8000",
      around: "ALSA_CONFIG_PATH=$PWD/empty.conf PULSE_SERVER=unix:/nowhere/native %"),
    RemedyProof(
      .nameOutputFolder, "cp a.wav b.wav", "-f 2 a.wav b.wav -o out.wav",
      "frames FOLDER/a-x2.wav FOLDER/b-x2.wav 16000"),
    RemedyProof(
      .separateOutputs, "mkdir one two; cp a.wav one; cp a.wav two",
      "plot one/a.wav two/a.wav -o out/", "ls out/a.png || ls one/a.png two/a.png",
      doing: [
        ("$scaleaudio plot one/a.wav -o out/", "plot two/a.wav -o more/"),
        ("", "plot one/a.wav two/a.wav"),
      ]),
    RemedyProof(
      .keepExtensions, "flac -s a.wav", "-f 2 a.wav a.flac --format wav",
      "[ $(ls *-x2* | wc -l) = 2 ]; frames *-x2* 16000"),
    RemedyProof(
      .keepFolders(below: "."), "mkdir one two; cp a.wav one; cp a.wav two",
      "-f 2 one/a.wav two/a.wav -o out/", "frames out/one/*.wav out/two/*.wav 16000"),
    RemedyProof(
      .nameOutputs(template: "{stem}-{index}.{ext}"),
      "mkdir one two; cp a.wav one; cp a.wav two; flac -s one/a.wav",
      "-f 2 one/a.wav one/a.flac two/a.wav -o out/ --format wav",
      "[ $(ls out | wc -l) = 3 ]; frames out/* 16000"),
  ]

  private static let plan = "$scaleaudio plan -q a.wav --run run --shards 2 -f 2 -o out/"

  /// Remedies in words.
  private static let words: [RemedyProof] = [
    RemedyProof(
      .act("copy or download it again"), ": > b.wav", "-f 2 b.wav -o out.wav",
      "frames out.wav 16000", doing: [("cp a.wav b.wav", nil)]),
    RemedyProof(
      .act("unpack it"), "gzip -c a.wav > b.wav", "-f 2 b.wav -o out.wav", "frames out.wav 16000",
      doing: [("mv b.wav b.gz; gunzip -c b.gz > b.wav", nil)]),
    RemedyProof(
      .act("fetch the file itself"), "echo '<!DOCTYPE html>' > b.wav", "-f 2 b.wav -o out.wav",
      "frames out.wav 16000", doing: [("cp a.wav b.wav", nil)]),
    RemedyProof(
      .act("export its audio with that program"), "printf 'SQLite format 3\\0' > b.wav",
      "-f 2 b.wav -o out.wav", "frames out.wav 16000", doing: [("cp a.wav b.wav", nil)]),
    RemedyProof(
      .act("name the files that it lists"), "printf '#EXTM3U\\na.wav\\n' > b.m3u",
      "-f 2 b.m3u -o out.wav", "frames out.wav 16000", doing: [("", "-f 2 a.wav -o out.wav")]),
    // Nothing of it can be salvaged.
    RemedyProof(
      .act("copy or download it again"), "flac -s a.wav; head -c 3000 a.flac > b.flac",
      "-f 2 b.flac -o out.wav", "frames out.wav 16000", doing: [("cp a.flac b.flac", nil)]),
    RemedyProof(
      .act("copy or download it again"), "flac -s a.wav; head -c 3000 a.flac > b.flac",
      "-f 2 b.flac -o out.wav --salvage", "frames out.wav 16000",
      doing: [("cp a.flac b.flac", nil)]),
    RemedyProof(
      .act("copy or download it again"),
      "ffmpeg -v error -i a.wav a.m4a; head -c 3000 a.m4a > b.m4a", "-f 2 b.m4a -o out.wav",
      "near out.wav 16000", doing: [("cp a.m4a b.m4a", nil)]),
    RemedyProof(
      .act("allow this user to read it"), "chmod 0 a.wav", "-f 2 a.wav -o out.wav",
      "frames out.wav 16000", doing: [("chmod a+r a.wav", nil)],
      around: """
        if [ $(id -u) = 0 ]; then chmod 777 .; cp $scaleaudio program; chmod a+rx program
        as='setpriv --reuid 65534 --clear-groups'; scaleaudio=./program; fi; $as %
        """),
    RemedyProof(
      .act("name the file itself instead of a link"), "ln -s link.wav link.wav",
      "-f 2 link.wav -o out.wav", "frames out.wav 16000", doing: [("", "-f 2 a.wav -o out.wav")]),
    RemedyProof(
      .act("name an audio file"), "-f 2 /dev/zero -o out.wav", "frames out.wav 16000",
      doing: [("", "-f 2 a.wav -o out.wav")]),
    RemedyProof(
      .act("convert it to WAV or FLAC with a program that decodes it"),
      "ffmpeg -v error -i a.wav -ar 16000 a.g722", "-f 2 a.g722 -o out.wav", "near out.wav 32000",
      doing: [
        ("ffmpeg -v error -i a.g722 b.wav", "-f 2 b.wav -o out.wav"),
        ("ffmpeg -v error -i a.g722 b.flac", "-f 2 b.flac -o out.wav"),
      ]),
    RemedyProof(
      .act("use a copy without encryption"),
      "ffmpeg -v error -i a.wav a.m4a; ffmpeg -v error -i a.m4a -c copy -encryption_scheme cenc-aes-ctr "
        + "-encryption_key 00112233445566778899aabbccddeeff -encryption_kid 00112233445566778899aabbccddeeff b.mp4",
      "-f 2 b.mp4 -o out.wav", "near out.wav 16000", doing: [("", "-f 2 a.m4a -o out.wav")]),
    RemedyProof(
      .act("name a file with sound"), "ffmpeg -v error -f lavfi -i color=red:s=32x32:d=1 b.mp4",
      "-f 2 b.mp4 -o out.wav", "frames out.wav 16000", doing: [("", "-f 2 a.wav -o out.wav")]),
    RemedyProof(
      .act("choose a larger factor"), "sox a.wav b.wav trim 0 1s", "-f 0.1 b.wav -o out.wav",
      "frames out.wav 1", doing: [("", "-f 1 b.wav -o out.wav")]),
    RemedyProof(
      .act("add a line for its end"), "echo '0.5 0.75' > a.map", "--map a.map a.wav -o out.wav",
      "frames out.wav 16000", doing: [("echo '1 2' >> a.map", nil)]),
    RemedyProof(
      .act("name a folder that holds all inputs"), "mkdir one two; cp a.wav one; cp a.wav two",
      "-f 2 --base one one/a.wav two/a.wav -o out", "frames out/one/a.wav out/two/a.wav 16000",
      doing: [("", "-f 2 --base . one/a.wav two/a.wav -o out")]),
    RemedyProof(
      .act("name another run folder"), "plan a.wav --run /proc/x --shards 2 -f 2 -o out/",
      "[ -e run/plan.json ]", doing: [("", "plan a.wav --run run --shards 2 -f 2 -o out/")]),
    RemedyProof(
      .act("continue it with convert, or name another run folder"), plan,
      "plan a.wav --run run --shards 2 -f 2 -o out/",
      "[ -e more/plan.json ] || frames out/a*.wav 16000",
      doing: [
        ("$scaleaudio convert --run run --shard 1/2", "convert --run run --shard 2/2"),
        ("", "plan a.wav --run more --shards 2 -f 2 -o out/"),
      ]),
    RemedyProof(
      .act("leave out --from, --to and --only"),
      "printf '{\"audio_filepath\":\"long.wav\",\"offset\":1,\"duration\":2}\\n' > list.jsonl",
      "plan --run run --shards 1 -f 2 --from 1 --to 5 list.jsonl -o out/",
      "[ -e run/plan.json ]"),
    RemedyProof(
      .act("leave out --from, --to and --only"),
      "printf '{\"audio_filepath\":\"long.wav\",\"offset\":1,\"duration\":2}\\n' > list.jsonl",
      "plan --run run --shards 1 -f 2 --only 1-2 list.jsonl -o out/",
      "[ -e run/plan.json ]"),
    RemedyProof(
      .act("give a manifest in JSON lines, as --manifest of convert writes it"),
      "for m in csv jsonl; do $scaleaudio -q -f 2 a.wav -o out/ --overwrite --manifest m.$m; done",
      "verify --manifest m.csv", "", choosing: ["--manifest": ["m.jsonl"]]),
    RemedyProof(
      .act("make the plan first"), "convert --run run --shard 1/1", "",
      doing: [("$scaleaudio plan -q a.wav --run run --shards 1 -f 2 -o out/", nil)]),
    RemedyProof(
      .act("name the shard"), plan, "convert --run run --shard auto", "frames out/a*.wav 16000",
      doing: [("$scaleaudio convert --run run --shard 1/2", "convert --run run --shard 2/2")]),
    RemedyProof(
      .act("plan again, in another run folder"),
      "echo '1 2' > a.map; $scaleaudio plan -q a.wav --run run --shards 1 --map a.map -o out/; echo '1 3' > a.map",
      "convert --run run --shard 1/1", "frames out/a*.wav 24000",
      doing: [
        (
          "$scaleaudio plan -q a.wav --run more --shards 1 --map a.map -o out/",
          "convert --run more --shard 1/1"
        )
      ]),
    RemedyProof(
      .act("choose another name, or remove it"),
      "\(plan); for i in 1 2; do $scaleaudio convert -q --run run --shard $i/2; done; echo mine > all.jsonl",
      "merge run --write jsonl=all.jsonl", "cat all.jsonl more.jsonl | grep -q a-x2.wav",
      doing: [("", "merge run --write jsonl=more.jsonl"), ("rm all.jsonl; touch more.jsonl", nil)]),
    RemedyProof(
      .act("--overwrite, --resume or --skip-existing replaces it"), "echo mine > m.jsonl",
      "-f 2 a.wav -o out/ --manifest m.jsonl", "grep -q out/ m.jsonl; frames out/*.wav 16000"),
    RemedyProof(
      .act("choose another --manifest"), "-f 2 a.wav -o out/ --manifest a.wav",
      "grep -q out/ m.jsonl",
      choosing: ["--manifest": ["m.jsonl"]]),
  ]

  /// The words of other remedies as they stand in the sources, and what proves them or stands in the way.
  static let unproved = [
    "build it with swift build --traits default,RubberBand":
      "MethodOptionTests make the error; scripts/check traits builds with it",
    "use the program rubberband": "the program of Rubber Band itself, not an option of this one",
    #"use the engine \(Engine.vocoder.rawValue)"#:
      "MethodLimitsTests make the error, in builds with Rubber Band",
    "convert it to WAV with the program that made it": "no program here makes such a variant",
    "convert it to WAV with a program that can decode it": "no program here makes such an encoding",
    "choose another --name": "ManifestTests make the error",
    "rename one of them, or choose another form of manifest": "ManifestTests make the error",
    "install FFmpeg's libraries": "LibraryLoadingTests hides them, and tests install nothing",
    #"use version \(planned), or plan again"#: "there is one version",
    "choose another device": "machines of tests have no sound device",
    "end the other program, or choose another device": "machines of tests have no sound device",
    "add this user to the group audio, and log in again":
      "machines of tests have no sound device",
    "install libpulse0 or libasound2": "tests install nothing",
    "start PulseAudio or PipeWire for this user": "SoundOutputTests plays with PulseAudio running",
    "connect a sound device": "machines of tests have no sound device",
    #"use \(near.name)"#: "SoundOutputTests plays through a device by its name",
    #"use one of these: \(names.joined(separator: ", "))"#:
      "SoundOutputTests plays through a device by its name",
  ]
}
