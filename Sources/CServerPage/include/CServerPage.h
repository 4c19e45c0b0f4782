#pragma once

#include <stddef.h>

/// A file of the page, embedded in the program.
struct scaleaudio_page_file {
  /// Its name in the folder `Page`.
  const char *_Nonnull name;
  const unsigned char *_Nonnull bytes;
  size_t count;
};

/// The file of this number, from 0 on; `NULL` beyond the last one.
const struct scaleaudio_page_file *_Nullable scaleaudio_page_file_at(size_t number);
