// The library of the Linux kernel's sound system.
#include "Functions.h"

#include <alsa/asoundlib.h>
