// systemd's library brings several others, and not every system has it, so it is loaded only when something is played.
#include "CSDBusLoader.h"

#include "../CSDBus/Functions.h"

#include <systemd/sd-bus.h>

#include "Loading.h"

LIBRARY("libsystemd.so.0", SDBUS_FUNCTIONS, scaleaudio_sdbus_failure)

BEGIN_FORWARDING

F5(int, sd_bus_add_object, sd_bus *, sd_bus_slot **, const char *, sd_bus_message_handler_t, void *)
F1(sd_bus *, sd_bus_flush_close_unref, sd_bus *)
F1(int, sd_bus_get_events, sd_bus *)
F1(int, sd_bus_get_fd, sd_bus *)
F3(int, sd_bus_message_append_basic, sd_bus_message *, char, const void *)
F1(int, sd_bus_message_close_container, sd_bus_message *)
F3(int, sd_bus_message_enter_container, sd_bus_message *, char, const char *)
F1(int, sd_bus_message_exit_container, sd_bus_message *)
F1(const char *, sd_bus_message_get_interface, sd_bus_message *)
F1(const char *, sd_bus_message_get_member, sd_bus_message *)
F3(int, sd_bus_message_new_method_error, sd_bus_message *, sd_bus_message **, const sd_bus_error *)
F2(int, sd_bus_message_new_method_return, sd_bus_message *, sd_bus_message **)
F5(int, sd_bus_message_new_signal, sd_bus *, sd_bus_message **, const char *, const char *, const char *)
F3(int, sd_bus_message_open_container, sd_bus_message *, char, const char *)
F3(int, sd_bus_message_peek_type, sd_bus_message *, char *, const char **)
F3(int, sd_bus_message_read_basic, sd_bus_message *, char, void *)
F1(sd_bus_message *, sd_bus_message_unref, sd_bus_message *)
F1(int, sd_bus_open_user, sd_bus **)
F2(int, sd_bus_process, sd_bus *, sd_bus_message **)
F3(int, sd_bus_request_name, sd_bus *, const char *, uint64_t)
F3(int, sd_bus_send, sd_bus *, sd_bus_message *, uint64_t *)

END_FORWARDING
