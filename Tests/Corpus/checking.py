"""Converts files, compares the outputs with what other programs decode, and sorts the results into classes."""
import hashlib, json, os, re, subprocess, tempfile, threading
from concurrent.futures import ThreadPoolExecutor
import numpy as np
import soundfile
import decoding, promises

HERE = os.path.dirname(os.path.abspath(__file__))
FACTORS = ("1.5", "0.5")
# Steps of 16 bits: two roundings, dither, and what decoders of one codec differ in.
TOLERANCE = 3.0
# Of decoders that add noise of their own, or clip, what remains is compared with the signal, in dB.
LEAST_RATIO = 40
# Of long outputs, so many frames of the start and of the end are compared.
PART = 1_000_000

SAME = "same"                      # length and samples are those of another decoder
LENGTH_ONLY = "same length"        # too long to compare its samples
FIRST_PACKET = "same, with the first packet"  # which ffmpeg drops
STATED_LENGTH = "same, as long as stated"  # by iTunSMPB or packets, which ffmpeg ignores
REFUSED_BOTH = "refused, as others do"  # no other program decodes it without complaint
CUT = "refused, cut"               # it has less than its own headers promise
NOT_AUDIO = "no audio"
WRONG = ("crashed", "did not end", "other length", "other samples", "converted although damaged",
         "refused although clean", "left a file behind", "factors disagree")


class Result:
    """What became of one file."""

    def __init__(self, path, package):
        self.path, self.package = path, package
        self.verdict, self.detail, self.explanation = None, "", None
        self.error_class = ""

    def judged(self, verdict, detail=""):
        self.verdict, self.detail = verdict, detail
        return self


class Explanations:
    """Reasons for results that would count as wrong: `PATH PATTERN | VERDICT | DETAIL PATTERN | REASON`."""

    def __init__(self):
        self.rules = []
        with open(os.path.join(HERE, "explained.txt")) as lines:
            for line in lines:
                if line.strip() and not line.startswith("#"):
                    path, verdict, detail, reason = [part.strip() for part in line.split("|", 3)]
                    self.rules.append((re.compile(path), verdict, re.compile(detail), reason))

    def reason(self, result):
        for path, verdict, detail, reason in self.rules:
            if verdict == result.verdict and path.search(result.path) and detail.search(result.detail):
                return reason
        return None


