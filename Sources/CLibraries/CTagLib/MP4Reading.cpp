// Reading the items of MP4's `ilst`.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <id3v1genres.h>
#include <mp4coverart.h>
#include <mp4file.h>
#include <mp4item.h>
#include <mp4tag.h>
#include <tbytevectorstream.h>
#include <tpropertymap.h>

#include "MP4Items.hpp"
#include "Tags.hpp"
#include "Visitor.hpp"

using namespace TagLib;

namespace ctag {

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
const size_t namedItemCount = sizeof namedItems / sizeof namedItems[0];

namespace {

ByteVector atom(const char *name, const ByteVector &content) {
  return ByteVector::fromUInt(content.size() + 8) + ByteVector(name, 4) + content;
}

/// True if TagLib would look for atoms in an atom with this name.
bool isContainer(const ByteVector &name) {
  static const char *const names[] = {"moov", "udta", "mdia", "meta", "ilst", "stbl",
                                      "minf", "moof", "traf", "trak", "stsd"};
  for (const char *container : names) {
    if (name == container) return true;
  }
  return false;
}

/// The maximum number of atoms at one level: more are implausible.
constexpr size_t mostAtoms = 1 << 14;

/// The atoms that are complete, one after another.
std::vector<ByteVector> atoms(const ByteVector &bytes) {
  std::vector<ByteVector> found;
  unsigned position = 0;
  while (position + 8 <= bytes.size() && found.size() < mostAtoms) {
    const unsigned size = bytes.toUInt(position);
    if (size < 8 || size > bytes.size() - position) break;
    found.push_back(bytes.mid(position, size));
    position += size;
  }
  return found;
}

/// The field name of an item: the name of a freeform item, otherwise `MP4:` and the four characters of the atom.
String plainName(const String &name) {
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

/// The items in the form that TagLib reads: one atom for each name, texts as UTF-8, numbers of the usual size.
///
/// TagLib reads only the first atom of a name, and drops other forms. It descends into containers without limit.
class PlainItems {
 public:
  /// The names of numbered genres.
  StringList genres;

  explicit PlainItems(const Visitor &visitor) : visitor(visitor) {}

  ByteVector of(const ByteVector &items) {
    const std::vector<ByteVector> all = atoms(items);
    if (all.size() == mostAtoms) visitor.unheld("items beyond the first " + String::number(mostAtoms));
    for (const ByteVector &item : all) {
      if (!isContainer(item.mid(4, 4))) add(item.mid(4, 4), item.mid(8));
    }
    ByteVector plain;
    for (const Item &item : list) {
      ByteVector content = item.head;
      for (const ByteVector &value : item.values) content.append(atom("data", value));
      if (!item.values.empty()) plain.append(atom(item.type.data(), content));
    }
    return plain;
  }

 private:
  struct Item {
    ByteVector type, head;
    std::vector<ByteVector> values;
    /// The values of earlier atoms of the name, which count once.
    std::set<ByteVector> known;
  };

  const Visitor &visitor;
  std::vector<Item> list;
  std::map<ByteVector, size_t> places;

  void add(const ByteVector &type, const ByteVector &content) {
    ByteVector head, domain, own;
    std::vector<ByteVector> values;
    bool isNamed = type != "----";
    String name(type, String::Latin1);
    for (const ByteVector &part : atoms(content)) {
      const ByteVector kind = part.mid(4, 4);
      if (kind == "mean" || kind == "name") {
        // Version and flags precede the text.
        (kind == "mean" ? domain : own) = part.mid(12);
        isNamed = isNamed || kind == "name";
        head.append(part);
      } else if (kind == "data" && part.size() >= 16) {
        values.push_back(part.mid(8));
      }
    }
    if (type == "----") name = "----:" + String(domain, String::UTF8) + ":" + String(own, String::UTF8);
    if (!isNamed) return visitor.unheld(name);
    if (type == numberedGenre) return addGenres(values);
    const auto place = places.insert({type + head, list.size()});
    if (place.second) list.push_back({type, head, {}, {}});
    Item &item = list[place.first->second];
    const size_t before = item.values.size();
    for (ByteVector value : values) {
      if (!makePlain(type, value)) {
        visitor.unheld(plainName(name));
      } else if (item.known.count(value) == 0) {
        item.values.push_back(value);
      }
    }
    item.known.insert(item.values.begin() + before, item.values.end());
  }

  void addGenres(const std::vector<ByteVector> &values) {
    for (const ByteVector &value : values) {
      const String genre = value.size() == 10 ? ID3v1::genre(value.toUShort(8U, true) - 1) : String();
      if (genre.isEmpty()) {
        visitor.unheld(plainName(numberedGenre));
      } else if (!genres.contains(genre)) {
        genres.append(genre);
      }
    }
  }

  /// Converts a value, which begins with its type and locale; `false` if TagLib cannot read it.
  static bool makePlain(const ByteVector &name, ByteVector &value) {
    if (name == "covr" || name == "trkn" || name == "disk") return true;
    const unsigned type = value.toUInt() & 0xFFFFFF;
    const ByteVector content = value.mid(8);
    const unsigned size = numberSize(name);
    if (size > 0 && type != 1) {
      if (content.isEmpty() || content.size() > 8) return false;
      ByteVector number = content;
      while (number.size() > size && number[0] == 0) number = number.mid(1);
      while (number.size() < size) number = ByteVector(1, '\0') + number;
      value = value.mid(0, 8) + number;
      return number.size() == size;
    }
    String text;
    if (type == 2 || type == 5) {
      text = String(content, String::UTF16BE);
    } else if (type == 0 || type == 1 || type == 4) {
      text = String(content, String::UTF8);
      const bool isText = text.data(String::UTF8) == content
        && std::none_of(content.begin(), content.end(), [](char c) { return c >= 0 && c < 9; });
      if (type == 0 && (!isText || content.isEmpty())) return false;
    } else {
      return false;
    }
    const bool isImplicit = name == "purl" || name == "egid";
    value = ByteVector::fromUInt(isImplicit ? 0 : 1) + value.mid(4, 4) + text.data(String::UTF8);
    return true;
  }

  /// The bytes of the number in an item; 0 for other items.
  static unsigned numberSize(const ByteVector &name) {
    static const struct { const char *names; unsigned size; } sizes[] = {
      {"cpil pgap pcst shwm hdvd stik rtng akID", 1}, {"tmpo rate \251mvi \251mvc", 2},
      {"tvsn tves cnID sfID atID geID cmID", 4}, {"plID", 8}};
    for (const auto &entry : sizes) {
      if (std::string(entry.names).find(std::string(name.data(), 4)) != std::string::npos) {
        return entry.size;
      }
    }
    return 0;
  }
};

class ItemReading {
 public:
  explicit ItemReading(const Visitor &visitor) : visitor(visitor) {}

  void read(const MP4::Tag &tag, const StringList &genres) {
    if (!genres.isEmpty()) found.push_back({numberedGenre, "GENRE", genres, 1, true});
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
    /// True if the name of the field stands for another item, too.
    bool isNamed;

    bool isNumberedGenre() const { return item == numberedGenre; }

    bool precedes(const Found &other) const { return rank < other.rank; }
  };

  const Visitor &visitor;
  bool isFirstCover = true;
  std::vector<Found> found;

  void add(
    const String &item, const String &name, const StringList &values, int rank,
    bool isNamed = false) {
    const int order = item.startsWith("----") ? std::max(rank, 1) : 0;
    found.push_back({item, name, values, order, isNamed});
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
        visitor.texts(field.name, field.values, ownItem(field));
        continue;
      }
      bool isKnown = true;
      for (const String &value : field.values) isKnown = isKnown && known.contains(value);
      const String &name = field.isNumberedGenre() ? field.name : field.item;
      if (!isKnown) visitor.texts(name, field.values, ownItem(field));
    }
  }

  /// The item of a field that its name does not identify when it is written.
  static std::optional<String> ownItem(const Found &field) {
    const bool isOwn = field.item.startsWith("----") || field.isNumberedGenre()
      || (field.isNamed && field.values.size() > 1);
    return isOwn ? std::optional<String>(field.item) : std::nullopt;
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
          add(String(named.item, String::Latin1), named.name, list, 0, true);
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
};
}  // namespace

void readMP4(const ByteVector &items, const Visitor &visitor) {
  PlainItems plain(visitor);
  const ByteVector list = atom("ilst", plain.of(items));
  ByteVectorStream stream(
    atom("moov", atom("udta", atom("meta", ByteVector(4, '\0') + list))));
  const MP4::File file(&stream, false);
  if (file.tag()) ItemReading(visitor).read(*file.tag(), plain.genres);
}

}  // namespace ctag
