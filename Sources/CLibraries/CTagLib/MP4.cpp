// Reading and writing the items of MP4's `ilst`, in the form of iTunes.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <mp4atom.h>
#include <mp4coverart.h>
#include <mp4file.h>
#include <mp4item.h>
#include <mp4tag.h>
#include <tbytevectorstream.h>
#include <tpropertymap.h>

#include "DescriptorStream.hpp"
#include "Tags.hpp"
#include "Visitor.hpp"

using namespace TagLib;

namespace ctag {
namespace {

constexpr char freeform[] = "----:com.apple.iTunes:";

/// Items that have no name in TagLib's properties, or a different one. The names are those of Mp3tag.
struct NamedItem {
  const char *item, *name;
  enum Type { text, byte, number, large } type;
};
const NamedItem namedItems[] = {
  {"\251too", "ENCODER", NamedItem::text},
  {"\251enc", "ENCODEDBY", NamedItem::text},
  {"rate", "RATING", NamedItem::text},
  {"stik", "ITUNESMEDIATYPE", NamedItem::byte},
  {"rtng", "ITUNESADVISORY", NamedItem::byte},
  {"akID", "ITUNESACCOUNTTYPE", NamedItem::byte},
  {"hdvd", "ITUNESHDVIDEO", NamedItem::byte},
  {"apID", "ITUNESACCOUNT", NamedItem::text},
  {"cnID", "ITUNESCATALOGID", NamedItem::number},
  {"atID", "ITUNESARTISTID", NamedItem::number},
  {"geID", "ITUNESGENREID", NamedItem::number},
  {"sfID", "ITUNESCOUNTRYID", NamedItem::number},
  {"cmID", "ITUNESCOMPOSERID", NamedItem::number},
  {"plID", "ITUNESALBUMID", NamedItem::large},
  {"ownr", "ITUNESOWNER", NamedItem::text},
  {"purd", "ITUNESPURCHASEDATE", NamedItem::text},
  {"ldes", "LONGDESCRIPTION", NamedItem::text},
  {"keyw", "PODCASTKEYWORDS", NamedItem::text},
  {"\251dir", "DIRECTOR", NamedItem::text},
  {"\251nrt", "NARRATOR", NamedItem::text},
  {"\251pub", "PUBLISHER", NamedItem::text},
  {"\251con", "CONDUCTOR", NamedItem::text},
};

ByteVector atom(const char *name, const ByteVector &content) {
  return ByteVector::fromUInt(content.size() + 8) + ByteVector(name, 4) + content;
}

/// Whether TagLib would look for atoms in an atom with this name.
bool isContainer(const ByteVector &name) {
  static const char *const names[] = {"moov", "udta", "mdia", "meta", "ilst", "stbl",
                                      "minf", "moof", "traf", "trak", "stsd"};
  for (const char *container : names) {
    if (name == container) return true;
  }
  return false;
}

/// The items that are complete and not containers: TagLib descends into containers without limit.
ByteVector plainItems(const ByteVector &items) {
  ByteVector plain;
  unsigned position = 0;
  while (position + 8 <= items.size()) {
    const unsigned size = items.toUInt(position);
    if (size < 8 || size > items.size() - position) break;
    if (!isContainer(items.mid(position + 4, 4))) plain.append(items.mid(position, size));
    position += size;
  }
  return plain;
}

class ItemReading {
 public:
  explicit ItemReading(const Visitor &visitor) : visitor(visitor) {}

  void read(const MP4::Tag &tag) {
    for (const auto &pair : tag.itemMap()) {
      if (pair.first == "covr") {
        for (const MP4::CoverArt &cover : pair.second.toCoverArtList()) {
          // The first picture is treated as the front cover: MP4 has no picture types.
          visitor.picture(isFirstCover ? 3 : 0, String(), String(), cover.data());
          isFirstCover = false;
        }
      } else {
        visit(pair.first, pair.second);
      }
    }
    report();
  }

 private:
  /// A field of an item. The standard item of a field has rank 0, TagLib's freeform item 1, another one 2.
  struct Found {
    String item, name;
    StringList values;
    int rank;

