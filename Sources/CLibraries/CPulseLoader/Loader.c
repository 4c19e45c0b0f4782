// PulseAudio's client library brings some twenty others, so it is loaded only when something is played.
#include "CPulseLoader.h"

#include "../CPulse/Functions.h"

#include <pulse/pulseaudio.h>
#include <stdlib.h>

#include "Loading.h"

static const char *quiet_library(void) {
  // The library prints warnings to standard error, and has no function against it. This sends them to the
  // system's log; it is read when the first message is due.
  setenv("PULSE_LOG_SYSLOG", "1", 0);
  return "libpulse.so.0";
}

LIBRARY(quiet_library(), PULSE_FUNCTIONS, scaleaudio_pulse_failure)

BEGIN_FORWARDING

F1(pa_channel_map*, pa_channel_map_init, pa_channel_map *)
F3(pa_channel_map*, pa_channel_map_init_extend, pa_channel_map *, unsigned, pa_channel_map_def_t)
F4(int, pa_context_connect, pa_context *, const char *, pa_context_flags_t, const pa_spawn_api *)
F1(void, pa_context_disconnect, pa_context *)
F1(int, pa_context_errno, const pa_context *)
F3(pa_operation*, pa_context_get_server_info, pa_context *, pa_server_info_cb_t, void *)
F4(pa_operation*, pa_context_get_sink_info_by_name, pa_context *, const char *, pa_sink_info_cb_t, void *)
F3(pa_operation*, pa_context_get_sink_info_list, pa_context *, pa_sink_info_cb_t, void *)
F1(pa_context_state_t, pa_context_get_state, const pa_context *)
F3(pa_context *, pa_context_new_with_proplist, pa_mainloop_api *, const char *, const pa_proplist *)
F4(pa_time_event*, pa_context_rttime_new, const pa_context *, pa_usec_t, pa_time_event_cb_t, void *)
F3(void, pa_context_rttime_restart, const pa_context *, pa_time_event *, pa_usec_t)
F3(void, pa_context_set_state_callback, pa_context *, pa_context_notify_cb_t, void *)
F1(void, pa_context_unref, pa_context *)
F1(void, pa_operation_cancel, pa_operation *)
F1(pa_operation_state_t, pa_operation_get_state, const pa_operation *)
F1(void, pa_operation_unref, pa_operation *)
F1(void, pa_proplist_free, pa_proplist*)
F0(pa_proplist*, pa_proplist_new)
F3(int, pa_proplist_sets, pa_proplist *, const char *, const char *)
F0(pa_usec_t, pa_rtclock_now)
F3(int, pa_stream_begin_write, pa_stream *, void **, size_t *)
F1(int, pa_stream_cancel_write, pa_stream *)
F6(int, pa_stream_connect_playback, pa_stream *, const char *, const pa_buffer_attr *, pa_stream_flags_t, const pa_cvolume *, pa_stream *)
F4(pa_operation*, pa_stream_cork, pa_stream *, int, pa_stream_success_cb_t, void *)
F1(int, pa_stream_disconnect, pa_stream *)
F3(pa_operation*, pa_stream_drain, pa_stream *, pa_stream_success_cb_t, void *)
F3(pa_operation*, pa_stream_flush, pa_stream *, pa_stream_success_cb_t, void *)
F1(const pa_buffer_attr*, pa_stream_get_buffer_attr, pa_stream *)
F1(const char *, pa_stream_get_device_name, const pa_stream *)
F3(int, pa_stream_get_latency, pa_stream *, pa_usec_t *, int *)
F1(pa_stream_state_t, pa_stream_get_state, const pa_stream *)
F1(const pa_timing_info*, pa_stream_get_timing_info, pa_stream *)
F1(int, pa_stream_is_suspended, const pa_stream *)
F5(pa_stream*, pa_stream_new_with_proplist, pa_context *, const char *, const pa_sample_spec *, const pa_channel_map *, pa_proplist *)
F4(pa_operation*, pa_stream_set_buffer_attr, pa_stream *, const pa_buffer_attr *, pa_stream_success_cb_t, void *)
F3(void, pa_stream_set_event_callback, pa_stream *, pa_stream_event_cb_t, void *)
F3(void, pa_stream_set_moved_callback, pa_stream *, pa_stream_notify_cb_t, void *)
F3(void, pa_stream_set_state_callback, pa_stream *, pa_stream_notify_cb_t, void *)
F3(void, pa_stream_set_suspended_callback, pa_stream *, pa_stream_notify_cb_t, void *)
F3(void, pa_stream_set_underflow_callback, pa_stream *, pa_stream_notify_cb_t, void *)
F3(void, pa_stream_set_write_callback, pa_stream *, pa_stream_request_cb_t, void *)
F1(void, pa_stream_unref, pa_stream *)
F3(pa_operation*, pa_stream_update_timing_info, pa_stream *, pa_stream_success_cb_t, void *)
F1(size_t, pa_stream_writable_size, const pa_stream *)
F6(int, pa_stream_write, pa_stream *, const void *, size_t, pa_free_cb_t, int64_t, pa_seek_mode_t)
F1(const char*, pa_strerror, int)
F1(void, pa_threaded_mainloop_free, pa_threaded_mainloop*)
F1(pa_mainloop_api*, pa_threaded_mainloop_get_api, pa_threaded_mainloop*)
F1(void, pa_threaded_mainloop_lock, pa_threaded_mainloop *)
F0(pa_threaded_mainloop *, pa_threaded_mainloop_new)
F2(void, pa_threaded_mainloop_signal, pa_threaded_mainloop *, int)
F1(int, pa_threaded_mainloop_start, pa_threaded_mainloop *)
F1(void, pa_threaded_mainloop_stop, pa_threaded_mainloop *)
F1(void, pa_threaded_mainloop_unlock, pa_threaded_mainloop *)
F1(void, pa_threaded_mainloop_wait, pa_threaded_mainloop *)

END_FORWARDING
