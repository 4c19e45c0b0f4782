"""Files in every container that is written, with everything attached that it can have."""
import base64, io, os, struct, subprocess
import mutagen, mutagen.aiff, mutagen.apev2, mutagen.flac, mutagen.id3 as id3, mutagen.mp4 as mp4
import mutagen.oggflac, mutagen.oggopus, mutagen.oggvorbis, mutagen.wave
from tags import picture_block, png

SECONDS = 2
RATE = 48000


def run(*command):
    subprocess.run(command, check=True, capture_output=True)


def wav(path):
    run("sox", "-R", "-n", "-r", str(RATE), "-c", "2", "-b", "16", path, "synth", str(SECONDS), "pinknoise",
        "gain", "-6")


def frames():
    """ID3 frames of every kind that mutagen writes."""
    texts = {name: ["one"] for name in """TALB TCOM TCOP TENC TEXT TIT1 TIT2 TIT3 TKEY TMED TMOO TOAL TOFN TOLY TOPE
        TOWN TPE2 TPE3 TPE4 TPRO TPUB TRSN TRSO TSO2 TSOA TSOC TSOP TSOT TSRC TSST GRP1 MVNM TCAT TDES TGID TKWD
        TFLT""".split()}
    texts |= {"TPE1": ["Ann", "Bob"], "TCON": ["Rock", "Jazz"], "TRCK": ["3/9"], "TPOS": ["1/2"], "TBPM": ["120"],
              "TCMP": ["1"], "TLAN": ["eng", "deu"], "TDRC": ["2020-05-06"], "TDOR": ["1999"], "TDRL": ["2021"],
              "TDEN": ["2022-01-02T03:04:05"], "TDTG": ["2023"], "MVIN": ["2/3"], "TDLY": ["0"]}
    found = [getattr(id3, name)(encoding=3, text=text) for name, text in texts.items()]
    found += [
        id3.TXXX(encoding=3, desc="MusicBrainz Album Id", text=["abc"]),
        id3.TXXX(encoding=3, desc="replaygain_track_gain", text=["-3.21 dB"]),
        id3.TXXX(encoding=3, desc="Two", text=["1", "2"]),
        id3.TXXX(encoding=3, desc="COMPILATION", text=["yes"]), id3.TXXX(encoding=3, desc="", text=["nameless"]),
        *(id3.TXXX(encoding=3, desc=desc, text=["of " + desc]) for desc in
          ("Publisher", "ALBUM ARTIST", "LABEL", "COMMENT", "Work", "own", "OWN", "MUSICBRAINZ_ARTISTID", "URL")),
        id3.COMM(encoding=3, lang="eng", desc="", text="plain"), id3.COMM(encoding=3, lang="deu", desc="d", text="described"),
        id3.USLT(encoding=3, lang="eng", desc="", text="la la"), id3.USLT(encoding=3, lang="fra", desc="x", text="lo"),
        id3.WOAR(url="http://a/artist"), id3.WOAF(url="http://a/file"), id3.WCOP(url="http://a/copy"),
        id3.WXXX(encoding=3, desc="mine", url="http://a/mine"), id3.WPUB(url="http://a/pub"),
        id3.UFID(owner="http://musicbrainz.org", data=b"1234"), id3.UFID(owner="other", data=b"\x00\x01"),
        id3.TIPL(encoding=3, people=[["producer", "P"], ["mix", "M"]]), id3.TMCL(encoding=3, people=[["violin", "V"]]),
        id3.POPM(email="a@b", rating=200, count=3), id3.PCNT(count=7), id3.PRIV(owner="me", data=b"\x01\x02"),
        id3.GEOB(encoding=3, mime="text/plain", filename="f.txt", desc="d", data=b"object"),
        id3.APIC(encoding=3, mime="image/png", type=3, desc="front", data=png()),
        id3.APIC(encoding=3, mime="image/png", type=4, desc="bäck", data=png()),
        id3.SYLT(encoding=3, lang="eng", format=2, type=1, desc="", text=[("la", 100), ("le", 900)]),
        id3.CHAP(element_id="c0", start_time=0, end_time=800, sub_frames=[id3.TIT2(encoding=3, text="One")]),
        id3.CHAP(element_id="c1", start_time=800, end_time=2000, sub_frames=[
            id3.TIT2(encoding=3, text="Two"), id3.WXXX(desc="", url="http://a/2")]),
        id3.CTOC(element_id="toc", flags=3, child_element_ids=["c0", "c1"],
                 sub_frames=[id3.TIT2(encoding=3, text="All")]),
        id3.USER(encoding=3, lang="eng", text="terms"), id3.OWNE(encoding=0, price="EUR1", date="20200102", seller="S"),
        id3.MCDI(data=b"\0\x12\x01\x01"), id3.PCST(value=1), id3.WFED(url="http://a/feed"),
    ]
    return found


