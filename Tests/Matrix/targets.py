"""The kinds of files that are written: what they can hold, and how other programs read them."""
import tags

ALL_LAYOUTS = {"mono", "stereo", "2.1", "3.0", "quad", "quad(side)", "5.0", "5.0(side)", "5.1",
               "5.1(side)", "6.1", "7.1", "7.1(wide)"}
COUNT_ONLY = {"mono", "stereo"}
# Vorbis I section 4.3.9; RFC 7845 section 5.1.1.2.
VORBIS = {"mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"}
# Apple's ALAC format description, and the channel configurations of ISO/IEC 14496-3.
ALAC = {"mono", "stereo", "3.0", "5.0", "5.1", "7.1(wide)"}
AAC = {"mono", "stereo", "2.1", "3.0", "quad", "quad(side)", "5.0", "5.0(side)", "5.1", "5.1(side)",
       "7.1"}


class Target:
    """One kind of file.

    holds: T title, A several artists, a several artists in one string, M a custom field,
    P pictures with types, p pictures without, C chapters, K marks in their stead.
    saysLayout: raw PCM has no header that could state it.
    """

    def __init__(self, name, extension, depths, layouts, read=None, holds="", lossy=False,
                 saysLayout=True):
        self.name, self.extension, self.depths = name, extension, depths
        self.layouts, self.read, self.holds, self.lossy = layouts, read, holds, lossy
        self.saysLayout = saysLayout

    def layouts_for(self, isLossy):
        """The layouts that it can hold for a lossy or a lossless source: M4B holds AAC or ALAC accordingly."""
        return AAC if self.name == "m4b" and isLossy else self.layouts


TARGETS = [
    Target("wav", "wav", ["8", "16", "24", "32", "f32", "f64"], ALL_LAYOUTS, tags.of_chunk, "TAMPK"),
    Target("rf64", "rf64", ["8", "16", "24", "32", "f32", "f64"], ALL_LAYOUTS, tags.of_chunk,
           "TAMPK"),
    Target("w64", "w64", ["8", "16", "24", "32", "f32", "f64"], ALL_LAYOUTS),
    Target("aiff", "aiff", ["8", "16", "24", "32", "f32", "f64"], ALL_LAYOUTS, tags.of_chunk,
           "TAMPK"),
    Target("caf", "caf", ["8", "16", "24", "32", "f32", "f64"], ALL_LAYOUTS, tags.of_caf, "TAMK"),
    Target("au", "au", ["8", "16", "24", "32", "f32", "f64"], COUNT_ONLY),
    Target("flac", "flac", ["8", "16", "24", "32"], ALL_LAYOUTS, tags.of_vorbis, "TAMPC"),
    Target("oga", "oga", ["8", "16", "24", "32"], ALL_LAYOUTS, tags.of_vorbis, "TAMPC"),
    Target("wavpack", "wv", ["8", "16", "24", "32", "f32"], ALL_LAYOUTS, tags.of_ape, "TAMp"),
    Target("raw", "raw", ["8", "16", "24", "32", "f32", "f64"], ALL_LAYOUTS,
           saysLayout=False),
    Target("m4a-alac", "m4a", ["16", "24"], ALAC, tags.of_mp4, "TAMpC"),
    Target("aac", "m4a", [], AAC, tags.of_mp4, "TAMpC", True),
    Target("m4b", "m4b", [], ALAC, tags.of_mp4, "TAMpC", True),
    Target("ogg", "ogg", [], VORBIS, tags.of_vorbis, "TAMPC", True),
    Target("opus", "opus", [], VORBIS, tags.of_vorbis, "TAMPC", True),
    Target("mp3", "mp3", [], {"mono", "stereo"}, lambda path: tags.of_id3(
        tags.mutagen.id3.ID3(path)), "TAMPC", True),
]
