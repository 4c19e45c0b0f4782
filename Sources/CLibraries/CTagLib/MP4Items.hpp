// The items of MP4's `ilst`, in the form of iTunes.
#pragma once

#include <tstring.h>

namespace ctag {

constexpr char freeform[] = "----:com.apple.iTunes:";
/// The item of a genre by its number in ID3v1 plus 1, which TagLib reads as a name, and does not write.
constexpr char numberedGenre[] = "gnre";

/// Items that have no name in TagLib's properties, or a different one. The names are those of Mp3tag.
struct NamedItem {
  const char *item, *name;
  enum Type { text, byte, number, large } type;
};
extern const NamedItem namedItems[];
extern const size_t namedItemCount;

}  // namespace ctag
