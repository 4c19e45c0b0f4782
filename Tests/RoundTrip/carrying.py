"""Files in containers that are only read: every text that another program wrote must be in the output, or be named."""
import base64, json, os, re, subprocess
import mutagen, mutagen.apev2, mutagen.asf, mutagen.flac, mutagen.id3 as id3, mutagen.trueaudio
from making import run, wav
from variants import APE

NAMES = """title artist album album_artist comment genre composer copyright lyrics description grouping show episode_id synopsis
    network keywords own date sort_name make model publisher performer encoded_by language disc isrc label""".split()


def xml(tags):
    """A file of tags for mkvmerge: names, texts, languages and tags in tags, by level."""
    def simple(name, text, language="und", inner=""):
        return (f"<Simple><Name>{name}</Name><String>{text}</String><TagLanguage>{language}</TagLanguage>{inner}</Simple>")
    body = "".join(
        f"<Tag><Targets><TargetTypeValue>{level}</TargetTypeValue></Targets>" + "".join(simple(*tag) for tag in entries)
        + "</Tag>" for level, entries in tags.items())
    return f"<?xml version=\"1.0\"?>\n<Tags>{body}</Tags>"


def chapters():
    def atom(start, title, inner=""):
        return (f"<ChapterAtom><ChapterTimeStart>{start}</ChapterTimeStart><ChapterDisplay><ChapterString>{title}"
                f"</ChapterString><ChapterLanguage>eng</ChapterLanguage></ChapterDisplay>{inner}</ChapterAtom>")
    return ("<?xml version=\"1.0\"?>\n<Chapters><EditionEntry>"
            + atom("00:00:00.0", "Part one", atom("00:00:00.0", "Chapter one") + atom("00:00:00.5", "Chapter two"))
            + atom("00:00:01.0", "Part two", atom("00:00:01.5", "Chapter three")) + "</EditionEntry></Chapters>")


