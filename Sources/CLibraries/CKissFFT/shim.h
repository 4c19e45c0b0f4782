// kissfft for single precision: where pkg-config names its folder, and where it does not.
#if __has_include(<kissfft/kiss_fftr.h>)
#include <kissfft/kiss_fftr.h>
#else
#include <kiss_fftr.h>
#endif

// A macro, which Swift does not see.
static inline void scaleaudio_kiss_fftr_free(kiss_fftr_cfg plan) { kiss_fftr_free(plan); }
