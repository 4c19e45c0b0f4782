// A visitor that takes TagLib's types.
#pragma once

#include <optional>
#include <set>
#include <string>

#include <tpropertymap.h>

#include "Boundary.hpp"

namespace ctag {

class Visitor {
 public:
  explicit Visitor(const ctag_visitor &visitor) : visitor(visitor) {}

  void text(
    const TagLib::String &name, const TagLib::String &value,
    const TagLib::String &language = TagLib::String(),
    const std::optional<TagLib::String> &item = std::nullopt) const {
    texts(name, value, item, language);
  }

  /// Reports the values of an item. A value that another item of the name has already counts once, but an item may
  /// have it several times.
  void texts(
    const TagLib::String &name, const TagLib::StringList &values,
    const std::optional<TagLib::String> &item = std::nullopt,
    const TagLib::String &language = TagLib::String()) const {
    const Text first(name), third(language), fourth(item.value_or(TagLib::String()));
    const ctag_text place = fourth.view();
    std::set<std::string> added;
    for (const TagLib::String &value : values) {
      const Text second(value);
      const std::string label =
        first.storage + '\0' + third.storage + '\0' + second.storage;
      if (seen.count(label) > 0) continue;
      added.insert(label);
      visitor.text(visitor.context, first.view(), second.view(), third.view(), item ? &place : nullptr);
    }
    seen.insert(added.begin(), added.end());
  }

  void picture(
    unsigned type, const TagLib::String &mimeType, const TagLib::String &description,
    const TagLib::ByteVector &data) const {
    const Text mime(mimeType), words(description);
    const ctag_picture picture = {type, mime.view(), words.view(), view(data)};
    visitor.picture(visitor.context, &picture);
  }

  void chapter(const ctag_chapter &chapter) const { visitor.chapter(visitor.context, &chapter); }
  void lyrics(const ctag_lyrics &lyrics) const { visitor.lyrics(visitor.context, &lyrics); }

  void latin1(const std::string &text) const {
    visitor.latin1(visitor.context, Text(text).view());
  }

  void unheld(const TagLib::String &name) const {
    const Text text(name);
    visitor.unheld(visitor.context, text.view());
  }

 private:
  const ctag_visitor &visitor;
  mutable std::set<std::string> seen;
};

void readID3v2(const TagLib::ByteVector &tag, const Visitor &visitor);
void readAPE(const TagLib::ByteVector &tag, const Visitor &visitor);
void readASF(const TagLib::ByteVector &header, const Visitor &visitor);

}  // namespace ctag
