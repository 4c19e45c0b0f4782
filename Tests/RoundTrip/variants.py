"""Files as other taggers write them: old versions, several tags in one file, keys and user data of movies."""
import os, struct
import mutagen, mutagen.aiff, mutagen.apev2, mutagen.id3 as id3, mutagen.mp4 as mp4, mutagen.wave
from making import frames, iff_chunk, riff_chunk, run, wav
from tags import png


def id3v22():
    """A tag of version 2.2, whose frames have names of three letters."""
    def frame(name, body):
        return name + struct.pack(">I", len(body))[1:] + body
    texts = {b"TT2": b"title", b"TP1": b"artist", b"TP2": b"band", b"TAL": b"album", b"TYE": b"2020", b"TRK": b"3/9",
             b"TPA": b"1/2", b"TCO": b"(17)", b"TCM": b"composer", b"TBP": b"120", b"TEN": b"encoded by", b"TSS": b"settings",
             b"TT1": b"group", b"TT3": b"subtitle", b"TXT": b"lyricist", b"TCR": b"2020 me", b"TPB": b"label", b"TRC": b"ISRC",
             b"TLA": b"eng", b"TOA": b"original", b"TOR": b"1999", b"TCP": b"1", b"TST": b"sort title", b"TSP": b"sort artist"}
    body = b"".join(frame(name, b"\0" + text) for name, text in texts.items())
    body += frame(b"TXX", b"\0own\0value") + frame(b"COM", b"\0eng\0comment") + frame(b"COM", b"\0engdescribed\0other")
    body += frame(b"ULT", b"\0eng\0la la") + frame(b"WXX", b"\0mine\0http://a/mine") + frame(b"WAR", b"http://a/artist")
    body += frame(b"PIC", b"\0PNG\x03front\0" + png()) + frame(b"POP", b"a@b\0\xc8\0\0\0\3") + frame(b"CNT", b"\0\0\0\7")
    body += frame(b"UFI", b"http://musicbrainz.org\0" + b"1234") + frame(b"GEO", b"\0text/plain\0f\0d\0object")
    size = len(body)
    return b"ID3\2\0\0" + bytes(size >> shift & 0x7F for shift in (21, 14, 7, 0)) + body


def lyrics3():
    fields = b"".join(name + f"{len(text):05}".encode() + text for name, text in (
        (b"IND", b"110"), (b"LYR", b"[00:01]La\r\n[00:02]le\r\n"), (b"INF", b"info of Lyrics3"), (b"EAL", b"album of Lyrics3")))
    return b"LYRICSBEGIN" + fields + f"{len(fields) + 11:06}".encode() + b"LYRICS200"


def put_before(path, data):
    with open(path, "rb") as file:
        old = file.read()
    with open(path, "wb") as file:
        file.write(data + old)


def put_after(path, data):
    with open(path, "ab") as file:
        file.write(data)


def ape(path, values):
    tag = mutagen.apev2.APEv2()
    for name, value in values.items():
        tag[name] = value
    tag.save(path)


APE = {"Title": "title", "Artist": ["Ann", "Bob"], "Album": "album", "Track": "3/9", "Year": "2020", "Genre": "Rock",
       "Comment": "plain", "Own key": "v", "Catalog": "C1", "Lyrics": "la", "Album Artist": "band", "Disc": "1/2",
       "Replaygain_Track_Gain": "-3 dB", "Composer": "composer", "Language": "deu", "BPM": "120", "ISRC": "X", "Label": "L"}


def with_aiff_loops(path):
    """A sampler's loops that are off, of which one has markers."""
    mark = struct.pack(">H", 2) + struct.pack(">HI", 1, 4800) + b"\x05first" + struct.pack(">HI", 2, 48000) + b"\x06second\0"
    inst = struct.pack(">6bh", 60, 0, 0, 127, 1, 127, 3) + struct.pack(">HHH", 0, 1, 2) + struct.pack(">HHH", 0, 0, 0)
    extra = iff_chunk(b"MARK", mark) + iff_chunk(b"INST", inst)
    with open(path, "rb") as file:
        data = file.read()
    with open(path, "wb") as file:
        file.write(b"FORM" + struct.pack(">I", len(data) + len(extra) - 8) + data[8:] + extra)


