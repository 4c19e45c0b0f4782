"""Why bars are missed, by work and what they are compared with. Printed only where one is."""

REASONS = {
    ("1 s of WAV", None):
        "Sampled 1,500 times a second over 200 runs, 40 % of the time is swift-argument-parser making out the options: "
        "it looks up at run time which of some 100 types are what, among 4,600 conformances that Swift's libraries "
        "bring and the program adds. An empty program linked with the same shared libraries takes 6.5 ms, one "
        "without them 1.3 ms. Loading FFmpeg's libraries only when needed gained 35 ms. Tried and not kept: parsing "
        "the options of `convert` as such, not as those of the default command (5 % less), and linking at fixed "
        "addresses (nothing). Not done: loading the five libraries that most runs do not need when they are needed "
        "(1.5 ms less in the empty program), and a parser of our own for the commonest options.",
    ("10 min of FLAC", "flac -d | flac -5, not scaled"):
        "It encodes ten minutes, we fifteen. The floor is the encoder alone on all cores: the time of `flac -5` of "
        "the output over the number of cores. Segments half as large, of which a writer encodes one itself when enough "
        "wait for a core, made it 1.08 to 1.02; half of that again took 1.13 times as long as before.",
    ("10 min of MP3", "ffmpeg asetrate,aresample"):
        "libmp3lame encodes on one thread, and that is all of it, ours and FFmpeg's: `lame` alone takes as long. "
        "Decoding and scaling go on beside it. Two runs of this script had 1.01 and 1.09. Its "
        "frames share a reservoir of bits, so that pieces encoded side by side would be another stream: not tried.",
    ("500 FLAC files of 20 s", "xargs -P2 sox"):
        "`flac -5` of these outputs alone takes, by the figures of ten minutes below, 39 CPU seconds: on two cores "
        "0.37 of sox's time, before anything is decoded or scaled. For 60 of these files ours took 6.8 CPU seconds, "
        "`flac -d` of the inputs and `flac -5` of the outputs 6.9. Before each file "
        "was kept from holding all its segments at once it was 0.66. `smoothstep`'s images also cost FLAC more than "
        "sox's smooth audio does: the output is 18 % larger. `--method sinc` was not tried here.",
    ("stretch, 2 min", "rubberband -3"):
        "It is the same library at the same work: by callgrind two more seconds of audio take rubberband 3.25 billion "
        "instructions and ours 3.28, of which some 1 % is our own code; ours also stretches 0.2 s of silence. With "
        "20 s of audio, in nine rounds, it was 1.01. The utility has the library linked in, ours calls the shared one.",
    ("the kernel alone, linear", None):
        "How fast this machine is changes from second to second: medians of 0.80, 1.07, 1.28 and 1.36 ns were "
        "measured within a day, of the same instructions: 10.5 a frame, in AVX2 "
        "(`scripts/kernel-count`).",
}


def reason(work, against=None):
    return REASONS.get((work, against), "not looked into.")
