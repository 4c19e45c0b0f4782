// Conversions between C values and TagLib's, and a guard for exceptions.
#pragma once

#include <new>
#include <string>

#include <tbytevector.h>
#include <tstring.h>

#include "CTagLib.h"

namespace ctag {

inline TagLib::String string(ctag_text text) {
  return TagLib::String(std::string(text.start ? text.start : "", text.count), TagLib::String::UTF8);
}

inline TagLib::ByteVector bytes(ctag_bytes bytes) {
  return TagLib::ByteVector(
    reinterpret_cast<const char *>(bytes.start), static_cast<unsigned int>(bytes.count));
}

inline ctag_bytes view(const TagLib::ByteVector &bytes) {
  return {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()};
}

/// UTF-8 text with its storage.
struct Text {
  std::string storage;

  explicit Text(const TagLib::String &text) : storage(text.to8Bit(true)) {}
  explicit Text(std::string text) : storage(std::move(text)) {}
  ctag_text view() const { return {storage.data(), storage.size()}; }
};

/// Fills the tables that TagLib otherwise fills at their first use without a lock, once in the process.
void fillSharedTables();

/// Runs `work`, and converts exceptions to a status. Threads may call it at the same time.
template <class Work>
ctag_status guarded(Work work) noexcept {
  try {
    fillSharedTables();
    return work();
  } catch (const std::bad_alloc &) {
    return CTAG_NO_MEMORY;
  } catch (...) {
    return CTAG_FAILED;
  }
}

}  // namespace ctag
