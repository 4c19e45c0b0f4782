"""What was found over the corpus, as a record and as a table of docs/formats.md."""
import collections, json, os
import marked
from checking import CUT, FIRST_PACKET, LENGTH_ONLY, NOT_AUDIO, REFUSED_BOTH, SAME, STATED_LENGTH, WRONG

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "record.json")
MEANINGS = {
    SAME: "converted: length and samples are those of another decoder, scaled",
    LENGTH_ONLY: "converted: the length is that of another decoder; too long to compare samples",
    FIRST_PACKET: "converted: the same, with the first packet of AAC in MP4, which ffmpeg drops although the file "
                  "declares no delay",
    STATED_LENGTH: "converted: the same, as long as iTunSMPB or the durations of the packets state, which ffmpeg "
                   "ignores",
    REFUSED_BOTH: "refused, and other programs report errors too",
    CUT: "refused: cut short of what its own headers promise; other programs play the rest and report nothing",
    NOT_AUDIO: "refused: no audio that ffprobe finds either",
}


def is_unexplained(result):
    return (result.verdict in WRONG or result.verdict == "not checked") and result.explanation is None


def record(packages, results):
    counts = collections.Counter(result.verdict for result in results
                                 if result.explanation is None and not is_unexplained(result))
    return {
        "packages": [{"name": package.name, "files": package.files} for package in packages
                     if package.problem is None],
        "missing": sorted(package.name for package in packages if package.problem),
        "files": len(results),
        "verdicts": {verdict: counts[verdict] for verdict in MEANINGS if counts[verdict]},
        "refusals": dict(sorted(collections.Counter(
            result.error_class for result in results if result.error_class).items())),
        "explained": dict(sorted(collections.Counter(
            result.explanation for result in results if result.explanation).items())),
        "unexplained": dict(sorted(collections.Counter(
            result.verdict for result in results if is_unexplained(result)).items())),
    }


def text(record):
    lines = [f"{record['files']:,} different files of {sum(1 for p in record['packages'] if p['files'])} packages:",
             "", "| files | result |", "| ---: | --- |"]
    lines += [f"| {count:,} | {MEANINGS[verdict]} |" for verdict, count in record["verdicts"].items()]
    lines += [f"| {count:,} | {reason} |" for reason, count in
              sorted(record["explained"].items(), key=lambda item: -item[1])]
    lines += [f"| {count:,} | unexplained: {verdict} |" for verdict, count in record["unexplained"].items()]
    return "\n".join(lines) + "\n"


def save(record, root):
    with open(PATH, "w") as file:
        json.dump(record, file, indent=1)
        file.write("\n")
    marked.put("corpus", text(record))
