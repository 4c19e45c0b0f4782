#pragma once

/// Loads ALSA's library once for the process, and keeps it from printing. Returns NULL on success, otherwise the
/// reason for the failure.
///
/// Call none of its functions before this has returned NULL.
const char *scaleaudio_alsa_failure(void);
