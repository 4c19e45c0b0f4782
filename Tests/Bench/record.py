"""The record of a run of the bench, from which all pages are made: record.json."""
import json, os
import page
from timing import ratio

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "record.json")


def load():
    with open(PATH) as file:
        return json.load(file)


def save(record):
    with open(PATH, "w") as file:
        json.dump(record, file, indent=1, ensure_ascii=False)
        file.write("\n")


def made(works, growth, kernels, binary):
    """What was timed, as plain values: seconds, bytes, and [median, minimum, maximum] of each figure."""
    machine, programs = page.machine(binary)
    return {
        "machine": machine,
        "programs": programs,
        "works": [{"title": work.title, "text": work.text, "is_leading": work.is_leading,
                   "programs": programs_of(contenders)} for work, contenders in works],
        "targets": [target for work, contenders in works
                    for target in targets_of(work, contenders)]
                   + [target_of_kernel(kernel) for kernel in kernels],
        "growth": [{"title": title, "text": text, "programs": programs_of(contenders)}
                   for title, text, contenders in growth],
    }


def updated(old, new):
    """A record with some of its work timed again, by the same programs; work of another machine names it."""
    if old["programs"] != new["programs"]:
        raise SystemExit(f"scripts/bench: the record is of other programs:\n{old['programs']}\n{new['programs']}")
    if old["machine"] != new["machine"]:
        for one in new["works"] + new["targets"] + new["growth"]:
            one["machine"] = new["machine"]
    made = dict(old)
    for kind, keys in ("works", ["title"]), ("targets", ["work", "against"]), ("growth", ["title"]):
        def name(one):
            return [one[key] for key in keys]
        names = [name(one) for one in old[kind]]
        made[kind] = [next((again for again in new[kind] if name(again) == name(one)), one) for one in old[kind]]
        made[kind] += [one for one in new[kind] if name(one) not in names]
    return made


def programs_of(contenders):
    first = contenders[0]
    return [{
        "name": one.name, "ours": one.ours, "command": page.shown(one),
        "wall": list(one.figures("wall")), "cpu": one.figures("cpu")[0],
        "ratio": None if one is first else list(ratio(first, one)),
        "peak": one.peak, "size": one.size,
    } for one in contenders]


def targets_of(work, contenders):
    """The targets of a piece of work that could be measured here."""
    for target in work.targets:
        figures = measured(target, contenders)
        if figures is not None:
            yield {"work": target.work, "against": target.against, "field": target.field, "most": target.most,
                   "figures": list(figures)}


def measured(target, contenders):
    """A target's figures: median, minimum and maximum; `None` where a program is not here."""
    named = {one.name: one for one in contenders}
    if target.ours not in named or target.against and target.against not in named:
        return None
    ours = named[target.ours]
    if not target.against:
        return (ours.peak,) * 3 if target.field == "peak" else ours.figures(target.field)
    if target.field == "size":
        return (ours.size / named[target.against].size,) * 3
    return ratio(ours, named[target.against], target.field)


def target_of_kernel(kernel):
    return {"work": f"the kernel alone, {kernel.method}", "against": None, "field": "kernel",
            "most": kernel.most, "figures": list(kernel.figures)}
