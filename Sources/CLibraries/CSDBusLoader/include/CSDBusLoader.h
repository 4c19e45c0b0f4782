#pragma once

/// Loads systemd's library once for the process. Returns NULL on success, otherwise the reason for the failure.
///
/// Call none of its functions before this has returned NULL.
const char *scaleaudio_sdbus_failure(void);
