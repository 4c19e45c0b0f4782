// Cairo, with or without a folder from pkg-config in the search path.
#include "Functions.h"

#if __has_include(<cairo/cairo.h>)
#include <cairo/cairo.h>
#include <cairo/cairo-pdf.h>
#include <cairo/cairo-svg.h>
#else
#include <cairo.h>
#include <cairo-pdf.h>
#include <cairo-svg.h>
#endif