def with_id3(file):
    if file.tags is None:
        file.add_tags()
    for frame in frames():
        file.tags.add(frame)
    file.save()


COMMENTS = [
    ("TITLE", "Tïtle ☃"), ("title", "second"), ("ARTIST", "Ann"), ("ARTIST", "Bob 🎻"), ("ALBUM", "A"), ("DATE", "2020-05"),
    ("TRACKNUMBER", "3"), ("TRACKTOTAL", "9"), ("TOTALTRACKS", "9"), ("DISCNUMBER", "1/2"), ("GENRE", "Rock"), ("GENRE", "Jazz"),
    ("COMMENT", "plain"), ("DESCRIPTION", "text"), ("LYRICS", "la\nle"), ("COMPILATION", "1"), ("BPM", "120"),
    ("REPLAYGAIN_TRACK_GAIN", "-3.2 dB"), ("R128_TRACK_GAIN", "256"), ("MUSICBRAINZ_TRACKID", "1234"), ("ISRC", "X"),
    ("ENCODER", "mine"), ("LANGUAGE", "eng"), ("COPYRIGHT", "me"), ("lower case", "kept"), ("EMPTY", ""),
    ("CHAPTER001", "00:00:00.000"), ("CHAPTER001NAME", "One"), ("CHAPTER002", "00:00:00.800"), ("CHAPTER002NAME", "Two"),
]


def with_comments(file, pictures):
    tags = file.tags
    tags[:] = []
    for name, value in COMMENTS:
        tags.append((name, value))
    if pictures == "comments":
        for block in (picture_block(3, "front"), picture_block(4, "bäck")):
            tags.append(("METADATA_BLOCK_PICTURE", base64.b64encode(block.write()).decode()))
    file.save()


def with_atoms(file):
    texts = "\xa9nam \xa9alb \xa9ART aART \xa9wrt \xa9day \xa9cmt desc purd \xa9grp \xa9lyr cprt soar soaa sonm soal soco sosn tvsh catg keyw purl egid \xa9wrk \xa9mvn \xa9too".split()
    for name in texts:
        file[name] = ["one"]
    file["\xa9gen"], file["\xa9ART"] = ["Rock", "Jazz"], ["Ann", "Bob"]
    file["trkn"], file["disk"], file["tmpo"] = [(3, 9)], [(1, 2)], [120]
    file["cpil"], file["pgap"], file["pcst"], file["shwm"] = True, True, False, [1]
    for name in ("stik", "rtng", "hdvd", "tvsn", "tves", "cnID", "sfID", "atID", "plID", "geID", "cmID", "akID", "\xa9mvc", "\xa9mvi"):
        file[name] = [1]
    for name, values in (("MusicBrainz Album Id", ["abc"]), ("Two", ["1", "2"]), ("COMPILATION", ["yes"]),
                         ("iTunNORM", [" 00000001"]), ("ISRC", ["X"]), ("LABEL", ["L"]), ("publisher", ["P"]),
                         ("Conductor", ["C"]), ("DIRECTOR", ["D"]), ("narrator", ["N"]), ("Title", ["T"]), ("a:b", ["c"])):
        file[f"----:com.apple.iTunes:{name}"] = [value.encode() for value in values]
    file["----:org.example:own"] = [mp4.MP4FreeForm(b"\x01\x02", mp4.AtomDataType.IMPLICIT)]
    file["covr"] = [mp4.MP4Cover(png(), mp4.MP4Cover.FORMAT_PNG), mp4.MP4Cover(png(), mp4.MP4Cover.FORMAT_PNG)]
    file.save()


def riff_chunk(name, data):
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def iff_chunk(name, data):
    return name + struct.pack(">I", len(data)) + data + b"\0" * (len(data) % 2)


