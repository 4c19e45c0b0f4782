"""Measures what the methods do to sound, and what other programs do. See scripts/quality."""
import argparse, os, sys, tempfile
import engine
import heardcheck
import measures
import record
import selfcheck
import signals
import sinc
import stretch

BINARY = os.path.join(signals.ROOT, ".build/release/scaleaudio")


def check(binary, folder):
    """Prints every gate of the vocoder, and returns those of all methods that are missed, without what the record misses."""
    missed = sinc.missed(sinc.measured(binary, folder, only_ours=True))
    missed += stretch.missed(stretch.measured(binary, folder, ["0.8", "1.5"], only_ours=True))
    listing, lost = engine.checked(binary, folder, record.load()[2], engine.FACTORS)
    print("Gates of stretch fast beside R3:", *listing, sep="\n")
    known = sum(line.startswith("missed") for line in listing)
    if known and not missed + lost:
        print(f"no gate that held is missed now; {known} gates of stretch fast are missed, as recorded", file=sys.stderr)
    return missed + lost


def measure(binary, folder, write):
    """Measures everything, prints or records it, and returns the gates that are missed."""
    # Pictures need a library that the check does not.
    import page, pictures, tools
    varispeed = sinc.measured(binary, folder)
    stretched = stretch.measured(binary, folder)
    heard = engine.compared(binary, folder)
    missed = sinc.missed(varispeed) + stretch.missed(stretched) + page.unexplained(stretched)
    ours, reference = engine.pair(heard)
    missed += engine.missed(ours, reference, engine.OURS) if reference else []
    correlation = [measures.correlation(made().frames) for made in (signals.wide, signals.music)]
    found = varispeed, stretched, heard, correlation, tools.versions(binary)
    print(page.page(*found))
    if write:
        pictures.draw(binary, folder)
        record.save(*found)
        page.write(*record.load())
    return missed


def main():
    options = argparse.ArgumentParser(prog="scripts/quality", description=__doc__)
    options.add_argument("--write", action="store_true", help="record the results and write QUALITY.md and its pictures")
    options.add_argument("--page", action="store_true", help="only write QUALITY.md from what is recorded")
    options.add_argument("--check", action="store_true", help="only the gates, of our program alone")
    options.add_argument("--engine", action="store_true", help="only the vocoder beside R3, on the recordings for tuning")
    options.add_argument("--binary", default=BINARY)
    options = options.parse_args()
    if options.page:
        import page
        return page.write(*record.load())
    binary = os.path.abspath(options.binary)
    missed = selfcheck.faults() + heardcheck.faults()
    if not missed:
        try:
            with tempfile.TemporaryDirectory() as folder:
                if options.engine:
                    ours, reference = engine.pair(engine.compared(binary, folder, "tuning", peers=False))
                    print(engine.text(ours, reference))
                    missed = engine.missed(ours, reference, engine.OURS)
                else:
                    missed = check(binary, folder) if options.check else measure(binary, folder, options.write)
        except (RuntimeError, OSError) as error:
            missed = [str(error)]
    for line in missed:
        print(line, file=sys.stderr)
    if missed or not options.check:
        print(f"{len(missed)} gates missed" if missed else "all gates hold", file=sys.stderr)
    sys.exit(1 if missed else 0)


main()
