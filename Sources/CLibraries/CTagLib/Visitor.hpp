// A visitor that takes TagLib's types.
#pragma once

#include <tpropertymap.h>

#include "Boundary.hpp"

namespace ctag {

class Visitor {
 public:
  explicit Visitor(const ctag_visitor &visitor) : visitor(visitor) {}

  void text(
    const TagLib::String &name, const TagLib::String &value,
    const TagLib::String &language = TagLib::String()) const {
    const Text first(name), second(value), third(language);
    visitor.text(visitor.context, first.view(), second.view(), third.view());
  }

  void texts(const TagLib::String &name, const TagLib::StringList &values) const {
    for (const TagLib::String &value : values) text(name, value);
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

  void unheld(const TagLib::String &name) const {
    const Text text(name);
    visitor.unheld(visitor.context, text.view());
  }

 private:
  const ctag_visitor &visitor;
};

void readID3v2(const TagLib::ByteVector &tag, const Visitor &visitor);
void readAPE(const TagLib::ByteVector &tag, const Visitor &visitor);
void readMP4(const TagLib::ByteVector &items, const Visitor &visitor);
void readASF(const TagLib::ByteVector &header, const Visitor &visitor);

}  // namespace ctag
