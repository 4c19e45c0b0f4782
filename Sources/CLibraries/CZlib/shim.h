// Compressing bytes in memory as gzip (RFC 1952), without name and time, so that equal bytes give equal files.
#pragma once
#include <zlib.h>

// Returns the size of the result; 0 if memory is missing or `capacity` is too small.
static inline size_t scaleaudio_gzip(
    const void *bytes, size_t count, void *result, size_t capacity) {
  z_stream stream = {0};
  // 15 bits of window, and 16 for the header of gzip.
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return 0;
  const unsigned char *next = (const unsigned char *)bytes;
  unsigned char *place = (unsigned char *)result;
  const size_t most = 1u << 30;
  size_t left = count, room = capacity;
  int status = Z_OK;
  while (status == Z_OK) {
    size_t part = left < most ? left : most, space = room < most ? room : most;
    stream.next_in = (unsigned char *)next;
    stream.avail_in = (uInt)part;
    stream.next_out = place;
    stream.avail_out = (uInt)space;
    status = deflate(&stream, left > part ? Z_NO_FLUSH : Z_FINISH);
    next += part - stream.avail_in;
    left -= part - stream.avail_in;
    place += space - stream.avail_out;
    room -= space - stream.avail_out;
    if (room == 0) break;
  }
  deflateEnd(&stream);
  return status == Z_STREAM_END ? capacity - room : 0;
}

// The size that the result of `count` bytes never exceeds.
static inline size_t scaleaudio_gzip_bound(size_t count) {
  return count + (count >> 12) + (count >> 14) + (count >> 25) + 64;
}
