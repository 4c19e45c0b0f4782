// The encoding of texts that ID3v2 labels Latin-1.
#pragma once

#include <set>
#include <string>

namespace ctag {

/// While it exists, TagLib reads such texts on this thread in an encoding that the user declares.
class Latin1Encoding {
 public:
  /// `name` is for iconv; null for none.
  explicit Latin1Encoding(const char *name);
  ~Latin1Encoding();
  Latin1Encoding(const Latin1Encoding &) = delete;
  Latin1Encoding &operator=(const Latin1Encoding &) = delete;

  /// The texts that are neither in it nor in UTF-8, in UTF-8.
  std::set<std::string> rest;
};

}  // namespace ctag
