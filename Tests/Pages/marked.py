"""Generated parts of the documents: what stands between `<!-- NAME -->` and `<!-- /NAME -->`."""
import glob, os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def pages():
    """The documents that hold generated parts and console examples."""
    return [os.path.join(ROOT, "README.md"),
            *sorted(glob.glob(os.path.join(ROOT, "docs", "**", "*.md"), recursive=True))]


def put(name, text):
    """Replaces the part of that name in the one page that has it."""
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->\n"
    for path in pages():
        with open(path) as file:
            page = file.read()
        head, found, rest = page.partition(begin)
        if not found:
            continue
        _, found, tail = rest.partition(end)
        if not found:
            raise RuntimeError(f"{path}: {begin.strip()} is not closed")
        with open(path, "w") as file:
            file.write(head + begin + text + end + tail)
        return
    raise RuntimeError(f"no page has a place for {begin.strip()}")
