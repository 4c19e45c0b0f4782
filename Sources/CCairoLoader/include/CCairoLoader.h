#pragma once

/// Loads Cairo, once for the process; NULL when it is there, else why it is not.
///
/// Its functions may be called only after this has returned NULL.
const char *scaleaudio_cairo_failure(void);
