// Writing ID3v2.4, in UTF-8.
#include <strings.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>

#include <attachedpictureframe.h>
#include <chapterframe.h>
#include <commentsframe.h>
#include <id3v2frame.h>
#include <id3v2header.h>
#include <id3v2tag.h>
#include <popularimeterframe.h>
#include <synchronizedlyricsframe.h>
#include <tableofcontentsframe.h>
#include <textidentificationframe.h>
#include <uniquefileidentifierframe.h>
#include <unsynchronizedlyricsframe.h>
#include <urllinkframe.h>

#include "Tags.hpp"

using namespace TagLib;
using namespace TagLib::ID3v2;

namespace ctag {
namespace {

/// Access to the table of names, which TagLib exposes only to frames.
class FrameNames : public Frame {
 public:
  static ByteVector id(const String &key) { return Frame::keyToFrameID(key); }
  static String description(const String &name) { return Frame::keyToTXXX(name); }
};

ByteVector languageOrNone(const ByteVector &language) {
  return language.size() == 3 ? language : ByteVector("XXX");
}

class Writing {
 public:
  ByteVector render(const ctag_tags &tags) {
    latin1 = tags.latin1;
    for (const Field &field : tags.grouped()) {
      if (field.item) {
        addUserText(*field.item, field.list());
      } else {
        add(field);
      }
    }
    addPeople("TIPL", involved);
    addPeople("TMCL", musicians);
    for (const auto &rating : ratings) tag.addFrame(rating.second);
    for (const Picture &picture : tags.pictures) tag.addFrame(frame(picture));
    for (const Lyrics &lyrics : tags.lyrics) tag.addFrame(frame(lyrics));
    addChapters(tags.chapters);
    return tag.isEmpty() ? ByteVector() : withoutPadding(tag.render());
  }

 private:
  ID3v2::Tag tag;
  StringList involved, musicians;
  std::map<String, PopularimeterFrame *> ratings;
  std::set<String> latin1;

  /// The encoding of a frame: Latin-1 for texts that are to keep it, where it has all characters.
  String::Type encoding(const StringList &texts, const String &description = String()) const {
    bool keeps = false;
    for (const String &text : texts) {
      if (!text.isLatin1()) return String::UTF8;
      keeps = keeps || latin1.count(text) > 0;
    }
    return keeps && description.isLatin1() ? String::Latin1 : String::UTF8;
  }

  /// TagLib appends a kilobyte of zeros for later editing, which is useless in a chunk.
  static ByteVector withoutPadding(const ByteVector &rendered) {
    unsigned position = ID3v2::Header::size();
    while (position + 10 <= rendered.size() && rendered[position] != 0) {
      unsigned size = 0;
      for (unsigned i = 4; i < 8; ++i) {
        size = size << 7 | static_cast<unsigned char>(rendered[position + i]);
      }
      position += 10 + size;
    }
    ByteVector tag = rendered.mid(0, position);
    const unsigned size = position - ID3v2::Header::size();
    for (unsigned i = 0; i < 4; ++i) tag[6 + i] = static_cast<char>(size >> (7 * (3 - i)) & 0x7F);
    return tag;
  }

  void add(const Field &field) {
    String rest;
    if (field.key == "COMMENT" || field.hasPrefix("COMMENT:", &rest)) {
      for (const Value &value : field.values) addComment(rest, value);
    } else if (field.key == "LYRICS" || field.hasPrefix("LYRICS:", &rest)) {
      for (const Value &value : field.values) addLyrics(rest, value);
    } else if (field.key == "URL" || field.hasPrefix("URL:", &rest)) {
      for (const Value &value : field.values) addAddress(field, rest, value);
    } else if (field.hasPrefix("RATING:", &rest) && isRating(field)) {
      const double rating = strtod(field.values[0].text.toCString(true), nullptr);
      popularimeter(rest)->setRating(static_cast<int>(std::lround(rating * 255)));
    } else if (field.hasPrefix("PLAYCOUNT:", &rest)) {
      popularimeter(rest)->setCounter(
        static_cast<unsigned>(strtoul(field.values[0].text.toCString(true), nullptr, 10)));
    } else if (field.key == "MUSICBRAINZ_TRACKID" && field.values.size() == 1) {
      addIdentifier("http://musicbrainz.org", field.values[0]);
    } else if (field.hasPrefix("UFID:", &rest)) {
      for (const Value &value : field.values) addIdentifier(rest, value);
    } else if (field.hasPrefix("TXXX:", &rest)) {
      addUserText(rest, field.list());
    } else if (field.hasPrefix("PERFORMER:", &rest)) {
      addPairs(musicians, rest, field);
    } else if (field.hasPrefix("INVOLVEDPEOPLE:", &rest)) {
      addPairs(involved, rest, field);
    } else if (TextIdentificationFrame::involvedPeopleMap().contains(field.key)) {
      addPairs(involved, role(field.key), field);
    } else {
      addText(field);
    }
  }

