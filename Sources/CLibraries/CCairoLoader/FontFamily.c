// Cairo draws text with one font, and boxes for characters that the font lacks. Fontconfig, which Cairo uses,
// finds another font that has the character.
#include "CCairoLoader.h"

#include <fontconfig/fontconfig.h>

#include "Loading.h"

#define FUNCTIONS(X)                                                                                 \
  X(FcCharSetAddChar) X(FcCharSetCreate) X(FcCharSetDestroy) X(FcCharSetHasChar)                     \
  X(FcConfigSubstitute) X(FcDefaultSubstitute) X(FcFontMatch) X(FcPatternAddCharSet)                 \
  X(FcPatternAddString) X(FcPatternCreate) X(FcPatternDestroy) X(FcPatternGetCharSet)                \
  X(FcPatternGetString)

static const char *failed(void);
LIBRARY("libfontconfig.so.1", FUNCTIONS, failed)

bool scaleaudio_font_family(const char *family, uint32_t character, char *found, size_t size) {
  if (failed()) return false;
  FcPattern *wanted = p_FcPatternCreate();
  FcCharSet *characters = p_FcCharSetCreate();
  p_FcCharSetAddChar(characters, character);
  p_FcPatternAddCharSet(wanted, FC_CHARSET, characters);
  p_FcPatternAddString(wanted, FC_FAMILY, (const FcChar8 *)family);
  p_FcConfigSubstitute(0, wanted, FcMatchPattern);
  p_FcDefaultSubstitute(wanted);
  FcResult result;
  FcPattern *match = p_FcFontMatch(0, wanted, &result);
  FcCharSet *matched;
  FcChar8 *name;
  bool has = match && p_FcPatternGetCharSet(match, FC_CHARSET, 0, &matched) == FcResultMatch &&
             p_FcCharSetHasChar(matched, character) &&
             p_FcPatternGetString(match, FC_FAMILY, 0, &name) == FcResultMatch &&
             snprintf(found, size, "%s", (const char *)name) < (int)size;
  if (match) p_FcPatternDestroy(match);
  p_FcCharSetDestroy(characters);
  p_FcPatternDestroy(wanted);
  return has;
}
