// Packets of an Ogg stream, for the comments of Opus.
#include <oggfile.h>
#include <oggpageheader.h>

#include "DescriptorStream.hpp"
#include "Boundary.hpp"

using namespace TagLib;

namespace ctag {
namespace {

class PacketFile : public Ogg::File {
 public:
  explicit PacketFile(IOStream *stream) : Ogg::File(stream) {}
  TagLib::Tag *tag() const override { return nullptr; }
  AudioProperties *audioProperties() const override { return nullptr; }
};

}  // namespace
}  // namespace ctag

ctag_status ctag_read_ogg_packet(
  int descriptor, unsigned index, void *context, void (*sink)(void *, ctag_bytes)) {
  return ctag::guarded([&] {
    ctag::DescriptorStream stream(descriptor, ctag::DescriptorStream::Mode::read);
    ctag::PacketFile file(&stream);
    const ByteVector packet = file.packet(index);
    if (packet.isEmpty()) return CTAG_DAMAGED;
    sink(context, ctag::view(packet));
    return CTAG_OK;
  });
}

ctag_status ctag_replace_ogg_packet(int descriptor, unsigned index, ctag_bytes packet) {
  return ctag::guarded([&] {
    ctag::DescriptorStream stream(descriptor, ctag::DescriptorStream::Mode::readWrite);
    ctag::PacketFile file(&stream);
    file.setPacket(index, ctag::bytes(packet));
    return file.save() ? CTAG_OK : CTAG_FAILED;
  });
}