  /// The role that a name stands for, in lower case as taggers write roles.
  static String role(const String &key) {
    std::string role = TextIdentificationFrame::involvedPeopleMap()[key].to8Bit();
    for (char &character : role) {
      if (character >= 'A' && character <= 'Z') character = static_cast<char>(character + 32);
    }
    return role;
  }

  static bool isRating(const Field &field) {
    if (field.values.size() != 1) return false;
    const std::string text = field.values[0].text.to8Bit(true);
    char *end = nullptr;
    const double rating = strtod(text.c_str(), &end);
    return end == text.c_str() + text.size() && !text.empty() && rating >= 0 && rating <= 1;
  }

  void addText(const Field &field) {
    String rest;
    ByteVector id = FrameNames::id(field.key);
    if (field.key == "ENCODER") id = "TSSE";
    if (field.key == "ENCODING") id = ByteVector();
    if (field.hasPrefix("ID3:", &rest) && rest.size() == 4) id = rest.data(String::Latin1);
    if (id == "PCST") {
      tag.addFrame(Frame::createTextualFrame(field.key, field.list()));
    } else if (id.size() == 4 && id[0] == 'W' && id != "WFED") {
      for (const Value &value : field.values) {
        auto *frame = new UrlLinkFrame(id);
        tag.addFrame(frame);
        frame->setUrl(value.text);
      }
    } else if (id.size() == 4) {
      auto *frame = new TextIdentificationFrame(id, encoding(field.list()));
      tag.addFrame(frame);
      frame->setText(field.list());
    } else {
      const String description = FrameNames::description(field.name);
      addUserText(description == field.name ? description : spelled(description), field.list());
    }
  }

  /// The spelling that MusicBrainz Picard uses for a description that TagLib has in capitals.
  static String spelled(const String &description) {
    std::string text = description.to8Bit(true);
    bool isFirst = true;
    for (char &character : text) {
      if (!isFirst && character >= 'A' && character <= 'Z') character += 'a' - 'A';
      isFirst = character == ' ';
    }
    for (const char *name : {"MusicBrainz", "MusicIP", "PUID"}) {
      const std::string word(name);
      for (size_t at = 0; at + word.size() <= text.size(); ++at) {
        if (strncasecmp(text.c_str() + at, name, word.size()) == 0) {
          text.replace(at, word.size(), word);
        }
      }
    }
    return String(text, String::UTF8);
  }

  void addUserText(const String &description, const StringList &values) {
    tag.addFrame(new UserTextIdentificationFrame(
      description, values, encoding(values, description)));
  }

  /// Several frames of one description and language, which other taggers write too, are read by most programs.
  void addComment(const String &description, const Value &value) {
    const ByteVector language = languageOrNone(value.language);
    auto *frame = new CommentsFrame(encoding(value.text, description));
    tag.addFrame(frame);
    frame->setLanguage(language);
    frame->setDescription(description);
    frame->setText(value.text);
  }

  void addLyrics(const String &description, const Value &value) {
    const ByteVector language = languageOrNone(value.language);
    auto *frame = new UnsynchronizedLyricsFrame(encoding(value.text, description));
    tag.addFrame(frame);
    frame->setLanguage(language);
    frame->setDescription(description);
    frame->setText(value.text);
  }

  void addAddress(const Field &field, const String &description, const Value &value) {
    // The specification requires URLs in Latin-1.
    if (!value.text.isLatin1()) {
      addUserText(field.name, value.text);
      return;
    }
    auto *frame = new UserUrlLinkFrame(String::UTF8);
    tag.addFrame(frame);
    frame->setDescription(description);
    frame->setUrl(value.text);
  }

  PopularimeterFrame *popularimeter(const String &email) {
    PopularimeterFrame *&frame = ratings[email];
    if (!frame) {
      frame = new PopularimeterFrame();
      frame->setEmail(email);
    }
    return frame;
  }

