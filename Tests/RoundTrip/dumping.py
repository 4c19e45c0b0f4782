"""Everything in a file except its audio, as a dictionary of names and texts."""
import collections, hashlib, io, re, struct, subprocess
import mutagen, mutagen.apev2, mutagen.flac, mutagen.id3, mutagen.mp4, mutagen.oggflac, mutagen.oggopus, mutagen.oggvorbis

AUDIO = {b"data", b"SSND", b"mdat", b"BODY"}


def shown(data):
    """Bytes as text where they are, otherwise their digest."""
    if len(data) <= 200:
        return f"{len(data)} {data!r}"
    return f"{len(data)} bytes, md5 {hashlib.md5(data).hexdigest()}"


class Dump:
    def __init__(self):
        self.entries = collections.defaultdict(list)

    def add(self, name, value):
        self.entries[name].append(value)

    def differences(self, other):
        """Lines `- name = value` and `+ name = value`."""
        lines = []
        for name in sorted(self.entries | other.entries):
            before, after = list(self.entries.get(name, [])), list(other.entries.get(name, []))
            if before == after:
                continue
            gone, come = list(before), []
            for value in after:
                gone.remove(value) if value in gone else come.append(value)
            lines += [f"- {name} = {value}" for value in gone] + [f"+ {name} = {value}" for value in come]
            if not gone and not come:
                lines.append(f"~ {name} = {after}")
        return lines


def dump(path):
    with open(path, "rb") as file:
        data = file.read()
    found = Dump()
    try:
        if data[:4] in (b"RIFF", b"RF64"):
            riff(found, data, 12, "")
        elif data[:4] == b"FORM":
            iff(found, data)
        elif data[:4] == b"caff":
            caf(found, data)
        elif data[:4] == b"riff":
            wave64(found, data)
        elif data[4:8] == b"ftyp":
            mp4(found, data, 0, len(data), "")
            atomic_parsley(found, path)
        elif data[:4] == b"fLaC":
            flac(found, path)
        elif data[:4] == b"OggS":
            ogg(found, path)
        elif data[:4] == b".snd":
            found.add("annotation", shown(data[24:struct.unpack(">I", data[4:8])[0]].rstrip(b"\0")))
        else:
            stream(found, path, data)
    except (mutagen.MutagenError, struct.error, IndexError) as error:
        found.add("unreadable", type(error).__name__)
    return found


def id3(found, data, prefix=""):
    tags = mutagen.id3.ID3(io.BytesIO(data), translate=False, load_v1=False)
    # The names of version 2.3 have one meaning with those of 2.4.
    tags.update_to_v24()
    for frame in tags.values():
        id3_frame(found, frame, prefix + "ID3 ")
    for data in tags.unknown_frames:
        found.add(f"{prefix}ID3 unknown", shown(data))


def id3_frame(found, frame, prefix):
    parts = {name: value for name, value in vars(frame).items()
             if name not in ("encoding", "sub_frames", "_hash") and not name.startswith("_")}
    inner = getattr(frame, "sub_frames", {}).values()
    subs = Dump()
    for sub in inner:
        id3_frame(subs, sub, "")
    if subs.entries:
        parts["sub"] = dict(subs.entries)
    texts = []
    for name, value in sorted(parts.items()):
        texts.append(f"{name}={shown(value) if isinstance(value, bytes) else value}")
    found.add(f"{prefix}{frame.FrameID}", "; ".join(texts))


def riff(found, data, at, prefix, end=None):
    end = end or len(data)
    sizes = {}
    while at + 8 <= end:
        name, size = data[at:at + 4], struct.unpack("<I", data[at + 4:at + 8])[0]
        body = data[at + 8:at + 8 + size]
        label = prefix + name.decode("latin-1")
        if name == b"data":
            if size == 0xFFFFFFFF:
                size = sizes["data"]
        elif name == b"ds64":
            sizes["data"] = struct.unpack("<Q", body[8:16])[0]
        elif name == b"LIST":
            riff(found, data, at + 12, f"{label} {body[:4].decode('latin-1')} ", at + 8 + size)
        elif name.lower() == b"id3 ":
            id3(found, body, label.strip() + " ")
        elif prefix.startswith("LIST INFO"):
            found.add(label, shown(body.rstrip(b"\0")))
        else:
            found.add(label, shown(body))
        at += 8 + size + size % 2


def iff(found, data):
    at = 12
    while at + 8 <= len(data):
        name, size = data[at:at + 4], struct.unpack(">I", data[at + 4:at + 8])[0]
        body = data[at + 8:at + 8 + size]
        if name == b"ID3 ":
            id3(found, body, "")
        elif name not in AUDIO:
            found.add(name.decode("latin-1"), shown(body))
        at += 8 + size + size % 2