def with_genre_number(path):
    """iTunes' genre by number, which mutagen reads as a name and does not write."""
    file = mp4.MP4(path)
    file["\xa9gen"] = ["##"]
    file["\xa9nam"] = ["title"]
    file.save()
    with open(path, "rb") as data:
        bytes_ = data.read()
    name = b"\xa9gen" + struct.pack(">I4sII", 18, b"data", 1, 0) + b"##"
    assert bytes_.count(name) == 1
    number = b"gnre" + struct.pack(">I4sIIH", 18, b"data", 0, 0, 18)
    with open(path, "wb") as data:
        data.write(bytes_.replace(name, number))


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
        run("ffmpeg", "-v", "error", "-y", "-i", source, *options, target)
        return target

    def texts(*names):
        return [part for name in names for part in ("-metadata", f"{name}=value of {name}")]
    target = path("id3v22.mp3")
    run("lame", "--quiet", source, target)
    put_before(target, id3v22())
    target = path("ape.mp3")
    run("lame", "--quiet", source, target)
    ape(target, APE)
    target = path("all.mp3")
    run("lame", "--quiet", "--add-id3v2", "--tt", "title", "--ta", "Ann; Bob", "--tl", "album", "--ty", "2020", "--tc", "plain",
        "--tn", "3/9", "--tg", "Rock", "--tv", "TXXX=own=v", "--tv", "WCOM=http://a/shop", source, target)
    ape(target, APE | {"Artist": "Ann; Bob"})
    version1 = b"TAG" + b"".join(text.ljust(30, b"\0") for text in (b"title", b"Ann; Bob", b"album"))
    put_after(target, lyrics3() + version1 + b"2020" + b"plain".ljust(29, b"\0") + b"\3\x11")
    target = path("lame.mp3")
    run("lame", "--quiet", "--id3v2-only", "--tt", "Песня", "--tc", "comment", "--tg", "Own genre", "--tv", "TPE2=Bänd",
        "--tv", "TBPM=120", "--tv", "USLT=la la", "--tv", "COMM=described=text", source, target)
    for version in "3", "4":
        av(f"ffmpeg{version}.mp3", "-id3v2_version", version, "-write_id3v1", "1", *texts(
            "title", "artist", "album", "album_artist", "comment", "genre", "composer", "publisher", "copyright", "lyrics", "own",
            "performer", "encoded_by", "language", "disc", "compilation", "sort_name"))
    every = texts("title", "artist", "album", "album_artist", "comment", "genre", "composer", "copyright", "lyrics", "description",
                  "grouping", "show", "episode_id", "synopsis", "network", "keywords", "own", "date", "sort_name", "make", "model")
    av("ffmpeg.m4a", "-c:a", "aac", *every)
    av("keys.m4a", "-c:a", "aac", "-movflags", "use_metadata_tags", *every)
    av("ffmpeg.flac", *every)
    av("ffmpeg.ogg", "-c:a", "libvorbis", *every)
    av("ffmpeg.opus", "-c:a", "libopus", *every)
    av("ffmpeg.oga", "-c:a", "flac", *every)
    av("ffmpeg.wav", "-write_bext", "1", "-metadata", "originator=me", "-metadata", "description=words", *every)
    av("ffmpeg.aiff", "-write_id3v2", "1", *every)
    av("plain.aiff", *every)
    av("ffmpeg.caf", *every)
    av("ffmpeg.wv", *every)
    av("ffmpeg.w64", *every)
    av("ffmpeg.au", "-metadata", "title=value of title", "-metadata", "artist=value of artist")
    with_genre_number(av("genre.m4a", "-c:a", "aac"))
    with_aiff_loops(av("loops.aiff"))
    target = av("parsley.m4a", "-c:a", "aac")
    run("AtomicParsley", target, "--overWrite", "--title", "title", "--artist", "artist", "--album", "album", "--genre", "Rock",
        "--tracknum", "3/9", "--disk", "1/2", "--comment", "plain", "--year", "2020-05-06", "--lyrics", "la\nle", "--composer",
        "composer", "--copyright", "copyright", "--grouping", "group", "--bpm", "120", "--albumArtist", "band", "--compilation",
        "true", "--hdvideo", "1", "--advisory", "clean", "--stik", "Normal", "--description", "words", "--longdesc",
        "long words", "--TVNetwork", "network", "--TVShowName", "show", "--TVEpisode", "e1", "--TVSeasonNum", "2",
        "--TVEpisodeNum", "3", "--podcastFlag", "true", "--category", "cat", "--keyword", "word", "--podcastURL", "http://a",
        "--podcastGUID", "guid", "--purchaseDate", "2020", "--encodingTool", "tool", "--encodedBy", "me", "--apID", "me@a",
        "--gapless", "true", "--sortOrder", "name", "sort", "--rDNSatom", "text", "name=own", "domain=org.example",
        "--storedesc", "store")
    target = av("assets.m4a", "-c:a", "aac")
    run("AtomicParsley", target, "--overWrite", "--3gp-title", "title", "lang=deu", "--3gp-author", "author", "--3gp-album", "album", "trknum=3",
        "--3gp-year", "2020", "--3gp-genre", "genre", "--3gp-description", "words", "--3gp-rating", "rated",
        "entity=MPAA", "criteria=PG13", "--3gp-classification", "class", "entity=ENTI", "index=12",
        "--3gp-keyword", "one,two") if False else None
    target = av("exif.m4a", "-c:a", "aac")
    run("exiftool", "-q", "-overwrite_original", "-ItemList:Title=title", "-ItemList:Artist=artist", "-Keys:Title=key title",
        "-Keys:Author=author", "-Keys:Comment=key comment", "-UserData:Title=user title", "-UserData:Performer=performer",
        "-UserData:LocationInformation=place", "-XMP-dc:Title=xmp title", "-Keys:CreationDate=2020:05:06 07:08:09", target)
    target = av("sox.wav")
    run("sox", "-R", source, "--comment", "a comment of SoX", target)
    run("sox", "-R", source, "--comment", "a comment of SoX", path("sox.aiff"))
    run("sox", "-R", source, "--comment", "a comment of SoX", path("sox.ogg"))
    target = path("metaflac.flac")
    run("flac", "-s", "-f", "-o", target, source, "--tag=TITLE=title", "--tag=ARTIST=Ann", "--tag=ARTIST=Bob",
        "--tag=title=second", "--tag=CUESHEET=FILE \"a\" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n")
    run("metaflac", "--set-tag=DESCRIPTION=words", "--set-tag=own name=v", "--set-tag=CHAPTER001=00:00:01.000",
        "--set-tag=CHAPTER001NAME=One", "--set-tag=WAVEFORMATEXTENSIBLE_CHANNEL_MASK=0x3", target)
    run("metaflac", "--import-tags-from=-", target)
    target = path("wvtag.wv")
    run("wavpack", "-q", "-y", source, "-o", target)
    run("wvtag", "-q", "-y", *(part for name, value in APE.items() if isinstance(value, str)
                               for part in ("-w", f"{name}={value}")), target)
    target = path("rf64.rf64")
    run("ffmpeg", "-v", "error", "-y", "-i", source, "-rf64", "always", "-f", "wav", *every, target)
    os.remove(source)
    return paths
