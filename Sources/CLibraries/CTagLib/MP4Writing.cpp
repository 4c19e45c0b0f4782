// Writing the items of MP4's `ilst`.
#include <cstdlib>
#include <string>
#include <vector>

#include <id3v1genres.h>
#include <mp4atom.h>
#include <mp4coverart.h>
#include <mp4file.h>
#include <mp4item.h>
#include <mp4tag.h>
#include <tpropertymap.h>

#include "DescriptorStream.hpp"
#include "MP4Items.hpp"
#include "Tags.hpp"

using namespace TagLib;

namespace ctag {
namespace {

/// True if a text is a whole number, or `n/m` where a pair is allowed.
bool isNumber(const String &text, bool mayBePair) {
  const std::string plain = text.to8Bit(true);
  size_t slashes = 0, digits = 0;
  for (const char character : plain) {
    if (character == '/' && mayBePair && ++slashes == 1 && digits > 0) {
      digits = 0;
    } else if (character >= '0' && character <= '9' && ++digits <= 5) {
    } else {
      return false;
    }
  }
  return digits > 0;
}

/// TagLib splits the names of freeform items at colons, and drops names that contain one. Such names are written
/// with this character instead, and corrected in the file.
constexpr char colon = '\x01';

String withoutColons(const String &name) {
  std::string plain = name.to8Bit(true);
  for (char &character : plain) {
    if (character == ':') character = colon;
  }
  return String(plain, String::UTF8);
}

/// Puts the number of a genre in the place of the text of two bytes that TagLib wrote.
void restoreGenre(MP4::File &file, int number) {
  MP4::Atoms atoms(&file);
  MP4::Atom *item = atoms.find("moov", "udta", "meta", "ilst");
  if (item) item = item->find(numberedGenre);
  // The atom `data` has its size, its name, the type of the value and a locale before the value.
  if (!item || item->length != 26) return;
  file.seek(item->offset + 16);
  file.writeBlock(ByteVector::fromUInt(0));
  file.seek(item->offset + 24);
  file.writeBlock(ByteVector::fromShort(static_cast<short>(number)));
}

/// Restores the colons in the names of freeform items in a saved file.
void restoreColons(MP4::File &file) {
  MP4::Atoms atoms(&file);
  const MP4::Atom *list = atoms.find("moov", "udta", "meta", "ilst");
  if (!list) return;
  for (const MP4::Atom *item : list->children) {
    if (item->name != "----" || item->length < 16) continue;
    // The atom `mean` comes first, then `name`: size, kind, version and flags, then the text.
    file.seek(item->offset + 8);
    const long mean = file.readBlock(4).toUInt();
    const long start = item->offset + 8 + mean;
    file.seek(start);
    const long size = file.readBlock(4).toUInt();
    if (size < 12 || start + size > item->offset + item->length) continue;
    file.seek(start + 12);
    ByteVector name = file.readBlock(static_cast<unsigned long>(size - 12));
    if (name.find(colon) < 0) continue;
    name.replace(colon, ':');
    file.seek(start + 12);
    file.writeBlock(name);
  }
}

class ItemWriting {
 public:
  /// The number of a genre that is written by its number; 0 for none.
  int genre = 0;

  explicit ItemWriting(MP4::Tag &tag) : tag(tag) {}

  void write(const ctag_tags &tags) {
    for (const Field &field : tags.grouped()) add(field);
    MP4::CoverArtList covers;
    for (const Picture &picture : tags.pictures) {
      covers.append(MP4::CoverArt(format(picture.mimeType), picture.data));
    }
    if (!covers.isEmpty()) tag.setItem("covr", covers);
  }

 private:
  MP4::Tag &tag;

  static MP4::CoverArt::Format format(const String &mimeType) {
    if (mimeType == "image/png") return MP4::CoverArt::PNG;
    if (mimeType == "image/jpeg") return MP4::CoverArt::JPEG;
    if (mimeType == "image/gif") return MP4::CoverArt::GIF;
    return mimeType == "image/bmp" ? MP4::CoverArt::BMP : MP4::CoverArt::Unknown;
  }

  void add(const Field &field) {
    if (field.item) {
      const String &item = *field.item;
      if (item == numberedGenre) return addGenre(field);
      tag.setItem(item.startsWith("----") ? plainItem(item) : item, field.list());
      return;
    }
    for (size_t index = 0; index < namedItemCount; ++index) {
      const NamedItem &named = namedItems[index];
      if (field.key == named.name && add(field, named)) return;
    }
    String rest;
    if (field.hasPrefix("MP4:", &rest)) {
      const int sign = rest.find("(c)");
      if (sign == 0) rest = String("\251", String::Latin1) + rest.substr(3);
      if (rest.size() == 4 && rest.isLatin1()) {
        tag.setItem(rest, field.list());
        return;
      }
    }
    if (field.key.startsWith("----:")) {
      tag.setItem(plainItem(field.name), field.list());
    } else if (field.key == "ENCODEDBY" || field.key == "ENCODER" || !addProperty(field)) {
      tag.setItem(freeform + withoutColons(field.name), field.list());
    }
  }

