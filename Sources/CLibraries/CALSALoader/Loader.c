// ALSA's library reads its configuration when it is loaded, so that happens only when something is played.
#include "CALSALoader.h"

#include "../CALSA/Functions.h"

#include <alsa/asoundlib.h>

#include "Loading.h"

static const char *alsa_loading_failure(void);
LIBRARY("libasound.so.2", ALSA_FUNCTIONS, alsa_loading_failure)

// The library prints messages to standard error unless it has another function for them.
static void say_nothing(
    const char *file, int line, const char *function, int code, const char *format, ...) {}

static pthread_once_t quiet = PTHREAD_ONCE_INIT;
static void silence(void) { p_snd_lib_error_set_handler(say_nothing); }

const char *scaleaudio_alsa_failure(void) {
  const char *reason = alsa_loading_failure();
  if (!reason) pthread_once(&quiet, silence);
  return reason;
}

BEGIN_FORWARDING

F1(int, snd_device_name_free_hint, void **)
F2(char *, snd_device_name_get_hint, const void *, const char *)
F3(int, snd_device_name_hint, int, const char *, void ***)
F1(snd_pcm_sframes_t, snd_pcm_avail, snd_pcm_t *)
F1(int, snd_pcm_close, snd_pcm_t *)
F2(int, snd_pcm_delay, snd_pcm_t *, snd_pcm_sframes_t *)
F1(int, snd_pcm_drain, snd_pcm_t *)
F1(int, snd_pcm_drop, snd_pcm_t *)
F1(snd_pcm_chmap_t *, snd_pcm_get_chmap, snd_pcm_t *)
F2(int, snd_pcm_hw_params, snd_pcm_t *, snd_pcm_hw_params_t *)
F2(int, snd_pcm_hw_params_any, snd_pcm_t *, snd_pcm_hw_params_t *)
F1(void, snd_pcm_hw_params_free, snd_pcm_hw_params_t *)
F2(int, snd_pcm_hw_params_get_buffer_size, const snd_pcm_hw_params_t *, snd_pcm_uframes_t *)
F2(int, snd_pcm_hw_params_get_channels_max, const snd_pcm_hw_params_t *, unsigned int *)
F3(int, snd_pcm_hw_params_get_rate_max, const snd_pcm_hw_params_t *, unsigned int *, int *)
F3(int, snd_pcm_hw_params_get_rate_min, const snd_pcm_hw_params_t *, unsigned int *, int *)
F3(int, snd_pcm_hw_params_get_period_size, const snd_pcm_hw_params_t *, snd_pcm_uframes_t *, int *)
F1(int, snd_pcm_hw_params_malloc, snd_pcm_hw_params_t **)
F3(int, snd_pcm_hw_params_set_access, snd_pcm_t *, snd_pcm_hw_params_t *, snd_pcm_access_t)
F3(int, snd_pcm_hw_params_set_buffer_size_near, snd_pcm_t *, snd_pcm_hw_params_t *, snd_pcm_uframes_t *)
F3(int, snd_pcm_hw_params_set_channels_near, snd_pcm_t *, snd_pcm_hw_params_t *, unsigned int *)
F3(int, snd_pcm_hw_params_set_format, snd_pcm_t *, snd_pcm_hw_params_t *, snd_pcm_format_t)
F4(int, snd_pcm_hw_params_set_period_size_near, snd_pcm_t *, snd_pcm_hw_params_t *, snd_pcm_uframes_t *, int *)
F4(int, snd_pcm_hw_params_set_rate_near, snd_pcm_t *, snd_pcm_hw_params_t *, unsigned int *, int *)
F3(int, snd_pcm_hw_params_set_rate_resample, snd_pcm_t *, snd_pcm_hw_params_t *, unsigned int)
F3(int, snd_pcm_hw_params_test_format, snd_pcm_t *, snd_pcm_hw_params_t *, snd_pcm_format_t)
F2(int, snd_pcm_nonblock, snd_pcm_t *, int)
F4(int, snd_pcm_open, snd_pcm_t **, const char *, snd_pcm_stream_t, int)
F1(int, snd_pcm_prepare, snd_pcm_t *)
F1(int, snd_pcm_resume, snd_pcm_t *)
F2(int, snd_pcm_set_chmap, snd_pcm_t *, const snd_pcm_chmap_t *)
F1(int, snd_pcm_start, snd_pcm_t *)
F1(snd_pcm_state_t, snd_pcm_state, snd_pcm_t *)
F2(int, snd_pcm_sw_params, snd_pcm_t *, snd_pcm_sw_params_t *)
F2(int, snd_pcm_sw_params_current, snd_pcm_t *, snd_pcm_sw_params_t *)
F1(void, snd_pcm_sw_params_free, snd_pcm_sw_params_t *)
F1(int, snd_pcm_sw_params_malloc, snd_pcm_sw_params_t **)
F3(int, snd_pcm_sw_params_set_avail_min, snd_pcm_t *, snd_pcm_sw_params_t *, snd_pcm_uframes_t)
F3(int, snd_pcm_sw_params_set_start_threshold, snd_pcm_t *, snd_pcm_sw_params_t *, snd_pcm_uframes_t)
F3(snd_pcm_sframes_t, snd_pcm_writei, snd_pcm_t *, const void *, snd_pcm_uframes_t)
F1(const char *, snd_strerror, int)

int snd_lib_error_set_handler(snd_lib_error_handler_t handler) {
  return p_snd_lib_error_set_handler(handler);
}

END_FORWARDING
