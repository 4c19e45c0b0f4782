// The content of tags to write.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <tstringlist.h>

#include "Boundary.hpp"

namespace ctag {

struct Value {
  TagLib::String text;
  TagLib::ByteVector language;
};

/// A field with all its values, under the name of the first.
struct Field {
  TagLib::String name;
  TagLib::String key;
  /// The item of a tag of this kind that the values are from; none if the name alone identifies it.
  std::optional<TagLib::String> item;
  std::vector<Value> values;

  TagLib::StringList list() const {
    TagLib::StringList list;
    for (const Value &value : values) list.append(value.text);
    return list;
  }

  /// True if the name has a prefix such as `COMMENT:`. `rest` receives the part after it, in its original
  /// case.
  bool hasPrefix(const char *prefix, TagLib::String *rest) const {
    const TagLib::String start(prefix);
    if (!key.startsWith(start)) return false;
    *rest = name.substr(start.size());
    return true;
  }
};

struct Picture {
  unsigned type = 0;
  TagLib::String mimeType, description;
  TagLib::ByteVector data;
};

struct Chapter {
  unsigned start = 0, end = 0;
  TagLib::String id, title, address;
  bool hasAddress = false;
  bool isHidden = false;
  std::vector<Picture> pictures;
};

struct Line {
  unsigned time;
  TagLib::String text;
};

struct Lyrics {
  TagLib::ByteVector language;
  unsigned char contentType = 1;
  TagLib::String description;
  std::vector<Line> lines;
};

}  // namespace ctag

struct ctag_tags {
  /// The texts that ID3v2 labels Latin-1.
  std::set<TagLib::String> latin1;
  /// Fields with one value or several.
  std::vector<ctag::Field> fields;

  /// The fields, with all values of a name and an item together.
  std::vector<ctag::Field> grouped() const {
    std::vector<ctag::Field> groups;
    std::map<std::pair<TagLib::String, std::optional<TagLib::String>>, size_t> places;
    for (const ctag::Field &field : fields) {
      const auto place = places.insert({{field.key, field.item}, groups.size()});
      if (place.second) {
        groups.push_back(field);
      } else {
        std::vector<ctag::Value> &values = groups[place.first->second].values;
        values.insert(values.end(), field.values.begin(), field.values.end());
      }
    }
    return groups;
  }

  std::vector<ctag::Picture> pictures;
  std::vector<ctag::Chapter> chapters;
  std::vector<ctag::Lyrics> lyrics;
};
