"""What is timed: pieces of work, the programs that do them, and targets."""
import functools, os, shutil, subprocess, sys
from dataclasses import dataclass, field
from timing import Contender

HERE = os.path.dirname(os.path.abspath(__file__))
FACTOR = "1.5"
# x1.5 for ffmpeg: the same samples at two thirds of the rate.
FILTER = "asetrate=29400,aresample=44100"
SOXR = "asetrate=29400,aresample=44100:resampler=soxr"
# sox takes a speed, with this many digits of 2/3.
SPEED = repr(2 / 3)


@dataclass
class Target:
    """An upper limit for this program's figure, absolute or relative to another program's."""
    work: str
    ours: str
    most: float
    against: str = None
    field: str = "wall"


@dataclass
class Work:
    title: str
    text: str
    contenders: list
    targets: list = field(default_factory=list)
    # The largest number of rounds, regardless of the request.
    rounds: int = 5
    # True if it is in the first table.
    is_leading: bool = True


class Material:
    """The files that are scaled, each made once. `scale` makes all of them shorter, for a quick look."""

    def __init__(self, folder, binary, scale=1):
        self.folder, self.binary, self.scale = folder, binary, scale

    def path(self, name):
        return os.path.join(self.folder, name)

    def wav(self, seconds, channels=2, rate=44100, seed=1):
        seconds = max(1, round(seconds * self.scale)) if seconds > 1 else seconds
        path = self.path(f"in-{seconds}s-{channels}-{rate}-{seed}.wav")
        if not os.path.exists(path):
            subprocess.run([sys.executable, os.path.join(HERE, "material.py"), path, str(seconds),
                            str(channels), str(rate), str(seed)], check=True)
        return path

    def encoded(self, wav, suffix, *command):
        path = wav[:-4] + suffix
        if not os.path.exists(path):
            subprocess.run([*command, path, wav], check=True, capture_output=True)
        return path

    def flac(self, wav):
        return self.encoded(wav, ".flac", "flac", "-s", "-5", "-o")

    def ogg(self, wav):
        return self.encoded(wav, ".ogg", "oggenc", "-Q", "-b", "160", "-o")

    def mp3(self, wav):
        # lame takes the output after the input.
        path = wav[:-4] + ".mp3"
        if not os.path.exists(path):
            subprocess.run(["lame", "--quiet", "-b", "192", wav, path], check=True)
        return path

    def scaled(self, source, *options):
        """This program's output as WAV, which the encoders alone are given."""
        path = self.path("scaled-" + os.path.basename(source) + ".wav")
        if not os.path.exists(path):
            subprocess.run([self.binary, "-q", "-f", FACTOR, *options, source, "-o", path], check=True)
        return path

    def many(self, count, seconds, suffix, made):
        """A folder of `count` files, ten of them different."""
        count = max(10, round(count * self.scale))
        folder = self.path(f"in-{count}-{suffix}")
        if not os.path.exists(folder):
            os.mkdir(folder)
            for number in range(count):
                source = made(self.wav(seconds, seed=number % 10 + 1))
                shutil.copyfile(source, os.path.join(folder, f"{number:05}.{suffix}"))
        return folder


