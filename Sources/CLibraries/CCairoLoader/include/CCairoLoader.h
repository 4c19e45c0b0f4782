#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Loads Cairo, once for the process; NULL when it is there, else why it is not.
///
/// Its functions may be called only after this has returned NULL.
const char *scaleaudio_cairo_failure(void);

/// Finds the family of a font that has a character, `family` itself if that does; false where none is known.
///
/// The name is put in `found`, which holds `size` bytes.
bool scaleaudio_font_family(const char *family, uint32_t character, char *found, size_t size);
