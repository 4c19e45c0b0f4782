"""encode-amrwb.py SECONDS HZ FILE: a tone in AMR wideband, by libvo-amrwbenc at 23.85 kbit/s.

The file's form is that of RFC 4867 section 5.
"""
import ctypes, ctypes.util, math, sys

RATE, FRAME, MODE = 16000, 320, 8
seconds, tone, path = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
library = ctypes.CDLL(ctypes.util.find_library("vo-amrwbenc") or "libvo-amrwbenc.so.0")
library.E_IF_init.restype = ctypes.c_void_p
encoder = ctypes.c_void_p(library.E_IF_init())
with open(path, "wb") as file:
    file.write(b"#!AMR-WB\n")
    for start in range(0, seconds * RATE, FRAME):
        speech = (ctypes.c_short * FRAME)(*(
            round(12000 * math.sin(2 * math.pi * tone * (start + index) / RATE))
            for index in range(FRAME)))
        frame = (ctypes.c_ubyte * 64)()
        count = library.E_IF_encode(encoder, MODE, speech, frame, 0)
        file.write(bytes(frame[:count]))
library.E_IF_exit(encoder)
