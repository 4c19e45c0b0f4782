// libsixel: where pkg-config names its folder, and where it does not.
#if __has_include(<sixel/sixel.h>)
#include <sixel/sixel.h>
#else
#include <sixel.h>
#endif
