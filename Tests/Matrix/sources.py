"""The kinds of files that are converted, made by other programs."""
import os
import mutagen.aiff, mutagen.apev2, mutagen.asf, mutagen.flac, mutagen.id3, mutagen.mp4
import mutagen.oggflac, mutagen.oggopus, mutagen.oggvorbis, mutagen.trueaudio, mutagen.wave
import mutagen.wavpack
from tags import ARTISTS, CHAPTERS, COVER, SHELF, TITLE, picture_block, png
from tools import ffmpeg, output_of


class Source:
    """One kind of file: how it is made from a WAV file, and what it can have attached."""

    def __init__(self, name, extension, make, lossy=False, exact=True, tag=None, holds=""):
        self.name, self.extension, self.make = name, extension, make
        self.lossy, self.exact, self.tag, self.holds = lossy, exact, tag, holds

    def create(self, wav, folder):
        path = os.path.join(folder, f"from-{self.name}.{self.extension}")
        self.make(wav, path)
        if self.tag:
            self.tag(path)
        return path


def av(*options):
    return lambda wav, path: ffmpeg("-i", wav, *options, path)


def av_with_chapters(*options):
    def make(wav, path):
        notes = path + ".txt"
        with open(notes, "w") as file:
            file.write(";FFMETADATA1\n")
            ends = [start for start, _ in CHAPTERS[1:]] + [502]
            for (start, title), end in zip(CHAPTERS, ends):
                file.write(f"[CHAPTER]\nTIMEBASE=1/1000\nSTART={start}\nEND={end}\ntitle={title}\n")
        ffmpeg("-i", wav, "-i", notes, "-map", "0:a", "-map_metadata", "1", "-map_chapters", "1",
               "-metadata", f"title={TITLE}", *options, path)
    return make


def video(*options):
    return lambda wav, path: ffmpeg("-f", "lavfi", "-i", "color=red:s=16x16:r=10", "-i", wav,
                                    "-map", "0:v", "-map", "1:a", "-shortest", *options, path)


def program(*command):
    return lambda wav, path: output_of(*(part.format(wav=wav, path=path) for part in command))


def vorbis_comments(kind, pictures):
    def tag(path):
        file = kind(path)
        file["title"], file["artist"], file["shelfmark"] = TITLE, ARTISTS, SHELF
        for number, (start, title) in enumerate(CHAPTERS, 1):
            file[f"CHAPTER{number:03}"] = f"00:00:{start // 1000:02}.{start % 1000:03}"
            file[f"CHAPTER{number:03}NAME"] = title
        if pictures == "blocks":
            for picture_type, text in COVER:
                file.add_picture(picture_block(picture_type, text))
        elif pictures == "comments":
            import base64
            file["metadata_block_picture"] = [
                base64.b64encode(picture_block(*cover).write()).decode() for cover in COVER]
        file.save()
    return tag


def id3(kind, chapters):
    def tag(path):
        file = kind(path)
        if file.tags is None:
            file.add_tags()
        frames = mutagen.id3
        file.tags.add(frames.TIT2(text=TITLE))
        file.tags.add(frames.TPE1(text=ARTISTS))
        file.tags.add(frames.TXXX(desc="SHELFMARK", text=SHELF))
        for picture_type, text in COVER:
            file.tags.add(frames.APIC(mime="image/png", type=picture_type, desc=text, data=png()))
        if chapters:
            names = [f"chp{number}" for number in range(len(CHAPTERS))]
            ends = [start for start, _ in CHAPTERS[1:]] + [502]
            for name, (start, title), end in zip(names, CHAPTERS, ends):
                file.tags.add(frames.CHAP(element_id=name, start_time=start, end_time=end,
                                          sub_frames=[frames.TIT2(text=title)]))
            file.tags.add(frames.CTOC(element_id="toc", flags=3, child_element_ids=names))
        file.save()
    return tag


