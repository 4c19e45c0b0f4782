// Reading ID3v2.2, 2.3 and 2.4. TagLib parses each frame; the walk over the frames is here, so that frames that
// would take too much time or memory never reach TagLib.
#include <algorithm>
#include <memory>
#include <vector>

#include <id3v2extendedheader.h>
#include <id3v2frame.h>
#include <id3v2framefactory.h>
#include <id3v2header.h>
#include <id3v2synchdata.h>
#include <id3v2tag.h>
#include <textidentificationframe.h>
#include <unknownframe.h>

#include "ID3v2Fields.hpp"
#include "Visitor.hpp"

using namespace TagLib;
using namespace TagLib::ID3v2;

namespace ctag {
namespace {

/// The header of a frame, parsed by TagLib, whose class is accessible only to frames.
class FrameHeader : public Frame {
 public:
  ByteVector id;
  unsigned headerSize, size;
  bool isCompressed, isEncrypted, isUnsynchronized;

  FrameHeader(const ByteVector &data, unsigned version)
    : Frame(ByteVector()), headerSize(Header::size(version)) {
    const Header header(data, version);
    id = header.frameID();
    size = header.frameSize();
    isCompressed = header.compression();
    isEncrypted = header.encryption();
    isUnsynchronized = header.unsynchronisation();
  }

  String toString() const override { return String(); }

 protected:
  void parseFields(const ByteVector &) override {}
  ByteVector renderFields() const override { return ByteVector(); }
};

/// The maximum compression ratio: zlib expands a byte to at most 1032, and TagLib decompresses whole frames.
constexpr unsigned mostCompressedBytes = 32 * 1024;
/// The maximum number of frames read from a tag. Each takes hundreds of bytes in TagLib.
constexpr size_t mostFrames = 1 << 14;

class Reading {
 public:
  explicit Reading(const Visitor &visitor) : visitor(visitor) {}

  void read(const ByteVector &tag) {
    const ID3v2::Header header(tag.mid(0, ID3v2::Header::size()));
    version = header.majorVersion();
    isUnsynchronized = header.unsynchronisation();
    const ByteVector raw = tag.mid(ID3v2::Header::size(), header.tagSize());
    const ByteVector data =
      isUnsynchronized && version <= 3 && isDecodable(raw) ? SynchData::decode(raw) : raw;
    unsigned position = 0;
    if (header.extendedHeader()) {
      ExtendedHeader extended;
      extended.setData(data);
      // Version 2.3 does not count its own four bytes.
      const unsigned size = extended.size() + (version == 3 ? 4 : 0);
      if (size <= data.size()) position = size;
    }
    // A tag takes the frames.
    ID3v2::Tag frames;
    frames.header()->setMajorVersion(version);
    std::vector<Frame *> order;
    size_t frameCount = 0;
    const unsigned headerSize = version < 3 ? 6 : 10;
    const bool hasPlainSizes = version > 3 && sizesArePlain(data, position);
    while (position < data.size() && data.size() - position > headerSize && data[position] != 0) {
      const ByteVector rest = hasPlainSizes ? frameOfPlainSize(data, position) : data.mid(position);
      const FrameHeader head(rest, version);
      if (head.size > rest.size() - headerSize) {
        if (isFrame(rest)) visitor.unheld("a cut frame " + String(head.id, String::Latin1));
        break;
      }
      if (head.size == 0) {
        // An empty frame has no value, and others may follow.
        if (!isFrame(rest)) break;
        position += headerSize;
        if (frameCount++ == mostFrames) break;
        continue;
      }
      if (frameCount++ == mostFrames) {
        visitor.unheld("frames beyond the first " + String::number(mostFrames));
        break;
      }
      position += headerSize + head.size;
      Frame *frame = mayBeParsed(head, rest) ? create(rest, head) : nullptr;
      if (!frame) continue;
      frames.addFrame(frame);
      order.push_back(frame);
    }
    if (version < 4) joinDate(order);
    visitFrames(order, visitor);
  }

 private:
  const Visitor &visitor;
  unsigned version = 4;
  bool isUnsynchronized = false;
  unsigned compressedBytes = 0;
  static unsigned char byte(const ByteVector &data, unsigned index) {
    return index < data.size() ? static_cast<unsigned char>(data[index]) : 0;
  }