def make(folder):
    """Makes the files; returns their paths, each with the texts in it."""
    source = os.path.join(folder, "plain.wav")
    wav(source)
    made = {}
    every = [part for name in NAMES for part in ("-metadata", f"{name}=value of {name}")]
    for name, options in {
            "tags.mp4": ["-c:a", "aac"], "keys.mov": ["-c:a", "aac", "-movflags", "use_metadata_tags"], "tags.mov": ["-c:a", "aac"],
            "tags.3gp": ["-c:a", "aac"], "tags.mka": ["-c:a", "flac"], "tags.webm": ["-c:a", "libopus"], "tags.wma": [],
            "tags.avi": ["-c:a", "pcm_s16le"], "tags.nut": ["-c:a", "flac"], "tags.flv": ["-c:a", "aac", "-ar", "44100"]}.items():
        path = os.path.join(folder, name)
        run("ffmpeg", "-v", "error", "-y", "-i", source, *every, *options, path)
        # Not every muxer writes every tag; this reader is another one.
        kept = subprocess.run(["exiftool", "-a", "-u", "-s", "-s", "-s", path], capture_output=True, text=True, errors="replace").stdout
        kept += subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format_tags:stream_tags", path],
                               capture_output=True, text=True, errors="replace").stdout
        made[path] = [f"value of {name}" for name in NAMES if f"value of {name}" in kept]
    path = os.path.join(folder, "assets.3gp")
    run("ffmpeg", "-v", "error", "-y", "-i", source, "-c:a", "aac", path)
    run("AtomicParsley", path, "--overWrite", "--3gp-title", "Titel", "lang=deu", "--3gp-title", "Titre", "lang=fra",
        "--3gp-author", "author", "--3gp-album", "album", "trknum=3", "--3gp-year", "2020", "--3gp-genre", "genre",
        "--3gp-description", "words", "--3gp-rating", "rated", "entity=MPAA", "criteria=PG13", "--3gp-classification", "class",
        "entity=ENTI", "index=12", "--3gp-keyword", "keywords=first,second", "--3gp-performer", "performer", "--3gp-location",
        "Berlin", "longitude=13.5", "latitude=52.5", "altitude=30", "role=real location", "body=earth", "notes=near")
    made[path] = ["Titel", "Titre", "author", "album", "3", "2020", "genre", "words", "rated", "class", "first", "second",
                  "performer", "Berlin", "near", "+52.5000+013.5000+030.000/", "languages of tags (deu, fra)",
                  "the entity and the criteria of tag CONTENTRATING", "the entity and the table of tag CLASSIFICATION",
                  "the role of the location"]
    path = os.path.join(folder, "levels.mka")
    for name, text in (("t.xml", xml({
            70: [("TITLE", "collection")], 50: [("TITLE", "album title"), ("ARTIST", "band"), ("TOTAL_PARTS", "9")],
            30: [("TITLE", "title"), ("TITLE", "Lied", "ger"), ("ARTIST", "Ann"), ("ARTIST", "Bob"), ("PART_NUMBER", "3"),
                 ("COMMENT", "Wort", "ger"), ("OWN", "v", "und", "<Simple><Name>SUB</Name><String>nested</String></Simple>")]})),
            ("c.xml", chapters())):
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    run("mkvmerge", "-q", "-o", path, "--title", "file", "--global-tags", os.path.join(folder, "t.xml"), "--chapters",
        os.path.join(folder, "c.xml"), source)
    made[path] = ["collection", "album title", "band", "9", "title", "Lied", "Ann", "Bob", "3", "Wort", "v", "nested",
                  "the title of the file", "Part one: Chapter one", "Chapter two", "Part two", "Chapter three",
                  "the nesting of chapters", "languages of tags (ger)"]
    path = os.path.join(folder, "attributes.wma")
    run("ffmpeg", "-v", "error", "-y", "-i", source, path)
    file = mutagen.asf.ASF(path)
    texts = "Title Author Copyright Description Rating WM/AlbumTitle WM/Genre WM/Composer WM/Lyrics WM/Year WM/Publisher own".split()
    for name in texts:
        file[name] = [f"text of {name}"]
    file["WM/Genre"] = ["text of WM/Genre", "second genre"]
    file["number"], file["flag"], file["WM/TrackNumber"] = [7654], [True], [3]
    file["blob"] = [mutagen.asf.ASFByteArrayAttribute(b"\1\2")]
    file.save()
    made[path] = [f"text of {name}" for name in texts] + ["second genre", "7654", "3", "tag blob"]
    path = os.path.join(folder, "ape.tta")
    run("ffmpeg", "-v", "error", "-y", "-i", source, path)
    tag = mutagen.apev2.APEv2()
    for name, value in APE.items():
        tag[name] = value
    tag.save(path)
    made[path] = [part for name, value in APE.items() if "gain" not in name and name not in ("BPM", "Track", "Disc")
                  for part in ([value] if isinstance(value, str) else value)] + ["3", "9", "1", "2", "80"]
    path = os.path.join(folder, "id3.tta")
    run("ffmpeg", "-v", "error", "-y", "-i", source, path)
    file = mutagen.trueaudio.TrueAudio(path)
    file.add_tags()
    file.tags.add(id3.TIT2(encoding=3, text="title"))
    file.tags.add(id3.COMM(encoding=3, lang="deu", desc="", text="Wort"))
    file.tags.add(id3.TXXX(encoding=3, desc="own", text=["v"]))
    file.save()
    made[path] = ["title", "Wort", "v", "languages of tags (deu)"]
    for name in "plain.wav", "t.xml", "c.xml":
        os.remove(os.path.join(folder, name))
    return made


def missing(binary, path, texts, out):
    """The texts that are neither in a FLAC file made of it nor among the names of what was not carried."""
    done = subprocess.run([binary, "convert", "--json", "--progress", "none", "-f", "1.5", "--method", "linear", "-o", out, "--",
                           path], capture_output=True, timeout=600, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        return [f"not converted: {done.stderr.decode(errors='replace')[-200:]}"]
    record = json.loads(done.stdout.splitlines()[-1])
    found = {value for _, value in mutagen.flac.FLAC(out).tags}
    return [text for text in texts if text not in found and text not in record["notCarried"]]