class Bench:
    """All pieces of work on a machine's material."""

    def __init__(self, material):
        self.material = material
        self.binary = material.binary

    def ours(self, name, source, output, *options, factor=FACTOR, check=None):
        command = [self.binary, "-q", "-f", factor, *options, source, "-o", output]
        return Contender(name, command, output, ours=True, check=check)

    def ffmpeg(self, name, source, output, filters, *options, check=None):
        command = ["ffmpeg", "-v", "error", "-y", "-i", source, "-af", filters, *options, output]
        return Contender(name, command, output, check=check)

    def exact(self, method, source):
        return ["exact", method, FACTOR, source]

    def near(self, source, frames, factor=FACTOR):
        return ["sound", factor, str(frames), source]

    def hour_of_wav(self):
        source, out = self.material.wav(3600), self.material.path("out.wav")
        near, ours = self.near(source, 4410), self.near(source, 0)
        copied = self.material.scaled(source, "--method", "linear")
        contenders = [
            self.ours("scaleaudio linear", source, out, "--method", "linear",
                      check=self.exact("linear", source)),
            self.ours("scaleaudio smoothstep", source, out, "--method", "smoothstep",
                      check=self.exact("smoothstep", source)),
            self.ours("scaleaudio sinc", source, out, "--method", "sinc", check=ours),
            Contender("cp of the output", ["cp", copied, out], out),
            self.ffmpeg("ffmpeg asetrate,aresample", source, out, FILTER, check=near),
            self.ffmpeg("ffmpeg with resampler=soxr", source, out, SOXR, check=near),
            Contender("sox speed", ["sox", source, out, "speed", SPEED], out, check=near),
            Contender("sndfile-resample linear",
                      ["sndfile-resample", "-by", FACTOR, "-c", "4", source, out], out, check=near),
        ]
        targets = [Target("1 h of WAV, linear", "scaleaudio linear", *rest) for rest in [
            (1.5, "cp of the output"), (0.5, "ffmpeg asetrate,aresample"), (0.1, "sox speed"),
            (0.6, "ffmpeg asetrate,aresample", "cpu")]]
        targets += [Target("1 h of WAV, smoothstep", "scaleaudio smoothstep", *rest) for rest in [
            (1.5, "cp of the output"), (0.5, "ffmpeg asetrate,aresample"), (0.1, "sox speed"),
            (0.6, "ffmpeg asetrate,aresample", "cpu")]]
        targets += [Target("1 h of WAV, sinc", "scaleaudio sinc", *rest) for rest in [
            (0.35, "sox speed"), (0.9, "ffmpeg with resampler=soxr")]]
        targets += [Target("1 h of WAV, peak memory", f"scaleaudio {method}", 48e6, None, "peak")
                 for method in ("linear", "sinc")]
        return Work("One hour of WAV", "44.1 kHz, 16 bits, stereo, 1.5 times as long, to WAV.",
                    contenders, targets, rounds=3)

    def ten_minutes_of_flac(self):
        wav = self.material.wav(600)
        source, out = self.material.flac(wav), self.material.path("out.flac")
        scaled = self.material.scaled(source)
        contenders = [
            self.ours("scaleaudio", source, out, check=self.near(wav, 0)),
            self.ours("scaleaudio --threads 1", source, out, "--threads", "1",
                      check=self.near(wav, 0)),
            self.ffmpeg("ffmpeg asetrate,aresample", source, out, FILTER,
                        "-compression_level", "5", check=self.near(wav, 4410)),
            Contender("flac -d | flac -5, not scaled", f"flac -dcs {source} | flac -5 -s - -o {out}",
                      out),
            Contender("flac -5 of the output", ["flac", "-s", "-5", scaled, "-o", out], out),
            Contender("sox speed", ["sox", source, "-C", "5", out, "speed", SPEED], out,
                      check=self.near(wav, 4410)),
        ]
        targets = [Target("10 min of FLAC", "scaleaudio", *rest) for rest in [
            (0.65, "ffmpeg asetrate,aresample"), (0.7, "flac -d | flac -5, not scaled"),
            (1.02, "flac -5 of the output", "size")]]
        return Work("Ten minutes of FLAC", "To FLAC at level 5, `smoothstep`.", contenders, targets)

    def ten_minutes_of_ogg(self):
        wav = self.material.wav(600)
        source, out = self.material.ogg(wav), self.material.path("out.ogg")
        contenders = [
            self.ours("scaleaudio", source, out, "--bitrate", "160k", check=self.near(wav, 0)),
            self.ffmpeg("ffmpeg asetrate,aresample", source, out, FILTER, "-c:a", "libvorbis",
                        "-b:a", "160k", check=self.near(wav, 4410)),
            Contender("oggenc of the output",
                      ["oggenc", "-Q", "-b", "160", self.material.scaled(source), "-o", out], out),
        ]
        return Work("Ten minutes of Ogg Vorbis", "To Ogg Vorbis at 160 kbit/s.", contenders,
                    [Target("10 min of Ogg", "scaleaudio", 0.95, "ffmpeg asetrate,aresample")])

    def ten_minutes_of_mp3(self):
        wav = self.material.wav(600)
        source, out = self.material.mp3(wav), self.material.path("out.mp3")
        contenders = [
            self.ours("scaleaudio", source, out, "--bitrate", "192k", check=self.near(wav, 0)),
            self.ffmpeg("ffmpeg asetrate,aresample", source, out, FILTER, "-b:a", "192k",
                        check=self.near(wav, 4410)),
            Contender("lame of the output",
                      ["lame", "--quiet", "-b", "192", self.material.scaled(source), out], out),
        ]
        return Work("Ten minutes of MP3", "To MP3 at 192 kbit/s.", contenders,
                    [Target("10 min of MP3", "scaleaudio", 0.95, "ffmpeg asetrate,aresample")])

    def many_flac_files(self):
        folder = self.material.many(500, 20, "flac", self.material.flac)
        out = self.material.path("out")
        each = f"mkdir {out} && ls {folder} | xargs -P2 -I@"
        contenders = [
            self.ours("scaleaudio", folder, out + "/", check=self.near(folder, 0)),
            Contender("xargs -P2 ffmpeg",
                      f"{each} ffmpeg -v error -nostdin -i {folder}/@ -af {FILTER} "
                      f"-compression_level 5 {out}/@", out, check=self.near(folder, 4410)),
            Contender("xargs -P2 sox", f"{each} sox {folder}/@ -C 5 {out}/@ speed {SPEED}", out,
                      check=self.near(folder, 4410)),
        ]
        targets = [Target("500 FLAC files of 20 s", "scaleaudio", *rest) for rest in [
            (0.8, "xargs -P2 ffmpeg"), (0.35, "xargs -P2 sox")]]
        return Work("500 FLAC files of 20 seconds", "To FLAC at level 5, on all cores.", contenders,
                    targets, rounds=3)

    # The vocoder by name, which is the same engine in every build.
    VOCODER = ("--method", "stretch", "--engine", "vocoder")

    def stretching(self, factor):
        source, out = self.material.wav(120), self.material.path("out.wav")
        name, peer = "scaleaudio stretch", "rubberband -3"
        ours, near = self.near(source, 0, factor), self.near(source, 4410, factor)

        def rubberband(engine):
            command = ["rubberband", "-q", engine, "-t", factor, source, out]
            return Contender(f"rubberband {engine}", command, out, check=near)
        contenders = [
            self.ours(name, source, out, *self.VOCODER, factor=factor, check=ours),
            self.ours(f"{name} --threads 1", source, out, *self.VOCODER, "--threads", "1", factor=factor, check=ours),
            rubberband("-3"),
        ]
        if factor == FACTOR:
            contenders += [
                rubberband("-2"),
                Contender("soundstretch", ["soundstretch", source, out, f"-tempo={100 / 1.5 - 100:.9f}"],
                          out, check=near),
                Contender("sox tempo", ["sox", source, out, "tempo", SPEED], out, check=near),
                self.ffmpeg("ffmpeg atempo", source, out, f"atempo={SPEED}", check=near),
            ]
        work = f"stretch, 2 min x{factor}"
        targets = [
            Target(f"{work}, CPU on one core", f"{name} --threads 1", 1 / 8, peer, "cpu"),
            Target(f"{work}, two cores", name, 1 / 14, peer),
            Target(f"{work}, peak memory", name, 96e6, None, "peak"),
        ]
        return Work(f"Two minutes of WAV, stretched x{factor}", "The pitch stays; on all cores but for `--threads 1`.",
                    contenders, targets, is_leading=factor == FACTOR)

    def stretching_four(self):
        folder, out = self.material.path("in-4-wav"), self.material.path("out")
        if not os.path.exists(folder):
            os.mkdir(folder)
            for seed in range(4):
                shutil.copyfile(self.material.wav(120, seed=seed + 1), f"{folder}/{seed}.wav")
        contenders = [
            self.ours("scaleaudio stretch", folder, out + "/", *self.VOCODER, check=self.near(folder, 0)),
            Contender("rubberband -3, one after another",
                      f"mkdir {out} && for i in 0 1 2 3; do rubberband -q -3 -t {FACTOR} "
                      f"{folder}/$i.wav {out}/$i.wav; done", out, check=self.near(folder, 4410)),
        ]
        return Work("Four files stretched", "Two minutes each, on all cores.", contenders,
                    [Target("stretch, 4 files", "scaleaudio stretch", 1 / 14, "rubberband -3, one after another")], rounds=3)

    def one_second(self):
        source, out = self.material.wav(1), self.material.path("out.wav")
        contenders = [
            self.ours("scaleaudio", source, out, check=self.exact("smoothstep", source)),
            Contender("sox speed", ["sox", source, out, "speed", SPEED], out),
            self.ffmpeg("ffmpeg asetrate,aresample", source, out, FILTER),
        ]
        return Work("One second of WAV", "Mostly the start of the program.", contenders,
                    [Target("1 s of WAV", "scaleaudio", 0.020)], rounds=30)

    def all(self):
        """What makes each piece of work, by name."""
        made = [self.one_second, self.hour_of_wav, self.ten_minutes_of_flac, self.ten_minutes_of_ogg,
                self.ten_minutes_of_mp3, self.many_flac_files, self.stretching_four]
        return {make.__name__: make for make in made} | {
            f"stretching_{factor}": functools.partial(self.stretching, factor)
            for factor in ("0.5", "0.8", "1.25", "1.5", "2")}
