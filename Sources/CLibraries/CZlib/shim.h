// Compressing as gzip (RFC 1952), without name and time, so that equal bytes give equal files.
#pragma once
#include <zlib.h>

// Begins a stream, for deflate and deflateEnd.
static inline int scaleaudio_gzip_begin(z_stream *stream) {
  // 15 bits of window, and 16 for the header of gzip.
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
