#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Loads Cairo once for the process. Returns NULL on success, otherwise the reason for the failure.
///
/// Call none of its functions before this has returned NULL.
const char *scaleaudio_cairo_failure(void);

/// Finds a font family that has a character: `family` itself if it does. Returns false where none is known.
///
/// `found` receives the name and holds `size` bytes.
bool scaleaudio_font_family(const char *family, uint32_t character, char *found, size_t size);
