// The functions of libpulse that are called here. CPulseLoader defines them, and has them call the library once it is
// loaded. Their symbols have names of their own: those of the library stay free for a program that links both.
// Include this before the library's headers.
#pragma once

#define PULSE_FUNCTIONS(X)                                                                          \
  X(pa_channel_map_init) X(pa_channel_map_init_extend) X(pa_context_connect)                        \
  X(pa_context_disconnect) X(pa_context_errno) X(pa_context_get_server_info)                        \
  X(pa_context_get_sink_info_by_name) X(pa_context_get_sink_info_list) X(pa_context_get_state)      \
  X(pa_context_new_with_proplist) X(pa_context_rttime_new) X(pa_context_rttime_restart)             \
  X(pa_context_set_state_callback) X(pa_context_unref) X(pa_operation_cancel)                       \
  X(pa_operation_get_state) X(pa_operation_unref) X(pa_proplist_free) X(pa_proplist_new)            \
  X(pa_proplist_sets) X(pa_rtclock_now) X(pa_stream_begin_write) X(pa_stream_cancel_write)          \
  X(pa_stream_connect_playback) X(pa_stream_cork) X(pa_stream_disconnect) X(pa_stream_drain)        \
  X(pa_stream_flush) X(pa_stream_get_buffer_attr) X(pa_stream_get_device_name)                      \
  X(pa_stream_get_latency) X(pa_stream_get_state) X(pa_stream_get_timing_info)                      \
  X(pa_stream_is_suspended) X(pa_stream_new_with_proplist) X(pa_stream_set_buffer_attr)             \
  X(pa_stream_set_event_callback)                                                                   \
  X(pa_stream_set_moved_callback) X(pa_stream_set_state_callback)                                   \
  X(pa_stream_set_suspended_callback) X(pa_stream_set_underflow_callback)                           \
  X(pa_stream_set_write_callback) X(pa_stream_unref) X(pa_stream_update_timing_info)                \
  X(pa_stream_writable_size) X(pa_stream_write) X(pa_strerror) X(pa_threaded_mainloop_free)         \
  X(pa_threaded_mainloop_get_api) X(pa_threaded_mainloop_lock) X(pa_threaded_mainloop_new)          \
  X(pa_threaded_mainloop_signal) X(pa_threaded_mainloop_start) X(pa_threaded_mainloop_stop)         \
  X(pa_threaded_mainloop_unlock) X(pa_threaded_mainloop_wait)                                      

#define SCALEAUDIO_PRAGMA(text) _Pragma(#text)
#define SCALEAUDIO_RENAME(name) SCALEAUDIO_PRAGMA(redefine_extname name scaleaudio_##name)
PULSE_FUNCTIONS(SCALEAUDIO_RENAME)
