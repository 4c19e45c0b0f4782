// The functions of libasound that are called here. CALSALoader defines them, and has them call the library once it is
// loaded. Their symbols have names of their own: those of the library stay free for a program that links both.
// Include this before the library's headers.
#pragma once

#define ALSA_FUNCTIONS(X)                                                                           \
  X(snd_device_name_free_hint) X(snd_device_name_get_hint) X(snd_device_name_hint)                  \
  X(snd_lib_error_set_handler) X(snd_pcm_avail) X(snd_pcm_close) X(snd_pcm_delay) X(snd_pcm_drain) X(snd_pcm_drop)               \
  X(snd_pcm_get_chmap) X(snd_pcm_hw_params) X(snd_pcm_hw_params_any) X(snd_pcm_hw_params_free)      \
  X(snd_pcm_hw_params_get_buffer_size) X(snd_pcm_hw_params_get_channels_max) \
  X(snd_pcm_hw_params_get_rate_max) X(snd_pcm_hw_params_get_rate_min) X(snd_pcm_hw_params_get_period_size)                         \
  X(snd_pcm_hw_params_malloc) X(snd_pcm_hw_params_set_access)                                       \
  X(snd_pcm_hw_params_set_buffer_size_near) X(snd_pcm_hw_params_set_channels_near)                  \
  X(snd_pcm_hw_params_set_format) X(snd_pcm_hw_params_set_period_size_near)                         \
  X(snd_pcm_hw_params_set_rate_near) X(snd_pcm_hw_params_set_rate_resample)                         \
  X(snd_pcm_hw_params_test_format) X(snd_pcm_nonblock) X(snd_pcm_open)  \
  X(snd_pcm_prepare)          \
  X(snd_pcm_resume) X(snd_pcm_set_chmap) X(snd_pcm_start) X(snd_pcm_state) X(snd_pcm_sw_params)     \
  X(snd_pcm_sw_params_current) X(snd_pcm_sw_params_free) X(snd_pcm_sw_params_malloc)                \
  X(snd_pcm_sw_params_set_avail_min) X(snd_pcm_sw_params_set_start_threshold) X(snd_pcm_writei)     \
  X(snd_strerror)                                                                                  

#define SCALEAUDIO_PRAGMA(text) _Pragma(#text)
#define SCALEAUDIO_RENAME(name) SCALEAUDIO_PRAGMA(redefine_extname name scaleaudio_##name)
ALSA_FUNCTIONS(SCALEAUDIO_RENAME)