    bool precedes(const Found &other) const { return rank < other.rank; }
  };

  const Visitor &visitor;
  bool isFirstCover = true;
  std::vector<Found> found;

  void add(const String &item, const String &name, const StringList &values, int rank) {
    found.push_back({item, name, values, item.startsWith("----") ? std::max(rank, 1) : 0});
  }

  /// Reports the fields. Freeform items with the meaning of another item keep their own names if their values
  /// differ, so that each is written as what it was.
  void report() const {
    for (size_t index = 0; index < found.size(); index++) {
      const Found &field = found[index];
      StringList known;
      for (size_t other = 0; other < found.size(); other++) {
        const bool isFirst = found[other].precedes(field)
          || (found[other].rank == field.rank && other < index);
        if (isFirst && found[other].name.upper() == field.name.upper()) {
          known.append(found[other].values);
        }
      }
      if (known.isEmpty() || field.rank == 0) {
        visitor.texts(field.name, field.values);
        continue;
      }
      bool isKnown = true;
      for (const String &value : field.values) isKnown = isKnown && known.contains(value);
      if (!isKnown) visitor.texts(field.item, field.values);
    }
  }

  void visit(const String &name, const MP4::Item &item) {
    for (const NamedItem &named : namedItems) {
      if (name == String(named.item, String::Latin1)) {
        visit(named, item);
        return;
      }
    }
    MP4::Tag single;
    single.setItem(name, item);
    const PropertyMap properties = single.properties();
    if (!properties.isEmpty()) {
      for (const auto &property : properties) add(name, property.first, property.second, 1);
    } else if (item.toStringList().isEmpty()) {
      visitor.unheld(plainName(name));
    } else {
      add(name, plainName(name), item.toStringList(), 2);
    }
  }

  void add(const NamedItem &named, const String &value) {
    add(String(named.item, String::Latin1), named.name, StringList(value), 0);
  }

  void visit(const NamedItem &named, const MP4::Item &item) {
    switch (named.type) {
      case NamedItem::text: {
        const StringList list = item.toStringList();
        if (list.isEmpty()) {
          add(named, String::number(item.toInt()));
        } else {
          add(String(named.item, String::Latin1), named.name, list, 0);
        }
        break;
      }
      case NamedItem::byte:
        add(
          named, String::number(
            String(named.item) == "hdvd" ? item.toBool() : static_cast<int>(item.toByte())));
        break;
      case NamedItem::number: add(named, std::to_string(item.toUInt())); break;
      case NamedItem::large: add(named, std::to_string(item.toLongLong())); break;
    }
  }

  /// The field name of an item: the name of a freeform item, otherwise `MP4:` and the four characters of the atom.
  static String plainName(const String &name) {
    const String prefix(freeform);
    if (name.startsWith(prefix)) return name.substr(prefix.size());
    if (name.startsWith("----")) return name;
    String plain = "MP4:";
    for (const auto character : name) {
      if (character == 0xA9) {
        plain += "(c)";
      } else {
        plain += character;
      }
    }
    return plain;
  }
};

/// Whether a text is a whole number, or `n/m` where a pair is allowed.
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
  explicit ItemWriting(MP4::Tag &tag) : tag(tag) {}

  void write(const ctag_tags &tags) {
    for (const Field &field : tags.fields) add(field);
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
    for (const NamedItem &named : namedItems) {
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
      tag.setItem(field.name, field.list());
    } else if (field.key == "ENCODEDBY" || field.key == "ENCODER" || !addProperty(field)) {
      tag.setItem(freeform + withoutColons(field.name), field.list());
    }
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

void readMP4(const ByteVector &items, const Visitor &visitor) {
  const ByteVector list = atom("ilst", plainItems(items));
  ByteVectorStream stream(
    atom("moov", atom("udta", atom("meta", ByteVector(4, '\0') + list))));
  const MP4::File file(&stream, false);
  if (file.tag()) ItemReading(visitor).read(*file.tag());
}

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
    ctag::ItemWriting(*file.tag()).write(*tags);
    if (!file.save()) return CTAG_FAILED;
    ctag::restoreColons(file);
    return CTAG_OK;
  });
}