  void addIdentifier(const String &owner, const Value &value) {
    tag.addFrame(new UniqueFileIdentifierFrame(owner, value.text.data(String::UTF8)));
  }

  static void addPairs(StringList &list, const String &role, const Field &field) {
    for (const Value &value : field.values) {
      list.append(role);
      list.append(value.text);
    }
  }

  void addPeople(const char *id, const StringList &list) {
    if (list.isEmpty()) return;
    auto *frame = new TextIdentificationFrame(id, encoding(list));
    tag.addFrame(frame);
    frame->setText(list);
  }

  static Frame *frame(const Picture &picture) {
    auto *frame = new AttachedPictureFrame();
    frame->setTextEncoding(String::UTF8);
    frame->setType(static_cast<AttachedPictureFrame::Type>(picture.type));
    frame->setMimeType(picture.mimeType);
    frame->setDescription(picture.description);
    frame->setPicture(picture.data);
    return frame;
  }

  static Frame *frame(const Lyrics &lyrics) {
    auto *frame = new SynchronizedLyricsFrame(String::UTF8);
    frame->setLanguage(languageOrNone(lyrics.language));
    frame->setTimestampFormat(SynchronizedLyricsFrame::AbsoluteMilliseconds);
    frame->setType(static_cast<SynchronizedLyricsFrame::Type>(lyrics.contentType));
    frame->setDescription(lyrics.description);
    SynchronizedLyricsFrame::SynchedTextList list;
    for (const Line &line : lyrics.lines) {
      list.append(SynchronizedLyricsFrame::SynchedText(line.time, line.text));
    }
    frame->setSynchedText(list);
    return frame;
  }

  void addChapters(const std::vector<Chapter> &chapters) {
    if (chapters.empty()) return;
    ByteVectorList ids;
    std::set<std::string> own;
    for (const Chapter &chapter : chapters) {
      if (!chapter.id.isEmpty()) own.insert(chapter.id.to8Bit());
    }
    const bool keepsIDs = own.size() == chapters.size();
    size_t count = 0;
    for (const Chapter &chapter : chapters) {
      const std::string name = keepsIDs ? chapter.id.to8Bit() : "chp" + std::to_string(count);
      ++count;
      const ByteVector id(name.data(), static_cast<unsigned>(name.size()));
      if (!chapter.isHidden) ids.append(id);
      // "If these bytes are all set to 0xFF then the value should be ignored" (ID3v2 chapters, 3.1).
      auto *frame = new ChapterFrame(id, chapter.start, chapter.end, 0xFFFFFFFF, 0xFFFFFFFF);
      tag.addFrame(frame);
      if (!chapter.title.isEmpty()) {
        auto *title = new TextIdentificationFrame("TIT2", encoding(chapter.title));
        frame->addEmbeddedFrame(title);
        title->setText(chapter.title);
      }
      if (chapter.hasAddress) {
        auto *link = new UserUrlLinkFrame(String::UTF8);
        frame->addEmbeddedFrame(link);
        link->setUrl(chapter.address);
      }
      for (const Picture &picture : chapter.pictures) {
        frame->addEmbeddedFrame(Writing::frame(picture));
      }
    }
    addTables(ids);
  }

  /// A table of contents counts its entries in one byte. More chapters need further tables below the first.
  void addTables(const ByteVectorList &ids) {
    constexpr unsigned most = 255;
    if (ids.size() <= most) {
      addTable("toc", ids, true);
    } else {
      ByteVectorList children, part;
      for (const ByteVector &id : ids) {
        part.append(id);
        if (part.size() == most || id == ids.back()) {
          const std::string name = "toc" + std::to_string(children.size() + 1);
          const ByteVector table(name.data(), static_cast<unsigned>(name.size()));
          addTable(table, part, false);
          children.append(table);
          part.clear();
        }
      }
      addTable("toc", children, true);
    }
  }

  void addTable(const ByteVector &id, const ByteVectorList &children, bool isTop) {
    auto *table = new TableOfContentsFrame(id, children);
    tag.addFrame(table);
    table->setIsTopLevel(isTop);
    table->setIsOrdered(true);
  }
};

}  // namespace
}  // namespace ctag

ctag_status ctag_render_id3v2(
  const ctag_tags *tags, void *context, void (*sink)(void *, ctag_bytes)) {
  return ctag::guarded([&] {
    const ByteVector rendered = ctag::Writing().render(*tags);
    sink(context, ctag::view(rendered));
    return CTAG_OK;
  });
}
