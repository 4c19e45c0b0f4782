#pragma once

/// Loads FFmpeg's libraries, once for the process; NULL when they are there, else why they are not.
///
/// Their functions may be called only after this has returned NULL.
const char *scaleaudio_libav_failure(void);
