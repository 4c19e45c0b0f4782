// The fields of ID3v2 frames that TagLib has parsed.
#pragma once

#include <vector>

#include <id3v2frame.h>

#include "Visitor.hpp"

namespace ctag {

/// The description that a TXXX frame without one has while TagLib reads it.
constexpr char noDescription = '\x01';

/// Passes the texts, pictures, chapters and lyrics of all frames of a tag to a visitor, in their order.
void visitFrames(const std::vector<TagLib::ID3v2::Frame *> &frames, const Visitor &visitor);

}  // namespace ctag