  /// True if data may have been unsynchronized: then no two bytes look like the start of an MPEG frame. Some
  /// taggers set the flag and leave the data alone.
  static bool isDecodable(const ByteVector &data) {
    for (unsigned i = 0; i + 1 < data.size(); ++i) {
      if (byte(data, i) == 0xFF && byte(data, i + 1) >= 0xE0) return false;
    }
    return true;
  }

  /// Adds the day and the time, which have frames of their own before version 2.4, to the year.
  void joinDate(const std::vector<Frame *> &order) const {
    TextIdentificationFrame *year = nullptr;
    String day, time;
    for (Frame *frame : order) {
      const ByteVector id = frame->frameID();
      auto *text = dynamic_cast<TextIdentificationFrame *>(frame);
      if (text && id == "TDRC" && !year) year = text;
      if (auto *part = dynamic_cast<UnknownFrame *>(frame)) {
        if (id == "TDAT" || id == "TDA") day = digits(part->data());
        if (id == "TIME" || id == "TIM") time = digits(part->data());
      }
    }
    const bool hasYear = year && year->toString().size() == 4;
    if (hasYear && day.size() == 4) {
      String date = year->toString() + "-" + day.substr(2) + "-" + day.substr(0, 2);
      if (time.size() == 4) date += "T" + time.substr(0, 2) + ":" + time.substr(2);
      year->setText(date);
    }
    if (day.size() == 4 && !hasYear) visitor.unheld("TDAT");
    if (time.size() == 4 && (!hasYear || day.size() != 4)) visitor.unheld("TIME");
  }

  /// The digits of a text of two-byte or one-byte characters, after its encoding.
  static String digits(const ByteVector &text) {
    std::string found;
    for (unsigned i = 1; i < text.size(); ++i) {
      if (text[i] >= '0' && text[i] <= '9') found += text[i];
    }
    return found;
  }