def wav_chunks():
    info = b"".join(riff_chunk(name.encode(), b"text of " + name.encode() + b"\0") for name in
                    "INAM INAM IART IPRD IALB ICMT ICRD IGNR ICOP ISFT ITRK IENG IKEY ISBJ ISRC ITCH IARL ICMS IMED ILNG iabc".split())
    bext = (b"description".ljust(256, b"\0") + b"originator".ljust(32, b"\0") + b"reference".ljust(32, b"\0")
            + b"2020-05-06" + b"07:08:09" + struct.pack("<QH", 96000, 2) + bytes(range(64))
            + struct.pack("<5h", -2300, 700, -100, -1800, -2000) + bytes(180) + b"A=PCM,F=48000,W=16,M=stereo\r\n")
    cue = struct.pack("<I", 2) + b"".join(
        struct.pack("<II4sIII", number, at, b"data", 0, 0, at) for number, at in ((1, 4800), (2, 48000)))
    adtl = (riff_chunk(b"labl", struct.pack("<I", 1) + b"first\0") + riff_chunk(b"note", struct.pack("<I", 1) + b"noted\0")
            + riff_chunk(b"ltxt", struct.pack("<II4sHHHH", 2, 9600, b"rgn ", 49, 7, 1, 1252) + b"region\0")
            + riff_chunk(b"labl", struct.pack("<I", 2) + b"second\0"))
    smpl = struct.pack("<9I", 1, 2, 20833, 60, 0, 25, 0x01020304, 1, 3) + struct.pack("<6I", 1, 0, 4800, 48000, 7, 3) + b"own"
    acid = struct.pack("<IHHfIHHf", 0, 60, 0x1234, 1.5, 4, 4, 4, 120.0)
    cart = b"0101" + b"title".ljust(64, b"\0") + bytes(2048 - 68)
    return {"bext": bext, "iXML": b"<BWFXML><IXML_VERSION>1.5</IXML_VERSION></BWFXML>", "axml": b"<axml/>", "cue ": cue,
            "LISTadtl": b"adtl" + adtl, "smpl": smpl, "inst": bytes([60, 0, 0, 0, 127, 1, 127]), "acid": acid, "cart": cart,
            "LISTINFO": b"INFO" + info, "abcd": b"unknown", "_PMX": b"<x:xmpmeta/>", "LGWV": b"own"}


def with_wav_chunks(path):
    with open(path, "rb") as file:
        data = file.read()
    extra = b"".join(riff_chunk(name[:4].encode(), body) for name, body in wav_chunks().items())
    with open(path, "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", len(data) + len(extra) - 8) + data[8:] + extra)


def with_aiff_chunks(path):
    mark = struct.pack(">H", 2) + struct.pack(">HI", 1, 4800) + b"\x05first" + struct.pack(">HI", 2, 48000) + b"\x06second\0"
    inst = struct.pack(">6bh", 60, 0, 0, 127, 1, 127, 3) + struct.pack(">HHH", 1, 1, 2) + struct.pack(">HHH", 0, 0, 0)
    comt = (struct.pack(">H", 2) + struct.pack(">IHH", 3_000_000_000, 1, 4) + b"text"
            + struct.pack(">IHH", 3_000_000_001, 0, 5) + b"whole\0")
    extra = b"".join(iff_chunk(*pair) for pair in (
        (b"MARK", mark), (b"INST", inst), (b"COMT", comt), (b"NAME", b"name"), (b"AUTH", b"author"), (b"(c) ", b"copy"),
        (b"ANNO", b"note 1"), (b"ANNO", b"note 2"), (b"APPL", b"auFMown data"), (b"MIDI", b"\xf0\x01\xf7\0"), (b"abcd", b"unknown")))
    with open(path, "rb") as file:
        data = file.read()
    with open(path, "wb") as file:
        file.write(b"FORM" + struct.pack(">I", len(data) + len(extra) - 8) + data[8:] + extra)


