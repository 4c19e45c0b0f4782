#include "Latin1Encoding.hpp"

#include <algorithm>
#include <iconv.h>
#include <mutex>
#include <vector>

#include <id3v2tag.h>

using namespace TagLib;

namespace ctag {
namespace {

thread_local const char *declared = nullptr;
thread_local std::set<std::string> *rest = nullptr;

/// Many taggers write the code page of their system, or UTF-8, and label it Latin-1.
class Handler : public ID3v2::Latin1StringHandler {
 public:
  String parse(const ByteVector &data) const override {
    const bool isASCII =
      std::all_of(data.begin(), data.end(), [](char c) { return static_cast<signed char>(c) >= 0; });
    // Below 0x80, encodings such as ISO-2022-JP have more than ASCII.
    for (const char *name : {declared, isASCII ? nullptr : "UTF-8"}) {
      ByteVector text;
      if (name && convert(data, name, text)) return String(text, String::UTF8);
    }
    const String text(data, String::Latin1);
    if (!isASCII && rest) rest->insert(text.to8Bit(true));
    return text;
  }

 private:
  /// Converts bytes to UTF-8; `false` if they are not valid in the encoding, or if it is unknown.
  static bool convert(const ByteVector &data, const char *name, ByteVector &text) {
    const iconv_t converter = iconv_open("UTF-8", name);
    if (converter == reinterpret_cast<iconv_t>(-1)) return false;
    std::vector<char> input(data.begin(), data.end());
    // Encodings have at most 4 bytes of UTF-8 for one of theirs.
    std::vector<char> output(4 * input.size() + 16);
    char *next = input.data(), *place = output.data();
    size_t count = input.size(), room = output.size();
    const bool isValid = iconv(converter, &next, &count, &place, &room) != static_cast<size_t>(-1)
      && count == 0 && iconv(converter, nullptr, nullptr, &place, &room) != static_cast<size_t>(-1);
    iconv_close(converter);
    if (isValid) text = ByteVector(output.data(), static_cast<unsigned>(output.size() - room));
    return isValid;
  }
};

}  // namespace

Latin1Encoding::Latin1Encoding(const char *name) {
  static const Handler handler;
  static std::once_flag once;
  std::call_once(once, [] { ID3v2::Tag::setLatin1StringHandler(&handler); });
  declared = name;
  ctag::rest = &rest;
}

Latin1Encoding::~Latin1Encoding() {
  declared = nullptr;
  ctag::rest = nullptr;
}

}  // namespace ctag
