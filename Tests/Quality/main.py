"""Measures what the methods do to sound, and what other programs do. See scripts/quality."""
import argparse, os, sys, tempfile, time
import engine
import gapless
import hard
import hardcheck
import heardcheck
import levels
import measures
import record
import selfcheck
import signals
import sinc
import stretch

BINARY = os.path.join(signals.ROOT, ".build/release/scaleaudio")


def check(binary, folder):
    """Prints every gate of the vocoder, and returns those of all methods that are missed, but for what the record misses."""
    missed = sinc.missed(sinc.measured(binary, folder, only_ours=True))
    missed += stretch.missed(stretch.measured(binary, folder, ["0.8", "1.5"], [engine.OURS]))
    recorded = record.load()
    listing, lost = engine.checked(binary, folder, recorded["heard"], engine.FACTORS)
    more, also_lost = hard.checked(binary, folder, recorded["hard_sounds"])
    joints, apart = gapless.checked(binary, folder)
    print("Gates of stretch beside R3:", *listing, *more, *joints, sep="\n")
    known = sum(line.startswith("missed") for line in listing + more)
    missed += lost + also_lost + apart
    if known and not missed:
        print(f"no gate that held is missed now; {known} gates are missed, as recorded", file=sys.stderr)
    return missed


PARTS = ("hard_sounds", "varispeed", "stretched", "heard", "tuning")


def measure(binary, folder, write, only, names):
    """Measures everything, or some beside what is recorded; prints or records it, and returns the gates that are missed."""
    # Pictures need a library that the check does not.
    import page, pictures, tools
    parts = {
        "hard_sounds": lambda: hard.compared(binary, folder, names),
        "varispeed": lambda: sinc.measured(binary, folder),
        "stretched": lambda: stretch.measured(binary, folder, names=names),
        "heard": lambda: engine.compared(binary, folder, names=names),
        "tuning": lambda: engine.compared(binary, folder, "tuning", names=names or engine.PAIR, sounds={}),
    }
    found = record.load() if only or names else {}
    found |= {"versions": tools.versions(binary),
              "correlation": [measures.correlation(made().frames) for made in (signals.wide, signals.music)]}
    for name in only or PARTS:
        start = time.monotonic()
        results = parts[name]()
        if names:
            by_name = {tool.name: (tool, figures) for tool, figures in found[name] + results}
            order = dict.fromkeys([tool.name for tool in tools.stretchers(binary)] + list(by_name))
            results = [by_name[tool] for tool in order if tool in by_name]
        found[name] = results
        print(f"{name}: {time.monotonic() - start:.0f} s", file=sys.stderr)
    missed = sinc.missed(found["varispeed"]) + stretch.missed(found["stretched"]) + page.unexplained(found["stretched"])
    ours, reference = engine.pair(found["heard"])
    missed += engine.missed(ours, reference, engine.OURS) if reference else []
    missed += hard.missed(*hard.pair(found["hard_sounds"]))
    if write:
        record.save(**found)
    print(page.page(**found))
    if write:
        missed += levels.measure(binary, folder)
        pictures.draw(binary, folder)
        page.write(**record.load())
    return missed


def main():
    options = argparse.ArgumentParser(prog="scripts/quality", description=__doc__)
    options.add_argument("--write", action="store_true", help="record the results and write QUALITY.md and its pictures")
    options.add_argument("--page", action="store_true", help="only write QUALITY.md from what is recorded")
    options.add_argument("--check", action="store_true", help="only the gates, of our program alone")
    options.add_argument("--engine", action="store_true", help="only stretch beside R3, on the recordings for tuning")
    options.add_argument("--only", nargs="+", choices=PARTS, help="only some parts; the rest is as recorded")
    options.add_argument("--tools", nargs="+", metavar="NAME",
                         help="only some stretchers, as QUALITY.md names them; the rest is as recorded")
    options.add_argument("--levels", action="store_true", help="only measure and record limiting, joints and tempos")
    options.add_argument("--binary", default=BINARY)
    options = options.parse_args()
    if options.page:
        import page
        return page.write(**record.load())
    binary = os.path.abspath(options.binary)
    if options.levels:
        with tempfile.TemporaryDirectory() as folder:
            missed = levels.measure(binary, folder)
        print(levels.section(), *missed, sep="\n")
        sys.exit(1 if missed else 0)
    missed = selfcheck.faults() + heardcheck.faults() + hardcheck.faults()
    if not missed:
        try:
            with tempfile.TemporaryDirectory() as folder:
                if options.engine:
                    ours, reference = engine.pair(engine.compared(binary, folder, "tuning", names=engine.PAIR))
                    print(engine.text(ours, reference))
                    missed = engine.missed(ours, reference, engine.OURS)
                else:
                    missed = (check(binary, folder) if options.check
                              else measure(binary, folder, options.write, options.only, options.tools))
        except (RuntimeError, OSError) as error:
            missed = [str(error)]
    for line in missed:
        print(line, file=sys.stderr)
    if missed or not options.check:
        print(f"{len(missed)} gates missed" if missed else "all gates hold", file=sys.stderr)
    sys.exit(1 if missed else 0)


main()
