// The values of ID3v2 frames, by the names of the fields.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <attachedpictureframe.h>
#include <chapterframe.h>
#include <commentsframe.h>
#include <popularimeterframe.h>
#include <synchronizedlyricsframe.h>
#include <tableofcontentsframe.h>
#include <textidentificationframe.h>
#include <uniquefileidentifierframe.h>
#include <unknownframe.h>
#include <unsynchronizedlyricsframe.h>
#include <urllinkframe.h>

#include "ID3v2Fields.hpp"
#include "Tags.hpp"

using namespace TagLib;
using namespace TagLib::ID3v2;

namespace ctag {
namespace {

/// The prefix of the name of a TXXX frame whose description alone would be the name of another field.
constexpr char userText[] = "TXXX:";

/// TagLib's names of fields, which are accessible only to frames.
class FrameKeys : public Frame {
 public:
  static String key(const ByteVector &id) { return Frame::frameIDToKey(id); }
  static String key(const String &description) { return Frame::txxxToKey(description); }
};

class Fields {
 public:
  Fields(const std::vector<Frame *> &frames, const Visitor &visitor) : visitor(visitor) {
    ctag_visitor noting = {
      &standard, &Fields::note, [](void *, const ctag_picture *) {},
      [](void *, const ctag_chapter *) {}, [](void *, const ctag_lyrics *) {},
      [](void *, ctag_text) {}, [](void *, ctag_text) {}};
    const Visitor notes(noting);
    Fields known(notes);
    for (Frame *frame : frames) {
      if (auto *chapter = dynamic_cast<ChapterFrame *>(frame)) {
        ++chapterCount;
        chapters.insert(plainID(chapter->elementID()));
      }
      if (auto *table = dynamic_cast<TableOfContentsFrame *>(frame)) {
        for (const ByteVector &child : table->childElements()) listed.insert(plainID(child));
      }
      if (!dynamic_cast<UserTextIdentificationFrame *>(frame)) known.visit(frame);
    }
    // Tables without any of the chapters hide none.
    listsChapters = std::any_of(
      listed.begin(), listed.end(), [&](const std::string &id) { return chapters.count(id) > 0; });
  }

  void visit(Frame *frame) {
    const ByteVector id = frame->frameID();
    if (dynamic_cast<UnknownFrame *>(frame)) {
      visitUnknown(id);
    } else if (auto *text = dynamic_cast<TextIdentificationFrame *>(frame)) {
      visitText(text);
    } else if (auto *comment = dynamic_cast<CommentsFrame *>(frame)) {
      visitDescribed("COMMENT", comment->description(), comment->text(), comment->language());
    } else if (auto *lyrics = dynamic_cast<UnsynchronizedLyricsFrame *>(frame)) {
      visitDescribed("LYRICS", lyrics->description(), lyrics->text(), lyrics->language());
    } else if (auto *link = dynamic_cast<UserUrlLinkFrame *>(frame)) {
      visitDescribed("URL", link->description(), link->url(), ByteVector());
    } else if (auto *link = dynamic_cast<UrlLinkFrame *>(frame)) {
      const String key = FrameKeys::key(id);
      visitor.text(key.isEmpty() ? "ID3:" + String(id) : key, link->url());
    } else if (auto *picture = dynamic_cast<AttachedPictureFrame *>(frame)) {
      visitor.picture(
        picture->type(), picture->mimeType(), picture->description(), picture->picture());
    } else if (auto *rating = dynamic_cast<PopularimeterFrame *>(frame)) {
      visitRating(rating);
    } else if (auto *identifier = dynamic_cast<UniqueFileIdentifierFrame *>(frame)) {
      visitIdentifier(identifier);
    } else if (auto *chapter = dynamic_cast<ChapterFrame *>(frame)) {
      visitChapter(chapter);
    } else if (auto *table = dynamic_cast<TableOfContentsFrame *>(frame)) {
      if (!table->embeddedFrameList().isEmpty()) visitor.unheld("CTOC title");
      // The entries of one table are limited to 255, so more need tables in a table.
      if (!table->isTopLevel() && chapterCount <= 255) visitor.unheld("CTOC");
    } else if (auto *lyrics = dynamic_cast<SynchronizedLyricsFrame *>(frame)) {
      visitLyrics(lyrics);
    } else if (id == "PCST") {
      visitor.text("PODCAST", "1");
    } else {
      visitor.unheld(String(id));
    }
  }

