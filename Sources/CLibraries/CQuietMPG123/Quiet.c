#define _GNU_SOURCE
#include "CQuietMPG123.h"
#include <dlfcn.h>
#include <stddef.h>

// Source: mpg123.h 1.31, enum mpg123_parms and enum mpg123_param_flags. libsndfile passes no flag against messages,
// and its handle is not accessible.
enum { addFlags = 2, quiet = 0x20 };

void *mpg123_new(const char *decoder, int *error) {
  void *(*make)(const char *, int *) = dlsym(RTLD_NEXT, "mpg123_new");
  if (make == NULL) return NULL;
  void *handle = make(decoder, error);
  if (handle == NULL) return NULL;
  int (*set)(void *, int, long, double) = dlsym(RTLD_NEXT, "mpg123_param");
  if (set != NULL) set(handle, addFlags, quiet, 0);
  return handle;
}
