#include "DescriptorStream.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <system_error>
#include <vector>

using namespace TagLib;

namespace ctag {
namespace {

constexpr size_t blockSize = 1 << 16;
/// The maximum size of a read, which is more than the maximum size of a tag.
constexpr long mostBytes = 64L << 20;
constexpr unsigned long mostReads = 1 << 18;

[[noreturn]] void fail(int code) { throw std::system_error(code, std::generic_category()); }

}  // namespace

DescriptorStream::DescriptorStream(int descriptor, Mode mode)
  : descriptor(descriptor),
    mode(mode),
    readsLeft(mode == Mode::read ? mostReads : std::numeric_limits<unsigned long>::max()) {}

ByteVector DescriptorStream::readBlock(unsigned long wanted) {
  if (readsLeft-- == 0) fail(EFBIG);
  const long left = std::max(0L, length() - position);
  const long count = wanted > static_cast<unsigned long>(left) ? left : static_cast<long>(wanted);
  if (count > mostBytes) fail(EFBIG);
  if (count == 0) return ByteVector();
  ByteVector block(static_cast<unsigned>(count), '\0');
  block.resize(static_cast<unsigned>(readAt(position, block.data(), block.size())));
  position += block.size();
  return block;
}

void DescriptorStream::writeBlock(const ByteVector &data) {
  writeAt(position, data.data(), data.size());
  position += data.size();
}

void DescriptorStream::insert(
  const ByteVector &data, unsigned long start, unsigned long replace) {
  const long end = static_cast<long>(start + replace);
  if (end < length()) move(end, static_cast<long>(start + data.size()));
  writeAt(static_cast<long>(start), data.data(), data.size());
  position = static_cast<long>(start + data.size());
}

void DescriptorStream::removeBlock(unsigned long start, unsigned long count) {
  const long end = static_cast<long>(start + count);
  if (end < length()) {
    move(end, static_cast<long>(start));
  } else {
    truncate(static_cast<long>(start));
  }
}

void DescriptorStream::seek(long offset, Position origin) {
  const long base = origin == Beginning ? 0 : origin == Current ? position : length();
  long target = 0;
  if (__builtin_add_overflow(base, offset, &target) || target < 0) return;
  position = target;
}

long DescriptorStream::length() {
  struct stat status;
  if (fstat(descriptor, &status) != 0) fail(errno);
  return static_cast<long>(status.st_size);
}

void DescriptorStream::truncate(long length) {
  if (mode == Mode::read) fail(EBADF);
  while (ftruncate(descriptor, length) != 0) {
    if (errno != EINTR) fail(errno);
  }
}

size_t DescriptorStream::readAt(long offset, char *target, size_t count) const {
  size_t done = 0;
  while (done < count) {
    const ssize_t part = pread(descriptor, target + done, count - done, offset + done);
    if (part == 0) break;
    if (part < 0 && errno != EINTR) fail(errno);
    if (part > 0) done += static_cast<size_t>(part);
  }
  return done;
}

void DescriptorStream::writeAt(long offset, const char *source, size_t count) const {
  if (mode == Mode::read) fail(EBADF);
  size_t done = 0;
  while (done < count) {
    const ssize_t part = pwrite(descriptor, source + done, count - done, offset + done);
    if (part < 0 && errno != EINTR) fail(errno);
    if (part > 0) done += static_cast<size_t>(part);
  }
}

/// Moves everything after `from` to `to`, block by block, and truncates the file if it becomes shorter.
void DescriptorStream::move(long from, long to) {
  std::vector<char> block(blockSize);
  const long end = length();
  if (to < from) {
    for (long offset = from; offset < end;) {
      const size_t count = readAt(offset, block.data(), block.size());
      if (count == 0) break;
      writeAt(to + (offset - from), block.data(), count);
      offset += static_cast<long>(count);
    }
    truncate(to + (end - from));
  } else if (to > from) {
    for (long offset = end; offset > from;) {
      const long start = std::max(from, offset - static_cast<long>(blockSize));
      const size_t count = readAt(start, block.data(), static_cast<size_t>(offset - start));
      writeAt(to + (start - from), block.data(), count);
      offset = start;
    }
  }
}

}  // namespace ctag