 private:
  const Visitor &visitor;
  /// The values of all frames except TXXX, by the names of their fields in upper case.
  std::map<String, StringList> standard;
  size_t chapterCount = 0;
  /// The chapters, and the elements of all tables of contents.
  std::set<std::string> chapters, listed;
  bool listsChapters = false;

  explicit Fields(const Visitor &visitor) : visitor(visitor) {}

  /// An identifier of an element without the zero at its end.
  static std::string plainID(ByteVector id) {
    while (!id.isEmpty() && id[id.size() - 1] == 0) id.resize(id.size() - 1);
    return std::string(id.data(), id.size());
  }

  static void note(
    void *context, ctag_text name, ctag_text value, ctag_text, const ctag_text *) {
    const String key = string(name).upper();
    if (!isScaled(key)) static_cast<std::map<String, StringList> *>(context)->operator[](key).append(string(value));
  }

  /// True if a field changes with the length or the pitch of the audio, under whichever name it is stored.
  static bool isScaled(const String &key) {
    return key == "BPM" || key == "LENGTH" || key == "INITIALKEY";
  }

  void visitUnknown(const ByteVector &id) {
    // Parts of version 2.3's date, which are in TDRC now, and a size that is no longer valid.
    static const char *const settled[] = {"TDAT", "TIME", "TSIZ", "TDA", "TIM", "TSI"};
    for (const char *name : settled) {
      if (id == name) return;
    }
    visitor.unheld(String(id));
  }

  void visitDescribed(
    const char *name, const String &description, const String &text, const ByteVector &language) {
    const bool isPlain = description.isEmpty() || description.upper() == name;
    const bool isNamed = language.size() == 3 && language != "XXX" && language[0] > ' ';
    visitor.text(
      isPlain ? String(name) : String(name) + ":" + description, text,
      isNamed ? String(language) : String());
  }

  void visitText(TextIdentificationFrame *frame) {
    if (auto *user = dynamic_cast<UserTextIdentificationFrame *>(frame)) {
      String description = user->description();
      if (description == String(std::string(1, noDescription))) description = String();
      const String key = FrameKeys::key(description);
      StringList values = user->fieldList();
      if (!values.isEmpty()) values.erase(values.begin());
      // A frame with the meaning of a standard one stays what it was, unless it has no other value.
      const auto known = standard.find(key.upper());
      if (known != standard.end()) {
        bool isKnown = true;
        for (const String &value : values) isKnown = isKnown && known->second.contains(value);
        if (!isKnown) visitor.texts(userText + description, values, description);
        return;
      }
      // The description keeps its case unless it is an alias of another name.
      const String name = description.isEmpty() ? userText : key == description.upper() ? description : key;
      visitor.texts(name, values, description);
      return;
    }
    const ByteVector id = frame->frameID();
    if (id == "TIPL" || id == "TMCL") {
      visitPeople(frame, id == "TMCL");
      return;
    }
    if (id == "TSSE") {
      visitor.texts("ENCODER", frame->fieldList());
      return;
    }
    const String key = FrameKeys::key(id);
    if (key.isEmpty()) {
      visitor.texts("ID3:" + String(id), frame->fieldList());
    } else if (key == "GENRE") {
      visitor.texts(key, frame->asProperties()[key]);
    } else {
      visitor.texts(key, frame->fieldList());
    }
  }

  void visitPeople(TextIdentificationFrame *frame, bool areMusicians) {
    const StringList list = frame->fieldList();
    for (StringList::ConstIterator role = list.begin(); role != list.end(); ++role) {
      StringList::ConstIterator person = role;
      if (++person == list.end()) {
        visitor.unheld(String(frame->frameID()));
        return;
      }
      static const KeyConversionMap &known = TextIdentificationFrame::involvedPeopleMap();
      String name = areMusicians ? "PERFORMER:" + *role : "INVOLVEDPEOPLE:" + *role;
      if (!areMusicians) {
        for (const auto &pair : known) {
          if (pair.second == role->upper()) name = pair.first;
        }
      }
      visitor.text(name, *person);
      role = person;
    }
  }

