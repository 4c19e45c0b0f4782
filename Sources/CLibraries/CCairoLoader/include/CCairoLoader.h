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

/// Puts `count` characters into the order and the forms in which they are seen, from left to right. Returns false,
/// with `visual` undefined, where the library for it is missing.
///
/// `visual` has room for `count` characters. The second letter of a ligature becomes U+FEFF.
bool scaleaudio_visual_text(const uint32_t *text, int count, uint32_t *visual);
