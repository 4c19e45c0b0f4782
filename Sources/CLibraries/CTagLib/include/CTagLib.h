// A C interface to TagLib. Reading reports the content of a tag to callbacks; writing collects all content
// first. No C++ exception leaves these functions, and no path is opened.
#ifndef CTAGLIB_H
#define CTAGLIB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// UTF-8 text without a terminator. It may contain zeros.
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
  /// The data is not a tag of this kind, or is invalid.
  CTAG_DAMAGED,
  CTAG_NO_MEMORY,
  /// TagLib failed.
  CTAG_FAILED,
} ctag_status;

/// A kind of tag, and the bytes that it consists of.
typedef enum {
  /// From `ID3` to the end of the frames, or later.
  CTAG_ID3V2,
  /// From the first item, or the header, to the end of the footer.
  CTAG_APE,
  /// The header object of an ASF file.
  CTAG_ASF,
} ctag_kind;

typedef struct {
  /// The picture type of APIC (ID3v2.4 native frames, section 4.14).
  uint32_t type;
  ctag_text mime_type;
  ctag_text description;
  ctag_bytes data;
} ctag_picture;

typedef struct {
  /// The identifier among the chapters, in Latin-1 characters.
  ctag_text id;
  /// Times in milliseconds.
  uint32_t start, end;
  ctag_text title;
  /// A URL; none if `start` is null.
  ctag_text address;
  /// The picture of the chapter, or null.
  const ctag_picture *picture;
  /// Not 0 if a table of contents leaves it out.
  int is_hidden;
} ctag_chapter;

typedef struct {
  uint32_t time;
  ctag_text text;
} ctag_line;

typedef struct {
  ctag_text language;
  /// The content type of SYLT (ID3v2.4 native frames, section 4.9).
  uint8_t content_type;
  /// True if times are in MPEG frames; otherwise they are in milliseconds.
  int counts_mpeg_frames;
  ctag_text description;
  const ctag_line *lines;
  size_t line_count;
} ctag_lyrics;

/// Callbacks for the content of a tag. Arguments are valid only during the call.
typedef struct {
  void *context;
  /// One value of a field. `language` is empty if the field has none. `item` is the name of the item in the tag,
  /// or null if the name of the field alone identifies it.
  void (*text)(
    void *context, ctag_text name, ctag_text value, ctag_text language, const ctag_text *item);
  void (*picture)(void *context, const ctag_picture *picture);
  void (*chapter)(void *context, const ctag_chapter *chapter);
  void (*lyrics)(void *context, const ctag_lyrics *lyrics);
  /// A text labeled Latin-1 whose bytes are neither in the declared encoding nor in UTF-8.
  void (*latin1)(void *context, ctag_text text);
  /// Content that none of the above can report, such as `GEOB`.
  void (*unheld)(void *context, ctag_text name);
} ctag_visitor;

/// Reports the content of a tag in memory to a visitor. Texts of ID3v2 that are labeled Latin-1 are read in `encoding`, a
/// name for iconv or null, if they are valid in it, else as UTF-8 if they are valid in it, else as Latin-1.
ctag_status ctag_read(
  ctag_kind kind, ctag_bytes tag, const char *encoding, const ctag_visitor *visitor);

/// Calls `sink` with the name of an ID3v1 genre, unless the number is unknown.
void ctag_genre(int number, void *context, void (*sink)(void *context, ctag_text name));

/// Tags to write.
typedef struct ctag_tags ctag_tags;

/// Creates empty tags; returns null if there is no memory.
ctag_tags *ctag_tags_new(void);
void ctag_tags_free(ctag_tags *tags);
/// Adds a value; `item` is as in `ctag_visitor`.
ctag_status ctag_add_text(
  ctag_tags *tags, ctag_text name, ctag_text value, ctag_text language, const ctag_text *item);
/// Labels frames of ID3v2 with this text Latin-1, so that it has the bytes of its characters.
ctag_status ctag_label_latin1(ctag_tags *tags, ctag_text text);
ctag_status ctag_add_picture(ctag_tags *tags, const ctag_picture *picture);
ctag_status ctag_add_chapter(ctag_tags *tags, const ctag_chapter *chapter);
ctag_status ctag_add_lyrics(ctag_tags *tags, const ctag_lyrics *lyrics);

/// Renders an ID3v2.4 tag and passes it to `sink`, once. An empty tag has no bytes.
ctag_status ctag_render_id3v2(
  const ctag_tags *tags, void *context, void (*sink)(void *context, ctag_bytes tag));

/// Renders an APEv2 tag with texts and pictures, and passes it to `sink`, once. An empty tag has no bytes.
ctag_status ctag_render_ape(
  const ctag_tags *tags, void *context, void (*sink)(void *context, ctag_bytes tag));

#ifdef __cplusplus
}
#endif

#endif
