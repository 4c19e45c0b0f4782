// A TagLib stream on an open file.
#pragma once

#include <tiostream.h>

namespace ctag {

/// Reads and writes at explicit positions, and never moves that of the descriptor. System errors are thrown as
/// `std::system_error`.
class DescriptorStream : public TagLib::IOStream {
 public:
  enum class Mode { read, readWrite };

  DescriptorStream(int descriptor, Mode mode);

  TagLib::FileName name() const override { return ""; }
  TagLib::ByteVector readBlock(unsigned long length) override;
  void writeBlock(const TagLib::ByteVector &data) override;
  void insert(
    const TagLib::ByteVector &data, unsigned long start = 0, unsigned long replace = 0) override;
  void removeBlock(unsigned long start = 0, unsigned long length = 0) override;
  bool readOnly() const override { return mode == Mode::read; }
  bool isOpen() const override { return true; }
  void seek(long offset, Position origin = Beginning) override;
  long tell() const override { return position; }
  long length() override;
  void truncate(long length) override;

 private:
  const int descriptor;
  const Mode mode;
  long position = 0;
  /// The remaining number of reads from a file opened for reading, so that a damaged file cannot take long.
  unsigned long readsLeft;

  size_t readAt(long offset, char *target, size_t count) const;
  void writeAt(long offset, const char *source, size_t count) const;
  void move(long from, long to);
};

}  // namespace ctag