def with_caf_chunks(path):
    def chunk(name, body):
        return name + struct.pack(">q", len(body)) + body

    def marker(kind, at, number):
        return struct.pack(">IdI", kind, at, number) + bytes([0xFF] * 8) + struct.pack(">I", 0)
    with open(path, "rb") as file:
        data = file.read()
    texts = ["title", "T", "title", "second", "Artist", "A", "album", "B", "comments", "c", "year", "2020", "tempo", "120", "key signature", "Am",
             "time signature", "4/4", "own key", "v"]
    info = struct.pack(">I", len(texts) // 2) + b"".join(text.encode() + b"\0" for text in texts)
    strg = struct.pack(">I", 2) + struct.pack(">IqIq", 1, 0, 2, 6) + b"first\0second\0"
    mark = struct.pack(">II", 0, 2) + marker(0, 4800.0, 1) + marker(0, 48000.0, 2)
    extra = b"".join(chunk(*pair) for pair in (
        (b"info", info), (b"strg", strg), (b"mark", mark), (b"inst", struct.pack(">f4BfIIII", 60, 0, 127, 1, 127, 0.0, 0, 0, 0, 1)[:24]),
        (b"midi", b"MThd"), (b"umid", bytes(range(64))), (b"uuid", bytes(range(16)) + b"own"), (b"abcd", b"unknown")))
    with open(path, "wb") as file:
        file.write(data + extra)


def with_flac_blocks(path):
    run("metaflac", "--add-padding=500", path)
    file = mutagen.flac.FLAC(path)
    file.add_tags() if file.tags is None else None
    for block in (picture_block(3, "front"), picture_block(4, "bäck")):
        file.add_picture(block)
    application = mutagen.flac.MetadataBlock(b"riffown data")
    application.code = 2
    file.metadata_blocks.append(application)
    sheet = mutagen.flac.CueSheet(None)
    sheet.media_catalog_number, sheet.lead_in_samples, sheet.compact_disc = b"1234567890123", 0, False
    for number, at in ((1, 0), (2, 48000), (255, SECONDS * RATE)):
        track = mutagen.flac.CueSheetTrack(number, at)
        if number != 255:
            track.indexes.append(mutagen.flac.CueSheetTrackIndex(1, 0))
        sheet.tracks.append(track)
    file.metadata_blocks.append(sheet)
    file.cuesheet = sheet
    with_comments(file, None)


def make(folder):
    """Makes the files, and returns their paths."""
    source = os.path.join(folder, "source.wav")
    wav(source)
    paths = []

    def path(name):
        paths.append(os.path.join(folder, name))
        return paths[-1]

    def av(name, *options):
        target = path(name)
        run("ffmpeg", "-v", "error", "-y", "-i", source, "-map_metadata", "-1", *options, target)
        return target

    def tool(name, *command):
        target = path(name)
        run(*(part.format(source=source, target=target) for part in command))
        return target
    target = av("chunks.wav")
    with_wav_chunks(target)
    target = av("id3.wav")
    with_id3(mutagen.wave.WAVE(target))
    target = av("both.wav")
    with_wav_chunks(target)
    with_id3(mutagen.wave.WAVE(target))
    with_aiff_chunks(av("chunks.aiff"))
    with_id3(mutagen.aiff.AIFF(av("id3.aiff")))
    with_caf_chunks(tool("chunks.caf", "sndfile-convert", "{source}", "{target}"))
    target = tool("id3.mp3", "lame", "--quiet", "{source}", "{target}")
    with_id3(mutagen.File(target))
    target = tool("id3v23.mp3", "lame", "--quiet", "{source}", "{target}")
    file = mutagen.File(target)
    file.add_tags()
    for frame in frames():
        file.tags.add(frame)
    file.tags.update_to_v23()
    file.save(v2_version=3, v1=2)
    target = tool("x.flac", "flac", "-s", "-f", "-o", "{target}", "{source}")
    with_flac_blocks(target)
    with_comments(mutagen.oggflac.OggFLAC(tool("x.oga", "flac", "-s", "-f", "--ogg", "-o", "{target}", "{source}")), None)
    with_comments(mutagen.oggvorbis.OggVorbis(tool("x.ogg", "oggenc", "-Q", "-o", "{target}", "{source}")), "comments")
    with_comments(mutagen.oggopus.OggOpus(tool("x.opus", "opusenc", "--quiet", "{source}", "{target}")), "comments")
    for name, codec in (("aac.m4a", "aac"), ("alac.m4a", "alac"), ("x.m4b", "aac"), ("x.m4r", "aac")):
        with_atoms(mp4.MP4(av(name, "-c:a", codec, *(() if name.endswith("4a") else ("-f", "ipod")))))
    target = av("ape.wv")
    ape = mutagen.apev2.APEv2()
    for name, value in (("Title", "T"), ("Artist", ["Ann", "Bob"]), ("Track", "3/9"), ("Year", "2020"), ("Own key", "v")):
        ape[name] = value
    ape["Related"] = mutagen.apev2.APEValue("http://a", mutagen.apev2.EXTERNAL)
    ape.save(target)
    tool("x.au", "sox", "{source}", "--comment", "annotation", "{target}")
    os.remove(source)
    return paths