  void visitRating(PopularimeterFrame *frame) {
    // Quod Libet's form in Vorbis comments: a rating from 0 to 1.
    char rating[16];
    snprintf(rating, sizeof rating, "%.4f", frame->rating() / 255.0);
    for (char &character : rating) {
      if (character == ',') character = '.';
    }
    visitor.text("RATING:" + frame->email(), rating);
    if (frame->counter() > 0) {
      visitor.text("PLAYCOUNT:" + frame->email(), String(std::to_string(frame->counter())));
    }
  }

  void visitIdentifier(UniqueFileIdentifierFrame *frame) {
    const String value(frame->identifier(), String::UTF8);
    if (value.data(String::UTF8) != frame->identifier() || frame->identifier().find('\0') >= 0) {
      visitor.unheld("UFID");
    } else if (frame->owner() == "http://musicbrainz.org") {
      visitor.text("MUSICBRAINZ_TRACKID", value);
    } else {
      visitor.text("UFID:" + frame->owner(), value);
    }
  }

  void visitChapter(ChapterFrame *frame) {
    std::string title, address;
    bool hasAddress = false;
    Text mime(std::string{}), words(std::string{});
    ByteVector data;
    ctag_picture picture = {};
    bool hasPicture = false;
    for (Frame *inner : frame->embeddedFrameList()) {
      auto *text = dynamic_cast<TextIdentificationFrame *>(inner);
      auto *apic = dynamic_cast<AttachedPictureFrame *>(inner);
      if (text && text->frameID() == "TIT2" && title.empty()) {
        title = text->toString().to8Bit(true);
      } else if (auto *link = dynamic_cast<UrlLinkFrame *>(inner); link && !hasAddress) {
        address = link->url().to8Bit(true);
        auto *described = dynamic_cast<UserUrlLinkFrame *>(inner);
        if (described && !described->description().isEmpty()) visitor.unheld("CHAP WXXX description");
        hasAddress = true;
      } else if (apic && !hasPicture) {
        mime = Text(apic->mimeType());
        words = Text(apic->description());
        data = apic->picture();
        picture = {static_cast<uint32_t>(apic->type()), mime.view(), words.view(), view(data)};
        hasPicture = true;
      } else {
        visitor.unheld("CHAP " + String(inner->frameID()));
      }
    }
    const ctag_text none = {nullptr, 0};
    const std::string name = plainID(frame->elementID());
    const Text id(String(name, String::Latin1));
    const ctag_chapter chapter = {
      id.view(), frame->startTime(), frame->endTime(), {title.data(), title.size()},
      hasAddress ? ctag_text{address.data(), address.size()} : none,
      hasPicture ? &picture : nullptr, listsChapters && listed.count(name) == 0};
    visitor.chapter(chapter);
  }

  void visitLyrics(SynchronizedLyricsFrame *frame) {
    std::vector<Text> texts;
    std::vector<ctag_line> lines;
    for (const auto &line : frame->synchedText()) {
      texts.emplace_back(line.text);
      lines.push_back({line.time, {nullptr, 0}});
    }
    for (size_t i = 0; i < lines.size(); ++i) lines[i].text = texts[i].view();
    const Text language(String(frame->language())), description(frame->description());
    visitor.lyrics(
      {language.view(), static_cast<uint8_t>(frame->type()),
       frame->timestampFormat() == SynchronizedLyricsFrame::AbsoluteMpegFrames, description.view(),
       lines.data(), lines.size()});
  }
};

}  // namespace

void visitFrames(const std::vector<Frame *> &frames, const Visitor &visitor) {
  Fields fields(frames, visitor);
  for (Frame *frame : frames) fields.visit(frame);
}

}  // namespace ctag
