// The functions of libsystemd that are called here. CSDBusLoader defines them, and has them call the library once it is
// loaded. Their symbols have names of their own: those of the library stay free for a program that links both.
// Include this before the library's headers.
#pragma once

#define SDBUS_FUNCTIONS(X)                                                                          \
  X(sd_bus_add_object) X(sd_bus_flush_close_unref) X(sd_bus_get_events) X(sd_bus_get_fd)            \
  X(sd_bus_message_append_basic) X(sd_bus_message_close_container)            \
  X(sd_bus_message_enter_container) X(sd_bus_message_exit_container)                                \
  X(sd_bus_message_get_interface) X(sd_bus_message_get_member)                                      \
  X(sd_bus_message_new_method_error) X(sd_bus_message_new_method_return)                            \
  X(sd_bus_message_new_signal) X(sd_bus_message_open_container) X(sd_bus_message_peek_type)         \
  X(sd_bus_message_read_basic) X(sd_bus_message_unref) X(sd_bus_open_user) X(sd_bus_process)        \
  X(sd_bus_request_name) X(sd_bus_send)

#define SCALEAUDIO_PRAGMA(text) _Pragma(#text)
#define SCALEAUDIO_RENAME(name) SCALEAUDIO_PRAGMA(redefine_extname name scaleaudio_##name)
SDBUS_FUNCTIONS(SCALEAUDIO_RENAME)
