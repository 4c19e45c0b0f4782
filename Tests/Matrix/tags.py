"""What is attached to the sources, and how other programs read it in the outputs."""
import base64, io, struct, zlib
import mutagen.apev2, mutagen.flac, mutagen.id3, mutagen.mp4, mutagen.oggflac, mutagen.oggopus
import mutagen.oggvorbis
from mutagen.ogg import OggPage

TITLE = "Tïtle ☃"
ARTISTS = ["Ann", "Bob 🎻"]
SHELF = "Box 7"
# Start in milliseconds, title.
CHAPTERS = [(0, "One"), (123, "Two ☃"), (300, "Three")]
# ID3 picture type, description.
COVER = [(3, "front"), (4, "the bäck")]


def png():
    """A PNG of one red pixel."""
    def chunk(name, data):
        whole = name + data
        return struct.pack(">I", len(data)) + whole + struct.pack(">I", zlib.crc32(whole))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0")) + chunk(b"IEND", b""))


def picture_block(picture_type, text):
    picture = mutagen.flac.Picture()
    picture.type, picture.desc, picture.mime, picture.data = picture_type, text, "image/png", png()
    picture.width = picture.height = 1
    picture.depth = 24
    return picture


class Attached:
    """Title, artists, shelf mark and pictures (type, description) found in a file."""

    def __init__(self, titles=(), artists=(), shelves=(), pictures=()):
        self.titles, self.artists = list(titles), list(artists)
        self.shelves, self.pictures = list(shelves), list(pictures)


def of_vorbis(path):
    kinds = {"flac": mutagen.flac.FLAC, "oga": mutagen.oggflac.OggFLAC,
             "ogg": mutagen.oggvorbis.OggVorbis, "opus": mutagen.oggopus.OggOpus}
    kind = path.rsplit(".", 1)[1]
    file = kinds[kind](path)
    if kind == "oga":
        blocks = ogg_flac_pictures(path)
    else:
        blocks = getattr(file, "pictures", None) or [
            mutagen.flac.Picture(base64.b64decode(text))
            for text in file.get("metadata_block_picture", [])]
    return Attached(file.get("title", []), file.get("artist", []), file.get("shelfmark", []),
                    [(block.type, block.desc) for block in blocks if block.data == png()])


def ogg_flac_pictures(path):
    """The PICTURE blocks of an Ogg FLAC file, which mutagen does not read: each is a packet."""
    with open(path, "rb") as file:
        packets, packet = [], b""
        while not packets or len(packets) < 2 + struct.unpack(">H", packets[0][7:9])[0]:
            page = OggPage(file)
            for number, part in enumerate(page.packets):
                packet += part
                if number + 1 < len(page.packets) or page.complete:
                    packets.append(packet)
                    packet = b""
            if not packets[0].startswith(b"\x7fFLAC"):
                return []
    return [mutagen.flac.Picture(block[4:]) for block in packets if block[0] & 0x7F == 6]


def of_id3(tags):
    def texts(name):
        return [text for frame in tags.getall(name) for text in frame.text]
    return Attached(texts("TIT2"), texts("TPE1"), [
        text for frame in tags.getall("TXXX") if frame.desc.upper() == "SHELFMARK"
        for text in frame.text],
                    [(frame.type, frame.desc) for frame in tags.getall("APIC")
                     if frame.data == png()])


def of_mp4(path):
    file = mutagen.mp4.MP4(path)
    shelves = [bytes(value).decode() for key, values in file.items()
             if key.upper().endswith(":SHELFMARK") for value in values]
    return Attached(file.get("\xa9nam", []), file.get("\xa9ART", []), shelves,
                    [(3, "") for cover in file.get("covr", []) if bytes(cover) == png()])


def of_ape(path):
    """APEv2: several artists are one item of several texts, and a picture follows its file's name."""
    file = mutagen.apev2.APEv2(path)

    def found(name):
        return list(file[name]) if name in file else []
    covers = [(3 if "front" in key.lower() else 4, bytes(value).split(b"\0", 1))
              for key, value in file.items() if key.lower().startswith("cover art")]
    return Attached(found("title"), found("artist"), found("shelfmark"),
                    [(kind, "") for kind, parts in covers if parts[-1] == png()])


def chunks(path):
    """The chunks of a RIFF, RF64, AIFF or CAF file, by name."""
    with open(path, "rb") as file:
        data = file.read()
    caf, big = data[:4] == b"caff", data[:4] in (b"FORM", b"caff")
    at, found = 8 if caf else 12, {}
    while at + 8 <= len(data):
        name = data[at:at + 4]
        size = struct.unpack_from((">q" if caf else ">I" if big else "<I"), data, at + 4)[0]
        if name == b"data" and size in (0xFFFFFFFF, -1):
            size = struct.unpack_from("<Q", found[b"ds64"], 8)[0]
        start = at + (12 if caf else 8)
        kind = name + data[start:start + 4] if name == b"LIST" else name
        found[kind] = data[start:start + size]
        at = start + size + (0 if caf else size % 2)
    return found


def of_chunk(path):
    found = chunks(path)
    data = found.get(b"id3 ", found.get(b"ID3 "))
    if data:
        return of_id3(mutagen.id3.ID3(io.BytesIO(data)))
    # A title alone needs no more than LIST INFO.
    info = found.get(b"LISTINFO", b"")
    at = info.find(b"INAM")
    if at < 0:
        return Attached()
    size = struct.unpack_from("<I", info, at + 4)[0]
    return Attached([info[at + 8:at + 8 + size].rstrip(b"\0").decode()])


def of_caf(path):
    """The pairs of names and texts in a CAF file's information chunk; several artists are one text there."""
    texts = chunks(path).get(b"info", b"")[4:].split(b"\0")
    pairs = dict(zip((name.decode() for name in texts[::2]), (text.decode() for text in texts[1::2])))

    def found(name):
        return pairs[name].split("; ") if name in pairs else []
    return Attached(found("title"), found("artist"), found("shelfmark"))


def marks(path, rate):
    """The starts of cue points and markers, in seconds."""
    found = chunks(path)
    if b"cue " in found:
        data = found[b"cue "]
        count = struct.unpack_from("<I", data)[0]
        return sorted(struct.unpack_from("<I", data, 4 + 24 * i + 20)[0] / rate for i in range(count))
    if b"MARK" in found:
        data, at, starts = found[b"MARK"], 2, []
        for _ in range(struct.unpack_from(">H", data)[0]):
            starts.append(struct.unpack_from(">I", data, at + 2)[0] / rate)
            at += 6 + (data[at + 6] + 2) // 2 * 2
        return sorted(starts)
    if b"mark" in found:
        data = found[b"mark"]
        count = struct.unpack_from(">I", data, 4)[0]
        return sorted(struct.unpack_from(">d", data, 8 + 28 * i + 4)[0] / rate for i in range(count))
    return []
