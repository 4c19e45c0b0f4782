#pragma once

/// Loads FFmpeg's libraries once for the process. Returns NULL on success, otherwise the reason for the failure.
///
/// Call none of their functions before this has returned NULL.
const char *scaleaudio_libav_failure(void);
