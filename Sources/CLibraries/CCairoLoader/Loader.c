// Cairo depends on fontconfig and X11, so it is loaded only when something is drawn.
#include "CCairoLoader.h"

#include "../CCairo/Functions.h"

#include <cairo/cairo-pdf.h>
#include <cairo/cairo-svg.h>
#include <cairo/cairo.h>

#include "Loading.h"

LIBRARY("libcairo.so.2", CAIRO_FUNCTIONS, scaleaudio_cairo_failure)

BEGIN_FORWARDING

F6(void, cairo_arc, cairo_t *, double, double, double, double, double)
F1(void, cairo_clip, cairo_t *)
F1(void, cairo_close_path, cairo_t *)
F1(cairo_t *, cairo_create, cairo_surface_t *)
F1(void, cairo_destroy, cairo_t *)
F1(void, cairo_fill, cairo_t *)
F0(cairo_font_options_t *, cairo_font_options_create)
F1(void, cairo_font_options_destroy, cairo_font_options_t *)
F2(void, cairo_font_options_set_antialias, cairo_font_options_t *, cairo_antialias_t)
F2(void, cairo_font_options_set_hint_metrics, cairo_font_options_t *, cairo_hint_metrics_t)
F2(void, cairo_font_options_set_hint_style, cairo_font_options_t *, cairo_hint_style_t)
F3(cairo_surface_t *, cairo_image_surface_create, cairo_format_t, int, int)
F3(void, cairo_line_to, cairo_t *, double, double)
F3(void, cairo_move_to, cairo_t *, double, double)
F1(void, cairo_new_sub_path, cairo_t *)
F4(cairo_surface_t *, cairo_pdf_surface_create_for_stream, cairo_write_func_t, void *, double, double)
F3(void, cairo_pdf_surface_set_metadata, cairo_surface_t *, cairo_pdf_metadata_t, const char *)
F5(void, cairo_rectangle, cairo_t *, double, double, double, double)
F1(void, cairo_restore, cairo_t *)
F1(void, cairo_save, cairo_t *)
F3(void, cairo_scale, cairo_t *, double, double)
F4(void, cairo_select_font_face, cairo_t *, const char *, cairo_font_slant_t, cairo_font_weight_t)
F2(void, cairo_set_font_options, cairo_t *, const cairo_font_options_t *)
F2(void, cairo_set_font_size, cairo_t *, double)
F2(void, cairo_set_line_cap, cairo_t *, cairo_line_cap_t)
F2(void, cairo_set_line_join, cairo_t *, cairo_line_join_t)
F2(void, cairo_set_line_width, cairo_t *, double)
F2(void, cairo_set_source, cairo_t *, cairo_pattern_t *)
F4(void, cairo_set_source_rgb, cairo_t *, double, double, double)
F2(void, cairo_show_text, cairo_t *, const char *)
F1(cairo_status_t, cairo_status, cairo_t *)
F1(const char *, cairo_status_to_string, cairo_status_t)
F1(void, cairo_stroke, cairo_t *)
F1(void, cairo_surface_destroy, cairo_surface_t *)
F1(void, cairo_surface_finish, cairo_surface_t *)
F1(void, cairo_surface_flush, cairo_surface_t *)
F1(cairo_pattern_t *, cairo_get_source, cairo_t *)
F1(void, cairo_paint, cairo_t *)
F2(void, cairo_pattern_set_filter, cairo_pattern_t *, cairo_filter_t)
F4(void, cairo_set_source_surface, cairo_t *, cairo_surface_t *, double, double)
F1(void, cairo_surface_mark_dirty, cairo_surface_t *)
F3(void, cairo_translate, cairo_t *, double, double)
F1(unsigned char *, cairo_image_surface_get_data, cairo_surface_t *)
F1(int, cairo_image_surface_get_stride, cairo_surface_t *)
F1(cairo_status_t, cairo_surface_status, cairo_surface_t *)
F3(cairo_status_t, cairo_surface_write_to_png_stream, cairo_surface_t *, cairo_write_func_t, void *)
F4(cairo_surface_t *, cairo_svg_surface_create_for_stream, cairo_write_func_t, void *, double, double)
F2(void, cairo_svg_surface_set_document_unit, cairo_surface_t *, cairo_svg_unit_t)
F1(cairo_scaled_font_t *, cairo_get_scaled_font, cairo_t *)
F1(void, cairo_glyph_free, cairo_glyph_t *)
F3(void, cairo_text_extents, cairo_t *, const char *, cairo_text_extents_t *)

cairo_status_t cairo_scaled_font_text_to_glyphs(
    cairo_scaled_font_t *font, double x, double y, const char *text, int length,
    cairo_glyph_t **glyphs, int *glyph_count, cairo_text_cluster_t **clusters, int *cluster_count,
    cairo_text_cluster_flags_t *flags) {
  return p_cairo_scaled_font_text_to_glyphs(
      font, x, y, text, length, glyphs, glyph_count, clusters, cluster_count, flags);
}

END_FORWARDING
