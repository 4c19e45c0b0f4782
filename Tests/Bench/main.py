"""Times the program and its peers. See scripts/bench."""
import argparse, os, re, shutil, subprocess, sys, tempfile
import kernel, page, record
from growth import Growth
from timing import compare
from works import Bench, Material

HERE = os.path.dirname(os.path.abspath(__file__))
BINARY = os.path.join(page.ROOT, ".build/release/scaleaudio")


def verify(contender):
    """Checks a program's output in another process, whose memory must not count as the program's."""
    done = subprocess.run(
        [sys.executable, os.path.join(HERE, "check.py"), *contender.check, contender.output],
        capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{contender.name}: {(done.stderr + done.stdout).strip()}")


def timed(bench, rounds, only):
    works = []
    for name, make in bench.all().items():
        if only and not re.search(only, name):
            continue
        work = make()
        print(f"== {work.title}", file=sys.stderr)
        contenders = compare(work.contenders, min(rounds, work.rounds), verify)
        print(page.table(record.programs_of(contenders)), file=sys.stderr)
        works.append((work, contenders))
    return works


def grown(material, rounds, only):
    growth = Growth(material, min(rounds, 3), verify)
    series = [
        ("Growth with length", "Mono, 22.05 kHz, 16 bits, WAV to WAV, `smoothstep`.", growth.lengths),
        ("Growth with channels", "Five minutes of WAV, `smoothstep`.", growth.channels),
        ("Growth with files", "Files of one second, WAV to WAV.", growth.files),
        ("Growth with cores", "The same work on one thread and on more.", growth.cores),
    ]
    tables = []
    for title, text, make in series:
        if only and not re.search(only, make.__name__):
            continue
        print(f"== {title}", file=sys.stderr)
        tables.append((title, text, make()))
        print(page.growth_table(record.programs_of(tables[-1][2])), file=sys.stderr)
    return tables


def main():
    options = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    options.add_argument("--write", action="store_true", help="record the results and write BENCHMARKS.md")
    options.add_argument("--page", action="store_true", help="only write BENCHMARKS.md from what is recorded")
    options.add_argument("--only", help="only the work whose name this regular expression finds")
    options.add_argument("--rounds", type=int, default=30, help="counted runs of each program, at most")
    options.add_argument("--scale", type=float, default=1, help="lengths and numbers of files times this")
    options.add_argument("--folder", default="/dev/shm", help="where everything is read and written")
    options.add_argument("--binary", default=BINARY)
    options = options.parse_args()
    if options.page:
        return page.write(record.load())
    if options.write and options.scale != 1:
        sys.exit("scripts/bench: only work of full size is recorded: leave out --scale")
    binary = os.path.abspath(options.binary)
    folder = tempfile.mkdtemp(dir=options.folder, prefix="bench-")
    try:
        material = Material(folder, binary, options.scale)
        works = timed(Bench(material), options.rounds, options.only)
        growth = grown(material, options.rounds, options.only)
        kernels = kernel.timed() if not options.only or re.search(options.only, "kernel") else []
    except (RuntimeError, subprocess.CalledProcessError) as error:
        sys.exit(f"scripts/bench: {error}")
    finally:
        shutil.rmtree(folder)
    found = record.made(works, growth, kernels, binary)
    if options.only:
        found = record.updated(record.load(), found)
    print(page.page(found))
    print(page.targets(found), file=sys.stderr)
    if options.write:
        record.save(found)
        page.write(found)


main()
