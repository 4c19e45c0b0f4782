"""What files promise by their own headers, read apart from the program: whether one is cut short.

Decoders mostly play what is left of such a file without a complaint.
"""
import struct

BIT_RATES = {  # (MPEG version 1, layer), (version 2, layer): in kb/s
    (1, 1): (32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448),
    (1, 2): (32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384),
    (1, 3): (32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    (2, 1): (32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256),
    (2, 2): (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
    (2, 3): (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160)}
TAGS = (b"TAG", b"APETAGEX", b"ID3", b"LYRICSBEGIN", b"3DI")


def is_cut(path, container):
    """Whether a file has less audio than its headers promise; `False` for containers that are not known here."""
    with open(path, "rb") as file:
        data = file.read()
    if container == "mp3":
        return is_mpeg_cut(data)
    if container == "wav":
        return are_chunks_cut(data, "<")
    if container == "avi":
        return len(data) >= 8 and 8 + struct.unpack_from("<I", data, 4)[0] > len(data)
    if container == "aiff":
        return are_chunks_cut(data, ">")
    return False


def are_chunks_cut(data, order):
    """Whether a chunk of sound is longer than the file."""
    place = 12
    while place + 8 <= len(data):
        name, size = struct.unpack_from(order + "4sI", data, place)
        if name in (b"data", b"SSND"):
            return size < 0xFFFFFFFF and place + 8 + size > len(data)
        place += 8 + size + size % 2
    return True


def is_mpeg_cut(data):
    """Whether frames of MPEG audio are missing of those that are counted, or the last one is incomplete."""
    place = 0
    while data[place:place + 3] == b"ID3":
        size = 0
        for byte in data[place + 6:place + 10]:
            size = size << 7 | byte & 0x7F
        place += 10 + size
    while place + 4 <= len(data) and not (frame_bytes(data, place) and frame_bytes(data, place + frame_bytes(data, place))):
        place += 1
    declared, there = None, 0
    first = data[place:place + frame_bytes(data, place)]
    for mark in (b"Xing", b"Info"):
        found = first[:64].find(mark)
        if found > 0 and first[found + 7] & 1:
            declared, = struct.unpack_from(">I", first, found + 8)
            there = -1
    while (size := frame_bytes(data, place)) and place + size <= len(data):
        place += size
        there += 1
    is_partial = bool(frame_bytes(data, place))
    return declared > there if declared is not None else is_partial


def frame_bytes(data, place):
    """The size of the MPEG frame at an offset; 0 if there is none."""
    if place + 4 > len(data) or data[place] != 0xFF or data[place + 1] & 0xE0 != 0xE0:
        return 0
    version, layer = {3: 1, 2: 2, 0: 2.5}.get(data[place + 1] >> 3 & 3), 4 - (data[place + 1] >> 1 & 3)
    rate, step = data[place + 2] >> 4, data[place + 2] >> 2 & 3
    if version is None or layer == 4 or rate in (0, 15) or step == 3:
        return 0
    bits = BIT_RATES[min(2, int(version)), layer][rate - 1] * 1000
    hertz = (44100, 48000, 32000)[step] // {1: 1, 2: 2, 2.5: 4}[version]
    padding = data[place + 2] >> 1 & 1
    if layer == 1:
        return (12 * bits // hertz + padding) * 4
    return (72 if layer == 3 and version != 1 else 144) * bits // hertz + padding
