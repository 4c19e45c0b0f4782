// The functions of Cairo that are called here. CCairoLoader defines them, and has them call the library
// once it is loaded. Their symbols have names of their own: those of the library stay free for a program that
// links both. Include this before the library's headers.
#pragma once

#define CAIRO_FUNCTIONS(X)                                                                           \
  X(cairo_arc) X(cairo_clip) X(cairo_close_path) X(cairo_create) X(cairo_destroy) X(cairo_fill)      \
  X(cairo_font_options_create) X(cairo_font_options_destroy) X(cairo_font_options_set_antialias)     \
  X(cairo_font_options_set_hint_metrics) X(cairo_font_options_set_hint_style)                        \
  X(cairo_get_scaled_font) X(cairo_get_source) X(cairo_glyph_free) X(cairo_image_surface_create)     \
  X(cairo_image_surface_get_data) X(cairo_image_surface_get_stride) X(cairo_line_to)                 \
  X(cairo_move_to) X(cairo_new_sub_path) X(cairo_paint) X(cairo_pattern_set_filter)               \
  X(cairo_pdf_surface_create_for_stream) X(cairo_pdf_surface_set_metadata) X(cairo_rectangle)        \
  X(cairo_restore) X(cairo_save) X(cairo_scale) X(cairo_scaled_font_text_to_glyphs)                  \
  X(cairo_select_font_face) X(cairo_set_font_options) X(cairo_set_font_size) X(cairo_set_line_cap)   \
  X(cairo_set_line_join) X(cairo_set_line_width) X(cairo_set_source) X(cairo_set_source_rgb)         \
  X(cairo_set_source_surface) X(cairo_show_text) X(cairo_status) X(cairo_status_to_string)           \
  X(cairo_stroke) X(cairo_surface_destroy) X(cairo_surface_finish) X(cairo_surface_flush)            \
  X(cairo_surface_mark_dirty) X(cairo_surface_status) X(cairo_surface_write_to_png_stream)           \
  X(cairo_svg_surface_create_for_stream) X(cairo_svg_surface_set_document_unit)                      \
  X(cairo_text_extents) X(cairo_translate)

#define SCALEAUDIO_PRAGMA(text) _Pragma(#text)
#define SCALEAUDIO_RENAME(name) SCALEAUDIO_PRAGMA(redefine_extname name scaleaudio_##name)
CAIRO_FUNCTIONS(SCALEAUDIO_RENAME)
