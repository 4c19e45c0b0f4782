// The client library of PulseAudio.
#include "Functions.h"

#include <pulse/pulseaudio.h>
