// Cairo draws the characters of a text from left to right, each in its isolated form. FriBidi puts text that is read
// from the right into the order in which it is seen, with Arabic letters in the forms that join. Where
// it is missing, text stays as it is.
#include "CCairoLoader.h"

#include <fribidi/fribidi.h>

#include "Loading.h"

#define FUNCTIONS(X) X(fribidi_log2vis)

static const char *failed(void);
LIBRARY("libfribidi.so.0", FUNCTIONS, failed)

bool scaleaudio_visual_text(const uint32_t *text, int count, uint32_t *visual) {
  if (failed()) return false;
  // The first letter with a direction determines that of the whole text.
  FriBidiParType direction = FRIBIDI_PAR_ON;
  return p_fribidi_log2vis(text, count, &direction, visual, NULL, NULL, NULL) != 0;
}
