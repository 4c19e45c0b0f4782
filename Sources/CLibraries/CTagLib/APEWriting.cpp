// Writing APEv2 tags.
#include <apeitem.h>
#include <apetag.h>
#include <tpropertymap.h>

#include "Tags.hpp"

using namespace TagLib;

namespace ctag {
namespace {

/// The names of foobar2000 and Mp3tag, in the order of ID3v2's picture types.
const char *const pictureNames[] = {
  "Other", "Icon", "Other Icon", "Front", "Back", "Leaflet", "Media", "Lead Artist", "Artist",
  "Conductor", "Band", "Composer", "Lyricist", "Recording Location", "During Recording",
  "During Performance", "Video Capture", "Colored Fish", "Illustration", "Band Logo",
  "Publisher Logo"};

/// The name of a picture's file. One whose ending is that of another type gets the ending of its own.
String fileName(const Picture &picture) {
  const char *const endings[] = {"jpg", "png", "gif", "webp", "bmp", "tiff"};
  String own = picture.mimeType == "image/jpeg" ? "jpg" : "";
  for (const char *ending : endings)
    if (picture.mimeType == String("image/") + ending) own = ending;
  if (picture.description.isEmpty()) return "cover." + (own.isEmpty() ? String("jpg") : own);
  const int dot = picture.description.rfind(".");
  String named = picture.description.substr(dot + 1).upper();
  if (named == "JPEG" || named == "TIF") named = named == "TIF" ? "TIFF" : "JPG";
  for (const char *ending : endings)
    if (dot >= 0 && !own.isEmpty() && named == String(ending).upper() && own != ending)
      return picture.description.substr(0, dot + 1) + own;
  return picture.description;
}

/// A picture after a file name, whose extension shows the type to programs that do not look into it.
ByteVector content(const Picture &picture) {
  ByteVector bytes = fileName(picture).data(String::UTF8);
  bytes.append('\0');
  bytes.append(picture.data);
  return bytes;
}

}  // namespace
}  // namespace ctag

ctag_status ctag_render_ape(
  const ctag_tags *tags, void *context, void (*sink)(void *, ctag_bytes)) {
  return ctag::guarded([&] {
    PropertyMap properties;
    const std::vector<ctag::Field> fields = tags->grouped();
    for (const ctag::Field &field : fields) {
      if (!field.item) properties.insert(field.name, field.list());
    }
    APE::Tag tag;
    tag.setProperties(properties);
    for (const ctag::Field &field : fields) {
      if (!field.item) continue;
      String key = *field.item;
      const bool isLocator = key.startsWith("@");
      if (isLocator) key = key.substr(1);
      if (isLocator) {
        APE::Item item(key, field.values[0].text.data(String::UTF8), true);
        item.setType(APE::Item::Locator);
        tag.setItem(key, item);
      } else {
        tag.setItem(key, APE::Item(key, field.list()));
      }
    }
    for (const ctag::Picture &picture : tags->pictures) {
      const unsigned count = sizeof ctag::pictureNames / sizeof ctag::pictureNames[0];
      const String kind = ctag::pictureNames[picture.type < count ? picture.type : 0];
      const String key = "Cover Art (" + kind + ")";
      tag.setItem(key, APE::Item(key, ctag::content(picture), true));
    }
    const ByteVector rendered = tag.itemListMap().isEmpty() ? ByteVector() : tag.render();
    sink(context, ctag::view(rendered));
    return CTAG_OK;
  });
}