def mp4(path):
    file = mutagen.mp4.MP4(path)
    file["\xa9nam"], file["\xa9ART"] = TITLE, ARTISTS
    file["----:com.apple.iTunes:SHELFMARK"] = [SHELF.encode()]
    file["covr"] = [mutagen.mp4.MP4Cover(png(), mutagen.mp4.MP4Cover.FORMAT_PNG)]
    file.save()


def ape(path):
    file = mutagen.wavpack.WavPack(path)
    file["Title"], file["Artist"], file["Shelfmark"] = TITLE, ARTISTS, SHELF
    file["Cover Art (Front)"] = mutagen.apev2.APEValue(b"cover.png\0" + png(), mutagen.apev2.BINARY)
    file.save()


def asf(path):
    file = mutagen.asf.ASF(path)
    file["Title"], file["Author"], file["SHELFMARK"] = [TITLE], ARTISTS, [SHELF]
    file.save()


# holds: T title, A artists, M a custom field, P pictures (p: one without a type), C chapters.
SOURCES = [
    Source("wav", "wav", av("-c", "copy"), tag=id3(mutagen.wave.WAVE, False), holds="TAMP"),
    Source("rf64", "wav", av("-c", "copy", "-rf64", "always")),
    Source("w64", "w64", program("sndfile-convert", "{wav}", "{path}")),
    Source("aiff", "aiff", av(), tag=id3(mutagen.aiff.AIFF, False), holds="TAMP"),
    Source("caf", "caf", av()),
    Source("au", "au", av()),
    Source("flac", "flac", program("flac", "-s", "-f", "-o", "{path}", "{wav}"), holds="TAMPC",
           tag=vorbis_comments(mutagen.flac.FLAC, "blocks")),
    Source("oga", "oga", program("flac", "-s", "-f", "--ogg", "-o", "{path}", "{wav}"), holds="TAMC",
           tag=vorbis_comments(mutagen.oggflac.OggFLAC, None)),
    Source("m4a-alac", "m4a", av("-c:a", "alac"), tag=mp4, holds="TAMp"),
    Source("mka", "mka", av_with_chapters("-c:a", "flac"), holds="TC"),
    Source("mov", "mov", video("-c:a", "pcm_s16be")),
    Source("wavpack", "wv", program("wavpack", "-q", "-y", "{wav}", "-o", "{path}"), tag=ape,
           holds="TAMp"),
    Source("tta", "tta", av(), tag=id3(mutagen.trueaudio.TrueAudio, False), holds="TAMP"),
    Source("ogg", "ogg", program("oggenc", "-Q", "-o", "{path}", "{wav}"), True, holds="TAMPC",
           tag=vorbis_comments(mutagen.oggvorbis.OggVorbis, "comments")),
    Source("opus", "opus", program("opusenc", "--quiet", "{wav}", "{path}"), True, holds="TAMPC",
           tag=vorbis_comments(mutagen.oggopus.OggOpus, "comments")),
    Source("mp3", "mp3", program("lame", "--quiet", "{wav}", "{path}"), True, holds="TAMPC",
           tag=id3(lambda path: mutagen.File(path), True)),
    Source("m4a", "m4a", av("-c:a", "aac"), True, tag=mp4, holds="TAMp"),
    Source("m4b", "m4b", av_with_chapters("-c:a", "aac", "-f", "ipod"), True, tag=mp4,
           holds="TAMpC"),
    Source("mp4", "mp4", video("-c:a", "aac"), True),
    Source("3gp", "3gp", av("-c:a", "aac"), True),
    Source("webm", "webm", av_with_chapters("-c:a", "libopus"), True, holds="TC"),
    Source("wma", "wma", av(), True, exact=False, tag=asf, holds="TAM"),
    Source("ac3", "ac3", av(), True, exact=False),
    Source("aac", "aac", av("-c:a", "aac"), True, exact=False),
]
