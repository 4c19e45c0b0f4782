// TagLib through a C interface: what a tag says is told to callbacks, and what is to be written is
// gathered first. No C++ exception leaves these functions, and no path is opened.
#ifndef CTAGLIB_H
#define CTAGLIB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// UTF-8 text, not terminated; it may hold zeros.
typedef struct {
  const char *start;
  size_t count;
} ctag_text;

typedef struct {
  const uint8_t *start;
  size_t count;
} ctag_bytes;

typedef enum {
  CTAG_OK = 0,
  /// It is no tag of this kind, or cannot be made sense of.
  CTAG_DAMAGED,
  /// Reading or writing the file failed; `errno` says why.
  CTAG_IO,
  CTAG_NO_MEMORY,
  /// TagLib failed, or gave up.
  CTAG_FAILED,
} ctag_status;

/// Kinds of tag, each told by its own bytes alone.
typedef enum {
  /// From `ID3` to the end of the frames or beyond.
  CTAG_ID3V2,
  /// From the first item, or the header, to the end of the footer.
  CTAG_APE,
  /// The content of `moov.udta.meta.ilst`: items, one after another.
  CTAG_MP4,
  /// The header object of an ASF file.
  CTAG_ASF,
} ctag_kind;

typedef struct {
  /// As APIC numbers it (ID3v2.4 native frames, section 4.14).
  uint32_t type;
  ctag_text mime_type;
  ctag_text description;
  ctag_bytes data;
} ctag_picture;

typedef struct {
  /// Milliseconds.
  uint32_t start, end;
  ctag_text title;
  /// A URL; none where `start` is null.
  ctag_text address;
  /// Or null.
  const ctag_picture *picture;
} ctag_chapter;

typedef struct {
  uint32_t time;
  ctag_text text;
} ctag_line;

typedef struct {
  ctag_text language;
  /// As SYLT numbers it (ID3v2.4 native frames, section 4.9).
  uint8_t content_type;
  /// Whether times count MPEG frames; else they are milliseconds.
  int counts_mpeg_frames;
  ctag_text description;
  const ctag_line *lines;
  size_t line_count;
} ctag_lyrics;

/// Who is told what a tag says. Everything that is passed lives for the call only.
typedef struct {
  void *context;
  /// One value of a field; `language` is empty where the field has none.
  void (*text)(void *context, ctag_text name, ctag_text value, ctag_text language);
  void (*picture)(void *context, const ctag_picture *picture);
  void (*chapter)(void *context, const ctag_chapter *chapter);
  void (*lyrics)(void *context, const ctag_lyrics *lyrics);
  /// Something that is not told by any of the above, such as `GEOB`.
  void (*unheld)(void *context, ctag_text name);
} ctag_visitor;

/// Tells a visitor what a tag in memory says.
ctag_status ctag_read(ctag_kind kind, ctag_bytes tag, const ctag_visitor *visitor);

/// The name of a genre of ID3v1; none where `start` is null. `sink` is called once at most.
void ctag_genre(int number, void *context, void (*sink)(void *context, ctag_text name));

/// Tags that are to be written.
typedef struct ctag_tags ctag_tags;

/// New, empty tags, or null without memory.
ctag_tags *ctag_tags_new(void);
void ctag_tags_free(ctag_tags *tags);
ctag_status ctag_add_text(ctag_tags *tags, ctag_text name, ctag_text value, ctag_text language);
ctag_status ctag_add_picture(ctag_tags *tags, const ctag_picture *picture);
ctag_status ctag_add_chapter(ctag_tags *tags, const ctag_chapter *chapter);
ctag_status ctag_add_lyrics(ctag_tags *tags, const ctag_lyrics *lyrics);

/// Renders an ID3v2.4 tag and hands it to `sink`, once; an empty tag is no bytes.
ctag_status ctag_render_id3v2(
  const ctag_tags *tags, void *context, void (*sink)(void *context, ctag_bytes tag));

/// Puts the text and the pictures into the MP4 file open on a descriptor, in place of what is there.
ctag_status ctag_write_mp4(const ctag_tags *tags, int descriptor);

/// Hands a packet of the Ogg file open on a descriptor, counted from 0, to `sink`.
ctag_status ctag_read_ogg_packet(
  int descriptor, unsigned index, void *context, void (*sink)(void *context, ctag_bytes packet));

/// Puts `packet` in the place of one of the Ogg file open on a descriptor, and numbers the pages anew.
ctag_status ctag_replace_ogg_packet(int descriptor, unsigned index, ctag_bytes packet);

#ifdef __cplusplus
}
#endif

#endif