class Checked:
    """The results so far of one program, kept so that a stopped run can continue."""

    FIELDS = ("path", "verdict", "detail", "error_class")

    def __init__(self, binary, folder):
        with open(binary, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        os.makedirs(folder, exist_ok=True)
        self.path, self.lock, self.results = os.path.join(folder, digest[:16] + ".jsonl"), threading.Lock(), {}
        if os.path.exists(self.path):
            with open(self.path) as lines:
                for line in lines:
                    found = json.loads(line)
                    self.results[found["path"]] = found

    def restore(self, result):
        """Whether the result is there; what counts as wrong is checked again."""
        found = self.results.get(result.path)
        if not found or found["verdict"] in WRONG or found["verdict"] == "not checked":
            return False
        result.error_class = found["error_class"]
        result.judged(found["verdict"], found["detail"])
        return True

    def add(self, result):
        line = json.dumps({name: getattr(result, name) for name in self.FIELDS})
        with self.lock, open(self.path, "a") as file:
            file.write(line + "\n")


def check_all(binary, root, paths, on_result):
    """Checks every file that this program was not checked with before, on all cores."""
    explanations = Explanations()
    checked = Checked(binary, os.path.join(root, os.pardir, "results"))

    def one(path):
        package = os.path.relpath(path, root).split(os.sep)[0]
        result = Result(os.path.relpath(path, root), package)
        if not checked.restore(result):
            try:
                check(binary, path, result)
            except Exception as error:
                result.judged("not checked", f"{type(error).__name__}: {error}")
            checked.add(result)
        if result.verdict in WRONG or result.verdict == "not checked":
            result.explanation = explanations.reason(result)
        on_result(result)
        return result

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        # The small ones first: most faults show in them.
        return list(pool.map(one, sorted(paths, key=os.path.getsize)))


def check(binary, path, result):
    with tempfile.TemporaryDirectory() as folder:
        runs = [convert(binary, path, factor, folder) for factor in FACTORS]
        for done in runs:
            if done.crash:
                return result.judged("did not end" if done.crash == 124 else "crashed", f"status {done.crash}")
        if any(name not in {f"{factor}.wav" for factor in FACTORS} for name in os.listdir(folder)):
            return result.judged("left a file behind", " ".join(os.listdir(folder)))
        stream = decoding.facts(path)
        result.error_class = next((done.error_class for done in runs if done.error_class), "")
        failed = [done for done in runs if done.error]
        if len(failed) == 1:
            return result.judged("factors disagree", failed[0].error)
        if failed:
            return judge_refusal(path, stream, failed[0], result)
        return judge_output(path, stream, runs, result)


class Run:
    """One conversion."""

    def __init__(self, output, status, record, words):
        self.output, self.record = output, record
        self.crash = status if status < 0 or status in (124, 132, 134, 139) else None
        self.error = None if status == 0 else record.get("error") or words or f"exit status {status}"
        self.error_class = record.get("errorClass", "")
        self.warnings = record.get("warnings", [])


def convert(binary, path, factor, folder):
    output = os.path.join(folder, f"{factor}.wav")
    try:
        done = decoding.run(binary, "convert", "--json", "--progress", "none", "-f", factor, "--method", "linear",
                            "--format", "wav", "--bits", "16", "-o", output, "--", path)
    except subprocess.TimeoutExpired:
        return Run(output, 124, {}, "")
    if done.returncode == 64:
        raise RuntimeError(done.stderr.decode(errors="replace"))
    lines = done.stdout.decode(errors="replace").splitlines()
    try:
        record = json.loads(lines[-1]) if lines else {}
    except ValueError:
        record = {}
    return Run(output, done.returncode, record, done.stderr.decode(errors="replace").strip()[-300:])


def judge_refusal(path, stream, done, result):
    if stream is None:
        return result.judged(NOT_AUDIO, done.error)
    others = [decoding.by_ffmpeg(path, stream), decoding.by_another(path, stream)]
    clean = [other for other in others if other and other.is_clean and other.frames]
    if not clean or not all(other.is_clean for other in others if other):
        return result.judged(REFUSED_BOTH, done.error)
    if "ends early" in done.error and promises.is_cut(path, stream["format"]):
        return result.judged(CUT, done.error)
    return result.judged("refused although clean", f"{kind(stream)}: {done.error}")


def judge_output(path, stream, runs, result):
    if stream is None:
        others = [other for other in (decoding.by_flac(path), decoding.by_libsndfile(path)) if other.is_clean]
        if not others and runs[0].record.get("inputFrames") != 0:
            return result.judged("not checked", "neither ffprobe nor libsndfile finds audio")
        stream = {"codec_name": "audio", "format": "a container that ffprobe does not know"}
    else:
        others = [decoding.by_ffmpeg(path, stream), decoding.by_another(path, stream)]
    others = [other for other in others if other]
    rate = soundfile.info(runs[0].output).samplerate
    if stream["codec_name"] == "opus" and rate != 48000:
        # Decoded at the rate of the original; other programs yield only its length.
        others = [other.at_rate(rate) for other in others]
    problems = []
    for other in others:
        problem = compared(runs, other)
        if problem is None:
            complaints = [one.complaint for one in others if one.complaint]
            if len(complaints) == len(others) and not any(done.warnings for done in runs):
                return result.judged("converted although damaged", f"{kind(stream)}: {complaints[0]}")
            return result.judged(SAME if other.samples is not None else LENGTH_ONLY)
        problems.append((other.program, *problem))
    if not problems:
        return result.judged(SAME)
    if any(compared(runs, other) is None for other in decoding.with_first_packet(path, stream)):
        return result.judged(FIRST_PACKET)
    for stated in (decoding.with_stated_length, decoding.with_packet_durations):
        if any(compared(runs, other) is None for other in stated(path, stream)):
            return result.judged(STATED_LENGTH)
    worst = min(problems, key=lambda problem: problem[1] == "other length")
    words = "; ".join(f"{program}: {words}" for program, _, words in problems)
    return result.judged(worst[1], f"{kind(stream)}: {words}")


def kind(stream):
    """Codec and container, by which explanations recognize a class."""
    return f"{stream['codec_name']} in {stream['format']}"


def compared(runs, other):
    """`None` if all outputs are those of the other decoder's samples, otherwise a verdict and its detail."""
    for factor, done in zip(FACTORS, runs):
        rate, samples = read_wav(done.output)
        wanted = int(float(other.frames) * float(factor))
        if len(samples) == other.frames == 0:
            continue
        if rate != other.rate or len(samples) != wanted:
            return "other length", (f"{len(samples)} frames at {rate} Hz, not {wanted} at {other.rate} Hz "
                                    f"(x{factor})")
        if other.samples is None or wanted == 0:
            continue
        if samples.shape[1] != other.samples.shape[1]:
            return "other samples", f"{samples.shape[1]} channels, not {other.samples.shape[1]}"
        for part in parts(wanted):
            exact = scaled(other.samples, wanted, part)
            error = np.sqrt(np.mean((samples[part] - exact) ** 2))
            signal = np.sqrt(np.mean(exact ** 2))
            if error > TOLERANCE and 20 * np.log10(max(signal, 1e-9) / error) < LEAST_RATIO:
                return "other samples", f"they differ by {error:.1f} of 32768 RMS, of a signal of {signal:.1f}"
    return None


def read_wav(path):
    samples, rate = soundfile.read(path, always_2d=True, dtype="int16")
    return rate, samples


def parts(length):
    """The frames to compare: all, or the first and the last of a long output."""
    if length <= 2 * PART:
        return [slice(0, length)]
    return [slice(0, PART), slice(length - PART, length)]


def scaled(samples, length, part):
    """A part of the linear interpolation from end to end, by its definition, in steps of 16 bits."""
    count = len(samples)
    if count == 1 or length == 1:
        return np.repeat(in_steps(samples[:1]), part.stop - part.start, axis=0)
    points = np.arange(part.start, part.stop, dtype=np.float64) * (float(count - 1) / float(length - 1))
    if part.stop == length:
        points[-1] = count - 1
    whole = np.minimum(np.trunc(points).astype(np.int64), count - 2)
    first = in_steps(samples[whole])
    return first + (points - whole)[:, None] * (in_steps(samples[whole + 1]) - first)


def in_steps(samples):
    return np.clip(samples.astype(np.float64) * 32768, -32768, 32767)
