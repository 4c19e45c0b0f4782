// Reading APE tags, and ASF headers, which are never written.
#include <memory>

#include <apeitem.h>
#include <apetag.h>
#include <asffile.h>
#include <asfpicture.h>
#include <asftag.h>
#include <tbytevectorstream.h>
#include <tfile.h>
#include <tpropertymap.h>

#include "Tags.hpp"
#include "Visitor.hpp"

using namespace TagLib;

namespace ctag {
namespace {

/// A file that only holds tags.
class PlainFile : public TagLib::File {
 public:
  explicit PlainFile(IOStream *stream) : TagLib::File(stream) {}
  TagLib::Tag *tag() const override { return nullptr; }
  AudioProperties *audioProperties() const override { return nullptr; }
  bool save() override { return false; }
};

/// The picture type that an APE item name stands for; `false` if it is not a picture.
bool isPicture(const String &key, unsigned *type) {
  // The names of foobar2000 and Mp3tag, in the order of ID3v2's picture types.
  static const char *const names[] = {
    "OTHER", "ICON", "OTHER ICON", "FRONT", "BACK", "LEAFLET", "MEDIA", "LEAD ARTIST", "ARTIST",
    "CONDUCTOR", "BAND", "COMPOSER", "LYRICIST", "RECORDING LOCATION", "DURING RECORDING",
    "DURING PERFORMANCE", "VIDEO CAPTURE", "COLORED FISH", "ILLUSTRATION", "BAND LOGO",
    "PUBLISHER LOGO"};
  const String upper = key.upper();
  if (!upper.startsWith("COVER ART")) return false;
  *type = 0;
  for (unsigned i = 0; i < sizeof names / sizeof names[0]; ++i) {
    if (upper == "COVER ART (" + String(names[i]) + ")") *type = i;
  }
  return true;
}

/// The common name of an ASF extended description that has the content of a fixed field: a second value, or
/// the same value again.
String commonName(const String &name) {
  const String upper = name.upper();
  if (upper == "AUTHOR") return "ARTIST";
  return upper == "DESCRIPTION" ? "COMMENT" : upper;
}

/// The header with its extension at the end. The extension has the further values of attributes, and TagLib reads
/// objects in their order.
ByteVector firstValuesFirst(const ByteVector &header) {
  const ByteVector extension("\xB5\x03\xBF\x5F\x2E\xA9\xCF\x11\x8E\xE3\x00\xC0\x0C\x20\x53\x65", 16);
  constexpr unsigned headSize = 30;
  ByteVector others = header.mid(0, headSize), extensions;
  unsigned position = headSize;
  while (position + 24 <= header.size()) {
    const unsigned long long size = header.toLongLong(position + 16, false);
    if (size < 24 || size > header.size() - position) break;
    const ByteVector object = header.mid(position, static_cast<unsigned>(size));
    (object.startsWith(extension) ? extensions : others).append(object);
    position += static_cast<unsigned>(size);
  }
  return others + extensions + header.mid(position);
}

}  // namespace

void readAPE(const ByteVector &bytes, const Visitor &visitor) {
  if (bytes.size() < 32) return;
  ByteVectorStream stream(bytes);
  PlainFile file(&stream);
  const APE::Tag tag(&file, bytes.size() - 32);
  for (const auto &pair : tag.itemListMap()) {
    const APE::Item &item = pair.second;
    unsigned type = 0;
    if (item.type() == APE::Item::Text) {
      APE::Tag single;
      single.setItem(pair.first, item);
      for (const auto &property : single.properties()) {
        visitor.texts(property.first, property.second, item.key());
      }
    } else if (item.type() == APE::Item::Locator) {
      visitor.text(
        item.key(), String(item.binaryData(), String::UTF8), String(), "@" + item.key());
    } else if (isPicture(item.key(), &type)) {
      // A file name precedes the picture.
      const ByteVector data = item.binaryData();
      const int end = data.find('\0');
      visitor.picture(
        type, String(), end > 0 ? String(data.mid(0, end), String::UTF8) : String(),
        data.mid(end + 1));
    } else {
      visitor.unheld(item.key());
    }
  }
}

void readASF(const ByteVector &header, const Visitor &visitor) {
  ByteVectorStream stream(firstValuesFirst(header));
  ASF::File file(&stream, false);
  ASF::Tag *tag = file.tag();
  if (!tag) return;
  const PropertyMap properties = tag->properties();
  for (const auto &property : properties) visitor.texts(property.first, property.second);
  // The last fixed field has no property in TagLib.
  if (!tag->rating().isEmpty()) visitor.text("RATING", tag->rating());
  for (const String &name : properties.unsupportedData()) {
    for (const ASF::Attribute &attribute : tag->attribute(name)) {
      const ASF::Picture picture = attribute.toPicture();
      if (name == "WM/Picture" && picture.isValid()) {
        visitor.picture(
          picture.type(), picture.mimeType(), picture.description(), picture.picture());
      } else if (attribute.type() == ASF::Attribute::BytesType
                 || attribute.type() == ASF::Attribute::GuidType) {
        visitor.unheld(name);
      } else if (attribute.type() == ASF::Attribute::UnicodeType) {
        const String known = commonName(name);
        if (properties.contains(known) && properties[known].contains(attribute.toString())) continue;
        visitor.text(known, attribute.toString());
      } else if (attribute.type() == ASF::Attribute::BoolType) {
        visitor.text(name, attribute.toBool() ? "1" : "0");
      } else {
        visitor.text(name, String(std::to_string(attribute.toULongLong())));
      }
    }
  }
}

}  // namespace ctag