  void addGenre(const Field &field) {
    const int index = field.values.size() == 1 ? ID3v1::genreIndex(field.values[0].text) : 255;
    if (index > 191) return tag.setItem("\251gen", field.list());
    genre = index + 1;
    tag.setItem(numberedGenre, StringList("##"));
  }

  /// The full name of a freeform item without colons in its last part.
  static String plainItem(const String &item) {
    const int colon = item.find(":", 5);
    return colon < 0 ? item : item.substr(0, colon + 1) + withoutColons(item.substr(colon + 1));
  }

  bool add(const Field &field, const NamedItem &named) {
    const String item(named.item, String::Latin1);
    const String value = field.values[0].text;
    if (named.type == NamedItem::text) {
      // The rating of iTunes is a number up to 100.
      if (item == "rate" && !(isNumber(value, false) && value.toInt() <= 100)) return false;
      // Fields such as CONDUCTOR may have several values in the freeform item that TagLib uses.
      if (field.values.size() > 1) return false;
      tag.setItem(item, field.list());
      return true;
    }
    char *end = nullptr;
    const std::string text = value.to8Bit(true);
    const long long number = strtoll(text.c_str(), &end, 10);
    if (text.empty() || *end != 0 || field.values.size() != 1) return false;
    if (named.type == NamedItem::byte) {
      if (number < 0 || number > 255) return false;
      if (item == "hdvd") {
        tag.setItem(item, MP4::Item(number != 0));
      } else {
        tag.setItem(item, MP4::Item(static_cast<unsigned char>(number)));
      }
    } else if (named.type == NamedItem::number) {
      if (number < 0 || number > 0xFFFFFFFFLL) return false;
      tag.setItem(item, MP4::Item(static_cast<unsigned>(number)));
    } else {
      tag.setItem(item, MP4::Item(number));
    }
    return true;
  }

  /// Adds the item that TagLib has for a name; `false` if there is none, or it cannot hold the value.
  bool addProperty(const Field &field) {
    static const char *const numbers[] = {
      "MOVEMENTNUMBER", "MOVEMENTCOUNT", "TVEPISODE", "TVSEASON", "COMPILATION", "SHOWWORKMOVEMENT",
      "GAPLESSPLAYBACK", "PODCAST"};
    StringList values = field.list();
    if (field.key == "TRACKNUMBER" || field.key == "DISCNUMBER") {
      if (values.size() != 1 || !isNumber(values[0], true)) return false;
    } else if (field.key == "BPM") {
      char *end = nullptr;
      const std::string text = values[0].to8Bit(true);
      const double tempo = strtod(text.c_str(), &end);
      if (text.empty() || *end != 0 || values.size() != 1 || !(tempo >= 0 && tempo < 32767)) {
        return false;
      }
      // The item holds whole beats only.
      values.clear();
      values.append(String::number(static_cast<int>(tempo + 0.5)));
    } else {
      for (const char *name : numbers) {
        if (field.key == name && (values.size() != 1 || !isNumber(values[0], false))) return false;
      }
    }
    MP4::Tag single;
    PropertyMap property;
    property.insert(field.key, values);
    if (!single.setProperties(property).isEmpty()) return false;
    for (const auto &pair : single.itemMap()) tag.setItem(pair.first, pair.second);
    return true;
  }
};

}  // namespace
}  // namespace ctag

ctag_status ctag_write_mp4(const ctag_tags *tags, int descriptor) {
  return ctag::guarded([&] {
    ctag::DescriptorStream stream(descriptor, ctag::DescriptorStream::Mode::readWrite);
    MP4::File file(&stream, false);
    if (!file.isValid() || !file.tag()) return CTAG_DAMAGED;
    StringList old;
    // Encoder delay and padding belong to this file, not to the source of the tags.
    const String gapless = String(ctag::freeform) + "iTunSMPB";
    for (const auto &pair : file.tag()->itemMap()) {
      if (pair.first != gapless) old.append(pair.first);
    }
    for (const String &name : old) file.tag()->removeItem(name);
    ctag::ItemWriting writing(*file.tag());
    writing.write(*tags);
    if (!file.save()) return CTAG_FAILED;
    if (writing.genre > 0) ctag::restoreGenre(file, writing.genre);
    ctag::restoreColons(file);
    return CTAG_OK;
  });
}