def caf(found, data):
    at = 8
    while at + 12 <= len(data):
        name, size = data[at:at + 4], struct.unpack(">q", data[at + 4:at + 12])[0]
        if size < 0:
            break
        body = data[at + 12:at + 12 + size]
        if name == b"info":
            texts = body[4:].split(b"\0")
            for key, value in zip(texts[::2], texts[1::2]):
                found.add(f"info {key.decode()}", value.decode())
        elif name not in AUDIO and name != b"free":
            found.add(name.decode("latin-1"), shown(body))
        at += 12 + size


def wave64(found, data):
    at = 40
    while at + 24 <= len(data):
        name, size = data[at:at + 4], struct.unpack("<Q", data[at + 16:at + 24])[0]
        if size < 24:
            break
        if name not in AUDIO:
            found.add(name.decode("latin-1"), shown(data[at + 24:at + size]))
        at += (size + 7) // 8 * 8


MP4_FOLDERS = {b"moov", b"udta", b"trak", b"mdia", b"meta", b"ilst", b"minf", b"stbl"}


def mp4(found, data, at, end, prefix):
    while at + 8 <= end:
        size, name = struct.unpack(">I4s", data[at:at + 8])
        head = 8
        if size == 1:
            size, head = struct.unpack(">Q", data[at + 8:at + 16])[0], 16
        elif size == 0:
            size = end - at
        if size < head:
            break
        body = data[at + head:at + size]
        label = prefix + name.decode("latin-1")
        if prefix.endswith("ilst/"):
            if name == b"----":
                label += " " + " ".join(part.decode("latin-1") for part in freeform(body))
            found.add(label, shown(body))
        elif name == b"meta":
            # QuickTime's has no version.
            inner = 8 if body[4:8] == b"hdlr" else 12
            mp4(found, data, at + inner, at + size, label + "/")
        elif name in MP4_FOLDERS:
            mp4(found, data, at + head, at + size, label + "/")
        elif name not in (b"mdat", b"free", b"skip", b"wide"):
            found.add(label, shown(body))
        at += size


ATOM = re.compile(r'^Atom "([^"]+)"(?: \[([^;\]]*);([^\]]*)\])? contains: ', re.MULTILINE)


def atomic_parsley(found, path):
    """The items of an MP4 file as AtomicParsley reads them, another reader of the same tags."""
    text = subprocess.run(["AtomicParsley", path, "-t"], capture_output=True).stdout.decode("utf-8-sig", "replace")
    # Between two names there are one name's domain, name, and value, which may have several lines.
    parts = ATOM.split(text)
    for name, domain, own, value in zip(*(parts[start::4] for start in range(1, 5))):
        label = name if domain is None else f"{name} {domain} {own}"
        found.add(f"AtomicParsley ilst/{label}", value.strip())


def freeform(body):
    at, texts = 0, []
    while at + 8 <= len(body):
        size, name = struct.unpack(">I4s", body[at:at + 8])
        if name in (b"mean", b"name"):
            texts.append(body[at + 12:at + size])
        at += max(size, 8)
    return texts


def flac(found, path):
    file = mutagen.flac.FLAC(path)
    if file.tags is not None:
        comments(found, file.tags)
    for block in file.metadata_blocks:
        if block is file.tags or block.code == 1:
            continue
        found.add(f"block {block.code}", shown(block.write()))
    with open(path, "rb") as data:
        if data.read(3) == b"ID3":
            data.seek(0)
            id3(found, data.read())


def comments(found, tags):
    found.add("vendor", tags.vendor)
    for name, value in tags:
        if name.lower() == "metadata_block_picture":
            value = shown(value.encode())
        found.add(f"comment {name}", value)


def ogg(found, path):
    file = mutagen.File(path)
    if file is not None and file.tags is not None:
        comments(found, file.tags)
    if isinstance(file, mutagen.oggflac.OggFLAC):
        import tags
        for block in tags.ogg_flac_pictures(path):
            found.add("block 6", shown(block.write()))


def stream(found, path, data):
    if data[:3] == b"ID3":
        id3(found, data)
    if data[-128:-125] == b"TAG":
        found.add("ID3v1", shown(data[-128:]))
    if data[-9:] == b"LYRICS200" or data[-137:-128] == b"LYRICS200":
        found.add("Lyrics3", shown(data[data.rindex(b"LYRICSBEGIN"):]))
    try:
        for name, value in mutagen.apev2.APEv2(path).items():
            found.add(f"APE {name}", shown(value.value if isinstance(value.value, bytes) else str(value).encode()))
    except mutagen.MutagenError:
        pass
