#include "CTagLib.h"

#include <map>
#include <mutex>

#include <asftag.h>
#include <id3v1genres.h>
#include <textidentificationframe.h>
#include <tpropertymap.h>

#include "Boundary.hpp"
#include "Latin1Encoding.hpp"
#include "Tags.hpp"
#include "Visitor.hpp"

using namespace ctag;

// Two threads that read their first tags together read a table while it grows, and crash. TagLib 1.13 has two such
// tables.
void ctag::fillSharedTables() {
  static std::once_flag once;
  std::call_once(once, [] {
    TagLib::PropertyMap properties;
    properties["TITLE"] = TagLib::StringList("title");
    TagLib::ASF::Tag asf;
    asf.setProperties(properties);
    asf.properties();
    TagLib::ID3v2::TextIdentificationFrame::involvedPeopleMap();
  });
}

ctag_status ctag_read(
  ctag_kind kind, ctag_bytes tag, const char *encoding, const ctag_visitor *visitor) {
  return guarded([&] {
    const Visitor wrapped(*visitor);
    const Latin1Encoding declared(encoding);
    switch (kind) {
      case CTAG_ID3V2: readID3v2(bytes(tag), wrapped); break;
      case CTAG_APE: readAPE(bytes(tag), wrapped); break;
      case CTAG_ASF: readASF(bytes(tag), wrapped); break;
    }
    for (const std::string &text : declared.rest) wrapped.latin1(text);
    return CTAG_OK;
  });
}

void ctag_genre(int number, void *context, void (*sink)(void *, ctag_text)) {
  guarded([&] {
    const Text name(TagLib::ID3v1::genre(number));
    if (!name.storage.empty()) sink(context, name.view());
    return CTAG_OK;
  });
}

ctag_tags *ctag_tags_new(void) { return new (std::nothrow) ctag_tags(); }

void ctag_tags_free(ctag_tags *tags) { delete tags; }

static TagLib::ByteVector languageCode(ctag_text text) {
  return text.count == 3 ? TagLib::ByteVector(text.start, 3) : TagLib::ByteVector();
}

ctag_status ctag_label_latin1(ctag_tags *tags, ctag_text text) {
  return guarded([&] {
    tags->latin1.insert(string(text));
    return CTAG_OK;
  });
}

static Picture copy(const ctag_picture &picture) {
  return {
    picture.type, string(picture.mime_type), string(picture.description), bytes(picture.data)};
}

ctag_status ctag_add_text(
  ctag_tags *tags, ctag_text name, ctag_text value, ctag_text language, const ctag_text *item) {
  return guarded([&] {
    Field field;
    field.name = string(name);
    field.key = field.name.upper();
    if (item) field.item = string(*item);
    field.values.push_back({string(value), languageCode(language)});
    tags->fields.push_back(field);
    return CTAG_OK;
  });
}

ctag_status ctag_add_picture(ctag_tags *tags, const ctag_picture *picture) {
  return guarded([&] {
    tags->pictures.push_back(copy(*picture));
    return CTAG_OK;
  });
}

ctag_status ctag_add_chapter(ctag_tags *tags, const ctag_chapter *given) {
  return guarded([&] {
    Chapter chapter;
    chapter.id = string(given->id);
    chapter.start = given->start;
    chapter.end = given->end;
    chapter.title = string(given->title);
    chapter.isHidden = given->is_hidden != 0;
    chapter.hasAddress = given->address.start != nullptr;
    chapter.address = string(given->address);
    if (given->picture) chapter.pictures.push_back(copy(*given->picture));
    tags->chapters.push_back(chapter);
    return CTAG_OK;
  });
}

ctag_status ctag_add_lyrics(ctag_tags *tags, const ctag_lyrics *given) {
  return guarded([&] {
    Lyrics lyrics;
    lyrics.language = languageCode(given->language);
    lyrics.contentType = given->content_type;
    lyrics.description = string(given->description);
    for (size_t i = 0; i < given->line_count; ++i) {
      lyrics.lines.push_back({given->lines[i].time, string(given->lines[i].text)});
    }
    tags->lyrics.push_back(lyrics);
    return CTAG_OK;
  });
}
