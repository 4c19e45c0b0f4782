// libogg: pages and their checksums.
#include <ogg/ogg.h>
