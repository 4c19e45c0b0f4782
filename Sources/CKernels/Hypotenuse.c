#include <math.h>

// The length of a vector, for Swift's static library: its module of the C library refers to this function, although
// the program never calls it. From glibc, it would need version 2.35, and be the only one that needs more than 2.34.
// In double precision, squares of `float` are exact and do not overflow.
__attribute__((visibility("hidden"))) float hypotf(float x, float y) {
  if (isinf(x) || isinf(y)) return INFINITY;
  return (float)sqrt((double)x * x + (double)y * y);
}
