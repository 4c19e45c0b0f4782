// The D-Bus client in systemd's library.
#include "Functions.h"

#include <systemd/sd-bus.h>