  /// True if data begins with the ID of a frame.
  bool isFrame(const ByteVector &data) const {
    const unsigned count = version < 3 ? 3 : 4;
    if (data.size() < count) return false;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned char c = byte(data, i);
      if (!(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9')) return false;
    }
    return true;
  }

  /// A frame whose size has 8 bits per byte, with a size of 7, and the ID of the frame after it.
  static ByteVector frameOfPlainSize(const ByteVector &data, unsigned position) {
    const unsigned size = data.mid(position + 4, 4).toUInt();
    if (size >= 1U << 28) return data.mid(position);
    const ByteVector count = SynchData::fromUInt(size);
    return data.mid(position, 4) + count + data.mid(position + 8, size + 16);
  }

  /// How many frames follow each other up to the padding or the end of the data, if their sizes have 7 or 8 bits per
  /// byte; -1 if anything else follows one of them.
  int framesInARow(const ByteVector &data, unsigned position, bool arePlain) const {
    int count = 0;
    while (position < data.size() && data.size() - position > 10 && data[position] != 0) {
      const ByteVector head = data.mid(position, 10);
      if (!isFrame(head) || static_cast<size_t>(count) > mostFrames) return -1;
      const unsigned size = arePlain ? head.toUInt(4U) : SynchData::toUInt(head.mid(4, 4));
      if (size > data.size() - position - 10) return -1;
      position += 10 + size;
      ++count;
    }
    return count;
  }

  /// True if the sizes in a version 2.4 tag have 8 bits per byte, as old versions of iTunes wrote them.
  bool sizesArePlain(const ByteVector &data, unsigned position) const {
    return framesInARow(data, position, false) < 0 && framesInARow(data, position, true) > 0;
  }

  Frame *create(const ByteVector &rest, const FrameHeader &head) const {
    ID3v2::Header header;
    header.setMajorVersion(version);
    // TagLib uses the ID of the next frame to distinguish sizes with 7 bits per byte from those with 8.
    ByteVector data = rest.mid(0, head.headerSize + head.size + 14);
    if (version > 3 && (isUnsynchronized || head.isUnsynchronized)) {
      // The flag of the tag applies to every frame.
      const bool isDecoded = isDecodable(rest.mid(head.headerSize, head.size));
      data[9] = static_cast<char>(isDecoded ? data[9] | 0x02 : data[9] & ~0x02);
    }
    removeGroup(data, head);
    const bool isPlain = !head.isCompressed && (version < 4 || (data[9] & 0x03) == 0);
    if (isPlain && (head.id == "TXXX" || head.id == "TXX")) nameDescription(data, head);
    if (isPlain) addByteOrder(data);
    // TagLib takes the original artist for the original album, and the lyricist for the original one.
    if (head.id == "TOA" || head.id == "TXT") {
      const unsigned size = FrameHeader(data, version).size;
      header.setMajorVersion(3);
      data = ByteVector(head.id == "TOA" ? "TOPE" : "TEXT") + ByteVector::fromUInt(size) + ByteVector(2, 0)
        + data.mid(head.headerSize, size);
    }
    // TagLib knows the form of iTunes, a text with its encoding; others write a plain URL.
    if (head.id == "WFED" && byte(data, head.headerSize) > 3 && version > 2) {
      data = resized(data, head.size + 1).mid(0, 10) + ByteVector(1, 0) + data.mid(10);
    }
    return FrameFactory::instance()->createFrame(data, const_cast<const ID3v2::Header *>(&header));
  }

  /// A frame with another size in its header.
  ByteVector resized(const ByteVector &frame, unsigned size) const {
    const ByteVector count = version > 3 ? SynchData::fromUInt(size) : ByteVector::fromUInt(size);
    return version < 3 ? frame.mid(0, 3) + count.mid(1) + frame.mid(6)
                       : frame.mid(0, 4) + count + frame.mid(8);
  }

  /// Gives a text of one's own without a description one, because TagLib takes the text for the description.
  void nameDescription(ByteVector &data, const FrameHeader &head) const {
    const ByteVector content = data.mid(head.headerSize, head.size);
    if (isGrouped(data) || content.size() < 3) return;
    const bool isWide = byte(content, 0) == 1 || byte(content, 0) == 2;
    const unsigned mark = byte(content, 0) == 1 && byte(content, 1) >= 0xFE ? 2 : 0;
    const unsigned place = 1 + mark;
    if (byte(content, place) != 0 || (isWide && byte(content, place + 1) != 0)) return;
    ByteVector name(1, noDescription);
    if (isWide) name = byte(content, 1) == 0xFF ? name + ByteVector(1, 0) : ByteVector(1, 0) + name;
    // Without a mark the order of UTF-16 is guessed.
    if (byte(content, 0) == 1 && mark == 0) return;
    data = resized(data, head.size + name.size()).mid(0, head.headerSize) + content.mid(0, place) + name
      + content.mid(place) + data.mid(head.headerSize + head.size);
  }

  /// Gives texts in UTF-16 whose byte order mark is missing the order of the text before them, or of their bytes;
  /// TagLib drops them.
  void addByteOrder(ByteVector &data) const {
    const FrameHeader head(data, version);
    const ByteVector content = data.mid(head.headerSize, head.size);
    if (isGrouped(data) || content.size() != head.size || byte(content, 0) != 1) return;
    const String id(head.id, String::Latin1);
    unsigned place = 1;
    bool isAll = id[0] == 'T';
    if (id == "COMM" || id == "USLT" || id == "COM" || id == "ULT") {
      place = 4;
      isAll = true;
    } else if (id == "PIC") {
      place = 5;
    } else if (id == "APIC") {
      place = content.find('\0', 1) + 2;
    } else if (!isAll && id != "WXXX" && id != "WXX") {
      return;
    }
    const unsigned start = place;
    ByteVector texts;
    bool isLittle = true, isMarked = false, isMissing = false, isStart = true;
    while (place + 1 < content.size()) {
      if (isStart) {
        isStart = false;
        const ByteVector mark = content.mid(place, 2);
        if (mark == ByteVector("\xFF\xFE", 2) || mark == ByteVector("\xFE\xFF", 2)) {
          isLittle = byte(mark, 0) == 0xFF;
          isMarked = true;
          place += 2;
          continue;
        }
        isMissing = isMissing || mark != ByteVector(2, 0);
        if (!isMarked) isLittle = isLittleEndian(content, place);
      }
      const char first = content[place], second = content[place + 1];
      texts.append(isLittle ? second : first);
      texts.append(isLittle ? first : second);
      place += 2;
      isStart = first == 0 && second == 0;
      if (isStart && !isAll) break;
    }
    if (!isMissing) return;
    // Encoding 2 is big-endian without a mark.
    ByteVector plain = ByteVector(1, 2) + content.mid(1, start - 1) + texts;
    if (!isAll) plain.append(content.mid(place));
    data = resized(data, plain.size()).mid(0, head.headerSize) + plain
      + data.mid(head.headerSize + head.size);
  }

  /// True if more of the higher bytes of a text are zero if they come second.
  static bool isLittleEndian(const ByteVector &text, unsigned place) {
    int balance = 0;
    for (; place + 1 < text.size() && (text[place] != 0 || text[place + 1] != 0); place += 2) {
      balance += (text[place + 1] == 0 ? 1 : 0) - (text[place] == 0 ? 1 : 0);
    }
    return balance >= 0;
  }

  bool isGrouped(const ByteVector &frame) const {
    return version > 2 && (byte(frame, 9) & (version > 3 ? 0x40 : 0x20)) != 0;
  }

  /// Removes the byte that names the group of a frame, which TagLib takes for the first of its content.
  void removeGroup(ByteVector &data, const FrameHeader &head) const {
    if (!isGrouped(data)) return;
    // Version 2.3 has it after the decompressed size.
    const unsigned place = head.headerSize + (version == 3 && head.isCompressed ? 4 : 0);
    if (head.size < 2 || place >= head.headerSize + head.size) return;
    data = resized(data, head.size - 1).mid(0, place) + data.mid(place + 1);
    data[9] = static_cast<char>(data[9] & (version > 3 ? ~0x40 : ~0x20));
  }

  /// True if a frame is plain, of a plausible decompressed size, and without chapters in chapters.
  bool mayBeParsed(const FrameHeader &head, const ByteVector &rest) {
    const String id(head.id, String::Latin1);
    if (head.isEncrypted) {
      visitor.unheld("encrypted " + id);
      return false;
    }
    if (head.isCompressed) {
      if (head.size > mostCompressedBytes - compressedBytes) {
        visitor.unheld("compressed " + id);
        return false;
      }
      compressedBytes += head.size;
    }
    if (head.id != "CHAP" && head.id != "CTOC") return true;
    ByteVector content = rest.mid(head.headerSize, head.size);
    if ((isUnsynchronized || head.isUnsynchronized) && isDecodable(content)) {
      content = SynchData::decode(content);
    }
    if (!head.isCompressed && !isGrouped(rest) && holdsPlainFrames(content, head.id == "CTOC")) return true;
    visitor.unheld(id);
    return false;
  }

  /// True if the frames in a chapter are plain. TagLib would parse chapters in them recursively without
  /// limit.
  bool holdsPlainFrames(const ByteVector &content, bool isTable) const {
    const int end = content.find('\0');
    if (end < 0) return false;
    unsigned position = end + 1;
    if (isTable) {
      if (position + 2 > content.size()) return false;
      const unsigned children = static_cast<unsigned char>(content[position + 1]);
      position += 2;
      for (unsigned child = 0; child < children; ++child) {
        const int stop = content.find('\0', position);
        if (stop < 0) return true;
        position = stop + 1;
      }
    } else {
      position += 16;
    }
    const unsigned headerSize = version < 3 ? 6 : 10;
    while (position < content.size() && content.size() - position > headerSize) {
      const FrameHeader inner(content.mid(position), version);
      if (inner.id == "CHAP" || inner.id == "CTOC" || inner.isCompressed) return false;
      if (inner.size == 0 || inner.size > content.size() - position - headerSize) return true;
      position += headerSize + inner.size;
    }
    return true;
  }
};

}  // namespace

void readID3v2(const ByteVector &tag, const Visitor &visitor) { Reading(visitor).read(tag); }

}  // namespace ctag
